package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"gpuledger/internal/period"
	"gpuledger/internal/posting"
)

// bulkChunks are so many chunks of a month without any that it is quicker to
// index them together at the end.
const bulkChunks = 200

// laterIndexed are the tables whose months can be filled before they are indexed.
var laterIndexed = []string{"postings", "usage", "spans"}

// Prepare makes the months of the ledger that the work needs. A month that is
// new and gets many chunks has no indexes until FinishCalculation; a
// calculation that died before leaves that to the next StartCalculation. Where
// much is to be done the planner learns of the parts first, which may be new.
func (s *Store) Prepare(ctx context.Context, work []posting.DirtyNode) error {
	days := map[period.Second]int{}
	all := 0
	for i := range work {
		all += len(work[i].Days)
		for _, d := range work[i].Days {
			days[period.MonthOf(d.From).From]++
		}
	}
	for _, month := range slices.Sorted(maps.Keys(days)) {
		if days[month] < bulkChunks {
			continue
		}
		for _, table := range laterIndexed {
			var bare bool
			if err := s.pool.QueryRow(ctx, statement("schema.ensure_bare_month"), table, month).Scan(&bare); err != nil {
				return fmt.Errorf("make partition of %s for %s: %w", table, month.Time().Format("2006-01"), err)
			}
		}
	}
	if all < bulkChunks {
		return nil
	}
	return s.analyze(ctx, []string{"parts"})
}

// indexMonths makes the indexes of months that were filled without.
func (s *Store) indexMonths(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for _, table := range laterIndexed {
		group.Go(func() error {
			if _, err := s.pool.Exec(ctx, statement("schema.index_bare_months"), table); err != nil {
				return fmt.Errorf("index new months of %s: %w", table, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// ensureMonths makes the partitions of table for [from, to], in a transaction
// of its own so that other sessions need not wait for the caller's.
func (s *Store) ensureMonths(ctx context.Context, table string, from, to period.Second) error {
	for at := period.MonthOf(from).From; at <= to; at = period.MonthOf(at).To {
		key := table + at.Time().Format("200601")
		s.mu.Lock()
		known := s.months[key]
		s.mu.Unlock()
		if known {
			continue
		}
		if _, err := s.pool.Exec(ctx, statement("schema.ensure_month"), table, at); err != nil {
			return fmt.Errorf("make partition of %s for %s: %w", table, at.Time().Format("2006-01"), err)
		}
		s.mu.Lock()
		s.months[key] = true
		s.mu.Unlock()
	}
	return nil
}

// forgetMonths reports whether err says that a row found no partition, and
// then forgets which partitions are known to exist, here and in the sessions: one
// that looked while another attached a partition (PostgreSQL 15) goes on without
// it until it ends.
func (s *Store) forgetMonths(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23514" || !strings.HasPrefix(pg.Message, "no partition of relation") {
		return false
	}
	s.mu.Lock()
	clear(s.months)
	s.mu.Unlock()
	s.pool.Reset()
	return true
}
