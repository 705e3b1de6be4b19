package gcpbilling

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
)

// read makes both passes over files as the importer does.
func read(t testing.TB, files []blob.File) (*billtest.Result, error) {
	t.Helper()
	return billtest.ReadAll(t, Format, files, nil, nil)
}

// sums adds a measure of all charges, by currency.
func sums(r *billtest.Result, m ledger.Metric) map[string]string {
	total := map[string]money.Amount{}
	for _, charges := range r.Charges {
		for i := range charges {
			if a := charges[i].Get(m); a != nil {
				total[charges[i].Currency] = total[charges[i].Currency].Add(*a)
			}
		}
	}
	out := map[string]string{}
	for currency, a := range total {
		out[currency] = a.String()
	}
	return out
}

func all(of map[string]string) string {
	var sum money.Amount
	for _, a := range of {
		sum = sum.Add(money.MustParse(a))
	}
	return sum.String()
}

// The expected figures are from the README next to the samples: cost, credits, and the sum.
func TestSamplesMeetTheirReadme(t *testing.T) {
	for _, c := range []struct {
		path    string
		rows    int
		billed  string // Σ cost + Σ credits
		cost    string // Σ cost: contracted where no default price is there
		listed  bool
		dataset string
	}{
		{"gcp/google_finops_agent_sample_billing_data.csv", 500, "2628300.4196", "", true, "usage cost"},
		{"gcp/koku_2022-08-01_5.csv", 9, "0.000012", "0.000012", false, "usage cost by partition"},
		{"gcp/google_cuds_attribution/test_1_1", 4, "170", "310", false, "usage cost"},
		{"gcp/google_cuds_attribution/test_3_2", 3, "160", "300", false, "usage cost"},
		{"gcp/google_cuds_attribution/test_9_1", 7, "190", "310", false, "usage cost"},
		{"gcp/google_cuds_attribution/test_10_1", 6, "190", "310", false, "usage cost"},
	} {
		t.Run(c.path, func(t *testing.T) {
			r, err := read(t, billtest.List(t, billtest.Samples(t, c.path)))
			if err != nil {
				t.Fatal(err)
			}
			if r.Tally.RejectedRows() > 0 {
				t.Fatalf("rejected: %+v", r.Tally.First)
			}
			r.Check(t)
			rows := 0
			for slot, d := range r.Deliveries {
				rows += len(r.Charges[slot])
				if d.Kind != ledger.Append || d.Dataset != c.dataset || d.DeliveredAt == nil {
					t.Errorf("%s %s %s at %v", d.Kind, d.Dataset, d.Partition, d.DeliveredAt)
				}
			}
			if got := all(sums(r, ledger.BilledCost)); rows != c.rows || got != c.billed {
				t.Errorf("%d rows, billed %s", rows, got)
			}
			if got := all(sums(r, ledger.ContractedCost)); c.cost != "" && got != c.cost {
				t.Errorf("contracted %s, want %s", got, c.cost)
			}
			if got := len(sums(r, ledger.ListCost)) > 0; got != c.listed {
				t.Errorf("list is carried: %v", got)
			}
			t.Logf("%d deliveries, noted %v", len(r.Deliveries), r.Tally.Noted)
		})
	}
}

// Child tables of a loader are joined again.
func TestChildTablesAreJoined(t *testing.T) {
	files := billtest.List(t, billtest.Samples(t, "gcp/ssp-data"))
	t.Run("in their folders", func(t *testing.T) { joined(t, files) })
	heap := t.TempDir()
	for _, f := range files {
		content, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		billtest.Put(t, filepath.Join(heap, f.Base()), content)
	}
	t.Run("in one", func(t *testing.T) { joined(t, billtest.List(t, heap)) })
}

func joined(t *testing.T, files []blob.File) {
	t.Helper()
	r, err := read(t, files)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("rejected: %+v", r.Tally.First)
	}
	r.Check(t)
	var cost, billed, credits money.Amount
	rows, credited, labelled, typed := 0, 0, 0, 0
	for _, charges := range r.Charges {
		for i := range charges {
			c := &charges[i]
			rows++
			billed = billed.Add(*c.Billed)
			cost = cost.Add(round9(t, *c.Contracted))
			if diff := c.Billed.Sub(*c.Contracted); !diff.IsZero() {
				credited++
				credits = credits.Add(diff)
			}
			if c.InstanceType != "" {
				typed++
			}
			if len(c.Tags) > 0 {
				labelled++
			}
		}
	}
	if rows != 1560 || cost.String() != "33.996126" || credits.String() != "-0.011948" || credited != 12 {
		t.Errorf("%d rows, cost %s, credits %s on %d rows, billed %s", rows, cost, credits, credited, billed)
	}
	if labelled < 967 || typed != 67 {
		t.Errorf("%d rows with tags, %d with a machine type", labelled, typed)
	}
	t.Logf("noted %v", r.Tally.Noted)
}

// round9 is the README's rounding: each value to 9 decimals.
func round9(t *testing.T, a money.Amount) money.Amount {
	t.Helper()
	f, err := strconv.ParseFloat(a.String(), 64)
	if err != nil {
		t.Fatal(err)
	}
	return money.MustParse(fmt.Sprintf("%.9f", f))
}
