package figures

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/serving"
)

// ServedName is a served name with the model that it matched on the last of its days.
type ServedName struct {
	serving.Name
	LastDay period.Second
}

// ServedNames lists the names that servers counted and the models that they matched.
func (s *Figures) ServedNames(ctx context.Context) ([]ServedName, error) {
	return pg.List[ServedName](ctx, s.Pool, "serving.names", pg.Tenant)
}

// MarkServedNames marks the days, for a step, of names that match another model now.
func (s *Figures) MarkServedNames(ctx context.Context, step string) (days int64, err error) {
	names, err := s.ServedNames(ctx)
	if err != nil || len(names) == 0 {
		return 0, err
	}
	models, err := servedModels(ctx, s.Pool)
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
	tag, err := s.Pool.Exec(ctx, pg.Statement("serving.mark_names"), pg.Tenant, step, moved)
	if err != nil {
		return 0, fmt.Errorf("serving.mark_names: %w", err)
	}
	return tag.RowsAffected(), nil
}

// servedModels are the models that served names are matched with.
func servedModels(ctx context.Context, q pg.Querier) (*serving.Models, error) {
	names, err := pg.Values[string](ctx, q, "serving.models", pg.Tenant)
	return serving.NewModels(names), err
}

// saveServedNames replaces the names of a day.
func saveServedNames(ctx context.Context, tx pgx.Tx, day period.Second, names []serving.Name) error {
	if _, err := pg.Exec(ctx, tx, "serving.forget_names", pg.Tenant, day); err != nil {
		return err
	}
	for _, n := range names {
		among := n.Among
		if among == nil {
			among = []string{}
		}
		if _, err := pg.Exec(ctx, tx, "serving.put_names", pg.Tenant, day, n.Served, n.Model, n.Version, n.By,
			among); err != nil {
			return err
		}
	}
	return nil
}
