package storetest

import (
	"bytes"
	"encoding/json"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// Dashed is an id in PostgreSQL's form.
func Dashed(i ledger.ID) string {
	h := i.String()
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// AssertRecomputes checks an explanation against its own figures, in Go and, if Python is installed, by the published
// script.
func AssertRecomputes(t *testing.T, e *metrics.Explanation) {
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
		t.Log("the script docs/recompute.py is not tried: no python3 here")
		return
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	cmd := osexec.CommandContext(t.Context(), python, filepath.Join("..", "..", "..", "docs", "recompute.py"))
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("recompute.py: %v\n%s", err, out)
	}
}
