package store_test

import (
	"errors"
	"strings"
	"testing"

	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/migrations"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// A database of other programs is refused and left as it is, unless the user asked for it; also one with another
// program's version table.
func TestADatabaseOfOthersIsRefused(t *testing.T) {
	for what, tables := range map[string][]string{
		"tables":               {"create table public.orders (id int)"},
		"a schema":             {"create schema shop", "create view shop.sales as select 1 as n"},
		"a version table, too": {"create table schema_version (version text)", "create table orders (id int)"},
	} {
		s := storetest.Open(t, pgtest.Empty(t))
		for _, sql := range tables {
			storetest.MustExec(t, s, sql)
		}
		dsn := s.Pool.Config().ConnString()
		for attempt, err := range map[string]error{
			"migrated": store.MigrateDSN(t.Context(), dsn), "read": s.Settled(t.Context()),
		} {
			if others, ok := errors.AsType[*pg.OthersError](err); !ok || others.Tables != 1 {
				t.Errorf("%s, %s: %v", what, attempt, err)
			}
		}
		const all = "select count(*) from pg_tables where schemaname not in ('pg_catalog', 'information_schema')"
		if n := storetest.Count(t, s, all); n > 2 {
			t.Errorf("%s: %d tables afterwards", what, n)
		}
		err := store.MigrateInto(t.Context(), dsn)
		if what == "a version table, too" {
			if err == nil || !strings.Contains(err.Error(), "table public.schema_version") || storetest.Count(t, s, all) != 2 {
				t.Errorf("a name that is taken: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s, asked for: %v", what, err)
		}
		if n := storetest.Count(t, s,
			"select count(*) from pg_class where relname in ('orders', 'sales') and relrowsecurity"); n > 0 {
			t.Errorf("%s: rows of others are hidden", what)
		}
		for attempt, err := range map[string]error{
			"migrated": store.MigrateDSN(t.Context(), dsn), "read": s.Settled(t.Context()),
		} {
			if err != nil {
				t.Errorf("%s: of both, %s: %v", what, attempt, err)
			}
		}
	}
}

// The objects that migrations create are known by name; all others belong to other programs.
func TestRelationsAreThoseThatMigrationsMake(t *testing.T) {
	s := storetest.New(t)
	ours, err := migrations.Relations()
	if err != nil {
		t.Fatal(err)
	}
	const there = "select count(*) from pg_class where relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition " +
		"and relnamespace = 'public'::regnamespace"
	const named = there + " and (relname = any($1) or exists (select from pg_depend where objid = pg_class.oid and " +
		"deptype in ('a', 'i')))"
	if all, known := storetest.Count(t, s, there), storetest.One[int64](t, s, named, ours); all != known {
		t.Errorf("migrations make %d tables, views and sequences, %d of them known by name", all, known)
	}
}

// Read-only commands change nothing: they report the missing part and the command that fixes it.
func TestReadersDoNotMigrate(t *testing.T) {
	empty := storetest.Open(t, pgtest.Empty(t))
	if err := empty.Settled(t.Context()); !errors.Is(err, pg.ErrEmpty) {
		t.Errorf("an empty database: %v", err)
	}
	if n := storetest.Count(t, empty, "select count(*) from pg_tables where schemaname = 'public'"); n != 0 {
		t.Errorf("reading made %d tables", n)
	}
	s := storetest.New(t)
	if err := s.Settled(t.Context()); err != nil {
		t.Errorf("a current database: %v", err)
	}
	const as, of = "comment on table star.cost_total_days is ",
		"obj_description('star.cost_total_days'::regclass, 'pg_class')"
	line := storetest.One[string](t, s, "select obj_description('schema_version'::regclass, 'pg_class')")
	declared := storetest.One[string](t, s, "select "+of)
	for says, change := range map[string][2]string{
		"run `gpuledger migrate`": {
			"update schema_version set version = version - 1", "update schema_version set version = version + 1",
		},
		"use a newer gpuledger": {
			"update schema_version set version = version + 1", "update schema_version set version = version - 1",
		},
		"by another version of gpul": {as + "'made from another declaration'", as + "'" + declared + "'"},
		"made by an unreleased buil": {"comment on table schema_version is 'Schema of gpuledger, some draft'", ""},
	} {
		storetest.MustExec(t, s, change[0])
		if err := s.Settled(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("after %s: %v", change[0], err)
		}
		if change[1] == "" {
			change[1] = "comment on table schema_version is '" + line + "'"
		}
		storetest.MustExec(t, s, change[1])
	}
	if err := s.Settled(t.Context()); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

// Readers wait until a migration under way has ended.
func TestReadersWaitForAMigration(t *testing.T) {
	s := storetest.New(t)
	conn := connected(t, s)
	if _, err := conn.Exec(t.Context(), pg.Statement("schema.migrating")); err != nil {
		t.Fatal(err)
	}
	answer := make(chan error, 1)
	go func() { answer <- s.Settled(t.Context()) }()
	waits := func() bool {
		return storetest.Count(t, s, "select count(*) from pg_locks where locktype = 'advisory' and not granted") > 0
	}
	for !waits() {
		select {
		case err := <-answer:
			t.Fatalf("did not wait: %v", err)
		default:
		}
	}
	if _, err := conn.Exec(t.Context(), pg.Statement("schema.migrated")); err != nil {
		t.Fatal(err)
	}
	if err := <-answer; err != nil {
		t.Error(err)
	}
}
