package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// outsideScript is what anybody may run on an explanation.
var outsideScript = filepath.Join("..", "..", "docs", "recompute.py")

// recompute runs the script on the costliest run, on the one that lost most,
// and on changed explanations, which it must notice.
func (s *served) recompute(t *testing.T) {
	text, err := os.ReadFile(outsideScript)
	if err != nil {
		t.Fatal(err)
	}
	code := 0
	body := regexp.MustCompile(`(?s)""".*?"""`).ReplaceAllString(string(text), "")
	for line := range strings.Lines(body) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			code++
		}
		if strings.Contains(line, "import") && line != "import hashlib, json, sys" && line != "from fractions import Fraction" {
			t.Errorf("it needs more than Python: %s", line)
		}
	}
	if code > 50 {
		t.Errorf("%d lines of code are more than 50", code)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: the script needs python3: ", err)
	}
	runs := decodeCSV(t, must(t, s.db, "report", "runs", "--order=-effective_cost", "--format=csv"))
	id, cost, lost := runs.column(t, "run_id"), runs.column(t, "effective_cost"), runs.column(t, "lost_cost")
	chosen := map[string][]string{"costliest": runs.rows[0]}
	for _, row := range runs.rows {
		if row[lost] != "0" && chosen["lost"] == nil {
			chosen["lost"] = row
		}
	}
	for name, row := range chosen {
		explained := must(t, s.db, "explain", "run/"+row[id], "--format=json")
		said, ok := script(t, python, explained)
		if !ok || !strings.Contains(said, "effective_cost USD "+row[cost]+" agrees") || strings.Count(said, " agrees") != 4 {
			t.Errorf("the %s run %s costs %s, but the script says\n%s", name, row[id], row[cost], said)
		}
		weight := regexp.MustCompile(`"weight": "([0-9]+)"`).FindString(explained)
		changed := strings.Replace(explained, weight, strings.TrimSuffix(weight, `"`)+`1"`, 1)
		if said, ok := script(t, python, changed); ok || !strings.Contains(said, "DIFFERS") {
			t.Errorf("a changed weight goes unnoticed:\n%s", said)
		}
	}
}

func script(t testing.TB, python, input string) (said string, ok bool) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python, outsideScript)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &out
	err := cmd.Run()
	return out.String(), err == nil
}
