package ingest

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
)

// All samples of Google from one folder: child tables find their table, rows that differ
// between four files of one day are refused by name, and the rest is published to the last
// digit.
func TestGoogleSamplesFromOneFolder(t *testing.T) {
	m := newMemory()
	s, err := importer(m).Import(t.Context(), Request{
		Source: SourceAuto, URIs: []string{billtest.Samples(t, "gcp")}, KeepEverything: true,
	})
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Whole || refused.Refused != 1 ||
		!strings.Contains(err.Error(), "conflicting rows") || !strings.Contains(err.Error(), "test_3_2/export.json") {
		t.Fatalf("%v", err)
	}
	if s.Accepted != 500+9+1560 || s.IgnoredByReason["in a refused delivery"] != 20 || m.open != 0 {
		t.Errorf("%d accepted, ignored %v, %d stages left open", s.Accepted, s.IgnoredByReason, m.open)
	}
	billed := map[string]money.Amount{}
	for _, charges := range m.charges {
		for i := range charges {
			c := &charges[i]
			if c.Provider != "gcp" {
				t.Fatalf("a charge of %s", c.Provider)
			}
			billed[c.Currency] = billed[c.Currency].Add(*c.Billed)
		}
	}
	totals := map[string]money.Amount{}
	for _, d := range m.current {
		for _, total := range d.Totals {
			if total.Metric == ledger.BilledCost {
				totals[total.Currency] = totals[total.Currency].Add(total.SourceTotal)
			}
		}
	}
	for currency, sum := range billed {
		if sum.Cmp(totals[currency]) != 0 {
			t.Errorf("%s: charges %s, raw text %s", currency, sum, totals[currency])
		}
	}
	if chf := billed["CHF"]; !strings.HasPrefix(chf.String(), "33.984178") { // 33.996126 - 0.011948, both rounded
		t.Errorf("CHF %s", chf)
	}
}

func TestGoogleFilesAreDetected(t *testing.T) {
	for _, f := range billtest.List(t, billtest.Samples(t, "gcp")) {
		want := SourceGCPBilling
		if f.Base() == "billing_export_schema.json" {
			want = ""
		}
		if d, err := Detect(f); err != nil || d.Source != want || d.Manifest {
			t.Errorf("%s: %+v %v", f.Name, d, err)
		}
	}
}
