package store

import (
	"context"
	"fmt"
	"strings"

	"gpuledger/metrics"
)

// Health is the state of the database as doctor shows it.
type Health struct {
	Server string // version of PostgreSQL
	Schema int32  // version of the schema, 0 when there is none
	Backlog
	Unreconciled int64 // reconciliation rows whose difference is not zero
}

// Backlog is what waits, as the server's own metrics show it; cheap to ask.
type Backlog struct {
	DirtyDays int64 // node-days that wait to be allocated
	Running   int64 // imports without an end
	Refused   int64 // refused among the last 20 imports
}

// Backlog counts what waits to be allocated and how imports went of late.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	var b Backlog
	if err := s.pool.QueryRow(ctx, statement("report.health"), tenant).Scan(&b.DirtyDays, &b.Running, &b.Refused); err != nil {
		return b, fmt.Errorf("read state of allocation and imports: %w", err)
	}
	return b, nil
}

// readTables are what reports plan with.
var readTables = []string{"charges", "parts", "usage", "postings", "spans", "chunks", "nodes", "owners", "workloads", "runs", "attempts", "segments",
	"sample_hours", "hold_evidence", "deliveries", "control_totals"}

// RefreshStatistics tells the server's planner about the ledger after an
// allocation of so many chunks. Small changes are left to autovacuum; after a
// large one reports would be planned for empty tables until it comes round.
func (s *Store) RefreshStatistics(ctx context.Context, chunks int) error {
	if chunks == 0 {
		return nil
	}
	var all int
	if err := s.pool.QueryRow(ctx, statement("report.chunk_count"), tenant).Scan(&all); err != nil {
		return fmt.Errorf("count chunks: %w", err)
	}
	if 10*chunks < all {
		return nil
	}
	if _, err := s.pool.Exec(ctx, "analyze "+strings.Join(readTables, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}

// Health looks at the database without changing it.
func (s *Store) Health(ctx context.Context) (Health, error) {
	var h Health
	var migrated bool
	err := s.pool.QueryRow(ctx, statement("report.server")).Scan(&h.Server, &migrated)
	if err != nil {
		return h, fmt.Errorf("ask the server for its version: %w", err)
	}
	if !migrated {
		return h, nil
	}
	if err := s.pool.QueryRow(ctx, "select version from "+versionTable).Scan(&h.Schema); err != nil {
		return h, fmt.Errorf("read schema version: %w", err)
	}
	if h.Backlog, err = s.Backlog(ctx); err != nil {
		return h, err
	}
	q, err := metrics.Parse("reconciliation", metrics.Options{})
	if err != nil {
		return h, err
	}
	rows, err := s.Query(ctx, q)
	if err != nil {
		return h, err
	}
	defer rows.Close()
	at := columnIndex(rows.Columns(), "difference")
	for rows.Next() {
		if v := rows.Values()[at]; v.Valid && v.Text != "0" {
			h.Unreconciled++
		}
	}
	return h, rows.Err()
}

func columnIndex(cols []metrics.Column, name string) int {
	for i, c := range cols {
		if c.Name == name {
			return i
		}
	}
	return -1
}
