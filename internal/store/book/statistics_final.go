package book

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// RefreshFinal refreshes the statistics about how much of the months is final. Until autovacuum runs, the planner would
// take final rows for rare, or for all. Call it in the transaction that makes rows final.
func RefreshFinal(ctx context.Context, tx pgx.Tx, hours period.Interval) error {
	changed := []string{"posting_terms", "frozen_hours"}
	months, err := pg.Values[string](ctx, tx, "statistics.months", "parts", hours.From, hours.To)
	if err != nil {
		return err
	}
	for _, month := range months {
		changed = append(changed, month+" (final, billing_period)")
	}
	if _, err := tx.Exec(ctx, "analyze "+strings.Join(changed, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}
