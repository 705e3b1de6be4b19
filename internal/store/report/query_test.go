package report_test

import (
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/star"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

func TestEveryKeyHasSQL(t *testing.T) {
	for _, k := range metrics.Keys {
		if _, ok := report.KeyColumns[k.Name]; !ok {
			t.Errorf("group key %s has no SQL", k.Name)
		}
	}
	if len(report.KeyColumns) != len(metrics.Keys) {
		t.Errorf("%d keys in SQL, %d defined", len(report.KeyColumns), len(metrics.Keys))
	}
}

func TestCosts(t *testing.T) {
	s := storetest.SmallLedger(t)
	rows := storetest.Table(t, s, "costs", metrics.Options{})
	if len(rows) != 2 {
		t.Fatalf("%d rows, want USD and unbilled usage: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"period_start": "2026-11-02T10:00:00Z", "period_end": "2026-11-02T12:00:00Z", "currency": "USD",
			"effective_cost": "34", "billed_cost": "34", "list_cost": "98.32",
			"contracted_cost": "", "gpu_hours": "4", "used_gpu_hours": "2",
			"active_gpu_hours": "0.3", "energy_kwh": "0.6", "capacity_gpu_hours": "8",
			"state": "open", "cost_per_active_gpu_hour": "113.333333333333"})
	storetest.Wants(t, rows[1], map[string]string{
		"currency": "", "effective_cost": "", "gpu_hours": "1", "used_gpu_hours": "1", "state": "provisional",
	})

	rows = storetest.Table(t, s, "costs", metrics.Options{
		GroupBy: "team,cause", Granularity: "day", Filter: "state = open",
	})
	if len(rows) != 4 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"period_start": "2026-11-02T00:00:00Z", "period_end": "2026-11-03T00:00:00Z", "team": "unowned",
			"cause":          "free",
			"effective_cost": "16.385", "gpu_hours": "0", "used_gpu_hours": "0", "capacity_gpu_hours": "4"})
	storetest.Wants(t, rows[3], map[string]string{
		"team": "unowned", "cause": "shared", "effective_cost": "1.23", "gpu_hours": "", "list_cost": "",
	})

	rows = storetest.Table(t, s, "costs", metrics.Options{
		GroupBy: "tag:CostCenter,label:flavour,pricing,account,run,attempt,slice",
		Filter:  "run = prod/ml/train", Order: "attempt",
	})
	storetest.Wants(t, rows[0],
		map[string]string{"tag:CostCenter": "cc-1", "label:flavour": "x", "pricing": "spot", "account": "222",
			"run": "prod/ml/train", "attempt": "1",
			"slice": "", "effective_cost": "8.1925"})
	storetest.Wants(t, rows[len(rows)-1], map[string]string{
		"tag:CostCenter": "", "pricing": "spot", "account": "222", "effective_cost": "",
	})

	for keys := range slices.Chunk(metrics.Keys, 10) {
		var names []string
		for _, k := range keys {
			names = append(names, k.Name)
		}
		if rows = storetest.Table(t, s, "costs", metrics.Options{GroupBy: strings.Join(names, ",")}); len(rows) == 0 ||
			len(rows) > 5 {
			t.Errorf("%d rows by %v, want 1 to 5", len(rows), names)
		}
	}
	for _, zone := range []string{"UTC", "Europe/Berlin", "Asia/Kolkata"} {
		for _, g := range []string{"hour", "day", "week", "month"} {
			storetest.Table(t, s, "costs", metrics.Options{
				Granularity: g, TZ: zone, From: "2026-11-01", To: "2026-12-01", BillingPeriod: "2026-11",
			})
		}
	}
	rows = storetest.Table(t, s, "costs", metrics.Options{Granularity: "month", TZ: "Europe/Berlin"})
	storetest.Wants(t, rows[0], map[string]string{
		"period_start": "2026-10-31T23:00:00Z", "period_end": "2026-11-30T23:00:00Z",
	})
	if rows = storetest.Table(t, s, "costs", metrics.Options{To: "2026-11-02T10:00"}); len(rows) != 0 {
		t.Errorf("rows before the first hour: %v", rows)
	}
}

func TestRunsAndAttempts(t *testing.T) {
	s := storetest.SmallLedger(t)
	rows := storetest.Table(t, s, "runs", metrics.Options{Order: "-effective_cost"})
	if len(rows) != 2 {
		t.Fatalf("%d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0],
		map[string]string{"run_id": "prod/ml/train", "team": "research", "model": "llama", "group_id": "", "attempts": "2",
			"preemptions": "1",
			"gpu_hours":   "5", "used_gpu_hours": "3", "lost_gpu_hours": "2", "effective_cost": "16.385",
			"billed_cost": "16.385", "list_cost": "49.16", "contracted_cost": "",
			"used_cost": "8.1925", "lost_cost": "8.1925", "lost_cost_min": "0",
			"held_idle_cost": "0", "metered_cost": "0", "window_effective_cost": "16.385",
			"spot_savings": "32.775", "net_spot_savings": "32.775", "spot_known_share": "0.8",
			"spot_unknown_cost": "", "queue_wait_seconds": "60", "budget": "100", "budget_ratio": "0.16385",
			"co2e_kg": "", "quality": "assumed", "state": "provisional", "currency": "USD"})
	storetest.Wants(t, rows[1], map[string]string{
		"run_id": "prod/ml/queued", "effective_cost": "", "used_cost": "0", "started_at": "", "currency": "", "state": "",
	})
	rows = storetest.Table(t, s, "runs", metrics.Options{From: "2026-11-02T10:30", Filter: "run = prod/ml/train"})
	storetest.Wants(t, rows[0], map[string]string{"effective_cost": "16.385", "window_effective_cost": "0"})

	rows = storetest.Table(t, s, "attempts", metrics.Options{})
	if len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"attempt": "1", "outcome": "preempted", "lost_cost": "8.1925",
		"lost_seconds": "1800", "loss_basis": "none", "gpu_hours": "2", "task": "",
	})
	storetest.Wants(t, rows[1], map[string]string{
		"attempt": "2", "outcome": "succeeded", "lost_cost": "0", "lost_seconds": "0",
		"loss_basis": "", "gpu_hours": "3", "effective_cost": "8.1925",
	})
}

func TestLedgerDatasets(t *testing.T) {
	s := storetest.SmallLedger(t)
	rows := storetest.Table(t, s, "charges", metrics.Options{BillingPeriod: "2026-11"})
	if len(rows) != 2 {
		t.Fatalf("%d charges, superseded ones must not show: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"line": "1", "source_file": "data/cur-00001.csv.gz", "role": "book",
		"state": "open", "charge_category": "Usage", "effective_cost": "32.77",
	})
	if rows = storetest.Table(t, s, "postings", metrics.Options{
		Filter: "cause in (lost, used) and team = research",
	}); len(rows) != 2 {
		t.Fatalf("%v", rows)
	}
	storetest.Wants(t, rows[0], map[string]string{
		"namespace": "ml", "pod": "train-0", "kind": "direct", "policy_version": "default-1", "slot": rows[0]["slot"],
	})
	if rows = storetest.Table(t, s, "usage", metrics.Options{Filter: "held = false"}); len(rows) != 1 {
		t.Fatalf("%v", rows)
	}
	rows = storetest.Table(t, s, "imports", metrics.Options{})
	storetest.Wants(t, rows[0], map[string]string{"source": "aws-cur", "rows_read": "3", "rejected": "1", "message": ""})
	for _, row := range storetest.Table(t, s, "reconciliation", metrics.Options{}) {
		storetest.Wants(t, row, map[string]string{
			"difference": "0", "charges": "2", "unposted_charges": "0", "role": "book",
			"evidence_gap": "", "provider": "aws", "state": "open", "invoice_total": "",
		})
	}
}

func TestViewsAgreeWithReports(t *testing.T) {
	s := storetest.SmallLedger(t)
	for _, v := range report.BiViews() {
		var n int
		if err := s.Pool.QueryRow(t.Context(), `select count(*) from bi_v1.`+report.Ident(v.Name)).Scan(&n); err != nil {
			t.Errorf("view %s: %v", v.Name, err)
		}
	}
	for _, f := range star.Facts {
		for _, table := range f.Tables() {
			if storetest.Count(t, s, "select count(*) from bi_v1.star_"+table.Short()) != storetest.Count(t, s,
				"select count(*) from "+table.Name()) {
				t.Errorf("the view of %s has other rows", table.Name())
			}
		}
	}
	if n := storetest.Count(t, s, `select count(*) from pg_class
		where relnamespace in ('bi_v1'::regnamespace, 'bi_base'::regnamespace) and relkind = 'v'
		and (pg_get_userbyid(relowner) = '`+pg.Reader+`' or 'security_invoker=true' = any (reloptions))`); n != 0 {
		t.Errorf("%d views are read with other rights than those of the owner of the tables, while no login has a scope", n)
	}
	var cost, gpu string
	err := s.Pool.QueryRow(t.Context(), `select effective_cost::text, gpu_hours::text from bi_v1.runs
		where run_id = 'prod/ml/train'`).Scan(&cost, &gpu)
	if err != nil || cost != "16.385" || gpu != "5" {
		t.Errorf("bi_v1.runs says %s, %s: %v", cost, gpu, err)
	}
	err = s.Pool.QueryRow(t.Context(), `select trim_scale(sum(effective_cost))::text, trim_scale(sum(gpu_hours))::text
		from bi_v1.costs_hourly`).Scan(&cost, &gpu)
	if err != nil || cost != "34" || gpu != "5" {
		t.Errorf("bi_v1.costs_hourly adds to %s, %s: %v", cost, gpu, err)
	}
	if err := store.MigrateDSN(t.Context(), s.Pool.Config().ConnString()); err != nil {
		t.Errorf("migrate again: %v", err)
	}
}
