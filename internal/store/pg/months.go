package pg

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
)

// LaterIndexed are the tables whose new months may be filled before they are indexed.
var LaterIndexed = []string{"posting_rows", "usage", "spans"}

// IndexMonths creates the indexes of months that were filled without them.
func (s *DB) IndexMonths(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for _, table := range LaterIndexed {
		group.Go(func() error {
			if _, err := s.Pool.Exec(ctx, Statement("schema.index_bare_months"), table); err != nil {
				return fmt.Errorf("index new months of %s: %w", table, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// Months are the months for which a table needs partitions. Months between them get none: a file's contents must not
// decide the number of partitions.
type Months struct {
	starts map[period.Second]bool
	last   period.Interval // added last: rows of one month come in long runs
}

// MonthsOf returns the months of instants.
func MonthsOf(at ...period.Second) *Months {
	m := &Months{}
	for _, s := range at {
		m.Add(s)
	}
	return m
}

// Add adds the month of an instant.
func (m *Months) Add(at period.Second) {
	if m.last.Contains(at) {
		return
	}
	if m.starts == nil {
		m.starts = map[period.Second]bool{}
	}
	m.last = period.MonthOf(at)
	m.starts[m.last.From] = true
}

// EnsureMonths creates the partitions of table for months in a separate transaction, so that other sessions need not
// wait for the caller's.
func (s *DB) EnsureMonths(ctx context.Context, table string, months *Months) error {
	for _, at := range slices.Sorted(maps.Keys(months.starts)) {
		key := table + at.Time().Format("200601")
		s.mu.Lock()
		known := s.months[key]
		s.mu.Unlock()
		if known {
			continue
		}
		if _, err := s.Pool.Exec(ctx, Statement("schema.ensure_month"), table, at); err != nil {
			return fmt.Errorf("make partition of %s for %s: %w", table, at.Time().Format("2006-01"), err)
		}
		s.mu.Lock()
		s.months[key] = true
		s.mu.Unlock()
	}
	return nil
}

// ForgetMonths reports whether err says that a row found no partition. It then forgets the known partitions, and closes
// pooled sessions: in PostgreSQL 15, a session that looked while another attached a partition does not see that
// partition until the session ends.
func (s *DB) ForgetMonths(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "23514" || !strings.HasPrefix(pg.Message, "no partition of relation") {
		return false
	}
	s.mu.Lock()
	clear(s.months)
	s.mu.Unlock()
	s.Pool.Reset()
	return true
}
