package book

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// finalStatistics are the columns that closing and reopening change.
var finalStatistics = map[string]string{"parts": "final, billing_period", "usage": "final"}

// RefreshFinal tells the planner how much of the months is final: it would
// take them for rare, or for all, until autovacuum has come round. It belongs to
// the transaction that made them so.
func RefreshFinal(ctx context.Context, tx pgx.Tx, hours period.Interval) error {
	var changed []string
	for _, table := range slices.Sorted(maps.Keys(finalStatistics)) {
		err := pg.Query(ctx, tx, "statistics.months", func(rows pgx.Rows) error {
			var month string
			err := rows.Scan(&month)
			changed = append(changed, month+" ("+finalStatistics[table]+")")
			return err
		}, table, hours.From, hours.To)
		if err != nil {
			return err
		}
	}
	changed = append(changed, "posting_terms")
	if _, err := tx.Exec(ctx, "analyze "+strings.Join(changed, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}
