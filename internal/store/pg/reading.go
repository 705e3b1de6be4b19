package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Each calls f with each row of a named statement, read as List does. PgxBytes in a row are valid until the next.
func Each[T any](ctx context.Context, q Querier, name string, f func(T) error, args ...any) error {
	return Query(ctx, q, name, EachRow(f), args...)
}

// EachRow returns a function that reads a row as List does and calls f. It matches fields to columns at the first row.
func EachRow[T any](f func(T) error) func(pgx.Rows) error {
	var row *T
	var none T
	var fields targets
	return func(rows pgx.Rows) (err error) {
		if fields.Rows != rows {
			fields.Rows = rows
			if row, err = pgx.RowToAddrOfStructByName[T](&fields); err != nil {
				return err
			}
		}
		*row = none
		if err = rows.Scan(fields.list...); err != nil {
			return err
		}
		return f(*row)
	}
}

// Rows reads all rows of one result of a batch as Each does.
func Rows[T any](f func(T) error) func(pgx.Rows) error {
	read := EachRow(f)
	return func(rows pgx.Rows) error {
		for rows.Next() {
			if err := read(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

// ListTo is Rows that appends to a list.
func ListTo[T any](list *[]T) func(pgx.Rows) error {
	return Rows(func(row T) error {
		*list = append(*list, row)
		return nil
	})
}

// targets is a row that records its scan targets.
type targets struct {
	pgx.Rows
	list []any
}

// Scan implements pgx.CollectableRow.
func (t *targets) Scan(into ...any) error {
	t.list = into
	return nil
}

// ReadOnly runs each statement in a separate transaction of BeginRead.
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

// readRows end their transaction when they are closed.
type readRows struct {
	pgx.Rows
	end func()
}

// Close implements pgx.Rows.
func (r *readRows) Close() {
	r.Rows.Close()
	r.end()
}
