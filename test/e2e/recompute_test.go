package e2e

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gpuledger/test/tier"
)

// The scripts that users may run on an explanation.
var (
	outsideScript = filepath.Join("..", "..", "docs", "recompute.py")
	spotScript    = filepath.Join("..", "..", "docs", "recompute_spot.py")
)

// recompute runs the script on the costliest run, on the one with the largest loss, and on changed explanations, which
// it must notice.
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
		if strings.Contains(line, "import") && line != "import hashlib, json, sys" &&
			line != "from fractions import Fraction" {
			t.Errorf("it needs more than Python: %s", line)
		}
	}
	if code > 50 {
		t.Errorf("%d lines of code are more than 50", code)
	}
	python := interpreter(t)
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

// recomputePostings explains 100 postings of every kind in the fleet, 30 of them every day, and recomputes them
// outside; a changed weight and a changed amount are noticed.
func (s *served) recomputePostings(t *testing.T) {
	python := interpreter(t)
	all := decodeCSV(t, must(t, s.db, "report", "postings", "--sharing=before", "--format=csv"))
	id, cost := all.column(t, "posting_id"), all.column(t, "effective_cost")
	var kinds [4]int
	for i, name := range []string{"cause", "kind", "mig_profile", "method"} {
		kinds[i] = all.column(t, name)
	}
	const seed = 16
	random := rand.New(rand.NewPCG(seed, 0))
	order := random.Perm(len(all.rows))
	many := 100
	if !tier.Full() {
		many = 30
	}
	chosen, seen := [][]string{}, map[string]bool{}
	for _, first := range []bool{true, false} { // one of each kind, then any others
		for _, i := range order {
			row := all.rows[i]
			kind := row[kinds[0]] + "/" + row[kinds[1]] + "/" + strconv.FormatBool(row[kinds[2]] == "") + "/" + row[kinds[3]]
			if len(chosen) < many && seen[kind] != first {
				seen[kind] = true
				chosen = append(chosen, row)
			}
		}
	}
	if len(chosen) < many {
		t.Fatalf("seed %d: only %d postings", seed, len(chosen))
	}
	tampered := 0
	for _, row := range chosen {
		explained := s.get(t, "/api/v1/explain/posting/"+row[id])
		said, ok := script(t, python, explained)
		if !ok || row[cost] != "" && !strings.Contains(said, " "+row[cost]+" agrees") {
			t.Errorf("seed %d: posting %s is %s, but the script says\n%s", seed, row[id], row[cost], said)
		}
		amount := regexp.MustCompile(`("amount":\{"currency":"[A-Z]+","effective_cost":")([0-9]+)`)
		if place := strings.Index(explained, `"part_id"`); place >= 0 && row[cost] != "" && row[cost] != "0" &&
			tampered < 10 {
			changed := explained[:place] + amount.ReplaceAllString(explained[place:], "${1}1${2}")
			if changed == explained {
				continue
			}
			tampered++
			if said, ok := script(t, python, changed); ok || !strings.Contains(said, "DIFFERS") {
				t.Errorf("a changed part of posting %s goes unnoticed:\n%s", row[id], said)
			}
		}
	}
	if tampered == 0 {
		t.Error("nothing was changed on purpose")
	}
	for _, subject := range []string{"costs?group-by=team,cause", "costs?filter=cause%3Dlost", "owner/team=unowned"} {
		said, ok := script(t, python, must(t, s.db, "explain", subject, "--list", "all", "--format=json"))
		if !ok || !strings.Contains(said, " agrees") {
			t.Errorf("the script says of %s\n%s", subject, said)
		}
	}
}

// recomputeSpot recomputes spot savings outside; a changed rate and a changed cost are noticed.
func (s *served) recomputeSpot(t *testing.T) {
	python := interpreter(t)
	attempts := decodeCSV(t, must(t, s.db, "report", "attempts", "--filter=pricing = spot", "--order=-lost_cost",
		"--format=csv"))
	run := attempts.rows[0][attempts.column(t, "run_id")]
	for _, subject := range []string{"spot", "spot/zone=us-east-1a", "run/" + run} {
		explained := must(t, s.db, "explain", subject, "--list", "all", "--format=json")
		said, ok := scriptOf(t, python, spotScript, explained)
		if !ok || strings.Count(said, " agrees") < 2 {
			t.Errorf("the script says of %s\n%s", subject, said)
		}
		for _, field := range []string{"on_demand_rate", "lost_cost"} {
			changed := regexp.MustCompile(`("`+field+`": ?")([0-9])`).ReplaceAllString(explained, "${1}1${2}")
			if _, ok := scriptOf(t, python, spotScript, changed); ok || changed == explained {
				t.Errorf("%s: a changed %s goes unnoticed", subject, field)
			}
		}
	}
}

// interpreter is the path of Python itself: the first in the path may be a wrapper script that looks for it each time,
// which takes far longer than the work.
func interpreter(t testing.TB) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		tier.Absent(t, "the script needs python3: ", err)
	}
	return strings.TrimSpace(string(out))
}

func script(t testing.TB, python, input string) (said string, ok bool) {
	t.Helper()
	return scriptOf(t, python, outsideScript, input)
}

func scriptOf(t testing.TB, python, path, input string) (said string, ok bool) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python, path)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &out
	err := cmd.Run()
	return out.String(), err == nil
}
