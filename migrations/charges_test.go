package migrations

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/internal/pgtest"
)

// What a database held before charges were stored by number reads the same
// afterwards.
func TestChargesAreCarriedOver(t *testing.T) {
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
	if err := m.MigrateTo(ctx, 4); err != nil {
		t.Fatal(err)
	}
	exec := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(ctx, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	exec(`select ensure_month('charges', '2026-10-01'), ensure_month('charges', '2026-11-01')`)
	exec(`insert into deliveries (tenant_id, delivery_id, import_id, source, export, scope, dataset, partition_key, kind, rank, digest, rows, columns, state, published_at)
		select 1, md5('d' || n)::uuid, md5('i')::uuid, 'aws-cur', 'e' || n, '999', 'CUR 2.0', '2026-10', 'snapshot', 3, '\x00', 40, '{}', 'current', now() from generate_series(1, 3) n`)
	exec(`insert into tag_sets select 1, md5('t' || n)::uuid, jsonb_build_object('user_team', 'team-' || n) from generate_series(0, 4) n`)
	exec(`insert into charges
		select 1, md5('d' || d)::uuid, md5('c' || n)::uuid, case when n % 2 = 0 then '2026-10-01'::timestamptz else '2026-11-01' end, case when n % 2 = 0 then '2026-10' else '2026-11' end,
		  'file-' || n % 3, n, 'aws', '999', 'account-' || n % 4, case when n % 7 = 0 then 'invoice' else 'usage' end, 'Usage', nullif('', ''),
		  'EC2', case when n % 5 = 0 then null else 'AmazonEC2' end, case n % 3 when 0 then null when 1 then 'i-' || n % 6 else 'arn:aws:ec2:r:a:instance/i-' || n % 6 end,
		  'description ' || n % 9, 'BoxUsage', 'RunInstances', 'Usage', 'us-east-1', null, 'p5.48xlarge', 'spot', null, n % 3 > 0, n % 4 * 0.25, 'Hrs',
		  '2026-10-05'::timestamptz + n * interval '1 hour', '2026-10-05'::timestamptz + (n + 1) * interval '1 hour', 'USD',
		  n * 1.5, case when n % 10 = 0 then 0.00000000000000001 * n else n end, case when n % 6 = 0 then null else -n / 8.0 end, 1e19 * (n % 2),
		  case when n % 4 = 0 then null else md5('t' || n % 5)::uuid end
		from generate_series(1, 40) n, generate_series(1, 2) d`)
	read := func(tags string) string {
		t.Helper()
		rows, err := conn.Query(ctx, `select concat_ws('|', c.delivery_id, c.charge_id, c.billing_period, c.source_file, c.line, c.provider, c.billing_account, c.account, c.kind, c.category, c.class,
			c.service_name, coalesce(c.service_code, 'none'), coalesce(c.resource_id, 'none'), c.description, c.usage_type, c.operation, c.line_item_type, c.region, c.zone, c.instance_type, c.price_class,
			c.instance_hours, trim_scale(c.usage_amount), c.usage_unit, extract(epoch from c.charge_start)::bigint, extract(epoch from c.charge_end)::bigint, c.currency,
			trim_scale(c.effective_cost), trim_scale(c.billed_cost), coalesce(trim_scale(c.list_cost)::text, 'none'), trim_scale(c.contracted_cost), coalesce(t.tags::text, 'none'))
			from charges c left join `+tags+` order by 1`)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(lines, "\n")
	}
	before := read("tag_sets t on t.tag_set_id = c.tag_set_id")
	if err := m.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	exec("set time zone 'UTC'")
	after := read("charge_tags t on t.tenant_id = c.tenant_id and t.delivery = c.delivery and t.tag_set = c.tag_set")
	if before != after || strings.Count(before, "\n") != 79 {
		t.Errorf("charges before and after differ:\n%s\n\n%s", before, after)
	}
	for sql, want := range map[string]string{
		`select string_agg(coalesce(number::text, 'none'), ' ' order by export) from deliveries`:                                         "1 2 none",
		`select string_agg(distinct instance_key, ' ' order by instance_key) from charge_instances`:                                      "i-1 i-2 i-4 i-5",
		`select to_timestamp(min(starts)) || ' ' || to_timestamp(max(ends)) from charge_instances where instance_key = 'i-1'`:            "2026-10-05 01:00:00+00 2026-10-06 14:00:00+00",
		`select sum(instance_seconds)::text from charge_rows where delivery = 1 and instance_seconds is not null`:                        "27900",
		`select count(*)::text from pg_class where relname in ('tag_sets', 'charges_202610')`:                                            "0",
		`select string_agg(nextval('small_delivery_numbers')::text, ' ') from generate_series(1, 1)`:                                     "3",
		`select trim_scale(effective_cost) || ' ' || instance_seconds from charge_instances where delivery = 1 and instance_key = 'i-2'`: "57 1800",
	} {
		var got string
		if err := conn.QueryRow(ctx, sql).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", sql, got, want, err)
		}
	}
}
