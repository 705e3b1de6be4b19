package report_test

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/metrics/variance"
	"gpuledger/test/storetest"
)

// Costs of both periods are those of costs, and the parts add up to the difference, for any keys and basis.
func TestVarianceAddsUpToTheCostsOfBothPeriods(t *testing.T) {
	s := twoCurrencies(t)
	before := metrics.Options{From: "2026-11-02", To: "2026-11-03"}
	after := metrics.Options{From: "2026-11-03", To: "2026-11-18"}
	for _, keys := range []string{"", "team", "team,cause", "gpu_model", "pricing,provider", "state"} {
		for _, basis := range []string{"effective", "billed"} {
			before.GroupBy, after.GroupBy, before.Basis, after.Basis = keys, keys, basis, basis
			was := costsBy(t, storetest.Table(t, s, "costs", before), keys, basis)
			is := costsBy(t, storetest.Table(t, s, "costs", after), keys, basis)
			o := after
			o.Against = "2026-11-02/2026-11-03"
			rows := storetest.Table(t, s, "variance", o)
			if len(rows) == 0 {
				t.Fatalf("by %q: no rows", keys)
			}
			seen := map[string]bool{}
			for _, r := range rows {
				id := rowID(r, keys)
				if seen[id] {
					t.Errorf("by %q: two rows of %s", keys, id)
				}
				seen[id] = true
				if difference(r["cost_before"], was[id]) != "0" || difference(r["cost_after"], is[id]) != "0" {
					t.Errorf("by %q, %s: %s and %s, costs says %q and %q", keys, id, r["cost_before"], r["cost_after"],
						was[id], is[id])
				}
				parts := make([]string, len(variance.Names))
				for i, name := range variance.Names {
					parts[i] = r[name]
				}
				if sum := product(t, parts...); difference(sum, r["difference"]) != "0" ||
					difference(product(t, r["cost_after"], "-"+strings.TrimPrefix(r["cost_before"], "-")), r["difference"]) != "0" {
					t.Errorf("by %q, %s: parts %v add up to %s, the difference is %s", keys, id, parts, sum, r["difference"])
				}
			}
			for id := range is {
				if !seen[id] {
					t.Errorf("by %q: no row of %s", keys, id)
				}
			}
		}
	}
}

// Without a period to compare with all is new; with nothing in the period all is gone.
func TestVarianceOfOnePeriodAlone(t *testing.T) {
	s := storetest.SmallLedger(t)
	all := storetest.Table(t, s, "variance", metrics.Options{})[0]
	storetest.Wants(t, all, map[string]string{"cost_before": "0", "difference": all["cost_after"], "price": "0"})
	gone := storetest.Table(t, s, "variance",
		metrics.Options{From: "2020-01-01", To: "2020-02-01", Against: "2026-01-01/2027-01-01"})[0]
	storetest.Wants(t, gone, map[string]string{
		"cost_before": all["cost_after"], "cost_after": "0", "difference": "-" + all["cost_after"],
	})
}

// In another currency the parts are at the earlier rate, and the change of the rate is a separate part.
func TestVarianceShowsTheExchangeRateApart(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	o := metrics.Options{From: "2026-11-16", To: "2026-11-17", Against: "2026-11-02/2026-11-03"}
	own := storetest.RowWith(t, storetest.Table(t, s, "variance", o), "currency", "USD")
	o.Currency = "EUR"
	shown := storetest.RowWith(t, storetest.Table(t, s, "variance", o), "currency", "EUR")
	const r0, r1 = "0.9213", "0.900000000001"
	for name, want := range map[string]string{
		"cost_before": product(t, own["cost_before"]+"*"+r0),
		"cost_after":  product(t, own["cost_after"]+"*"+r1),
		"exchange":    product(t, own["cost_after"]+"*"+r1, "-1*"+own["cost_after"]+"*"+r0),
	} {
		got, ok := new(big.Rat).SetString(shown[name])
		exact, _ := new(big.Rat).SetString(want)
		if !ok || got.Sub(got, exact).Abs(got).Cmp(big.NewRat(2, 1_000_000_000_000)) > 0 {
			t.Errorf("%s is %s, want %s", name, shown[name], want)
		}
	}
	o.From, o.To = "2026-11-17", "2026-11-18" // pounds without a rate
	q, err := metrics.Parse("variance", o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Query(t.Context(), q); err == nil || !strings.Contains(err.Error(), "from GBP to EUR") {
		t.Errorf("an amount without a rate: %v", err)
	}
}

// costsBy is the basis cost of each row of costs.
func costsBy(t *testing.T, rows []map[string]string, keys, basis string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, r := range rows {
		if r["currency"] != "" {
			out[rowID(r, keys)] = product(t, "0", r[basis+"_cost"])
		}
	}
	return out
}

func rowID(r map[string]string, keys string) string {
	id := r["currency"]
	for key := range strings.SplitSeq(keys, ",") {
		id += "|" + r[key]
	}
	return id
}

// difference is a less b, "0" where both are equal; an empty text is 0.
func difference(a, b string) string {
	x, y := new(big.Rat), new(big.Rat)
	x.SetString(a)
	y.SetString(b)
	return x.Sub(x, y).RatString()
}
