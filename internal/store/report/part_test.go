package report_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// TestModelsForScopedUsers: models are rolled up by owner for all clusters, so a user scoped to owners in one cluster
// is answered from the ledger, with the same figure.
func TestModelsForScopedUsers(t *testing.T) {
	s := storetest.SmallLedger(t)
	storetest.RollNovember(t, s)
	for scope, want := range map[string]string{
		"team = 'research'":                       "16.385",
		"team = 'research' and cluster = 'prod'":  "16.385",
		"team = 'research' and cluster = 'other'": "",
		"cluster = 'prod'":                        "16.385",
		"team is null":                            "",
		"team = 'research' and environment = 'x'": "",
	} {
		got := ""
		for _, r := range tableOf(storetest.InPart(t, s, scope), t, s.Query, "models", metrics.Options{}) {
			got += r["effective_cost"]
		}
		if got != want {
			t.Errorf("%s: models cost %q, want %q", scope, got, want)
		}
	}
}

// TestSpotByHourForScopedUsers: a scoped user's spot by hour of the day is answered from the roll-up by owner, with the
// same figures as from the ledger.
func TestSpotByHourForScopedUsers(t *testing.T) {
	s := storetest.SpotLedger(t)
	storetest.RollNovember(t, s)
	for _, day := range storetest.November(true) {
		if _, _, err := s.RollUpDays(t.Context(), "spot", []period.Second{day.Day}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.RollUpMonths(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := metrics.Options{From: "2026-11-01", To: "2026-12-01", Filter: "group_key = hour"}
	q, err := metrics.Parse("spot", o)
	if err != nil {
		t.Fatal(err)
	}
	for scope, want := range map[string]string{
		"team = 'research'": "16.385", "cluster = 'prod'": "32.77", "team = 'research' and cluster = 'other'": "",
	} {
		ctx := storetest.InPart(t, s, scope)
		rolled, got := tableOf(ctx, t, s.Query, "spot", o), ""
		for _, r := range rolled {
			got += r["effective_cost"]
		}
		ledger := tableOf(ctx, t, s.QueryLedger, "spot", o)
		if got != want || !slices.EqualFunc(rolled, ledger, equalRows) {
			t.Errorf("%s: spot cost %q, want %q\n%v\n%v of the ledger", scope, got, want, rolled, ledger)
		}
		if reads, err := s.Reads(ctx, q); err != nil || reads["posting_rows_202611"] != 0 || want != "" &&
			reads["spot_hour_owner_months"] == 0 {
			t.Errorf("%s: it reads %v, %v", scope, reads, err)
		}
	}
}

// TestDevicesForScopedUsers: a scoped user gets the same devices as a user with full access who filters, for any
// keys, including the currency of unpaid devices, which is that in which others pay for such machines.
func TestDevicesForScopedUsers(t *testing.T) {
	s := storetest.SmallLedger(t)
	vision := storetest.ID("owner", "vision")
	storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team) values (1, $1, 'vision')", vision)
	storetest.Run(t, s.Pool, `update usage set owner_id = $1, workload_id = null, run_id = null, attempt_id = null
		where usage_id = $2`, vision, storetest.ID("usage", "later"))
	if _, err := s.Summarise(t.Context(), 4_000_000_000); err != nil {
		t.Fatal(err)
	}
	addUpMarked(t, s)
	whole := metrics.Options{From: "2026-11-01", To: "2026-12-01"}
	for scope, want := range map[string]string{ // cost, capacity, currency
		"team = 'research'":                      "16.385 4 USD",
		"team = 'vision'":                        " 1 USD",
		"team = 'unowned'":                       "16.385 4 USD",
		"cluster = 'prod'":                       "32.77 9 USD",
		"team = 'vision' and cluster = 'prod'":   " 1 USD",
		"team = 'research' and cluster = 'else'": "",
		"team = 'nobody'":                        "",
	} {
		ctx := storetest.InPart(t, s, scope)
		for _, o := range []metrics.Options{
			{}, whole, {GroupBy: "gpu_model"}, {GroupBy: "team,cluster"}, {GroupBy: "node"},
			{GroupBy: "cause,workload_class", Granularity: "day"}, {Filter: "cause != 'lost'"},
			{From: "2026-11-02T01:00", To: "2026-11-04"},
		} {
			filtered := o
			filtered.Filter = scope
			if o.Filter != "" {
				filtered.Filter = "(" + scope + ") and " + o.Filter
			}
			got, truth := tableOf(ctx, t, s.Query, "devices", o), storetest.Table(t, s, "devices", filtered)
			if !slices.EqualFunc(got, truth, equalRows) {
				t.Errorf("%s: %+v: %v, want %v", scope, o, got, truth)
			}
		}
		got := ""
		for _, r := range tableOf(ctx, t, s.Query, "devices", whole) {
			got += r["effective_cost"] + " " + r["capacity_gpu_hours"] + " " + r["currency"]
		}
		if got != want {
			t.Errorf("%s: devices cost %q, want %q", scope, got, want)
		}
	}
	// These are read from months, and by kind of machine if that is enough.
	ctx := storetest.InPart(t, s, "team = 'research'")
	for table, by := range map[string]string{"device_holder_months": "", "device_holder_place_months": "gpu_model"} {
		o := whole
		o.GroupBy = by
		q, err := metrics.Parse("devices", o)
		if err != nil {
			t.Fatal(err)
		}
		if reads, err := s.Reads(ctx, q); err != nil || reads[table] == 0 {
			t.Errorf("by %q reads %v, not %s: %v", by, reads, table, err)
		}
	}
}

// tableOf is storetest.Table for the viewer in ctx.
func tableOf(
	ctx context.Context, t *testing.T, answer func(context.Context, metrics.Query) (metrics.Rows, error),
	dataset string, o metrics.Options,
) (list []map[string]string) {
	t.Helper()
	q, err := metrics.Parse(dataset, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := answer(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		row := map[string]string{}
		for i, v := range rows.Values() {
			row[rows.Columns()[i].Name] = v.String(rows.Columns()[i].Kind)
		}
		list = append(list, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSlicesForScopedUsers: each team sees its own slices of a shared card, the card's layout and its currency. Only
// users with access to the machine see the time of others' slices and of slices without an owner.
func TestSlicesForScopedUsers(t *testing.T) {
	s := storetest.SmallLedger(t)
	vision, nobody := storetest.ID("owner", "vision"), ledger.ID{}
	storetest.Run(t, s.Pool, "insert into owners (tenant_id, owner_id, team) values (1, $1, 'vision')", vision)
	node := storetest.ID("instance", "i-1")
	storetest.Run(t, s.Pool, `insert into star.layout_days (
		tenant_id, at, node_id, slot, number, device, model, from_at, to_at,
		slice_ids, profiles, weights, denominator, free, stranded, held_seconds, assumed,
		compute, memory, free_compute, largest, dead_compute, dead_memory, fragmentation_ppm)
		select 1, day, $1, 0, 0, 'GPU-1', 'H100', day, day + interval '1 day',
		'{3,5}', '{3g.40gb,2g.20gb}', '{4,2}', 8, 2, 0, '{36000,7200}', false, 7, 8, 2, 2, 0, 0, 0
		from (values ('2026-11-02'::timestamptz), ('2026-11-03')) d (day)`, node)
	for _, r := range []struct {
		owner        ledger.ID
		slice        any
		cause        string
		cost, in     any
		hours, taken int
	}{
		{storetest.ID("owner", "research"), 3, "used", "7", "USD", 10, 4},
		{vision, 5, "held_idle", nil, nil, 2, 2},
		{nobody, 3, "free", "5", "USD", 0, 4},
		{nobody, nil, "free", "9", "USD", 0, 6},
	} {
		storetest.Run(t, s.Pool, `insert into star.slice_days (
			tenant_id, at, node_id, slot, number, slice_id, owner_id, cause, state,
			effective_cost, currency, gpu_hours, capacity_gpu_hours)
			values (1, '2026-11-02', $1, 0, 0, $2, $3, $4, 'open', $5, $6, $7, $8)`,
			node, r.slice, r.owner, r.cause, r.cost, r.in, r.hours, r.taken)
	}
	storetest.AddUp(t, s, "layout_seen", "slice_seen")
	const of = " 2026-11-02..2026-11-04, "
	const nobodys = "5 2g.20gb 4  USD" + of + "   9 USD" + of
	// Slice, profile and held time, cost, and the times of the layout.
	for scope, want := range map[string]string{
		"team = 'research'":                      "3 3g.40gb  7 USD" + of,
		"team = 'vision'":                        "5 2g.20gb   USD" + of,
		"team = 'vision' and cluster = 'prod'":   "5 2g.20gb   USD" + of,
		"team is null":                           "3 3g.40gb 20 5 USD" + of + nobodys,
		"team is null and cluster = 'prod'":      "3 3g.40gb 20 5 USD" + of + nobodys,
		"cluster = 'prod'":                       "3 3g.40gb 20 12 USD" + of + nobodys,
		"team is null and cluster = 'else'":      "",
		"team = 'research' and cluster = 'else'": "",
		"team = 'nobody'":                        "",
	} {
		ctx := storetest.InPart(t, s, scope)
		for _, o := range []metrics.Options{
			{}, {From: "2026-11-02", To: "2026-11-03"}, {From: "2026-11-03"},
			{GroupBy: "profile"}, {GroupBy: "team,node"}, {Filter: "cause = 'used'"},
		} {
			filtered := o
			filtered.Filter = scope
			if o.Filter != "" {
				filtered.Filter = "(" + scope + ") and " + o.Filter
			}
			got, truth := tableOf(ctx, t, s.Query, "slices", o), storetest.Table(t, s, "slices", filtered)
			if !slices.EqualFunc(got, truth, equalRows) {
				t.Errorf("%s: %+v: %v, want %v", scope, o, got, truth)
			}
		}
		got := ""
		for _, r := range tableOf(ctx, t, s.Query, "slices", metrics.Options{}) {
			valid := r["valid_from"][:10] + ".." + r["valid_to"][:10]
			cells := []string{r["slice_id"], r["profile"], r["held_hours"], r["effective_cost"], r["currency"], valid}
			got += strings.Join(cells, " ") + ", "
		}
		if got != want {
			t.Errorf("%s: slices are %q, want %q", scope, got, want)
		}
	}
}

// TestViewOfDevicesIsReadOnce: the view has one branch for logins with a scope and one for those without, and the
// server reads only one of them.
func TestViewOfDevicesIsReadOnce(t *testing.T) {
	s := storetest.SmallLedger(t)
	addUpMarked(t, s)
	rows, err := s.Pool.Query(t.Context(), "explain (analyze, timing off, costs off) select * from bi_v1.devices")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	read := map[bool]int{}
	for _, line := range plan {
		if strings.Contains(line, "Scan") && strings.Contains(line, "device_") {
			holders := strings.Contains(line, "_holder_")
			if read[holders]++; holders != strings.Contains(line, "never executed") {
				t.Errorf("who sees everything reads %s", strings.TrimSpace(line))
			}
		}
	}
	if read[true] == 0 || read[false] == 0 {
		t.Errorf("the plan is %s", strings.Join(plan, "\n"))
	}
}
