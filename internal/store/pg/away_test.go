package pg_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/test/storetest"
)

// TestConnectionsCompileNoPlans: connections turn JIT off whatever the server's default. A roll-up that merges
// thousands of groups would otherwise be compiled for each of them.
func TestConnectionsCompileNoPlans(t *testing.T) {
	s := storetest.New(t)
	storetest.Run(t, s.Pool, "do $$ begin execute format('alter database %I set jit = on', current_database()); end $$")
	beside, err := s.Beside(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	var jit string
	if err := beside.Pool.QueryRow(t.Context(), "show jit").Scan(&jit); err != nil || jit != "off" {
		t.Errorf("jit is %s, %v", jit, err)
	}
}

// TestMonthsAreJoinedWithMonths: a day of postings reads the parts of its month, not those of all time.
func TestMonthsAreJoinedWithMonths(t *testing.T) {
	s := storetest.New(t)
	from, to := period.FromTime(time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)),
		period.FromTime(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC))
	for _, table := range []string{"posting_rows", "parts"} {
		if err := s.EnsureMonths(t.Context(), table, pg.MonthsOf(from, from+31*period.Day, to)); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := s.Pool.Query(t.Context(), `explain select b.charge_id from postings p
		left join parts b on b.tenant_id = p.tenant_id and b.hour = p.hour and b.part_id = p.part_id
		where p.tenant_id = 1 and p.hour >= '2026-10-05 00:00+00' and p.hour < '2026-10-06 00:00+00'`)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan, "\n")
	if !strings.Contains(text, " on parts_202610") || strings.Count(text, " on parts_") != 1 {
		t.Errorf("parts of other months are read:\n%s", text)
	}
}

// TestPoolsDoNotWaitForEachOther: a user of every connection of one store does not keep users of another waiting.
func TestPoolsDoNotWaitForEachOther(t *testing.T) {
	s := storetest.New(t)
	beside, err := s.Beside(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	var held []*pgxpool.Conn
	defer func() {
		for _, conn := range held {
			conn.Release()
		}
	}()
	for range s.Pool.Config().MaxConns {
		conn, err := s.Pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, conn)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := beside.Version(ctx); err != nil {
		t.Errorf("beside a store whose connections are all held: %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.Version(short); err == nil || !pg.Away(err) {
		t.Errorf("the store itself: %v", err)
	}
}

// TestReadersTakeOneProcessor: readers of Beside run without parallel workers, in a read-only transaction on one
// snapshot; their connections keep the server's settings.
func TestReadersTakeOneProcessor(t *testing.T) {
	s := storetest.New(t)
	beside, err := s.Beside(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	defer beside.Close()
	const ask = "select current_setting('max_parallel_workers_per_gather'), current_setting('transaction_isolation'), " +
		"current_setting('transaction_read_only')"
	seen := func(on *store.Store) (parallel, isolation, readOnly string) {
		err := on.Read(t.Context(), "look", func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), ask).Scan(&parallel, &isolation, &readOnly)
		})
		if err != nil {
			t.Fatal(err)
		}
		return parallel, isolation, readOnly
	}
	var server string
	if err := s.Pool.QueryRow(t.Context(), "show max_parallel_workers_per_gather").Scan(&server); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		on       *store.Store
		parallel string
	}{{s, server}, {beside, "0"}} {
		if parallel, isolation, readOnly := seen(c.on); parallel != c.parallel || isolation != "repeatable read" ||
			readOnly != "on" {
			t.Errorf("parallel workers %s (server %s), isolation %s, read only %s", parallel, server, isolation, readOnly)
		}
	}
	var after string
	if err := beside.Pool.QueryRow(t.Context(), "show max_parallel_workers_per_gather").Scan(&after); err != nil ||
		after != server {
		t.Errorf("after the transaction: %s, %v; the server sets %s", after, err, server)
	}
}

// TestAwayIsOnlyForUnavailableDatabases: a database that is gone, silent, full or stopping is away; a rejected query is
// not.
func TestAwayIsOnlyForUnavailableDatabases(t *testing.T) {
	s := storetest.New(t)
	_, wrong := s.Pool.Exec(t.Context(), "select 1 / 0")
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := nobody.Addr().(*net.TCPAddr).Port
	if err := nobody.Close(); err != nil {
		t.Fatal(err)
	}
	_, gone := store.Open(t.Context(),
		fmt.Sprintf("host=127.0.0.1 port=%d user=x dbname=x sslmode=disable connect_timeout=5", port), pg.Options{})
	for _, c := range []struct {
		err  error
		away bool
	}{
		{gone, true}, {wrong, false}, {errors.New("something else"), false},
		{context.Canceled, false}, {context.DeadlineExceeded, true}, {io.ErrUnexpectedEOF, true},
		{&pgconn.PgError{Code: "57P01"}, true}, {&pgconn.PgError{Code: "53300"}, true},
		{&pgconn.PgError{Code: "08006"}, true}, {&pgconn.PgError{Code: "22021"}, false}, {nil, false},
	} {
		if got := pg.Away(fmt.Errorf("ask: %w", c.err)); got != c.away {
			t.Errorf("%v: away %t", c.err, got)
		}
	}
}
