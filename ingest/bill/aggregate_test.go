package bill

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Aggregates keep every cent and every line: what goes in comes out, once.
func TestAggregatesKeepEveryLineAndCent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newAggregator(map[string]bool{"i-gpu": true}, false)
		in, out := map[string]money.Amount{}, map[string]money.Amount{}
		add := func(sums map[string]money.Amount, c *ledger.Charge) {
			for _, m := range ledger.Metrics {
				if v := c.Get(m); v != nil {
					k := fmt.Sprint(c.Account, c.BillingPeriod, c.Currency, c.ServiceName, m)
					sums[k] = sums[k].Add(*v)
				}
			}
		}
		lines := map[int64]int{}
		var emitted []ledger.Charge
		n := rapid.IntRange(0, 60).Draw(t, "lines")
		for i := range n {
			amount := money.FromUnits(rapid.Int64Range(-1e9, 1e9).Draw(t, "units"))
			c := ledger.Charge{
				ID: ledger.NewID("x", fmt.Sprint(i)), Line: int64(i + 2), SourceFile: "f", Account: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "account"),
				BillingPeriod: "2026-10", Currency: "USD", ServiceName: rapid.SampledFrom([]string{"S3", "EC2"}).Draw(t, "service"),
				Kind:       rapid.SampledFrom([]ledger.LineKind{ledger.LineUsage, ledger.LineInvoice, ledger.LineOther, ledger.LineCoveredUsage}).Draw(t, "kind"),
				Period:     period.Interval{From: period.Second(i * 7200), To: period.Second(i*7200 + 3600)},
				InstanceID: rapid.SampledFrom([]string{"", "i-gpu", "i-other"}).Draw(t, "machine"),
			}
			c.Billed = &amount
			if rapid.Bool().Draw(t, "list") {
				c.List = &amount
			}
			add(in, &c)
			emitted = append(emitted, a.take([]ledger.Charge{c})...)
		}
		for _, c := range emitted {
			lines[c.Line]++
			if c.Aggregate != nil {
				t.Fatal("an aggregate before the end")
			}
		}
		ids := map[ledger.ID]bool{}
		for _, c := range append(emitted, a.finish()...) {
			add(out, &c)
			if ids[c.ID] {
				t.Fatalf("id %s twice", c.ID)
			}
			ids[c.ID] = true
			if c.Aggregate == nil {
				continue
			}
			if c.InstanceID == "i-gpu" || c.Kind == ledger.LineInvoice || c.Kind == ledger.LineCoveredUsage {
				t.Fatalf("%s of %q was aggregated", c.Kind, c.InstanceID)
			}
			var count int64
			for _, r := range c.Aggregate.Ranges {
				for l := r.First; l <= r.Last; l++ {
					lines[l]++
					count++
				}
			}
			if count != c.Aggregate.Lines {
				t.Fatalf("%d lines in ranges, %d counted", count, c.Aggregate.Lines)
			}
		}
		if len(lines) != n {
			t.Fatalf("%d of %d lines are left", len(lines), n)
		}
		for l, times := range lines {
			if times != 1 {
				t.Fatalf("line %d is there %d times", l, times)
			}
		}
		for k, v := range in {
			if got := out[k]; got.Cmp(v) != 0 {
				t.Fatalf("%s: %s, want %s", k, got, v)
			}
		}
	})
}

func TestWhatStaysALine(t *testing.T) {
	a := newAggregator(nil, false)
	for _, c := range []struct {
		name    string
		charge  ledger.Charge
		outside bool
	}{
		{"storage", ledger.Charge{Kind: ledger.LineUsage, ServiceCode: "AmazonS3"}, true},
		{"an instance without GPUs", ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "m5.large"}, true},
		{"a GPU instance", ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "p5.48xlarge"}, false},
		{"a type that looks like one", ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "p9.96xlarge"}, false},
		{"instance hours of no type", ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true}, false},
		{"a discount of a bucket", ledger.Charge{Kind: ledger.LineDiscount, ResourceID: "bucket"}, true},
		{"a discount of anything", ledger.Charge{Kind: ledger.LineDiscount}, false},
		{"a control plane", ledger.Charge{Kind: ledger.LineUsage, ServiceCode: "AmazonEKS"}, false},
		{"a fee", ledger.Charge{Kind: ledger.LineCommitmentFee}, false},
		{"tax", ledger.Charge{Kind: ledger.LineInvoice}, false},
		{"a GPU row", ledger.Charge{Kind: ledger.LineUsage, BillsGPU: true}, false},
	} {
		if got := a.outside(&c.charge); got != c.outside {
			t.Errorf("%s: outside is %v", c.name, got)
		}
	}
}
