package store

import (
	"context"
	"fmt"
	"strings"
)

// The server's planner plans for empty tables until autovacuum has come round,
// which after a large load is too late: so whoever loads much says so.
var (
	factStatistics = []string{"node_facts", "devices", "workload_facts", "objects", "checkpoint_facts", "placements", "pod_state_hours", "node_state_hours", "source_hours",
		"sample_hours", "hold_evidence"}
	ledgerStatistics = []string{"charge_rows_small", "charge_scopes", "charge_items", "charge_resources", "charge_tags", "parts", "usage", "postings", "spans", "chunks", "nodes", "owners", "workloads", "runs", "attempts", "segments",
		"deliveries", "control_totals"}
)

// manyRows of new hours of samples in one import are worth new statistics.
const manyRows = 5000

func (s *Store) analyze(ctx context.Context, tables []string) error {
	if _, err := s.pool.Exec(ctx, "analyze "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}

// RefreshStatistics tells the planner about the ledger after an allocation of
// so many chunks. Small changes are left to autovacuum.
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
	return s.analyze(ctx, ledgerStatistics)
}
