package store_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/export"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// lives are the datasets of runs and of figures derived from runs.
var lives = []string{"runs", "attempts", "groups", "scaling", "models", "experiments", "owner_coverage", "targets"}

// nowAndThen puts the run of smallLedger into a pipeline and an experiment.
func nowAndThen(t testing.TB) *store.Store {
	t.Helper()
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `update runs set group_id = 'pipe', created_at = started_at where run_id = 'prod/ml/train'`)
	storetest.Run(t, s.Pool, `update owners set experiment = 'exp', stage = 'training' where team = 'research'`)
	return s
}

// overTheMonth starts the run in October, which is closed: 5 for 2 GPU-hours of its first attempt are final.
func overTheMonth(t testing.TB) *store.Store {
	t.Helper()
	s := nowAndThen(t)
	const hour = "2026-10-31T23:00:00Z"
	for _, table := range []string{"usage", "posting_rows"} {
		storetest.Run(t, s.Pool, "select ensure_month($1, '2026-10-31')", table)
	}
	storetest.Run(t, s.Pool, `update runs set started_at = $1, created_at = $1 where run_id = 'prod/ml/train'`, hour)
	storetest.Run(t, s.Pool, `update attempts set started_at = $1 where attempt = 1`, hour)
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id,
		  billing_period, cause, activity, kind, owner_id, method, quality, policy_version,
		currency, state, effective_cost, billed_cost, list_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, node_id,
		slot, device, workload_id, run_id, attempt_id, generation)
		select tenant_id, $1, $2, $1, charge_id, 0, $1, '2026-10', 'used', activity, kind, owner_id, method, 'measured',
		  policy_version, currency, 'final', 5, 5, 15, 2, 2, 1, node_id, 0, device, workload_id, run_id, attempt_id, 1
		from postings where cause = 'lost'`, storetest.ID("posting", "october"), hour)
	return s
}

// A run across the end of a closed month is one run with its whole cost, whatever the window. The window's part is in
// separate columns, and its settlement is that of its least settled part.
func TestARunOverTheEndOfAClosedMonth(t *testing.T) {
	s := overTheMonth(t)
	october, november := metrics.Options{From: "2026-10-01", To: "2026-11-01"},
		metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	with := func(o metrics.Options, filter, groupBy string) metrics.Options {
		o.Filter, o.GroupBy = filter, groupBy
		return o
	}
	for name, c := range map[string]struct {
		window metrics.Options
		part   string
	}{"October": {october, "5"}, "November": {november, "16.385"}} {
		want := map[string]string{
			"effective_cost": "21.385", "used_cost": "13.1925", "lost_cost": "8.1925",
			"window_effective_cost": c.part, "gpu_hours": "7", "state": "provisional",
		}
		for dataset, filter := range map[string]string{"runs": "run_id = prod/ml/train", "groups": "group_id = pipe"} {
			rows := storetest.Table(t, s, dataset, with(c.window, filter, ""))
			if len(rows) != 1 {
				t.Fatalf("%s in %s: %v", dataset, name, rows)
			}
			storetest.Wants(t, rows[0], want)
		}
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "attempts", with(c.window, "", "")), "attempt", "1"),
			map[string]string{"effective_cost": "13.1925", "gpu_hours": "4", "state": "open"})
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "scaling", with(c.window, "", "")), "gpus", "4"),
			map[string]string{"effective_cost": "21.385", "completed_runs": "1", "gpu_hours_per_run": "7"})
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "experiments", with(c.window, "", "")), "experiment",
			"exp"), map[string]string{"effective_cost": "21.385", "completed_runs": "1"})
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "runs", with(c.window, "", "team")), "currency", "USD"),
			map[string]string{"completed_runs": "1", "cost_per_completed_run": "21.385", "window_effective_cost": c.part})
		// Figures of a window, not of a life, have the window's part.
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "models", with(c.window, "", "")), "currency", "USD"),
			map[string]string{"model": "llama", "effective_cost": c.part, "training_cost": c.part, "runs": "1"})
		storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "owner_coverage", with(c.window, "", "")), "key",
			"model"), map[string]string{"owned_cost": c.part})
	}
	whole := storetest.Table(t, s, "runs", metrics.Options{Filter: "run_id = prod/ml/train"})
	// November is also closed
	storetest.Run(t, s.Pool, `update postings set state = 'final' where billing_period = '2026-11'`)
	storetest.Run(t, s.Pool, `delete from usage where hour = '2026-11-02T11:00:00Z'`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"state": "final", "effective_cost": whole[0]["effective_cost"],
	})
}

// A running run is open in every dataset, neither failed nor completed.
func TestARunningRunIsOpenEverywhere(t *testing.T) {
	s := nowAndThen(t)
	storetest.Run(t, s.Pool, `update runs set status = 'running', ended_at = null where run_id = 'prod/ml/train'`)
	storetest.Run(t, s.Pool, `update attempts set outcome = 'running', running = true where attempt = 2`)
	storetest.Wants(t, storetest.Table(t, s, "groups", metrics.Options{})[0], map[string]string{
		"runs": "1", "open": "1", "succeeded": "0", "failed": "0",
		"cancelled": "0", "ended_at": "", "effective_cost": "16.385",
	})
	storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "attempts", metrics.Options{}), "attempt", "2"),
		map[string]string{"outcome": "running", "ended_at": "", "lost_seconds": "0", "loss_basis": ""})
	if rows := storetest.Table(t, s, "scaling", metrics.Options{}); len(rows) != 0 {
		t.Errorf("a running run does not say how it scales: %v", rows)
	}
	storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "experiments", metrics.Options{}), "currency", "USD"),
		map[string]string{"runs": "1", "completed_runs": "0", "effective_cost": "16.385"})
	storetest.Wants(t, storetest.Table(t, s, "experiments",
		metrics.Options{GroupBy: "currency", Filter: "currency = USD"})[0],
		map[string]string{
			"experiments": "1", "successful_experiments": "0",
			"cost_per_experiment": "16.385", "cost_per_successful_experiment": "",
		})
	storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "models", metrics.Options{}), "currency", "USD"),
		map[string]string{"runs": "1", "completed_runs": "0", "training_cost": "16.385"})
	// a group without a completed run
	storetest.Run(t, s.Pool, `update runs set status = 'failed', ended_at = '2026-11-02T11:00:00Z'`)
	storetest.Wants(t, storetest.Table(t, s, "runs", metrics.Options{GroupBy: "group,stage", Filter: "group = pipe"})[0],
		map[string]string{"stage": "training", "completed_runs": "0", "failed_runs": "1", "open_runs": "0",
			"failed_cost": "16.385", "completed_cost": "0", "open_cost": "0", "cost_per_completed_run": "",
			"cost_per_completed_run_all_in": "", "time_to_train_seconds": ""})
}

// An hour without a bill is GPU time without a cost. The run stays in one row of each dataset and counts once.
func TestARunOfWhichHalfIsKnown(t *testing.T) {
	s := nowAndThen(t)
	for dataset, key := range map[string]string{
		"runs": "run_id = prod/ml/train", "groups": "", "scaling": "", "experiments": "runs = 1",
	} {
		filter := key
		if dataset == "experiments" {
			filter = ""
			storetest.Run(t, s.Pool, `delete from runs where status = 'queued'`)
		}
		rows := storetest.Table(t, s, dataset, metrics.Options{Filter: filter})
		if len(rows) != 1 {
			t.Fatalf("%s: %d rows of one run: %v", dataset, len(rows), rows)
		}
		storetest.Wants(t, rows[0], map[string]string{
			"currency": "USD", "effective_cost": "16.385", "gpu_hours": "5", "state": "provisional",
		})
	}
	// Without telemetry there are no useful hours, and no price of one.
	storetest.Run(t, s.Pool, `update usage set active_gpu_hours = 0, activity = 'unknown'`)
	storetest.Run(t, s.Pool, `update postings set active_gpu_hours = 0, activity = 'unknown'`)
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"cost_per_active_gpu_hour": "", "cost_per_gpu_hour": "4.09625",
	})
	day, err := period.ParseDay("2026-11-02")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
		t.Fatal(err)
	}
	for _, r := range storetest.Table(t, s, "targets", metrics.Options{}) {
		if r["target"] == "utilisation" {
			t.Errorf("utilisation of what nobody saw: %v", r)
		}
	}
}

// An hour in a capacity block is on no line of the bill; a prepaid fee pays for it. It has a cost, but its on-demand
// cost is unknown.
func TestAnHourThatAFeePaysFor(t *testing.T) {
	s := nowAndThen(t)
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id,
		  billing_period, cause, activity, kind, owner_id, method, quality, policy_version,
		currency, state, effective_cost, node_id, slot, device, workload_id, run_id, attempt_id, generation)
		select p.tenant_id, $1, u.hour, $1, p.charge_id, 0, u.usage_id, '2026-11', u.cause, u.activity, 'amortise',
		  u.owner_id, p.method, 'measured', p.policy_version,
		p.currency, 'open', 3, u.node_id, u.slot, u.device, u.workload_id, u.run_id, u.attempt_id, 1
		from usage u, postings p where u.usage_id = $2 and p.cause = 'used'`,
		storetest.ID("posting", "fee"), storetest.ID("usage", "later"))
	storetest.Run(t, s.Pool, `update postings set attempt_id = $1 where kind = 'direct' and run_id is not null`,
		storetest.ID("attempt", "1"))
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"effective_cost": "19.385", "gpu_hours": "5", "cost_per_gpu_hour": "3.877", "on_demand_equivalent": "",
	})
	// the fee goes to hours that have lines
	storetest.Run(t, s.Pool, `delete from usage where usage_id = $1`, storetest.ID("usage", "later"))
	storetest.Wants(t, storetest.RunRow(t, s, "prod/ml/train"), map[string]string{
		"effective_cost": "19.385", "cost_per_gpu_hour": "4.84625", "on_demand_equivalent": "49.16",
	})
}

// noCost are figures that are known without any cost: of causes and kinds that the run never had, and of labels.
var noCost = strings.Fields(`held_idle_cost overhead_cost unobserved_cost host_cost metered_cost restart_overhead_cost gang_wait_cost lost_cost_min
	fine_tuning_cost evaluation_cost serving_cost answered_cost other_cost failed_cost unknown_end_cost open_cost spot_dead_cost budget
	scaling_efficiency gpu_hours_per_run`)

// Without any bill or rate, costs are unknown, and so are all figures derived from them: NULL in the report, empty in
// CSV, null in JSON. An empty ledger has no rows.
func TestUnknownCostsAreNotNumbers(t *testing.T) {
	s, empty := nowAndThen(t), storetest.New(t)
	storetest.Run(t, s.Pool, `delete from runs where status = 'queued'`)
	storetest.Run(t, s.Pool, `update postings set effective_cost = null, billed_cost = null, list_cost = null,
		contracted_cost = null`)
	seen := 0
	for _, name := range lives {
		for _, keys := range []string{"", "team"} {
			if name == "targets" && keys != "" {
				continue
			}
			q, err := metrics.Parse(name, metrics.Options{GroupBy: keys})
			if err != nil {
				t.Fatal(err)
			}
			if rows := asJSON(t, empty, q); len(rows) != 0 {
				t.Errorf("an empty ledger says of %s by %q: %v", name, keys, rows)
			}
			known := noCost
			if name == "attempts" { // each has one of the two
				known = append(slices.Clone(noCost), "used_cost", "lost_cost", "may_be_lost_cost")
			}
			rows := asJSON(t, s, q)
			lines, err := csv.NewReader(strings.NewReader(writtenAs(t, s, q, export.CSV))).ReadAll()
			if err != nil || len(lines) != 1+len(rows) {
				t.Fatalf("%s by %q: %d rows of JSON, %d lines of CSV: %v", name, keys, len(rows), len(lines), err)
			}
			for i, row := range rows {
				for n, c := range q.Columns() {
					cell := lines[1+i][n]
					if (cell == "") != (row[c.Name] == nil) {
						t.Errorf("%s by %q: %s is %q in CSV, %v in JSON", name, keys, c.Name, cell, row[c.Name])
					}
					if cell != "" && (c.Kind == metrics.Money || c.Kind == metrics.Ratio) && !slices.Contains(known, c.Name) {
						t.Errorf("%s by %q: %s is %s where no cost is known", name, keys, c.Name, cell)
					}
					seen++
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d cells are a test of little", seen)
	}
}

// asJSON returns the rows of a report as a program reads them.
func asJSON(t testing.TB, s *store.Store, q metrics.Query) []map[string]any {
	t.Helper()
	var document struct{ Data []map[string]any }
	if text := writtenAs(t, s, q, export.JSON); json.Unmarshal([]byte(text), &document) != nil {
		t.Fatalf("%s is no JSON: %s", q.Dataset.Name, text)
	}
	return document.Data
}

// writtenAs returns a report as a file.
func writtenAs(t testing.TB, s *store.Store, q metrics.Query, f export.Format) string {
	t.Helper()
	rows, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out bytes.Buffer
	if _, err := export.Write(&out, f, rows, export.Options{Dataset: q.Dataset.Name}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
