package posting_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// exactly fails if a decimal is off by a unit or more per rounding step. NULL is the empty text.
func exactly(t *testing.T, what, got string, want *big.Rat, steps int64) {
	t.Helper()
	if want == nil || got == "" {
		if want != nil || got != "" {
			t.Errorf("%s is %q, want %s", what, got, rat(want))
		}
		return
	}
	g, ok := new(big.Rat).SetString(got)
	if !ok {
		t.Errorf("%s is %q", what, got)
		return
	}
	if g.Sub(g, want).Abs(g).Cmp(new(big.Rat).Mul(unit, big.NewRat(steps, 1))) > 0 {
		t.Errorf("%s is %s, want %s within %d units", what, got, rat(want), steps)
	}
}

// compareRuns fails if a run of the fleet differs from the truth. seen counts runs by the figures that they have.
func compareRuns(
	t *testing.T, oracle *truth.Ledger, figures map[string]*truth.RunFigures,
	rows []map[string]string, seen map[string]int,
) {
	t.Helper()
	byID := map[string]map[string]string{}
	for _, r := range rows {
		byID[r["run_id"]] = r
	}
	for i := range oracle.Runs {
		run := &oracle.Runs[i]
		r, f := byID[run.ID], figures[run.ID]
		if r == nil {
			t.Errorf("run %s is missing", run.ID)
			continue
		}
		steps := 8 * (f.Steps + 1) // rounded to the hour, to the row, over lines; summed
		check := func(column string, want *big.Rat, steps int64) {
			t.Helper()
			exactly(t, run.ID+": "+column, r[column], want, steps)
			if want != nil && want.Sign() != 0 {
				seen[column]++
			}
		}
		if f.Steps > 0 {
			check("effective_cost", f.Effective, steps)
			check("on_demand_equivalent", f.OnDemand, steps)
		} else if r["gpu_hours"] != "" && r["gpu_hours"] != "0" {
			exactly(t, run.ID+": on_demand_equivalent of time without a cost", r["on_demand_equivalent"], nil, 0)
		}
		check("restart_overhead_cost", f.RestartOverhead, steps)
		check("gang_wait_cost", f.GangWait, steps)
		check("net_spot_savings", f.NetSpotSavings, 2*steps)
		check("burn_rate", f.BurnRate, steps)
		check("projected_cost", f.Projected, 1000*steps) // rounding of the rate, times hours
		if f.GPUHours.Sign() > 0 {
			check("cost_per_gpu_hour", new(big.Rat).Quo(f.Effective, f.GPUHours), 1_000_000)
			check("useful_cost_share", new(big.Rat).Quo(f.Used, f.Effective), 1_000_000)
		}
		if f.ActiveGPUHours.Cmp(big.NewRat(1, 100)) > 0 {
			check("cost_per_active_gpu_hour", new(big.Rat).Quo(f.Effective, f.ActiveGPUHours), 1_000_000)
		}
		words := map[string]string{
			"gpus": fmt.Sprint(run.GPUs), "checkpoints": "",
			"time_to_train_seconds": "", "budget": run.Budget, "budget_runs_out_at": "",
		}
		if run.Checkpoints > 0 {
			words["checkpoints"] = fmt.Sprint(run.Checkpoints)
		}
		if f.TimeToTrain >= 0 {
			words["time_to_train_seconds"] = fmt.Sprint(f.TimeToTrain)
		}
		if f.RunsOutAt != 0 {
			words["budget_runs_out_at"] = time.Unix(f.RunsOutAt, 0).UTC().Format(time.RFC3339)
		}
		for column, want := range words {
			if r[column] != want && !(column == "budget_runs_out_at" && nearlyAt(r[column], f.RunsOutAt)) {
				t.Errorf("%s: %s is %q, want %q", run.ID, column, r[column], want)
			}
			if want != "" {
				seen[column]++
			}
		}
	}
}

// someHave fails if a figure of runs was in no fleet at all.
func someHave(t *testing.T, seen map[string]int) {
	t.Helper()
	t.Logf("runs in which figures are not 0: %v", seen)
	for _, column := range []string{
		"gang_wait_cost", "burn_rate", "projected_cost", "net_spot_savings", "time_to_train_seconds", "checkpoints",
	} {
		if seen[column] == 0 {
			t.Errorf("no run has a %s: the test says nothing of it", column)
		}
	}
}

// nearlyAt allows the second that a rounded rate may be off by.
func nearlyAt(text string, want int64) bool {
	at, err := time.Parse(time.RFC3339, text)
	return err == nil && want != 0 && at.Unix()-want <= 1 && want-at.Unix() <= 1
}

// groupsAddUp queries runs by many keys: sums and counts are those of the runs, and ratios those of the sums.
func groupsAddUp(t *testing.T, w *world, rows []map[string]string) {
	t.Helper()
	sum := func(rows []map[string]string, column string) *big.Rat {
		total := new(big.Rat)
		for _, r := range rows {
			if v, ok := new(big.Rat).SetString(r[column]); ok {
				total.Add(total, v)
			}
		}
		return total
	}
	completed := map[string]int64{}
	for _, r := range rows {
		if r["status"] == "succeeded" {
			completed[r["currency"]]++
		}
	}
	for _, keys := range []string{
		"team", "kind", "stage", "group", "model", "gpus", "cluster", "instance_type", "gpu_model",
		"queue", "environment", "business_unit", "workload_kind", "status", "team,kind,gpus",
	} {
		groups := w.report("runs", metrics.Options{GroupBy: keys})
		for _, column := range []string{
			"effective_cost", "list_cost", "used_cost", "lost_cost", "gpu_hours", "restart_overhead_cost",
			"gang_wait_cost", "burn_rate", "projected_cost", "budget", "attempts", "preemptions", "checkpoints",
		} {
			if got, want := sum(groups, column), sum(rows, column); got.Cmp(want) != 0 {
				t.Errorf("%s by %s adds up to %s, of runs %s", column, keys, rat(got), rat(want))
			}
		}
		if got := sum(groups, "runs"); got.Cmp(big.NewRat(int64(len(rows)), 1)) != 0 {
			t.Errorf("%s runs by %s, of %d", rat(got), keys, len(rows))
		}
		for _, g := range groups {
			if g["completed_runs"] == "0" {
				if g["cost_per_completed_run"] != "" || g["cost_per_completed_run_all_in"] != "" ||
					g["time_to_train_seconds"] != "" {
					t.Errorf("by %s: unit costs without a completed run: %v", keys, g)
				}
				continue
			}
			n, _ := new(big.Rat).SetString(g["completed_runs"])
			var each *big.Rat // unknown without a cost
			if cost, ok := new(big.Rat).SetString(g["completed_cost"]); ok && g["effective_cost"] != "" {
				each = cost.Quo(cost, n)
			}
			exactly(t, "cost per completed run by "+keys, g["cost_per_completed_run"], each, 1)
		}
	}
	for _, g := range w.report("runs", metrics.Options{GroupBy: "currency"}) {
		if g["completed_runs"] != fmt.Sprint(completed[g["currency"]]) {
			t.Errorf("%s completed runs in %s, of runs %d", g["completed_runs"], g["currency"], completed[g["currency"]])
		}
		parts := new(big.Rat)
		for c := range strings.FieldsSeq("completed_cost failed_cost open_cost") {
			if v, ok := new(big.Rat).SetString(g[c]); ok {
				parts.Add(parts, v)
			}
		}
		unknown := sum(w.report("runs", metrics.Options{Filter: "status = unknown"}), "effective_cost")
		if all, ok := new(big.Rat).SetString(g["effective_cost"]); ok && all.Cmp(parts.Add(parts, unknown)) != 0 {
			t.Errorf("completed, failed and open runs cost %s, all %s", rat(parts), rat(all))
		}
	}
}
