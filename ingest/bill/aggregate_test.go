package bill

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Aggregates keep every cent and every line, once.
func TestAggregatesKeepEveryLineAndCent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := newAggregator(map[string]bool{"i-gpu": true}, false)
		in, out := map[string]money.Amount{}, map[string]money.Amount{}
		add := func(sums map[string]money.Amount, c *ledger.Charge) {
			for _, m := range ledger.Metrics {
				if v := c.Get(m); v != nil {
					k := fmt.Sprint(c.Account, c.BillingPeriod, c.Currency, c.ServiceName, ledger.OwnerTags(c.Tags), m)
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
				ID: ledger.NewID("x", fmt.Sprint(i)), Line: int64(i + 2), SourceFile: "f",
				Account:       rapid.SampledFrom([]string{"a", "b"}).Draw(t, "account"),
				BillingPeriod: "2026-10", Currency: "USD", ServiceName: rapid.SampledFrom([]string{"S3", "EC2"}).Draw(t, "service"),
				Kind: rapid.SampledFrom([]ledger.LineKind{
					ledger.LineUsage, ledger.LineInvoice, ledger.LineOther, ledger.LineCoveredUsage,
				}).Draw(t, "kind"),
				Period:     period.Interval{From: period.Second(i * 7200), To: period.Second(i*7200 + 3600)},
				InstanceID: rapid.SampledFrom([]string{"", "i-gpu", "i-other"}).Draw(t, "machine"),
			}
			c.Billed = &amount
			if team := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "team"); team != "" {
				c.Tags = map[string]string{"user_Owner-Team": team, "name": fmt.Sprint(i)}
			}
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

// However many owners the tags of a file name, all are kept, and only a bounded number of
// aggregates is in memory.
func TestAggregatesOfManyOwners(t *testing.T) {
	a := newAggregator(nil, false)
	const lines = 3*maxGroups + 7
	one := money.MustParse("1")
	teams := map[string]int64{}
	count := func(out []ledger.Charge) {
		for i := range out {
			teams[out[i].Tags["team"]] += out[i].Aggregate.Lines
			if out[i].Tags["request"] != "" {
				t.Fatal("a tag that names no owner was kept")
			}
		}
	}
	for i := range lines {
		c := ledger.Charge{ID: ledger.NewID("x", fmt.Sprint(i)), Line: int64(i + 2), Kind: ledger.LineUsage,
			ServiceName: "S3", Costs: ledger.Costs{Billed: &one},
			Tags: map[string]string{"team": fmt.Sprint("t", i%(lines-1)), "request": fmt.Sprint(i)}}
		if kept := a.take([]ledger.Charge{c}); len(kept) != 0 {
			t.Fatal("a line of storage was kept")
		}
		if len(a.open) > maxGroups || len(a.owners) > maxGroups || len(a.done) > maxGroups {
			t.Fatalf("%d aggregates, %d owners, %d done", len(a.open), len(a.owners), len(a.done))
		}
		count(a.ready())
	}
	count(a.finish())
	if len(teams) != lines-1 || teams["t0"] != 2 || a.ranges != 0 {
		t.Errorf("%d teams, %d lines of the one with two, %d ranges left", len(teams), teams["t0"], a.ranges)
	}
}

func TestLinesOutsideTheFleetAreAggregated(t *testing.T) {
	a := newAggregator(nil, false)
	for _, c := range []struct {
		name    string
		charge  ledger.Charge
		outside bool
	}{
		{"storage", ledger.Charge{Kind: ledger.LineUsage, ServiceCode: "AmazonS3"}, true},
		{
			"an instance without GPUs",
			ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "m5.large"}, true,
		},
		{"a GPU instance", ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "p5.48xlarge"}, false},
		{
			"a type that looks like one",
			ledger.Charge{Kind: ledger.LineUsage, InstanceHours: true, InstanceType: "p9.96xlarge"}, false,
		},
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
