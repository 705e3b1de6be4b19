package main

import (
	"bytes"
	"strings"
	"testing"

	"gpuledger/ingest"
)

// Control and bidi characters of names do not reach the terminal, neither in an
// error of any command nor in a summary, where a name cannot start a new line either.
func TestNamesReachTheTerminalVisibly(t *testing.T) {
	const bad = "x\x1b[2J\u202e\u0085y"
	for _, args := range [][]string{{"--config", "/nowhere/" + bad, "config", "check"}, {bad}, {"report", bad}} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), append([]string{"--data-dir", t.TempDir()}, args...), &out, &errs); code == exitOK {
			t.Errorf("%q succeeds", args)
		}
		said := out.String() + errs.String()
		if strings.ContainsAny(said, "\x1b\u202e\u0085") || !strings.Contains(said, "[2J") {
			t.Errorf("%q says %q", args, said)
		}
	}
	text := importText(&ingest.Summary{
		State: ingest.ImportRefused, RejectedByReason: map[string]int64{"file a\n  accepted 9: all": 1},
	})
	if !strings.Contains(text, `rejected 1: file a\u000a  accepted 9: all`+"\n") {
		t.Errorf("a reason makes a line of its own:\n%s", text)
	}
}
