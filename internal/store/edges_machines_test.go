package store_test

import (
	"encoding/csv"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/export"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// devicesOf computes the devices of the given days of smallLedger.
func devicesOf(t *testing.T, s *store.Store, days ...string) {
	t.Helper()
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	for _, text := range days {
		day, err := period.ParseDay(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.RollUpDays(t.Context(), "costs", []period.Second{day}); err != nil {
			t.Fatal(err)
		}
	}
}

// measuredColumns are the columns that need telemetry of the device.
var measuredColumns = strings.Fields(`activity_avg activity_p95 activity_p99 sm_avg sm_p95 sm_p99 tensor_avg tensor_p95 tensor_p99 dram_avg dram_p95 dram_p99
	memory_avg memory_p95 memory_p99 power_avg power_p95 power_p99 throttled_hours xids`)

// A device without telemetry has a cost, but its useful hours, its utilisation and its price of a useful hour are
// unknown, not 0.
func TestADeviceWithoutTelemetry(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "delete from sample_hours")
	storetest.Run(t, s.Pool, "update usage set activity = 'unknown', active_gpu_hours = 0, active_seconds = 0")
	storetest.Run(t, s.Pool, "update postings set activity = 'unknown', active_gpu_hours = 0")
	devicesOf(t, s, "2026-11-02")
	want := map[string]string{"device": "GPU-1", "effective_cost": "32.77", "capacity_gpu_hours": "9", "gpu_hours": "5",
		"telemetry_coverage": "0", "price_per_held_gpu_hour": "8.1925",
		"active_gpu_hours": "", "utilisation": "", "held_utilisation": "", "price_per_active_gpu_hour": "",
		"held_share": "0.555555555556"}
	for _, name := range measuredColumns {
		want[name] = ""
	}
	storetest.Wants(t, storetest.Table(t, s, "devices", metrics.Options{})[0], want)
	storetest.Wants(t, storetest.Table(t, s, "devices", metrics.Options{GroupBy: "gpu_model"})[0],
		map[string]string{"devices": "1", "utilisation": "", "active_gpu_hours": "", "telemetry_coverage": "0"})
}

// A device without a bill or rate has hours but no cost and no price. Its currency is that of machines of its kind.
func TestADeviceWithoutABill(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "update usage set device = 'GPU-2' where hour = '2026-11-02T11:00:00Z'")
	devicesOf(t, s, "2026-11-02")
	row := storetest.RowWith(t, storetest.Table(t, s, "devices", metrics.Options{}), "device", "GPU-2")
	storetest.Wants(t, row,
		map[string]string{"currency": "USD", "capacity_gpu_hours": "1", "gpu_hours": "1", "telemetry_coverage": "1",
			"effective_cost": "", "billed_cost": "", "list_cost": "", "contracted_cost": "",
			"price_per_held_gpu_hour": "", "price_per_active_gpu_hour": "", "state": "provisional"})
	// Its hours do not lower the prices of devices with cost.
	storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "devices", metrics.Options{}), "device", "GPU-1"),
		map[string]string{"gpu_hours": "4", "effective_cost": "32.77", "price_per_held_gpu_hour": "8.1925"})

	storetest.Run(t, s.Pool, "delete from postings") // without costs there is no currency
	storetest.Run(t, s.Pool, "delete from parts")
	devicesOf(t, s, "2026-11-02")
	for _, o := range []metrics.Options{{}, {GroupBy: "gpu_model"}, {GroupBy: "team"}} {
		for _, row := range storetest.Table(t, s, "devices", o) {
			storetest.Wants(t, row, map[string]string{"currency": "", "effective_cost": ""})
		}
	}
}

// For an hour observed for 30 minutes, the mean covers those 30 minutes, and coverage is the known share of GPU-hours.
func TestAnHourThatWasHalfObserved(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, "update usage set activity = 'unknown', active_gpu_hours = 0 where cause = 'free'")
	storetest.Run(t, s.Pool, "update postings set activity = 'unknown', active_gpu_hours = 0 where cause = 'free'")
	storetest.Run(t, s.Pool, "delete from usage where hour = '2026-11-02T11:00:00Z'")
	storetest.Run(t, s.Pool, "delete from sample_hours")
	var m ledger.Minutes
	for i := range 30 {
		minutes.Set(&m, i, 1000, int64(900_000+i))
	}
	storetest.PublishTelemetry(t, s,
		&ledger.Telemetry{Samples: []ledger.SampleHour{{Cluster: "prod", Node: "node-1", Device: "GPU-1",
			Model: "NVIDIA H100 80GB HBM3", SliceID: ledger.WholeDevice,
			Hour:    period.FromTime(time.Date(2026, 11, 2, 10, 0, 0, 0, time.UTC)),
			Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: m}, RowCount: 30}}})
	devicesOf(t, s, "2026-11-02")
	row := storetest.Table(t, s, "devices", metrics.Options{})[0]
	storetest.Wants(t, row,
		map[string]string{"capacity_gpu_hours": "8", "telemetry_coverage": "0.5", "activity_avg": "0.9000145", "sm_avg": "",
			"memory_p95": "", "power_avg": ""})
	if row["activity_p95"] < "0.893" || row["activity_p95"] > "0.908" {
		t.Errorf("P95 of 30 minutes at 90 %% is %s", row["activity_p95"])
	}
}

// A card that moved to another machine is one device with the cost of both.
func TestACardThatMoved(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into nodes (tenant_id, node_id, cluster, name, provider_id, instance_id,
		  instance_type, region, price_class, gpu_model, gpus, account)
		select tenant_id, $1, cluster, 'node-2', 'aws:///us-east-1a/i-2', 'i-2', instance_type, region, price_class,
		  gpu_model, gpus, account from nodes`, storetest.ID("instance", "i-2"))
	storetest.Run(t, s.Pool, "update usage set node_id = $1 where hour = '2026-11-02T11:00:00Z'",
		storetest.ID("instance", "i-2"))
	devicesOf(t, s, "2026-11-02")
	rows := storetest.Table(t, s, "devices", metrics.Options{})
	if len(rows) != 1 {
		t.Fatalf("one card has %d rows: %v", len(rows), rows)
	}
	storetest.Wants(t, rows[0], map[string]string{"device": "GPU-1", "node": "node-1 node-2", "cluster": "prod",
		"capacity_gpu_hours": "9", "effective_cost": "32.77"})
	storetest.Wants(t, storetest.RowWith(t, storetest.Table(t, s, "devices", metrics.Options{GroupBy: "node"}), "node",
		"node-2"), map[string]string{"devices": "1", "capacity_gpu_hours": "1", "effective_cost": ""})
}

// A card in MIG mode without instances counts as whole: no capacity is stranded or fragmented, and there is nothing to
// pack.
func TestAnEmptyMIGCard(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.Run(t, s.Pool, `insert into star.layout_days (tenant_id, at, node_id, slot, number, device, model, from_at,
		  to_at, slice_ids, profiles, weights, denominator, free, stranded, held_seconds, assumed,
		compute, memory, free_compute, largest, dead_compute, dead_memory, fragmentation_ppm)
		values (1, '2026-11-02', $1, 2, 0, 'GPU-1', 'NVIDIA H100 80GB HBM3', '2026-11-02T10:00:00Z', '2026-11-02T11:00:00Z',
		    '{}', '{}', '{}', 56, 56, 0, '{0}', false, 7, 8, 7, 7, 0, 0, 0)`, storetest.ID("instance", "i-1"))
	storetest.Run(t, s.Pool, `insert into star.slice_days (tenant_id, at, node_id, slot, number, slice_id, owner_id, cause,
		  state, currency, effective_cost, gpu_hours, capacity_gpu_hours)
		values (1, '2026-11-02', $1, 2, 0, null, $2, 'free', 'open', 'USD', 16.385, 0, 4)`,
		storetest.ID("instance", "i-1"), storetest.ID("owner", "none"))
	storetest.AddUp(t, s, "layout_seen", "slice_seen")
	storetest.Wants(t, storetest.Table(t, s, "layouts", metrics.Options{})[0],
		map[string]string{"instances": "0", "profiles": "", "placement": "", "card_hours": "1", "packing_efficiency": "",
			"fragmentation_index": "0",
			"dead_compute":        "0", "dead_memory": "0", "placeable_share": "0",
			"stranded_share": "0", "effective_cost": "16.385",
			"free_cost": "16.385", "stranded_cost": "0"})
	storetest.Wants(t, storetest.Table(t, s, "slices", metrics.Options{})[0],
		map[string]string{"profile": "", "slice_id": "", "weight": "1", "effective_cost": "16.385", "billed_cost": ""})
	if rows := storetest.Table(t, s, "packing", metrics.Options{}); len(rows) != 0 {
		t.Errorf("packing of a card without instances: %v", rows)
	}
	if rows := storetest.Table(t, s, "better_layouts", metrics.Options{}); len(rows) != 0 {
		t.Errorf("a better layout of nothing: %v", rows)
	}
}

// machines are the datasets of machines, of their cards, and of jobs that wait for them.
var machines = []string{"devices", "slices", "layouts", "packing", "better_layouts", "inference", "waste",
	"idle_hours", "spot", "interruptions", "queue", "fair_share", "busy_hours", "commitments", "commitment_demand",
	"requests", "recommendations", "provisional_accuracy"}

// Unknown values are empty in CSV and null in JSON, in the same cells, and never a number. An empty ledger has no rows.
func TestMachinesHaveNoNumberForTheUnknown(t *testing.T) {
	s, empty := storetest.SpotLedger(t), storetest.New(t)
	storetest.Waited(t, s, "pending", `{"nvidia_com_gpu": 8}`, -1, "")
	storetest.Run(t, s.Pool, "delete from sample_hours")
	storetest.Run(t, s.Pool,
		`update postings set effective_cost = null, billed_cost = null, list_cost = null, contracted_cost = null`)
	devicesOf(t, s, "2026-11-02")
	seen := 0
	for _, name := range machines {
		q, err := metrics.Parse(name, metrics.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if rows := asJSON(t, empty, q); len(rows) != 0 {
			t.Errorf("an empty ledger says of %s: %v", name, rows)
		}
		rows := asJSON(t, s, q)
		text := writtenAs(t, s, q, export.CSV)
		lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(lines) != 1+len(rows) {
			t.Fatalf("%s: %d rows of JSON, %d lines of CSV: %v", name, len(rows), len(lines), err)
		}
		for i, row := range rows {
			for n, c := range q.Columns() {
				cell := lines[1+i][n]
				if (cell == "") != (row[c.Name] == nil) {
					t.Errorf("%s: %s is %q in CSV, %v in JSON", name, c.Name, cell, row[c.Name])
				}
				if low := strings.ToLower(cell); low == "nan" || strings.Contains(low, "inf") && c.Kind != metrics.Text {
					t.Errorf("%s: %s is %s", name, c.Name, cell)
				}
				if cell != "" && (c.Name == "effective_cost" || c.Name == metrics.Basis || strings.HasSuffix(c.Name, "_rate") &&
					c.Kind == metrics.Money || strings.HasPrefix(c.Name, "price_per_")) {
					t.Errorf("%s: %s is %s where no cost is known", name, c.Name, cell)
				}
				seen++
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d cells are a test of little", seen)
	}
}

// Closing a month changes no figure of spot machines or of the queue, only their settlement. A row across the end of
// the month is as settled as its least settled part.
func TestSpotAndQueueOverAClosedMonth(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.Waited(t, s, "pod", `{"nvidia_com_gpu": 2}`, 30, "")
	figures := func(o metrics.Options) map[string]map[string]string {
		out := map[string]map[string]string{}
		o.Filter = "group_key = instance_type and currency = USD"
		for _, r := range storetest.Table(t, s, "spot", o) {
			out["spot"] = r
		}
		o.Filter = "currency = USD"
		for _, r := range storetest.Table(t, s, "queue", o) {
			out["queue "+r["team"]] = r
		}
		return out
	}
	// An hour of October, which is closed: the sum covers both months, and each window has its own part.
	for _, table := range []string{"usage", "posting_rows", "parts"} {
		storetest.Run(t, s.Pool, "select ensure_month($1, '2026-10-31')", table)
	}
	storetest.Run(t, s.Pool, `insert into postings (tenant_id, posting_id, hour, part_id, charge_id, part, usage_id,
		  billing_period, cause, activity, kind, owner_id, method, quality, policy_version,
		currency, state, effective_cost, billed_cost, list_cost, gpu_hours, capacity_gpu_hours, active_gpu_hours, node_id,
		slot, device, workload_id, run_id, attempt_id, generation)
		select tenant_id, $1, '2026-10-31T23:00:00Z', $1, charge_id, 0, $1, '2026-10', 'used', activity, kind, owner_id,
		  method, 'measured', policy_version, currency, 'final', 5, 5, 15, 2, 2, 1, node_id, 0, device, workload_id, run_id,
		  attempt_id, 1
		from postings where cause = 'lost'`, storetest.ID("posting", "october"))
	storetest.Run(t, s.Pool, `insert into parts (tenant_id, part_id, charge_id, delivery_id, number, kind, node_id, hour,
		  billing_period, currency, effective_cost, billed_cost, list_cost, usage_seconds, method, quality)
		select tenant_id, $1, charge_id, delivery_id, 0, kind, node_id, '2026-10-31T23:00:00Z', '2026-10', currency, 5, 5, 15,
		  3600, method, quality from parts where kind = 'compute'`, storetest.ID("posting", "october"))
	storetest.RateSpot(t, s)
	for name, c := range map[string]struct {
		o    metrics.Options
		want map[string]string
	}{
		"October": {metrics.Options{From: "2026-10-01", To: "2026-11-01"},
			map[string]string{"state": "final", "effective_cost": "5", "on_demand_equivalent": "15", "interruptions": "0",
				"interruption_rate": "0"}},
		"November": {metrics.Options{From: "2026-11-01", To: "2026-12-01"},
			map[string]string{"state": "open", "effective_cost": "32.77", "interruptions": "1"}},
		"both": {metrics.Options{},
			map[string]string{"state": "open", "effective_cost": "37.77", "interruptions": "1",
				"on_demand_equivalent": "113.32"}},
	} {
		got := figures(c.o)["spot"]
		if got == nil {
			t.Errorf("%s: no row", name)
			continue
		}
		storetest.Wants(t, got, c.want)
	}
	before := figures(metrics.Options{})
	if len(before) < 2 {
		t.Fatalf("spot and queue: %v", before)
	}
	storetest.Run(t, s.Pool, "update postings set state = 'final' where state <> 'final'")
	for name, was := range before {
		is := figures(metrics.Options{})[name]
		for column, value := range was {
			if column != "state" && is[column] != value {
				t.Errorf("%s: %s was %q and is %q in a closed month", name, column, value, is[column])
			}
		}
	}
	if got := figures(metrics.Options{})["spot"]["state"]; got != "final" {
		t.Errorf("spot of a closed month is %s", got)
	}
}
