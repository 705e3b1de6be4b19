package posting_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// catalogued maps the drivers' names of the simulator's models to the catalogue's.
var catalogued = map[string]string{
	"NVIDIA A100-SXM4-40GB": "A100 40GB", "NVIDIA A100-SXM4-80GB": "A100 80GB", "NVIDIA H100 80GB HBM3": "H100",
	"NVIDIA A10G": "A10G", "NVIDIA L4": "L4", "NVIDIA A100 80GB PCIe": "A100 80GB",
}

// packingAgrees compares the layouts and packing of MIG cards, and the better layouts, with the simulator's own
// search.
func packingAgrees(t *testing.T, w *world) {
	t.Helper()
	layouts, drivers := truth.Layouts(w.fleet)
	packed := map[truth.PackingKey]*truth.Packing{}
	for k, v := range drivers {
		k.Model = catalogued[k.Model]
		packed[k] = v
	}
	layoutsAgree(t, w, layouts)
	proposalsHold(t, w, packed)
	rows := w.report("packing", metrics.Options{Granularity: "day"})
	left := map[truth.PackingKey]bool{}
	for k := range packed {
		left[k] = true
	}
	stuck := 0
	for _, r := range rows {
		k := truth.PackingKey{Day: instant(t, r["period_start"]), Cluster: r["cluster"], Model: r["gpu_model"]}
		want := packed[k]
		if want == nil {
			t.Errorf("packing of nothing: %v", r)
			continue
		}
		delete(left, k)
		what := fmt.Sprintf("%s on %s: ", k.Model, r["period_start"])
		for name, n := range map[string]int{"cards": want.Cards, "fewest_cards": want.Fewest, "card_days": want.Cards} {
			if r[name] != strconv.Itoa(n) {
				t.Errorf("%s%s are %s, want %d", what, name, r[name], n)
			}
		}
		if r["exact"] != "yes" {
			t.Errorf("%sthe search for the fewest cards was not exact", what)
		}
		ratio(t, what+"FGD", r["fgd_rate"], want.Stuck, want.Free)
		if want.Stuck.Sign() > 0 {
			stuck++
		}
		ratio(t, what+"packing efficiency", r["packing_efficiency"], want.Held, want.CardHours)
		ratio(t, what+"fragmentation", r["fragmentation_index"], want.Fragmented, want.CardHours)
		ratio(t, what+"dead compute", r["dead_compute"], want.DeadCompute, want.CardHours)
		ratio(t, what+"dead memory", r["dead_memory"], want.DeadMemory, want.CardHours)
		if want.Cards == 0 {
			for _, name := range []string{
				"card_hours", "gpu_hours", "stranded_gpu_hours", "effective_cost", "stranded_cost", "saving",
			} {
				if r[name] != "" {
					t.Errorf("%s%s is %s without a card", what, name, r[name])
				}
			}
			continue
		}
		near(t, what+"time of cards", r["card_hours"], want.CardHours)
		near(t, what+"held", r["gpu_hours"], want.Held)
		near(t, what+"stranded", r["stranded_gpu_hours"], want.Stranded)
		near(t, what+"cost", r["effective_cost"], ratOr0(want.Cost[r["currency"]]))
		near(t, what+"stranded cost", r["stranded_cost"], ratOr0(want.StrandedCost[r["currency"]]))
		near(t, what+"saving", r["saving"],
			new(big.Rat).Mul(ratOr0(want.Cost[r["currency"]]), big.NewRat(int64(want.Cards-want.Fewest), int64(want.Cards))))
	}
	for k := range left {
		t.Errorf("packing of %v has no row", k)
	}
	if stuck == 0 {
		t.Error("nothing that was free was of no use to anybody: the test says nothing")
	}
}

// strandedAgrees: capacity that no profile could use costs the same in every dataset that reports it, to the digit,
// and the same as in the truth.
func strandedAgrees(t *testing.T, w *world, oracle *truth.Ledger) {
	t.Helper()
	want := new(big.Rat)
	for i := range oracle.Postings {
		if p := &oracle.Postings[i]; p.Cause == "stranded" && p.Effective != nil {
			want.Add(want, p.Effective)
		}
	}
	if want.Sign() <= 0 {
		t.Error("nothing was stranded: the test says nothing")
	}
	first := new(big.Rat)
	for _, c := range []struct{ dataset, filter, column string }{
		{"costs", "cause = stranded", "effective_cost"}, {"devices", "", "stranded_cost"}, {"layouts", "", "stranded_cost"},
		{"layouts", "placement = known", "stranded_cost"}, {"slices", "", "stranded_cost"}, {"packing", "", "stranded_cost"},
	} {
		sum := new(big.Rat)
		for _, r := range w.report(c.dataset, metrics.Options{Filter: c.filter}) {
			if v, ok := new(big.Rat).SetString(r[c.column]); ok {
				sum.Add(sum, v)
			}
		}
		near(t, c.dataset+": "+c.column, sum.FloatString(15), want)
		if c.dataset == "costs" {
			first = sum
		} else if sum.Cmp(first) != 0 {
			t.Errorf("%s (%s): %s, costs say %s", c.dataset, c.filter, sum.FloatString(15), first.FloatString(15))
		}
	}
}

func layoutsAgree(t *testing.T, w *world, oracle map[truth.LayoutKey]*truth.Layout) {
	t.Helper()
	for _, r := range w.report("layouts", metrics.Options{}) {
		k := truth.LayoutKey{Device: r["device_uuid"], From: instant(t, r["valid_from"])}
		want := oracle[k]
		if want == nil {
			t.Errorf("a layout too many: %v", r)
			continue
		}
		delete(oracle, k)
		what := "layout of " + k.Device + " from " + r["valid_from"] + ": "
		if got := instant(t, r["valid_to"]); got != want.To {
			t.Errorf("%sends at %s, want %s", what, r["valid_to"], time.Unix(want.To, 0).UTC())
		}
		equal(t, what+"profiles", slices.Clone(want.Profiles), strings.Fields(r["profiles"]))
		near(t, what+"time", r["card_hours"], want.Hours(k.From))
		ratio(t, what+"packing efficiency", r["packing_efficiency"], want.Held, want.Hours(k.From))
		near(t, what+"fragmentation", r["fragmentation_index"], want.Index)
		near(t, what+"dead compute", r["dead_compute"], want.DeadCompute)
		near(t, what+"dead memory", r["dead_memory"], want.DeadMemory)
		near(t, what+"placeable", r["placeable_share"], want.Placeable)
		near(t, what+"stranded", r["stranded_share"], want.Stranded)
	}
	for k := range oracle {
		t.Errorf("layout %v has no row", k)
	}
}

// proposalsHold: a proposed layout holds everything that was held at once on any day, at valid places, on the fewest
// cards, and only if it releases cards; any of equally good proposals will do.
func proposalsHold(t *testing.T, w *world, packed map[truth.PackingKey]*truth.Packing) {
	t.Helper()
	demand, used, all := map[truth.PackingKey][]string{}, map[truth.PackingKey]int{}, map[truth.PackingKey]int{}
	for _, r := range w.report("better_layouts", metrics.Options{}) {
		k := truth.PackingKey{Cluster: r["cluster"], Model: r["gpu_model"]}
		what := "proposal for " + r["device_uuid"] + " on " + r["day"] + ": "
		all[k]++
		var profiles []string
		var starts []int
		for placed := range strings.FieldsSeq(r["placement"]) {
			name, start, _ := strings.Cut(placed, "@")
			at, err := strconv.Atoi(start)
			if err != nil {
				t.Fatal(what, err)
			}
			profiles, starts = append(profiles, name), append(starts, at)
		}
		if !truth.FitsCard(profiles, starts) {
			t.Errorf("%s%s is no layout", what, r["placement"])
		}
		demand[k] = append(demand[k], profiles...)
		same := slices.Equal(sorted(strings.Fields(r["current_profiles"])), sorted(slices.Clone(profiles)))
		action := "repartition"
		switch {
		case len(profiles) == 0:
			action = "release"
		case same:
			action = "keep"
		}
		if action != "release" {
			used[k]++
		}
		if r["action"] != action {
			t.Errorf("%s%s, want %s", what, r["action"], action)
		}
	}
	better := truth.Recuts(packed)
	for k, want := range better {
		if all[k] != want.Cards || used[k] != want.Fewest {
			t.Errorf("proposal for %v: %d of %d cards, want %d of %d", k, used[k], all[k], want.Fewest, want.Cards)
		}
		if got := sorted(demand[k]); !slices.Equal(got, want.Demand) {
			t.Errorf("proposal for %v holds %v, want %v", k, got, want.Demand)
		}
	}
	for k, n := range all {
		if better[k] == nil {
			t.Errorf("proposal for %v: %d cards, and nothing is saved", k, n)
		}
	}
	if len(better) == 0 {
		t.Error("no layout is better: the test says nothing")
	}
}

// ratio compares a quotient; it is unknown if the divisor is 0.
func ratio(t *testing.T, what, got string, of, by *big.Rat) {
	t.Helper()
	if by.Sign() == 0 {
		if got != "" {
			t.Errorf("%s is %s of nothing", what, got)
		}
		return
	}
	near(t, what, got, new(big.Rat).Quo(of, by))
}

func ratOr0(r *big.Rat) *big.Rat {
	if r == nil {
		return new(big.Rat)
	}
	return r
}

func instant(t *testing.T, text string) int64 {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Unix()
}
