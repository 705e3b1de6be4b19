package awscur

import (
	"cmp"
	"fmt"
	"strconv"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// The expected figures are from the README next to the samples.
func TestSamplesMeetTheirReadme(t *testing.T) {
	for _, c := range []struct {
		path         string
		rows         int64
		billed, list string
		listCarried  bool
		effective    string // empty: as billed
	}{
		{"aws-cur2/cloudquery_cost_usage_table.csv", 803, "0.0000000263", "0.4956080494", true, ""},
		{"aws-cur2/fivetran_aws_cost_report_seed.csv", 20, "0", "0", true, ""},
		{
			"aws-cur-legacy/focus_converters_sample-anonymous-aws-export-dataset.csv",
			1281, "1.6823086974", "3.3561726949", true, "",
		},
		{"aws-cur-legacy/koku/test_cur.csv", 19, "0.0827499841274349353", "0.0827499841274349353", true, ""},
		{"aws-cur-legacy/koku/test_cur.csv.gz", 19, "0.0827499841274349353", "0.0827499841274349353", true, ""},
		{"aws-cur-legacy/koku/2023-06-01-not-final.csv", 3, "30", "30", true, "0.3"},
		{"aws-cur-legacy/koku/2023-06-01.csv", 3, "30", "30", true, "0.3"},
		{"aws-cur-legacy/keboola", 3, "0.045152", "", false, ""},
		{"aws-cur2/keboola", 4, "0.108304", "", false, ""},
	} {
		t.Run(c.path, func(t *testing.T) {
			data, manifests := split(t, list(t, samples(t, c.path)))
			r, err := readAll(t, data, manifests, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Tally.RejectedRows() > 0 {
				t.Fatalf("rejected: %+v", r.Tally.First)
			}
			r.Check(t)
			if len(r.Deliveries) != 1 {
				t.Fatalf("%d deliveries", len(r.Deliveries))
			}
			d := r.Deliveries[0]
			if d.Rows != c.rows || total(d, ledger.BilledCost) != c.billed ||
				total(d, ledger.EffectiveCost) != cmp.Or(c.effective, c.billed) {
				t.Errorf("rows %d billed %s effective %s", d.Rows, total(d, ledger.BilledCost), total(d, ledger.EffectiveCost))
			}
			if c.listCarried && total(d, ledger.ListCost) != c.list {
				t.Errorf("list %s, want %s", total(d, ledger.ListCost), c.list)
			}
			for _, ct := range d.Totals {
				if ct.Metric == ledger.ListCost && !c.listCarried {
					t.Errorf("a control total for a measure that the export does not carry: %+v", ct)
				}
			}
			t.Logf("%s %s %s at %v, noted %v", d.Export, d.Scope, d.Partition, d.DeliveredAt, r.Tally.Noted)
		})
	}
}

// Two loads of one partition, different bytes: the same rows, digest and ids.
func TestRepeatedDeliveryIsTheSame(t *testing.T) {
	data, _ := split(t, list(t, samples(t, "aws-cur2/ssp-data")))
	r, err := readAll(t, data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Check(t)
	if len(r.Deliveries) != 2 {
		t.Fatalf("%d deliveries, want 2", len(r.Deliveries))
	}
	a, b := r.Deliveries[0], r.Deliveries[1]
	if a.Digest != b.Digest || a.ID != b.ID || a.Files[0].SHA256 == b.Files[0].SHA256 {
		t.Errorf("digests %x, %x", a.Digest, b.Digest)
	}
	if a.DeliveredAt == nil || b.DeliveredAt == nil || *a.DeliveredAt != 1763377237 || *b.DeliveredAt != 1763378916 {
		t.Errorf("times %v, %v: want the load ids", a.DeliveredAt, b.DeliveredAt)
	}
	var ids [2]map[ledger.ID]bool
	for slot := range ids {
		ids[slot] = map[ledger.ID]bool{}
		var rounded money.Amount
		for i := range r.Charges[slot] {
			c := &r.Charges[slot][i]
			ids[slot][c.ID] = true
			rounded = rounded.Add(round10(t, *c.Billed))
		}
		if len(ids[slot]) != 2283 || rounded.String() != "114.7474046663" {
			t.Errorf("slot %d: %d rows, sum %s", slot, len(ids[slot]), rounded)
		}
	}
	for id := range ids[0] {
		if !ids[1][id] {
			t.Fatalf("charge %s is not in the second load", id)
		}
	}
}

// round10 is the README's rounding: each value to 10 decimals, half away from
// zero.
func round10(t *testing.T, a money.Amount) money.Amount {
	t.Helper()
	f, err := strconv.ParseFloat(a.String(), 64)
	if err != nil {
		t.Fatal(err)
	}
	return money.MustParse(fmt.Sprintf("%.10f", f))
}
