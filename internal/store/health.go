package store

import (
	"context"
	"fmt"

	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// Health is the state of the database as doctor shows it.
type Health struct {
	Backlog
	Unreconciled int64 // reconciliation rows whose difference is not zero
	Conflicts    int64 // values that were discarded for others (dataset conflicts)
	Uncut        int64 // deliveries of the book that are not allocated yet
	Newer        int64 // imports since the last allocation began
}

// Backlog is the pending work, as the server's metrics show it. Reading it is cheap.
type Backlog struct {
	DirtyDays int64 // node-days to allocate
	StaleDays int64 // days whose roll-ups are older than the ledger
	Running   int64 // imports without an end
	Refused   int64 // refused among the last 20 imports
}

// Backlog counts the work that waits for allocation and recent imports by state.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	b, err := pg.One[Backlog](ctx, s.Pool, "report.health", pg.Tenant)
	if err != nil {
		return b, fmt.Errorf("read state of allocation and imports: %w", err)
	}
	return b, nil
}

// Server returns the version of PostgreSQL.
func (s *Store) Server(ctx context.Context) (version string, err error) {
	if version, err = pg.Value[string](ctx, s.Pool, "report.server"); err != nil {
		return "", fmt.Errorf("ask the server for its version: %w", err)
	}
	return version, nil
}

// Health reads the state of a database whose schema is current, without changing it.
func (s *Store) Health(ctx context.Context) (h Health, err error) {
	if h.Backlog, err = s.Backlog(ctx); err != nil {
		return h, err
	}
	waiting, err := pg.One[struct{ Uncut, Newer int64 }](ctx, s.Pool, "report.waiting", pg.Tenant)
	if err != nil {
		return h, err
	}
	h.Uncut, h.Newer = waiting.Uncut, waiting.Newer
	if h.Unreconciled, err = s.countRows(ctx, "reconciliation",
		func(v metrics.Value) bool { return v.Valid && v.Text != "0" }, "difference"); err != nil {
		return h, err
	}
	h.Conflicts, err = s.countRows(ctx, "conflicts", func(metrics.Value) bool { return true }, "what")
	return h, err
}

// Nothing reports whether no data has arrived yet.
func (s *Store) Nothing(ctx context.Context) (yes bool, err error) {
	return pg.Value[bool](ctx, s.Pool, "report.nothing", pg.Tenant)
}

// countRows counts the rows of a dataset whose value in a column satisfies a condition.
func (s *Store) countRows(
	ctx context.Context, dataset string, meant func(metrics.Value) bool, column string,
) (n int64, err error) {
	q, err := metrics.Parse(dataset, metrics.Options{})
	if err != nil {
		return 0, err
	}
	rows, err := s.Query(ctx, q)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	at := columnIndex(rows.Columns(), column)
	for rows.Next() {
		if meant(rows.Values()[at]) {
			n++
		}
	}
	return n, rows.Err()
}

func columnIndex(cols []metrics.Column, name string) int {
	for i, c := range cols {
		if c.Name == name {
			return i
		}
	}
	return -1
}
