package awscur

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// result is what an import of some files gives.
type result struct {
	deliveries []ledger.Delivery
	charges    [][]ledger.Charge // by slot
	tally      ledger.Tally
	leftover   []string
}

// readAll makes both passes over files as the importer does.
func readAll(t testing.TB, files []blob.File, manifests []*Manifest, at *period.Second) (*result, error) {
	t.Helper()
	ctx := context.Background()
	var surveys []*Survey
	res := &result{}
	for _, f := range files {
		sv, err := SurveyFile(ctx, f, true)
		if err != nil {
			return nil, err
		}
		res.tally.Merge(&sv.Tally)
		surveys = append(surveys, sv)
	}
	if res.tally.RejectedRows() > 0 {
		return res, nil
	}
	plan, err := NewPlan(surveys, manifests, at)
	if err != nil {
		return nil, err
	}
	res.leftover = plan.Leftover
	res.charges = make([][]ledger.Charge, plan.Deliveries())
	for i := range plan.Files() {
		tally, err := plan.Read(ctx, i, func(slot int, cs []ledger.Charge) error {
			res.charges[slot] = append(res.charges[slot], cs...)
			return nil
		})
		if err != nil {
			return nil, err
		}
		res.tally.Merge(&tally)
	}
	if res.deliveries, err = plan.Finish(); err != nil {
		return nil, err
	}
	return res, nil
}

// check tests what must hold of every delivery: unique ids, row counts, and
// the two passes agreeing on every total.
func (r *result) check(t testing.TB) {
	t.Helper()
	for slot, d := range r.deliveries {
		if int64(len(r.charges[slot])) != d.Rows {
			t.Errorf("slot %d: %d charges, %d rows", slot, len(r.charges[slot]), d.Rows)
		}
		ids := map[ledger.ID]bool{}
		sums := map[totalKey]map[ledger.Metric]money.Amount{}
		for i := range r.charges[slot] {
			c := &r.charges[slot][i]
			if ids[c.ID] {
				t.Errorf("slot %d: charge id %s twice", slot, c.ID)
			}
			ids[c.ID] = true
			k := totalKey{c.Account, c.Currency}
			if sums[k] == nil {
				sums[k] = map[ledger.Metric]money.Amount{}
			}
			for _, m := range ledger.Metrics {
				if a := c.Get(m); a != nil {
					sums[k][m] = sums[k][m].Add(*a)
				}
			}
		}
		for _, total := range d.Totals {
			if got := sums[totalKey{total.Account, total.Currency}][total.Metric]; got.Cmp(total.SourceTotal) != 0 {
				t.Errorf("slot %d %s %s: rows %s, raw text %s", slot, total.Account, total.Metric, got, total.SourceTotal)
			}
		}
	}
}

// total adds a control total over accounts.
func total(d ledger.Delivery, m ledger.Metric) string {
	var sum money.Amount
	for _, c := range d.Totals {
		if c.Metric == m {
			sum = sum.Add(c.SourceTotal)
		}
	}
	return sum.String()
}

// samples finds the public samples beside the repository.
func samples(t testing.TB, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
	p := filepath.Join(dir, "..", "shared", "reference", "samples", path)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("public samples are not here: %v", err)
	}
	return p
}

func list(t testing.TB, uri string) []blob.File {
	t.Helper()
	files, err := blob.List(context.Background(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// split parts manifests from data files.
func split(t testing.TB, files []blob.File) (data []blob.File, manifests []*Manifest) {
	t.Helper()
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".json") {
			data = append(data, f)
			continue
		}
		text, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ParseManifest(f.Name, text)
		if err != nil {
			t.Fatal(err)
		}
		manifests = append(manifests, m)
	}
	return data, manifests
}
