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

// EachRow makes of f what reads a row as List does. Which field a column is of is found
// out at the first row.
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

// Rows reads all rows of an answer of a batch as Each does.
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

// ListTo is Rows into a list.
func ListTo[T any](list *[]T) func(pgx.Rows) error {
	return Rows(func(row T) error {
		*list = append(*list, row)
		return nil
	})
}

// targets is a row that keeps what it is to be read into.
type targets struct {
	pgx.Rows
	list []any
}

// Scan implements pgx.CollectableRow.
func (t *targets) Scan(into ...any) error {
	t.list = into
	return nil
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
