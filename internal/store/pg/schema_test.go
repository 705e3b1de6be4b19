package pg_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store/pg"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// Steps after migrations that meet a deadlock or a lock timeout are rolled back and repeated. They wait for locks as
// long as a migration does.
func TestStepsAfterMigrationsAreRepeated(t *testing.T) {
	s := storetest.New(t)
	conn, err := pgx.ConnectConfig(t.Context(), s.Pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	run := func(sql string) func(ctx context.Context, tx pgx.Tx) error {
		return func(ctx context.Context, tx pgx.Tx) error {
			_, err := tx.Exec(ctx, sql)
			return err
		}
	}
	fails := []string{"40P01", "55P03"}
	err = pg.MigrateTables(t.Context(), conn, pg.OwnDatabase,
		run("create table waited as select current_setting('lock_timeout') as bound"),
		func(ctx context.Context, tx pgx.Tx) error {
			if len(fails) == 0 {
				return nil
			}
			code := fails[0]
			fails = fails[1:]
			return run("do $$ begin raise exception using errcode = '"+code+"'; end $$")(ctx, tx)
		})
	if err != nil || len(fails) > 0 {
		t.Fatal(err, fails)
	}
	if bound := storetest.One[string](t, s, "select bound from waited"); bound != "5s" {
		t.Errorf("locks are waited for as long as %s", bound)
	}
	if err := pg.MigrateTables(t.Context(), conn, pg.OwnDatabase,
		run("do $$ begin raise exception using errcode = '40P01'; end $$")); err == nil {
		t.Error("tried for ever")
	}
	if err := pg.MigrateTables(t.Context(), conn, pg.OwnDatabase, run("select nonsense")); err == nil {
		t.Error("an error is none")
	}
}

// If another program already uses one of our names, a migration stops before it begins and names it.
func TestTakenNamesStopAMigration(t *testing.T) {
	empty, err := pgx.ParseConfig(pgtest.Empty(t))
	if err != nil {
		t.Fatal(err)
	}
	config := storetest.New(t).Pool.Config().ConnConfig
	config.Database = empty.Database
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(),
		"create table imports (id int); create schema star; create table orders (id int)"); err != nil {
		t.Fatal(err)
	}
	err = pg.MigrateTables(t.Context(), conn, pg.AnyDatabase)
	if err == nil || !strings.Contains(err.Error(), "already has schema star, table public.imports, and gpuledger needs") {
		t.Errorf("%v", err)
	}
	var tables int
	if err := conn.QueryRow(t.Context(),
		"select count(*) from pg_tables where schemaname = 'public'").Scan(&tables); err != nil || tables != 2 {
		t.Errorf("%d tables, want those of before (%v)", tables, err)
	}
}
