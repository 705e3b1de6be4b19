package posting_test

import (
	"fmt"
	"math/big"
	"strconv"
	"testing"
	"time"

	"gpuledger/metrics"
	"gpuledger/test/truth"
)

// livesAgree compares attempts, groups and the scaling of runs with the truth.
func livesAgree(t *testing.T, w *world, oracle *truth.Lives) {
	t.Helper()
	attemptsAgree(t, oracle.Attempts, w.report("attempts", metrics.Options{}))
	groupsAgree(t, oracle.Groups, w.report("groups", metrics.Options{}))
	stagesAgree(t, oracle.Stages, w.report("runs", metrics.Options{GroupBy: "group,stage", Filter: "group != ''"}))
	scalingAgrees(t, oracle.Scaling, w.report("scaling", metrics.Options{}))
}

// words fails if columns differ from the truth.
func words(t *testing.T, what string, row map[string]string, want map[string]string) {
	t.Helper()
	for column, text := range want {
		if row[column] != text {
			t.Errorf("%s: %s is %q, want %q", what, column, row[column], text)
		}
	}
}

// causes compares the cost of a row, by cause: 0 for causes without cost.
func causes(t *testing.T, what string, row map[string]string, sum *truth.Sum, names ...string) {
	t.Helper()
	steps := 8 * (sum.Steps + 1)
	exactly(t, what+": effective_cost", row["effective_cost"], sum.Effective, steps)
	hours := sum.GPUHours
	if sum.Steps == 0 { // no observed time was held
		hours = nil
	}
	exactly(t, what+": gpu_hours", row["gpu_hours"], hours, steps)
	for _, cause := range names {
		exactly(t, what+": "+cause+"_cost", row[cause+"_cost"], sum.Cause(cause), steps)
	}
}

// rowOfEach maps rows by name; a duplicate name is a failure.
func rowOfEach(
	t *testing.T, rows []map[string]string, name func(map[string]string) string,
) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, r := range rows {
		if out[name(r)] != nil {
			t.Errorf("%s has two rows: %v and %v", name(r), out[name(r)], r)
		}
		out[name(r)] = r
	}
	return out
}

// all fails if rows are missing or extra.
func all(t *testing.T, what string, rows map[string]map[string]string, want int) {
	t.Helper()
	if len(rows) != want || want == 0 {
		t.Errorf("%s: %d rows, want %d", what, len(rows), want)
	}
}

func stamp(at int64) string {
	if at == 0 {
		return ""
	}
	return time.Unix(at, 0).UTC().Format(time.RFC3339)
}

var causesOfRuns = []string{"used", "held_idle", "overhead", "lost", "unobserved", "host", "metered"}

func attemptsAgree(t *testing.T, oracle map[truth.Try]*truth.AttemptFigures, list []map[string]string) {
	t.Helper()
	rows := rowOfEach(t, list, func(r map[string]string) string {
		return r["run_id"] + "|" + r["task"] + "|" + r["attempt"]
	})
	all(t, "attempts", rows, len(oracle))
	unseen := false
	for k, a := range oracle {
		name := fmt.Sprintf("%s|%s|%d", k.Run, k.Task, k.Number)
		r := rows[name]
		if r == nil {
			t.Errorf("attempt %s is missing", name)
			continue
		}
		what := "attempt " + name
		steps := 8 * (a.Steps + 1)
		exactly(t, what+": gang_wait_cost", r["gang_wait_cost"], a.GangWait, steps)
		exactly(t, what+": may_be_lost_cost", r["may_be_lost_cost"], a.MayBeLost(), steps)
		unseen = unseen || a.MayBeLost().Sign() > 0
		want := map[string]string{"outcome": a.Outcome, "reason": a.Reason, "started_at": stamp(a.StartedAt),
			"ended_at": stamp(a.EndAt), "nodes": strconv.Itoa(a.Nodes), "gpus": strconv.Itoa(a.GPUs),
			"loss_basis": a.LossBasis, "last_checkpoint_at": stamp(a.LastCheckpoint),
			"gang_complete_at": stamp(a.GangComplete), "lost_seconds": "0"}
		if a.LossFrom != 0 {
			want["lost_seconds"] = strconv.FormatInt(a.EndAt-a.LossFrom, 10)
		}
		switch a.Outcome {
		case "running":
			want["ended_at"] = ""
		case "cancelled":
			want["reason"] = "deleted"
		case "node_failure":
			want["reason"] = "node gone"
		}
		words(t, what, r, want)
	}
	if !unseen {
		t.Error("every end was seen: the test says nothing of what may be lost")
	}
}

func groupsAgree(t *testing.T, oracle map[string]*truth.Group, list []map[string]string) {
	t.Helper()
	rows := rowOfEach(t, list, func(r map[string]string) string { return r["group_id"] })
	all(t, "groups", rows, len(oracle))
	for name, g := range oracle {
		r := rows[name]
		if r == nil {
			t.Errorf("group %s is missing", name)
			continue
		}
		what := "group " + name
		words(t, what, r, map[string]string{"runs": strconv.Itoa(g.Runs), "succeeded": strconv.Itoa(g.Succeeded),
			"failed": strconv.Itoa(g.Failed), "cancelled": strconv.Itoa(g.Cancelled),
			"open": strconv.Itoa(g.Open), "attempts": strconv.Itoa(g.Attempts),
			"preemptions": strconv.Itoa(g.Preemptions), "team": g.Team,
			"started_at": stamp(g.Started), "ended_at": stamp(g.Ended)})
	}
}

// stagesAgree compares the cost of a pipeline by stage.
func stagesAgree(t *testing.T, oracle map[[2]string]*truth.Group, list []map[string]string) {
	t.Helper()
	rows := rowOfEach(t, list, func(r map[string]string) string { return r["group_id"] + " " + r["stage"] })
	all(t, "stages of groups", rows, len(oracle))
	for k, g := range oracle {
		r := rows[k[0]+" "+k[1]]
		if r == nil {
			t.Errorf("stage %s of %s is missing", k[1], k[0])
			continue
		}
		what := "stage " + k[1] + " of " + k[0]
		var each *big.Rat
		if cost, ok := new(big.Rat).SetString(r["completed_cost"]); ok && g.Priced > 0 {
			each = cost.Quo(cost, big.NewRat(int64(g.Priced), 1))
		}
		exactly(t, what+": cost_per_completed_run", r["cost_per_completed_run"], each, 1)
		words(t, what, r, map[string]string{
			"runs": strconv.Itoa(g.Runs), "completed_runs": strconv.Itoa(g.Succeeded),
			"unpriced_completed_runs": strconv.Itoa(g.Succeeded - g.Priced),
			"failed_runs":             strconv.Itoa(g.Failed), "open_runs": strconv.Itoa(g.Open),
		})
	}
}

func scalingAgrees(t *testing.T, oracle map[truth.Scale]*truth.Scaling, list []map[string]string) {
	t.Helper()
	rows := rowOfEach(t, list, func(r map[string]string) string {
		return r["team"] + " " + r["model"] + " " + r["kind"] + " " + r["gpus"]
	})
	all(t, "scaling", rows, len(oracle))
	compared := 0
	for k, s := range oracle {
		name := fmt.Sprintf("%s %s %s %d", k.Team, k.Model, k.Kind, k.GPUs)
		r := rows[name]
		if r == nil {
			t.Errorf("scaling of %s is missing", name)
			continue
		}
		what := "scaling of " + name
		causes(t, what, r, &s.Sum)
		steps := 8 * (s.Steps + 1)
		exactly(t, what+": cost_per_completed_run", r["cost_per_completed_run"], s.CostPerRun, steps)
		exactly(t, what+": gpu_hours_per_run", r["gpu_hours_per_run"], s.PerRun, steps)
		exactly(t, what+": scaling_efficiency", r["scaling_efficiency"], s.Efficiency, 1_000_000)
		words(t, what, r, map[string]string{"completed_runs": strconv.FormatInt(s.Runs, 10),
			"smallest_gpus": strconv.Itoa(s.Smallest),
			"mean_seconds":  s.MeanDuration.FloatString(0)})
		if s.Smallest != k.GPUs {
			compared++
		}
	}
	t.Logf("%d GPU counts of %d are compared with a smaller one", compared, len(oracle))
}
