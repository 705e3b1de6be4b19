package pg

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// Refresh updates the statistics of those tables that have changed much since their last update.
func (s *DB) Refresh(ctx context.Context, tables []string) error {
	stale, err := Values[string](ctx, s.Pool, "statistics.stale", tables)
	if err != nil || len(stale) == 0 {
		return err
	}
	return s.Analyze(ctx, stale)
}

// analysedAtOnce is how many tables are analysed in parallel.
const analysedAtOnce = 2

// Analyze updates the statistics of tables.
func (s *DB) Analyze(ctx context.Context, tables []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(analysedAtOnce)
	for _, table := range tables {
		group.Go(func() error {
			if _, err := s.Pool.Exec(ctx, "analyze "+table); err != nil {
				return fmt.Errorf("refresh statistics of %s: %w", table, err)
			}
			return nil
		})
	}
	return group.Wait()
}
