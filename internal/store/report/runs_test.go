package report_test

import (
	"math/big"
	"reflect"
	"strconv"
	"testing"

	"gpuledger/internal/catalog"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// A run that never held a device, and one of which half is not billed: unknown values are empty, never 0.
func TestUnknownFiguresOfRuns(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/queued"),
		map[string]string{"gpus": "", "cost_per_gpu_hour": "", "cost_per_active_gpu_hour": "", "useful_cost_share": "",
			"time_to_train_seconds": "",
			"on_demand_equivalent":  "0", "net_spot_savings": "0", "restart_overhead_cost": "0", "gang_wait_cost": "0",
			"burn_rate": "", "projected_cost": "", "budget_runs_out_at": "", "checkpoints": ""})
	// One of its hours has neither bill nor rate: 16.385 is for the 4 GPU-hours that have a cost.
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"),
		map[string]string{"gpus": "4", "gpu_hours": "5", "effective_cost": "16.385", "cost_per_gpu_hour": "4.09625",
			"cost_per_active_gpu_hour": "81.925",
			"useful_cost_share":        "0.5", "on_demand_equivalent": "49.16",
			"net_spot_savings": "32.775", "time_to_train_seconds": "", "burn_rate": ""})

	// its lost work reduces the savings
	storetest.Run(t, s.Pool, `update attempts set reason = 'spot_interruption' where attempt = 1`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{"net_spot_savings": "24.5825"})
	storetest.Wants(t, storetest.Table(t, s, "attempts", metrics.Options{GroupBy: "run_id"})[0],
		map[string]string{"tries": "2", "spot_interrupted_tries": "1", "preempted_tries": "1", "spot_dead_cost": "8.1925"})

	storetest.Run(t, s.Pool, `update nodes set instance_type = 'p6.unknown'`)
	storetest.Lists(t, s, nil) // no price is known
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"on_demand_equivalent": "", "net_spot_savings": "", "spot_savings": "",
		"spot_known_share": "", "spot_unknown_cost": "16.385",
	})
	storetest.Run(t, s.Pool, `update nodes set instance_type = 'p5.48xlarge'`)
	for _, rate := range []struct{ region, from, hourly string }{
		{"", "2026-01-01", "90"}, {"us-east-1", "2026-01-01", "88"}, {"us-east-1", "2026-06-01", "80"},
		{"us-east-1", "2026-12-01", "70"}, {"eu-west-1", "2026-06-01", "1"},
	} {
		storetest.Run(t, s.Pool, `insert into rates (tenant_id, rate_id, instance_type, region, price_class, currency, hourly,
			  valid_from, source) values (1, $1, 'p5.48xlarge', $2, 'on_demand', 'USD', $3, $4, 'book')`,
			storetest.ID("rate", rate.region, rate.from), rate.region, rate.hourly, rate.from)
	}
	storetest.RateSpot(t, s)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"on_demand_equivalent": "40", "net_spot_savings": "15.4225",
	})
	// a price in another currency does not count: the catalogue's applies
	storetest.Run(t, s.Pool, `update rates set currency = 'EUR'`)
	storetest.RateSpot(t, s)
	price, _ := catalog.Embedded().OnDemand("p5.48xlarge", "us-east-1")
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"on_demand_equivalent": price.Hourly.MulRat(big.NewRat(1, 2)).String(),
	})
}

// A run in two currencies has a row for each; groups count it in both, but its attributes only once.
func TestFiguresOfARunInTwoCurrencies(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update postings set currency = 'EUR' where cause = 'lost'`)
	storetest.Run(t, s.Pool, `update runs set created_at = started_at - interval '1 minute'`)
	rows := storetest.Table(t, s, "runs", metrics.Options{Filter: "run_id = prod/ml/train and currency != ''"})
	storetest.Wants(t, storetest.RowWith(t, rows, "currency", "USD"), map[string]string{
		"effective_cost": "8.1925", "cost_per_gpu_hour": "4.09625", "time_to_train_seconds": "3660", "useful_cost_share": "1",
	})
	storetest.Wants(t, storetest.RowWith(t, rows, "currency", "EUR"), map[string]string{
		"effective_cost": "8.1925", "cost_per_gpu_hour": "4.09625", "useful_cost_share": "0",
	})
	for _, g := range storetest.Table(t, s, "runs", metrics.Options{GroupBy: "team", Filter: "currency != ''"}) {
		storetest.Wants(t, g, map[string]string{"runs": "1", "completed_runs": "1", "attempts": "2", "preemptions": "1",
			"time_to_train_seconds": "3660", "queue_wait_seconds": "60", "budget": "100",
			"cost_per_completed_run": "8.1925", "cost_per_completed_run_all_in": "8.1925"})
	}
}

// For a running run: its cost per hour now, and when it is expected to end.
func TestOutlookOfARunningRun(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into runs (tenant_id, run_id, cluster, namespace, name, root_kind, kind, status,
		  started_at, ended_at, attempts, preemptions, world, owner_id)
		values (1, 'before', 'prod', 'ml', 'before', 'PyTorchJob', 'training', 'succeeded', '2026-11-01T00:00:00Z',
		    '2026-11-01T05:00:00Z', 1, 0, 1, $1)`, storetest.ID("owner", "research"))
	storetest.Run(t, s.Pool, `insert into attempts (tenant_id, attempt_id, run_id, attempt, started_at, ended_at, running,
		  outcome, nodes, gpus)
		values (1, $1, 'before', 1, '2026-11-01T00:00:00Z', '2026-11-01T05:00:00Z', false, 'succeeded', 1, 4)`, storetest.ID("attempt", "before"))
	storetest.Run(t, s.Pool, `update runs set status = 'running', ended_at = null
		where run_id = 'prod/ml/train'`)
	storetest.Run(t, s.Pool, `update nodes set gone_at = '2026-11-02T11:30:00Z'`)
	// 16.385 in the one hour that was held at a cost; it began 1.5 of 5 hours ago.
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"burn_rate": "16.385", "projected_cost": "73.7325", "budget_runs_out_at": "2026-11-02T16:36:11Z",
		"budget": "100", "time_to_train_seconds": "",
	})
	storetest.Run(t, s.Pool, `update runs set budget = null where run_id = 'prod/ml/train'`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"budget_runs_out_at": "", "budget": "", "budget_ratio": "",
	})
	storetest.Run(t, s.Pool, `update runs set budget = 10 where run_id = 'prod/ml/train'`)
	// budget used up
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"budget_runs_out_at": "2026-11-02T11:00:00Z",
	})
	g := storetest.RowWith(t, storetest.Table(t, s, "runs", metrics.Options{GroupBy: "status"}), "status", "running")
	storetest.Wants(t, g, map[string]string{"open_runs": "1", "completed_runs": "0", "failed_runs": "0",
		"open_cost": "16.385", "failed_cost": "0", "completed_cost": "0", "cost_per_completed_run": "",
		"cost_per_completed_run_all_in": "", "burn_rate": "16.385", "projected_cost": "73.7325"})
	storetest.Run(t, s.Pool, `update runs set kind = 'evaluation' where run_id = 'before'`)
	// no similar runs
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"burn_rate": "16.385", "projected_cost": "",
	})
	storetest.Run(t, s.Pool, `update nodes set gone_at = '2026-11-02T23:30:00Z'`)
	// no cost in the last six hours
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"burn_rate": "", "projected_cost": "", "budget_runs_out_at": "",
	})
}

// Overhead before a gang was complete, by the spans of the timeline.
func TestGangsThatWait(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "select ensure_month('spans', '2026-11-02')")
	storetest.Run(t, s.Pool, `update postings set cause = 'overhead' where cause = 'used'`)
	span := func(from, to string) {
		storetest.Run(t, s.Pool, `insert into spans (tenant_id, node_id, day, slot, workload_id, run_id, attempt_id, cause,
			  from_at, to_at) values (1, $1, '2026-11-02', 1, $2, 'prod/ml/train', $3, 'overhead', $4, $5)`,
			storetest.ID("instance", "i-1"), storetest.ID("workload", "1"),
			storetest.ID("attempt", "2"), "2026-11-02T"+from+":00Z", "2026-11-02T"+to+":00Z")
	}
	span("09:50", "10:20")
	span("10:40", "10:50")
	storetest.Run(t, s.Pool, `update attempts set ended_at = '2026-11-02T11:00:00Z',
		gang_complete_at = '2026-11-02T10:10:00Z' where attempt = 2`)
	// 10 of 30 minutes of overhead in that hour.
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"overhead_cost": "8.1925", "restart_overhead_cost": "8.1925", "gang_wait_cost": "2.730833333333",
	})
	storetest.Run(t, s.Pool, `update attempts set gang_complete_at = null where attempt = 2`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{"gang_wait_cost": "8.1925"})
	storetest.Run(t, s.Pool, `update attempts set gang_complete_at = started_at where attempt = 2`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{"gang_wait_cost": "0"})
}

func TestScalingAndModels(t *testing.T) {
	s := storetest.SmallLedger(t)
	rows := storetest.Table(t, s, "scaling", metrics.Options{Filter: "currency = USD"})
	storetest.Wants(t, storetest.RowWith(t, rows, "gpus", "4"), map[string]string{
		"team": "research", "model": "llama", "completed_runs": "1", "smallest_gpus": "4",
		"scaling_efficiency": "1", "gpu_hours_per_run": "5", "effective_cost": "16.385",
	})
	storetest.Run(t, s.Pool, `update runs set status = 'failed'`)
	if rows := storetest.Table(t, s, "scaling", metrics.Options{}); len(rows) != 0 {
		t.Errorf("no completed run scales: %v", rows)
	}
	model := storetest.RowWith(t, storetest.Table(t, s, "models", metrics.Options{}), "currency", "USD")
	storetest.Wants(t, model, map[string]string{
		"model": "llama", "effective_cost": "16.385", "training_cost": "16.385", "serving_cost": "0", "fine_tuning_cost": "0",
		"requests": "", "life_cost_per_1k_requests": "", "runs": "1", "training_runs": "1", "completed_runs": "0",
	})
}

// An explanation of a run has its other figures, each with its definition.
func TestExplanationsOfRunsHaveTheirFigures(t *testing.T) {
	s := storetest.SmallLedger(t)
	e, err := s.Explain(t.Context(), "run/prod/ml/train")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]metrics.NamedFigure{}
	for _, f := range e.Figures[0].Others {
		found[f.Name] = f
	}
	if f := found["net_spot_savings"]; f.Value != "32.775" || f.Unit != "currency" || f.Formula == "" {
		t.Errorf("net spot savings: %+v", f)
	}
	for _, name := range []string{"burn_rate", "effective_cost", "run_id"} { // unknown, a cost, a key
		if f, there := found[name]; there {
			t.Errorf("%s is told: %+v", name, f)
		}
	}
}

// Filters on runs apply before rows are read, and the first runs are found before the rest is added up: answers equal
// those from reading everything.
func TestFiltersOnRunsApplyBeforeReading(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	storetest.Run(t, s.Pool, `insert into runs (tenant_id, run_id, group_id, cluster, namespace, name, root_kind, kind,
		  status, started_at, ended_at, attempts, preemptions, world)
		select 1, 'prod/other/' || i, case when i > 1 then 'sweep' end, 'prod', 'other', 'run ' || i, 'Job', 'evaluation',
		  'failed', '2026-11-02T09:00:00Z', '2026-11-03T09:00:00Z', 1, 0, 1 from generate_series(1, 3) i`)
	for dataset, filters := range map[string][]string{
		"runs": {"run_id = prod/ml/train", "team != ml", "team = '' and kind = evaluation",
			"status in (failed, running) or team = ml", "not (group_id = sweep) and namespace = other",
			"name = 'run 2'", "effective_cost > 0 and cluster = prod", "attempts = 1 and kind != training"},
		"attempts": {"run_id = prod/ml/train", "run_kind = training and outcome != failed", "not (run_kind = evaluation)"},
	} {
		all := storetest.Table(t, s, dataset, metrics.Options{})
		for _, filter := range filters {
			e, err := metrics.ParseFilter(filter)
			if err != nil {
				t.Fatal(err)
			}
			var want []map[string]string
			for _, row := range all {
				if metrics.Matches(e, func(key string) (string, bool) { return row[key], row[key] != "" }) {
					want = append(want, row)
				}
			}
			got := storetest.Table(t, s, dataset, metrics.Options{Filter: filter})
			if len(got) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("%s where %s: %v, want %v", dataset, filter, got, want)
			}
			for limit := range len(got) + 1 {
				if limit == 0 {
					continue
				}
				for _, order := range []string{"-effective_cost", "run_id"} {
					whole := storetest.Table(t, s, dataset, metrics.Options{Filter: filter, Order: order})
					first := storetest.Table(t, s, dataset, metrics.Options{Filter: filter, Order: order, Limit: strconv.Itoa(limit)})
					if !reflect.DeepEqual(first, whole[:limit]) {
						t.Errorf("the first %d %s where %s by %s: %v, want %v", limit, dataset, filter, order, first, whole[:limit])
					}
				}
			}
		}
	}
}

// Whole months are read if the window cuts none, else their days.
func TestRunsAreReadFromMonths(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	day := storetest.RunRow(t, s, "prod/ml/train")["effective_cost"]
	// makes the two sources distinguishable
	storetest.Run(t, s.Pool, "update star.run_months set effective_cost = effective_cost + 1000 where cause = 'used'")
	month := storetest.RunRow(t, s, "prod/ml/train")["effective_cost"]
	if month == day {
		t.Fatal("a month is read from its days")
	}
	for window, want := range map[metrics.Options]string{
		{From: "2026-11-01", To: "2026-12-01"}: month,
		{From: "2026-10-15", To: "2026-12-15"}: month, {From: "2026-11-01"}: month,
		{From: "2026-11-02", To: "2026-12-01"}: day, {From: "2026-11-01", To: "2026-11-03"}: day,
	} {
		for _, row := range storetest.Table(t, s, "runs", window) {
			if row["run_id"] == "prod/ml/train" && row["effective_cost"] != want {
				t.Errorf("from %s to %s the run costs %s, want %s", window.From, window.To, row["effective_cost"], want)
			}
		}
	}
}
