package posting_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// near fails if a decimal is off by more than n rounded postings can be.
func near(t *testing.T, what, got string, want *big.Rat) {
	t.Helper()
	g, ok := new(big.Rat).SetString(got)
	if !ok {
		t.Errorf("%s is %q, want %s", what, got, want.FloatString(12))
		return
	}
	if g.Sub(g, want).Abs(g).Cmp(big.NewRat(1, 1_000_000)) > 0 {
		t.Errorf("%s is %s, want %s", what, got, want.FloatString(12))
	}
}

func spotAgrees(t *testing.T, w *world, key string) {
	t.Helper()
	oracle, interruptions := truth.SpotBy(w.fleet, key)
	if key == "zone" {
		var want []string
		for _, i := range interruptions {
			want = append(want, fmt.Sprintf("(%s,%d,%d)", i.Instance, i.At, i.Warned))
		}
		equal(t, "interruptions", want, w.rows(`
			select n.instance_id, extract(epoch from i.at)::bigint, extract(epoch from i.warned_at)::bigint
			from spot_interruptions i join nodes n using (tenant_id, node_id)`))
	}
	rows := w.report("spot", metrics.Options{Filter: "group_key = " + key})
	for _, r := range rows {
		what := key + " " + r["group_value"] + " " + r["currency"] + ": "
		want := oracle[[2]string{r["group_value"], r["currency"]}]
		if want == nil {
			t.Errorf("%sa row too many: %v", what, r)
			continue
		}
		delete(oracle, [2]string{r["group_value"], r["currency"]})
		for name, n := range map[string]int{"attempts": want.Attempts, "interruptions": want.Interruptions,
			"ended_runs": want.EndedRuns, "recovered": len(want.Recoveries)} {
			if r[name] != strconv.Itoa(n) {
				t.Errorf("%s%s are %s, want %d", what, name, r[name], n)
			}
		}
		near(t, what+"hours", r["spot_instance_hours"], want.Hours)
		near(t, what+"effective cost", r["effective_cost"], want.Effective)
		near(t, what+"lost cost", r["lost_cost"], want.Lost)
		if unknown := r["unknown_cost"]; unknown != "" || want.Unknown.Sign() != 0 {
			near(t, what+"unknown cost", unknown, want.Unknown)
		}
		if want.KnownHours.Sign() > 0 {
			near(t, what+"on-demand equivalent", r["on_demand_equivalent"], want.OnDemand)
			gross := new(big.Rat).Sub(want.OnDemand, want.Known)
			near(t, what+"gross savings", r["gross_savings"], gross)
			net := new(big.Rat).Sub(gross, want.Lost)
			near(t, what+"net savings", r["net_savings"], net)
			if want.OnDemand.Sign() != 0 {
				near(t, what+"net savings, share", r["net_savings_share"], new(big.Rat).Quo(net, want.OnDemand))
			}
			near(t, what+"known share", r["known_share"], new(big.Rat).Quo(want.KnownHours, want.Hours))
		} else {
			equal(t, what+"savings that nobody knows", []string{"", "", "", ""},
				[]string{r["on_demand_equivalent"], r["gross_savings"], r["net_savings"], r["net_savings_share"]})
		}
		if want.EndedRuns > 0 {
			near(t, what+"success rate", r["success_rate"], big.NewRat(int64(want.CompletedRuns), int64(want.EndedRuns)))
		}
		if len(want.Recoveries) > 0 {
			slices.Sort(want.Recoveries)
			var sum int64
			for _, s := range want.Recoveries {
				sum += s
			}
			near(t, what+"mean recovery", r["recovery_mean_seconds"], big.NewRat(sum, int64(len(want.Recoveries))))
			near(t, what+"P95 of recovery", r["recovery_p95_seconds"], big.NewRat(truth.Rank(want.Recoveries, 95), 1))
		}
		writing, basis := int64(60), "assumed"
		if n := int64(len(want.Writings)); n > 0 {
			writing, basis = 0, "measured"
			for _, ms := range want.Writings {
				writing += ms
			}
			writing = (writing + 1000*n - 1) / (1000 * n)
		}
		if r["checkpoint_seconds"] != strconv.FormatInt(writing, 10) || r["checkpoint_basis"] != basis {
			t.Errorf("%sa checkpoint takes %s s, %s; want %d s, %s", what, r["checkpoint_seconds"], r["checkpoint_basis"],
				writing, basis)
		}
	}
	for k := range oracle {
		t.Errorf("%s %v has no row", key, k)
	}
}

func waitsAgree(t *testing.T, w *world) {
	t.Helper()
	oracle := truth.Waits(w.fleet)
	for _, r := range w.report("queue", metrics.Options{GroupBy: "team,cluster", Filter: "gpu_model != ''"}) {
		team := [2]string{r["team"], r["cluster"]}
		waits := oracle[team]
		delete(oracle, team)
		if r["workloads"] != strconv.Itoa(len(waits)) || len(waits) == 0 {
			t.Errorf("team %s has %s workloads, want %d", team, r["workloads"], len(waits))
			continue
		}
		for name, percent := range map[string]int{"wait_p50_seconds": 50, "wait_p95_seconds": 95, "wait_p99_seconds": 99,
			"wait_max_seconds": 100} {
			if want := strconv.FormatInt(truth.Rank(waits, percent), 10); r[name] != want {
				t.Errorf("team %s: %s is %s, want %s", team, name, r[name], want)
			}
		}
	}
	for team := range oracle {
		t.Errorf("team %s waited and has no row", team)
	}
}

func commitmentsAgree(t *testing.T, w *world) {
	t.Helper()
	used, unused := map[string]*big.Rat{}, map[string]*big.Rat{}
	for _, r := range w.report("commitments", metrics.Options{}) {
		for name, sums := range map[string]map[string]*big.Rat{"used_cost": used, "unused_cost": unused} {
			v, _ := new(big.Rat).SetString(r[name])
			if old := sums[r["commitment"]]; old != nil {
				v.Add(v, old)
			}
			sums[r["commitment"]] = v
		}
	}
	for id, want := range truth.Commitments(w.fleet) {
		if used[id] == nil {
			t.Errorf("commitment %s has no row", id)
			continue
		}
		near(t, id+" used", used[id].FloatString(12), want.Used)
		near(t, id+" unused", unused[id].FloatString(12), want.Unused)
	}
}
