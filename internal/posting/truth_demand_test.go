package posting_test

import (
	"math/big"
	"strconv"
	"testing"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// quotasAgree compares fair shares, and their parts of the cluster.
func quotasAgree(t *testing.T, w *world) {
	t.Helper()
	oracle := truth.Quotas(w.fleet)
	type cluster struct{ name, resource string }
	quota, held := map[cluster]*big.Rat{}, map[cluster]*big.Rat{}
	for k, q := range oracle {
		c := cluster{k.Cluster, k.Resource}
		if quota[c] == nil {
			quota[c], held[c] = new(big.Rat), new(big.Rat)
		}
		quota[c].Add(quota[c], q.Quota)
		held[c].Add(held[c], q.Held)
	}
	above := 0 // some have more than a quota
	for _, r := range w.report("fair_share", metrics.Options{}) {
		k := truth.QuotaKey{Cluster: r["cluster"], Namespace: r["namespace"], Resource: r["resource"]}
		want := oracle[k]
		if want == nil || r["granted_by"] != "ResourceQuota" || r["queue"] != "" {
			t.Errorf("a quota too many: %v", r)
			continue
		}
		delete(oracle, k)
		c, what := cluster{k.Cluster, k.Resource}, "quota of "+k.Cluster+"/"+k.Namespace+": "
		near(t, what+"quota", r["quota"], want.Quota)
		near(t, what+"quota hours", r["quota_hours"], want.QuotaHours)
		near(t, what+"held hours", r["held_hours"], want.Held)
		near(t, what+"fair share", r["fair_share"], new(big.Rat).Quo(want.Held, want.QuotaHours))
		near(t, what+"part of all quotas", r["quota_share"], new(big.Rat).Quo(want.Quota, quota[c]))
		near(t, what+"part of all that was held", r["held_share"], new(big.Rat).Quo(want.Held, held[c]))
		if want.Held.Sign() > 0 {
			above++
		}
	}
	for k := range oracle {
		t.Errorf("quota of %s/%s has no row", k.Cluster, k.Namespace)
	}
	if above == 0 {
		t.Error("nobody held anything of a quota: the test says nothing")
	}
}

func hoursOrNone(hours int64) string {
	if hours == 0 {
		return ""
	}
	return strconv.FormatInt(hours, 10)
}

// demandAgrees compares how steadily teams hold machines, and what a commitment would have covered.
func demandAgrees(t *testing.T, w *world) {
	t.Helper()
	oracle := truth.Demands(w.fleet, 0)
	for _, r := range w.report("commitment_demand", metrics.Options{}) {
		k := truth.DemandKey{Team: r["team"], Family: r["instance_family"], Region: r["region"], Currency: r["currency"]}
		want := oracle[k]
		if want == nil {
			t.Errorf("demand too much: %v", r)
			continue
		}
		delete(oracle, k)
		what := k.Team + "'s " + k.Family + ": "
		for name, value := range map[string]string{
			"demand": want.Class, "held_hours": strconv.FormatInt(want.Held, 10),
			"lifetime_hours": hoursOrNone(want.Life), "window_hours": strconv.FormatInt(want.Window, 10),
		} {
			if r[name] != value {
				t.Errorf("%s%s is %s, want %s", what, name, r[name], value)
			}
		}
		near(t, what+"covered cost", r["covered_cost"], want.Covered)
		near(t, what+"on-demand cost", r["on_demand_cost"], want.OnDemand)
		near(t, what+"coverable cost", r["coverable_cost"], want.Coverable)
	}
	for k := range oracle {
		t.Errorf("demand of %v has no row", k)
	}
}
