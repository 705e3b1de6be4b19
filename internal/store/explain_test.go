package store

import (
	"bytes"
	"encoding/json"
	"errors"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

func TestExplain(t *testing.T) {
	s := smallLedger(t)
	for subject, want := range map[string]struct {
		cost string
		rows int
	}{
		"run/prod/ml/train":                         {"16.385", 4},
		"posting/" + id("posting", "used").String(): {"8.1925", 3},
		"posting/" + id("posting", "tax").String():  {"1.23", 0},
		"charge/" + id("charge", "box").String():    {"32.77", 0},
		"posting/" + dashed(id("posting", "free")):  {"16.385", 3},
	} {
		e, err := s.Explain(t.Context(), subject)
		if err != nil {
			t.Fatalf("%s: %v", subject, err)
		}
		rows := 0
		for _, n := range e.NodeHours {
			rows += len(n.Rows)
		}
		if got := e.Figures[0].Effective; got == nil || *got != want.cost || rows != want.rows {
			t.Errorf("%s: effective %v over %d rows, want %s over %d", subject, got, rows, want.cost, want.rows)
		}
		assertRecomputes(t, e)
	}
	e, err := s.Explain(t.Context(), "run/prod/ml/train")
	if err != nil {
		t.Fatal(err)
	}
	first := e.NodeHours[0]
	if p := first.Parts[0]; *p.File != "data/cur-00001.csv.gz" || *p.Line != 1 || *p.Share.Effective != "16.385" || *p.Amount.List != "98.32" {
		t.Errorf("part says %+v", p)
	}
	if first.Samples != 480 || first.PlacementMinutes != 3 || e.Unbilled != 1 || e.Policies[0] != "default-1" {
		t.Errorf("evidence: %d samples, %d minutes, %d unbilled, %v", first.Samples, first.PlacementMinutes, e.Unbilled, e.Policies)
	}
	for _, subject := range []string{"run/none", "posting/" + id("no").String(), "charge/" + id("no").String(), "run/o'brien"} {
		var missing *metrics.NotFoundError
		if _, err := s.Explain(t.Context(), subject); !errors.As(err, &missing) {
			t.Errorf("%s: %v, want not found", subject, err)
		}
	}
	for _, subject := range []string{"", "run/", "run", "pod/x", "posting/xyz"} {
		var bad *metrics.OptionError
		if _, err := s.Explain(t.Context(), subject); !errors.As(err, &bad) {
			t.Errorf("%s: %v, want a refusal", subject, err)
		}
	}
}

func dashed(i ledger.ID) string {
	h := i.String()
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// assertRecomputes checks an explanation against its own figures, in Go and,
// where Python is there, by the published script.
func assertRecomputes(t *testing.T, e *metrics.Explanation) {
	t.Helper()
	totals, err := e.Recompute()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Figures {
		for _, m := range ledger.Metrics {
			got, ok := totals[f.Currency][m]
			switch said := f.Get(m); {
			case said == nil && !ok:
			case said == nil || !ok || got.String() != *said:
				t.Errorf("%s: recomputed %s %v, the figure is %v", e.Subject, m, got, said)
			}
		}
	}
	python, err := osexec.LookPath("python3")
	if err != nil {
		t.Log("the script docs/recompute-run.py is not tried: no python3 here")
		return
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	cmd := osexec.CommandContext(t.Context(), python, filepath.Join("..", "..", "docs", "recompute-run.py"))
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("recompute-run.py: %v\n%s", err, out)
	}
}
