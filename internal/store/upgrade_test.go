package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"

	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/migrations"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
	"gpuledger/test/tier"
)

// firstRelease is the last migration of the first release.
const firstRelease = 9

// atVersion opens a store on a database migrated up to version, without the steps after migrations.
func atVersion(t *testing.T, version int32) *store.Store {
	t.Helper()
	s := storetest.Open(t, pgtest.Empty(t))
	conn := connected(t, s)
	m, err := migrate.NewMigrator(t.Context(), conn, pg.VersionTable)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.LoadMigrations(migrations.FS); err != nil {
		t.Fatal(err)
	}
	if err := m.MigrateTo(t.Context(), version); err != nil {
		t.Fatalf("to version %d: %v", version, err)
	}
	return s
}

// fresh is a new database as gpuledger creates it, without the additions of tests.
func fresh(t *testing.T) *store.Store {
	t.Helper()
	s := storetest.Open(t, pgtest.Empty(t))
	if err := store.Migrate(t.Context(), connected(t, s)); err != nil {
		t.Fatal(err)
	}
	return s
}

// connected is an additional connection to the store's database, until the test ends.
func connected(t *testing.T, s *store.Store) *pgx.Conn {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), s.Pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// upgradeUnderTraffic migrates from two processes at once while other connections run statements of the first release.
// Each statement has to succeed, and no write may be lost.
func upgradeUnderTraffic(t *testing.T, s *store.Store, traffic ...string) {
	t.Helper()
	stop := make(chan struct{})
	var processes, others sync.WaitGroup
	for _, sql := range traffic {
		others.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := s.Pool.Exec(context.WithoutCancel(t.Context()), sql, i); err != nil {
					t.Errorf("while the schema is upgraded: %s: %v", sql, err)
					return
				}
			}
		})
	}
	errs := make([]error, 2)
	for i := range errs {
		processes.Go(func() { errs[i] = store.MigrateDSN(t.Context(), s.Pool.Config().ConnString()) })
	}
	processes.Wait()
	close(stop)
	others.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Migrate(t.Context(), connected(t, s)); err != nil {
		t.Errorf("once more: %v", err)
	}
}

// An upgrade gives the same schema from any start: an empty database, any migration of the set (a process that was
// killed between two), or the whole set. The daily run tests only both ends, because in between the same statements
// follow each other.
func TestEveryNumberUpgradesToTheSameSchema(t *testing.T) {
	want := schemaOf(t, fresh(t))
	for version := range migrations.Latest() + 1 {
		if !tier.Full() && version > 1 && version < migrations.Latest() {
			continue
		}
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			s := atVersion(t, version)
			var traffic []string
			if version > 0 {
				traffic = []string{`insert into periods (tenant_id, calendar, name, start_at, end_at)
					values (1, 'traffic', $1::int::text, '2026-11-01', '2026-12-01')`}
			}
			upgradeUnderTraffic(t, s, traffic...)
			if d := cmp.Diff(want, schemaOf(t, s)); d != "" {
				t.Errorf("from version %d (-fresh +upgraded):\n%s", version, d)
			}
			if version > 0 && storetest.Count(t, s,
				"select count(*) - max(name::int) from periods where calendar = 'traffic'") != 1 {
				t.Errorf("from version %d: what was written meanwhile is not all there", version)
			}
		})
	}
}

// schemaOf lists tables, columns, constraints, indexes, triggers, functions, views and comments.
func schemaOf(t *testing.T, s *store.Store) []string {
	t.Helper()
	rows, err := s.Pool.Query(t.Context(), `
		with ours as (select oid, nspname from pg_namespace where nspname in ('public', 'star', 'bi_v1'))
		select concat_ws(' ', n.nspname, c.relkind, c.relname, c.reloptions::text, obj_description(c.oid, 'pg_class'),
		         case when c.relkind = 'v' then pg_get_viewdef(c.oid) end,
		         pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid))
		from pg_class c join ours n on n.oid = c.relnamespace
		union all
		select concat_ws(' ', n.nspname, c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
		         a.attstorage, a.attidentity, pg_get_expr(d.adbin, d.adrelid), col_description(c.oid, a.attnum))
		from pg_attribute a join pg_class c on c.oid = a.attrelid join ours n on n.oid = c.relnamespace
		left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
		where a.attnum > 0 and not a.attisdropped
		union all
		select concat_ws(' ', o.conrelid::regclass, o.conname, pg_get_constraintdef(o.oid))
		from pg_constraint o join ours n on n.oid = o.connamespace
		union all
		select pg_get_indexdef(i.indexrelid)
		from pg_index i join pg_class c on c.oid = i.indexrelid join ours n on n.oid = c.relnamespace
		union all
		select pg_get_triggerdef(g.oid)
		from pg_trigger g join pg_class c on c.oid = g.tgrelid join ours n on n.oid = c.relnamespace where not g.tgisinternal
		union all
		select case p.prokind when 'f' then pg_get_functiondef(p.oid) else p.oid::regprocedure::text end
		from pg_proc p join ours n on n.oid = p.pronamespace
		order by 1`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Data of the first release are upgraded while its processes go on: verify passes, reports are the same, the statement
// of the closed month has the same bytes, and changes to final rows are still refused.
func TestTheFirstReleaseIsUpgraded(t *testing.T) {
	s := atVersion(t, firstRelease)
	says := loadFirstRelease(t, s)
	upgradeUnderTraffic(t, s,
		`insert into inbox (tenant_id, receiver, number, kind, sender, received_at, body)
		 values (1, md5('traffic')::uuid, $1::int, 'otlp', 'agent', now(), '')`,
		`insert into instance_events (tenant_id, provider, instance_id, kind, detail, at)
		 values (1, 'aws', 'i-' || $1::int, 'state', 'running', '2026-10-06')`,
		`select $1::int, sum(effective_cost) from postings where tenant_id = 1`)
	for _, table := range []string{"inbox", "instance_events"} {
		last := map[string]string{"inbox": "max(number)", "instance_events": "max(substring(instance_id from 3)::int)"}[table]
		if n := storetest.Count(t, s, "select count(*) - "+last+" from "+table); n != 1 {
			t.Errorf("%s lost %d rows that were written meanwhile", table, 1-n)
		}
	}
	if f := storetest.Failed(t, s); f != "" {
		t.Error(f)
	}
	if d := cmp.Diff(says, heard(t, s, says)); d != "" {
		t.Errorf("reports (-of the first release +upgraded):\n%s", d)
	}
	if _, err := s.Pool.Exec(t.Context(), "delete from posting_rows"); err == nil {
		t.Error("the upgraded database lets closed rows go")
	}
	storetest.PublishTelemetry(t, s, storetest.SampleTelemetry()) // and current processes write
}

// A migration does not wait forever for a table that another session holds: it fails with an error, and succeeds
// completely when it is run again.
func TestAnUpgradeThatIsBlockedGivesUp(t *testing.T) {
	s := atVersion(t, firstRelease-1)
	tx, err := s.Pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "lock table tenants in access exclusive mode"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	err = store.MigrateDSN(t.Context(), s.Pool.Config().ConnString())
	pg.Rollback(t.Context(), tx)
	if err == nil || !strings.Contains(err.Error(), "lock timeout") || time.Since(began) > time.Minute {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
	if err := store.MigrateDSN(t.Context(), s.Pool.Config().ConnString()); err != nil {
		t.Errorf("when nobody holds it any more: %v", err)
	}
}

// A database of an unreleased build is refused and left as it is, whatever its version: above ours, equal or below.
func TestADatabaseOfAnUnreleasedBuildIsRefused(t *testing.T) {
	for _, version := range []int32{57, migrations.Latest(), 4} {
		s := storetest.Open(t, pgtest.Empty(t))
		storetest.MustExec(t, s, "create table schema_version (version int4 not null)")
		storetest.MustExec(t, s, "insert into schema_version values ($1)", version)
		for _, name := range []string{"tenants", "deliveries", "charges"} {
			storetest.MustExec(t, s, "create table "+name+" (tenant_id int)")
		}
		err := store.Migrate(t.Context(), connected(t, s))
		if err == nil || !strings.Contains(err.Error(), "made by an unreleased build") ||
			!strings.Contains(err.Error(), "import again into a new one") {
			t.Errorf("version %d of an unreleased build gives %v", version, err)
		}
		const tables = "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
		if n := storetest.Count(t, s, tables); n != 4 {
			t.Errorf("version %d: %d tables afterwards, want the 4 of before", version, n)
		}
	}
}
