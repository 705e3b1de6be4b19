package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/metrics/serving"
)

// ServedName is what a served name came to on the last of its days.
type ServedName struct {
	serving.Name
	LastDay period.Second
}

// ServedNames lists the names that servers counted and the models that they
// joined.
func (s *Store) ServedNames(ctx context.Context) ([]ServedName, error) {
	var list []ServedName
	err := query(ctx, s.pool, "serving.names", func(rows pgx.Rows) error {
		var n ServedName
		err := rows.Scan(&n.Served, &n.Model, &n.Version, &n.By, &n.Among, &n.LastDay)
		list = append(list, n)
		return err
	}, tenant)
	return list, err
}

// MarkServedNames marks the days, for a step, of names that stand for something
// else with the models that there are now.
func (s *Store) MarkServedNames(ctx context.Context, step string) (days int64, err error) {
	names, err := s.ServedNames(ctx)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	models, err := servedModels(ctx, s.pool)
	if err != nil {
		return 0, err
	}
	var moved []string
	for _, n := range names {
		if models.Moved(n.Name) {
			moved = append(moved, n.Served)
		}
	}
	if len(moved) == 0 {
		return 0, nil
	}
	tag, err := s.pool.Exec(ctx, statement("serving.mark_names"), tenant, step, moved)
	if err != nil {
		return 0, fmt.Errorf("serving.mark_names: %w", err)
	}
	return tag.RowsAffected(), nil
}

// servedModels are the models that served names are joined with.
func servedModels(ctx context.Context, q querier) (*serving.Models, error) {
	var names []string
	err := query(ctx, q, "serving.models", func(rows pgx.Rows) error {
		var name string
		err := rows.Scan(&name)
		names = append(names, name)
		return err
	}, tenant)
	return serving.NewModels(names), err
}

// saveServedNames replaces the names of a day.
func saveServedNames(ctx context.Context, tx pgx.Tx, day period.Second, names []serving.Name) error {
	if _, err := exec(ctx, tx, "serving.forget_names", tenant, day); err != nil {
		return err
	}
	for _, n := range names {
		among := n.Among
		if among == nil {
			among = []string{}
		}
		if _, err := exec(ctx, tx, "serving.put_names", tenant, day, n.Served, n.Model, n.Version, n.By, among); err != nil {
			return err
		}
	}
	return nil
}
