package verify_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/verify"
	"gpuledger/test/pgtest"
	"gpuledger/test/storetest"
)

// TestInvariantsAreProvedSideBySide makes one invariant wait for the other, with a write between them that neither
// may see.
func TestInvariantsAreProvedSideBySide(t *testing.T) {
	s := storetest.New(t)
	written, read := make(chan struct{}), make(chan struct{})
	owners := func(ctx context.Context, tx pgx.Tx) ([]string, error) {
		var n int
		err := tx.QueryRow(ctx, "select count(*) from owners").Scan(&n)
		return []string{fmt.Sprint(n)}, err
	}
	before := storetest.One[int](t, s, "select count(*) from owners")
	report, err := s.Prove(t.Context(), []verify.Invariant{
		{"first", "", verify.CheckStale, func(ctx context.Context, tx pgx.Tx) ([]string, error) {
			storetest.MustExec(t, s, "insert into owners (tenant_id, owner_id) values (1, gen_random_uuid())")
			close(written)
			select {
			case <-read:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return owners(ctx, tx)
		}},
		{"second", "", verify.CheckFailed, func(ctx context.Context, tx pgx.Tx) ([]string, error) {
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
	for i, state := range []verify.CheckState{verify.CheckStale, verify.CheckFailed} {
		if c := report.Checks[i]; c.State != state || len(c.Rows) != 1 || c.Rows[0] != want {
			t.Errorf("check %d: %+v, want %s owners", i, c, want)
		}
	}
}

// TestInvariantsAreProvedAlone: with one connection they run in their order, and the first error ends the proof.
func TestInvariantsAreProvedAlone(t *testing.T) {
	s, err := store.Open(t.Context(), pgtest.New(t, storetest.Migrate), pg.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	report, err := s.Verify(t.Context(), verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range report.Checks {
		if c.Name == "" || c.State != verify.CheckPassed {
			t.Errorf("check %d: %+v", i, c)
		}
	}
	broken := errors.New("no answer")
	_, err = s.Prove(t.Context(), []verify.Invariant{
		{"fine", "", verify.CheckFailed, func(context.Context, pgx.Tx) ([]string, error) { return nil, nil }},
		{"broken", "", verify.CheckFailed, func(context.Context, pgx.Tx) ([]string, error) { return nil, broken }},
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), `check "broken"`) {
		t.Errorf("%v", err)
	}
}
