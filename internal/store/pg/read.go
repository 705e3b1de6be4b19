package pg

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// List returns the rows of a named statement as structs. Columns and fields match by name, ignoring case and
// underscores; each column needs a field and each field a column. Fields of embedded structs count as fields. A tag
// `db:"name"` gives another column name, and `db:"-"` means no column.
func List[T any](ctx context.Context, q Querier, name string, args ...any) ([]T, error) {
	var list []T
	if err := Each(ctx, q, name, func(row T) error {
		list = append(list, row)
		return nil
	}, args...); err != nil {
		return nil, err
	}
	return list, nil
}

// Values returns the rows of a named statement with one column.
func Values[T any](ctx context.Context, q Querier, name string, args ...any) ([]T, error) {
	return read(ctx, q, name, pgx.RowTo[T], args)
}

// One returns the first row of a named statement as List does; pgx.ErrNoRows if there is none.
func One[T any](ctx context.Context, q Querier, name string, args ...any) (T, error) {
	return first(List[T](ctx, q, name, args...))
}

// Value returns the first value of a named statement with one column; pgx.ErrNoRows if there is none.
func Value[T any](ctx context.Context, q Querier, name string, args ...any) (T, error) {
	return first(Values[T](ctx, q, name, args...))
}

// Found turns pgx.ErrNoRows into false and keeps other errors.
func Found[T any](row T, err error) (T, bool, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return row, false, nil
	}
	return row, err == nil, err
}

// Map returns the rows of a named statement with two columns, keyed by the first.
func Map[K comparable, V any](ctx context.Context, q Querier, name string, args ...any) (map[K]V, error) {
	type pair struct {
		Key   K
		Value V
	}
	list, err := read(ctx, q, name, pgx.RowToStructByPos[pair], args)
	if err != nil {
		return nil, err
	}
	all := make(map[K]V, len(list))
	for _, p := range list {
		all[p.Key] = p.Value
	}
	return all, nil
}

func read[T any](ctx context.Context, q Querier, name string, row pgx.RowToFunc[T], args []any) ([]T, error) {
	rows, err := q.Query(ctx, Statement(name), args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	list, err := pgx.AppendRows([]T(nil), rows, row)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

func first[T any](list []T, err error) (none T, _ error) {
	switch {
	case err != nil:
		return none, err
	case len(list) == 0:
		return none, pgx.ErrNoRows
	}
	return list[0], nil
}
