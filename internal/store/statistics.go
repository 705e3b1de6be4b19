package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

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
