package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/pgtest"
)

// TestInvariantsAreProvedSideBySide lets one invariant wait for the other, with
// a write between them that neither may see.
func TestInvariantsAreProvedSideBySide(t *testing.T) {
	s := newStore(t)
	written, read := make(chan struct{}), make(chan struct{})
	owners := func(ctx context.Context, tx pgx.Tx) ([]string, error) {
		var n int
		err := tx.QueryRow(ctx, "select count(*) from owners").Scan(&n)
		return []string{fmt.Sprint(n)}, err
	}
	before := one[int](t, s, "select count(*) from owners")
	report, err := s.prove(t.Context(), []invariant{
		{"first", "", CheckStale, func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			mustExec(t, s, "insert into owners (tenant_id, owner_id) values (1, gen_random_uuid())")
			close(written)
			select {
			case <-read:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return owners(ctx, tx)
		}},
		{"second", "", CheckFailed, func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			select {
			case <-written:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			defer close(read)
			return owners(ctx, tx)
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(before)
	for i, state := range []CheckState{CheckStale, CheckFailed} {
		if c := report.Checks[i]; c.State != state || len(c.Rows) != 1 || c.Rows[0] != want {
			t.Errorf("check %d: %+v, want %s owners", i, c, want)
		}
	}
}

// TestInvariantsAreProvedAlone: with one connection, in their order, and the
// first that cannot be asked ends it.
func TestInvariantsAreProvedAlone(t *testing.T) {
	s, err := Open(t.Context(), pgtest.New(t, MigrateDSN), Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	report, err := s.Verify(t.Context(), VerifyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range report.Checks {
		if c.Name == "" || c.State != CheckPassed {
			t.Errorf("check %d: %+v", i, c)
		}
	}
	broken := errors.New("no answer")
	_, err = s.prove(t.Context(), []invariant{
		{"fine", "", CheckFailed, func(context.Context, pgx.Tx) ([]string, error) { return nil, nil }},
		{"broken", "", CheckFailed, func(context.Context, pgx.Tx) ([]string, error) { return nil, broken }},
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), `check "broken"`) {
		t.Errorf("%v", err)
	}
}
