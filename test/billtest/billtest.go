package billtest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/ingest/bill"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Result is the result of importing some files.
type Result struct {
	Deliveries []ledger.Delivery
	Charges    [][]ledger.Charge // by slot
	Tally      ledger.Tally
	Leftover   []string
}

// ReadAll makes both passes over files like the importer.
func ReadAll(
	t testing.TB, format bill.Format, files []blob.File, manifests []*bill.Manifest, at *period.Second,
) (*Result, error) {
	t.Helper()
	ctx := context.Background()
	var surveys []*bill.Survey
	res := &Result{}
	files, format, err := bill.Prepare(ctx, format, files, &res.Tally)
	if err != nil {
		return nil, err
	}
	owners := bill.Owners(files, manifests)
	for i, f := range files {
		sv, err := bill.SurveyFile(ctx, format, f, bill.SurveyOptions{Lines: true, Manifest: owners[i]})
		if err != nil {
			return nil, err
		}
		res.Tally.Merge(&sv.Tally)
		surveys = append(surveys, sv)
	}
	if res.Tally.RejectedRows() > 0 {
		return res, nil
	}
	plan := bill.NewPlan(format, surveys, manifests, bill.PlanOptions{DeliveredAt: at})
	if len(plan.Refused) > 0 {
		return nil, &ledger.FileError{Rejection: plan.Refused[0]}
	}
	if err := plan.Choose(ctx); err != nil {
		return nil, err
	}
	res.Leftover = plan.Leftover
	res.Charges = make([][]ledger.Charge, plan.Deliveries())
	for i := range plan.Files() {
		tally, err := plan.Read(ctx, i, func(slot int, cs []ledger.Charge) error {
			res.Charges[slot] = append(res.Charges[slot], cs...)
			return nil
		})
		if err != nil {
			return nil, err
		}
		res.Tally.Merge(&tally)
	}
	deliveries, refused, err := plan.Finish()
	if err != nil {
		return nil, err
	}
	if len(refused) > 0 {
		return nil, &ledger.FileError{Rejection: refused[0]}
	}
	res.Deliveries = deliveries
	return res, nil
}

// Check tests the invariants of every delivery: unique ids, row counts, and the two passes agreeing on every total.
func (r *Result) Check(t testing.TB) {
	t.Helper()
	for slot, d := range r.Deliveries {
		if int64(len(r.Charges[slot])) != d.Rows {
			t.Errorf("slot %d: %d charges, %d rows", slot, len(r.Charges[slot]), d.Rows)
		}
		ids := map[ledger.ID]bool{}
		sums := map[bill.TotalKey]map[ledger.Metric]money.Amount{}
		for i := range r.Charges[slot] {
			c := &r.Charges[slot][i]
			if ids[c.ID] {
				t.Errorf("slot %d: charge id %s twice", slot, c.ID)
			}
			ids[c.ID] = true
			k := bill.TotalKey{Account: c.Account, Month: c.BillingPeriod, Currency: c.Currency}
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
			if got := sums[bill.TotalKey{Account: total.Account, Month: total.BillingPeriod,
				Currency: total.Currency}][total.Metric]; got.Cmp(total.SourceTotal) != 0 {
				t.Errorf("slot %d %s %s: rows %s, raw text %s", slot, total.Account, total.Metric, got, total.SourceTotal)
			}
		}
	}
}

// Total adds a control total over accounts.
func Total(d ledger.Delivery, m ledger.Metric) string {
	var sum money.Amount
	for _, c := range d.Totals {
		if c.Metric == m {
			sum = sum.Add(c.SourceTotal)
		}
	}
	return sum.String()
}

// Samples is the path of a public sample: a file of testdata/public, or of the full collection next to the project,
// which is too large for it or has licences that do not allow a copy. It skips, visibly, if neither has it. A folder
// comes from one of the two, never from both.
func Samples(t testing.TB, path string) string {
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
	whole := filepath.Join(dir, "..", "shared", "reference", "samples", path)
	_, err = os.Stat(whole)
	if err == nil {
		return whole
	}
	if own := filepath.Join(dir, "testdata", "public", path); isWhole(own) {
		return own
	}
	t.Skipf("this public sample is not here: %v", err)
	return ""
}

// isWhole reports whether a path is a file, or a folder of files alone: testdata/public has those complete.
func isWhole(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return err == nil
	}
	entries, err := os.ReadDir(path)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() })
}

// List lists files, and fails the test if it cannot.
func List(t testing.TB, uri string) []blob.File {
	t.Helper()
	files, err := blob.Stores(nil).List(context.Background(), uri)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Split separates manifests from data files.
func Split(t testing.TB, format bill.Format, files []blob.File) (data []blob.File, manifests []*bill.Manifest) {
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
		m, err := format.ParseManifest(f.Name, text)
		if err != nil {
			t.Fatal(err)
		}
		manifests = append(manifests, m)
	}
	return data, manifests
}
