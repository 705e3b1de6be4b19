package main

import (
	"bytes"
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/closing"
	"gpuledger/internal/folder"
	"gpuledger/internal/outgoing"
)

// Nouns agree with their counts.
func TestOneThingIsNoPlural(t *testing.T) {
	a := &app{stderr: new(bytes.Buffer)}
	reasons := []string{"a", "b"}
	faults := []folder.Fault{{What: "a"}, {What: "b"}}
	for _, c := range []struct{ text, want string }{
		{a.listReasons(&closing.RefusedError{What: "close 2026-10", Reasons: reasons[:1]}).Error(), ": 1 reason, listed"},
		{a.listReasons(&closing.RefusedError{What: "close 2026-10", Reasons: reasons}).Error(), ": 2 reasons, listed"},
		{(&applyCmd{}).refuse(a, faults[:1]).Error(), ": 1 fault, so"},
		{(&applyCmd{}).refuse(a, faults).Error(), ": 2 faults, so"},
		{importText(&ingest.Summary{Files: 1, RowsRead: 1}), ". 1 file, 1 row read ="},
		{importText(&ingest.Summary{Files: 2, RowsRead: 1234567}), ". 2 files, 1234567 rows read ="},
		{resultOf(&outgoing.Run{Totals: outgoing.Totals{Rows: 1, Written: 1}}), "1 row, 1 file written"},
		{daysWait(1), "1 node-day waits"},
		{daysWait(2), "2 node-days wait"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%q, want %q", c.text, c.want)
		}
	}
}

// A check that finds nothing says so.
func TestNothingBlocksClosing(t *testing.T) {
	for account, want := range map[string]string{
		"": "nothing blocks closing 2026-10\n", "1\n2": `nothing blocks closing 2026-10 of billing account 1\u000a2` + "\n",
	} {
		if got := (&closeCmd{Period: "2026-10", Account: account}).unblocked(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
