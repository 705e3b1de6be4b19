package migrations

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/internal/pgtest"
)

// TestSummariesAreConverted carries summaries through 011 and back: the minutes
// of some are dropped, so nothing could make them anew.
func TestSummariesAreConverted(t *testing.T) {
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	m, err := migrate.NewMigrator(ctx, conn, "public.schema_version")
	if err != nil {
		t.Fatal(err)
	}
	if err := m.LoadMigrations(FS); err != nil {
		t.Fatal(err)
	}
	to := func(version int32) {
		t.Helper()
		if err := m.MigrateTo(ctx, version); err != nil {
			t.Fatalf("to version %d: %v", version, err)
		}
	}
	read := func(sql string) []string {
		t.Helper()
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		out, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	to(10)
	for _, sql := range []string{
		`insert into tenants (tenant_id, name) values (1, 'one') on conflict do nothing`,
		`insert into sample_signals (tenant_id, signal, name) values (1, 1, 'gr_engine_ppm'), (1, 8, 'power_mw'), (1, 9, 'energy_mj'), (1, 11, 'xid')`,
		`select ensure_month('sample_summaries', h) from (values ('2026-09-01'::timestamptz), ('2026-10-01')) v (h)`,
		`insert into sample_summaries (tenant_id, cluster, device, slice_id, profile, hour, node, device_index, model, source, figures, sketches) values
			(1, 'c', 'GPU-0', -1, '', '2026-09-03 04:00Z', 'a', 0, 'H100', '11223344-5566-7788-99aa-bbccddeeff00',
			  '{1,60,30000600,400000,612345,500000,600000, 8,3,-290,-100,-90,-100,-90, 9,60,-7,-9223372036854775808,9223372036854775807,0,12, 11,1,79,79,79,79,79}', '\x0102'),
			(1, 'c', 'GPU-0', 3, '1g.5gb', '2026-10-03 04:00Z', 'b', 0, 'H100', 'ffffffff-ffff-ffff-0000-000000000000', '{}', ''),
			(1, 'c', 'GPU-0', -1, '', '2026-10-03 04:00Z', 'b', 1, 'H100', '00000000-0000-0001-0000-000000000000', '{1,2,72057594037927936,0,72057594037927936,0,72057594037927936}', '')`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatalf("%v: %s", err, sql)
		}
	}
	const old = `select concat_ws(' ', cluster, device, slice_id, profile, hour at time zone 'UTC', node, device_index, model, left(source::text, 18), figures::text, sketches::text) from sample_summaries order by hour, slice_id`
	before := read(old)
	to(11)
	got := read(`select concat_ws(' ', p.node, p.device_index, p.slice_id, s.source, s.sketches, f.signal, f.minutes, f.total, f.low, f.high, f.p50, f.p95)
		from sample_summaries s join sample_places p using (tenant_id, place_id) left join sample_figures(s.figures) f on true order by s.hour, p.slice_id, f.signal`)
	want := []string{
		`a 0 -1 1234605616436508552 \x0102 1 60 30000600 400000 612345 500000 600000`,
		`a 0 -1 1234605616436508552 \x0102 8 3 -290 -100 -90 -100 -90`,
		`a 0 -1 1234605616436508552 \x0102 9 60 -7 -9223372036854775808 9223372036854775807 0 12`,
		`a 0 -1 1234605616436508552 \x0102 11 1 79 79 79 79 79`,
		`b 1 -1 1 \x 1 2 72057594037927936 0 72057594037927936 0 72057594037927936`,
		`b 0 3 -1 \x`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	to(10)
	if d := cmp.Diff(before, read(old)); d != "" {
		t.Errorf("there and back: %s", d)
	}
}
