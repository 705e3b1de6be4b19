package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
)

// The server's planner plans for empty tables until autovacuum has come round,
// which after a large load is too late: so whoever loads much says so.
var (
	factStatistics = []string{"node_facts", "devices", "device_facts", "workload_facts", "objects", "checkpoint_facts", "placements", "pod_state_hours", "node_state_hours", "source_hours",
		"sample_hours", "hold_evidence"}
	ledgerStatistics = []string{"charge_rows_small", "charge_scopes", "charge_items", "charge_resources", "charge_tags", "parts", "usage", "postings", "spans", "chunks", "nodes", "owners", "workloads", "runs", "attempts", "segments",
		"deliveries", "control_totals"}
	figureStatistics = append(starTables(), "findings", "finding_costs", "waste_days", "spot_rates", "spot_interruptions", "serving_hours", "serving_days", "serving_services",
		"layout_days", "slice_days", "packing_days", "packing_cards", "pod_use_days", "request_use", "demand_days", "demand_costs", "recommendations", "target_days")
)

// starTables are the tables of all facts.
func starTables() (names []string) {
	for _, f := range star.Facts {
		for _, t := range f.Tables() {
			names = append(names, t.Name())
		}
	}
	return names
}

// manyRows of new hours of samples in one import are worth a look at statistics.
const manyRows = 5000

// finalStatistics are the columns that closing and reopening change.
var finalStatistics = map[string]string{"parts": "final, billing_period", "postings": "state, billing_period", "usage": "final"}

// refreshFinal tells the planner how much of the months is final: it would
// take them for rare, or for all, until autovacuum has come round. It belongs to
// the transaction that made them so.
func refreshFinal(ctx context.Context, tx pgx.Tx, hours period.Interval) error {
	var changed []string
	for _, table := range slices.Sorted(maps.Keys(finalStatistics)) {
		err := query(ctx, tx, "statistics.months", func(rows pgx.Rows) error {
			var month string
			err := rows.Scan(&month)
			changed = append(changed, month+" ("+finalStatistics[table]+")")
			return err
		}, table, hours.From, hours.To)
		if err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, "analyze "+strings.Join(changed, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}

// RefreshStatistics tells the planner about facts and ledger where they changed
// by a tenth since it was last told, whoever changed them: a process that was
// killed after it wrote has told nobody. Small changes are left to autovacuum.
func (s *Store) RefreshStatistics(ctx context.Context) error {
	return s.refresh(ctx, append(factStatistics[:len(factStatistics):len(factStatistics)], ledgerStatistics...))
}

// RefreshFigures does the same for what is made of the ledger.
func (s *Store) RefreshFigures(ctx context.Context) error { return s.refresh(ctx, figureStatistics) }

func (s *Store) refresh(ctx context.Context, tables []string) error {
	var stale []string
	err := query(ctx, s.pool, "statistics.stale", func(rows pgx.Rows) error {
		var table string
		err := rows.Scan(&table)
		stale = append(stale, table)
		return err
	}, tables)
	if err != nil || len(stale) == 0 {
		return err
	}
	return s.analyze(ctx, stale)
}

func (s *Store) analyze(ctx context.Context, tables []string) error {
	if _, err := s.pool.Exec(ctx, "analyze "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}
