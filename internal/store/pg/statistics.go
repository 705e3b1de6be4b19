package pg

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Refresh renews the statistics of those tables that have changed much since they were made.
func (s *DB) Refresh(ctx context.Context, tables []string) error {
	var stale []string
	err := Query(ctx, s.Pool, "statistics.stale", func(rows pgx.Rows) error {
		var table string
		err := rows.Scan(&table)
		stale = append(stale, table)
		return err
	}, tables)
	if err != nil || len(stale) == 0 {
		return err
	}
	return s.Analyze(ctx, stale)
}

// Analyze makes statistics of tables.
func (s *DB) Analyze(ctx context.Context, tables []string) error {
	if _, err := s.Pool.Exec(ctx, "analyze "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("refresh statistics: %w", err)
	}
	return nil
}
