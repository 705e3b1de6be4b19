package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Each hands the rows of a named statement to f one at a time, read as List does;
// PgxBytes in them are valid until the next.
func Each[T any](ctx context.Context, q Querier, name string, f func(T) error, args ...any) error {
	return Query(ctx, q, name, EachRow(f), args...)
}

// EachRow makes of f what reads a row as List does.
func EachRow[T any](f func(T) error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		row, err := pgx.RowToStructByName[T](rows)
		if err != nil {
			return err
		}
		return f(row)
	}
}

// ReadOnly answers each statement in a transaction of its own, of BeginRead.
func (db *DB) ReadOnly() Querier { return reading{db} }

type reading struct{ db *DB }

// Query implements Querier.
func (r reading) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	tx, err := r.db.BeginRead(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		Rollback(ctx, tx)
		return nil, err
	}
	return &readRows{rows, func() { Rollback(ctx, tx) }}, nil
}

// readRows end the transaction that they are read in when they are closed.
type readRows struct {
	pgx.Rows
	end func()
}

// Close implements pgx.Rows.
func (r *readRows) Close() {
	r.Rows.Close()
	r.end()
}
