package pgtest

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
)

func one(t *testing.T, dsn, sql string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEachTestHasItsOwnCopy(t *testing.T) {
	migrate := func(ctx context.Context, dsn string) error {
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, "create table things (n int); insert into things values (1)")
		return err
	}
	for range 2 {
		t.Run("copy", func(t *testing.T) {
			dsn := New(t, migrate)
			if n := one(t, dsn, "insert into things values (2) returning (select count(*) from things)"); n != 1 {
				t.Fatalf("a fresh copy has %d rows, want 1", n)
			}
		})
	}
	if n := one(t, Empty(t), "select count(*) from pg_tables where schemaname = 'public'"); n != 0 {
		t.Fatalf("an empty database has %d tables", n)
	}
}

func TestAFilledDatabaseIsFilledOnce(t *testing.T) {
	times := 0
	for range 2 {
		t.Run("copy", func(t *testing.T) {
			dsn := Filled(t, "numbers", func(dsn string) {
				times++
				conn, err := pgx.Connect(t.Context(), dsn)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close(context.Background())
				if _, err := conn.Exec(t.Context(), "create table numbers (n int); insert into numbers values (1)"); err != nil {
					t.Fatal(err)
				}
			})
			if n := one(t, dsn, "insert into numbers values (2) returning (select count(*) from numbers)"); n != 1 {
				t.Fatalf("a fresh copy has %d rows, want 1", n)
			}
		})
	}
	if times != 1 {
		t.Errorf("filled %d times", times)
	}
}
