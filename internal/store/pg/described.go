package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/period"
)

// Described is a stored row type. One function names its columns; from it follow its COPY and the statements that merge
// and read it: TABLE.merge, .stored and .read.
type Described[T any] struct {
	Table string
	of    func(*Columns, *T)
}

// DescribedTables are the tables passed to Describe.
var DescribedTables []string

// Columns visits the columns of a row, to write it, to read it, or to learn their names.
type Columns struct {
	row   *Row
	err   error
	into  []any
	names []string // all columns
	read  []string // columns that are read back
	types []string
}

// Describe describes the rows of a table whose key is the first keys columns after the tenant.
func Describe[T any](table string, keys int, of func(*Columns, *T)) *Described[T] {
	var c Columns
	of(&c, new(T))
	key, all := strings.Join(c.names[:keys], ", "), strings.Join(c.names, ", ")
	var arrays []string
	for i, t := range c.types[:keys] {
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+2, t))
	}
	read := "select " + strings.Join(c.read, ", ") + " from "
	for name, text := range map[string]string{
		"merge": fmt.Sprintf("insert into %[1]s (tenant_id, %[2]s) select tenant_id, %[2]s from next_%[1]s\n"+
			"where tenant_id = $1\n"+
			"on conflict (tenant_id, %[3]s) do update set (%[4]s) = row(excluded.%[5]s)", table, all, key,
			strings.Join(c.names[keys:], ", "), strings.Join(c.names[keys:], ", excluded.")),
		"stored": read + fmt.Sprintf("unnest(%s) k (%s) join %s using (%[2]s) where tenant_id = $1",
			strings.Join(arrays, ", "), key, table),
		"read": read + table + " where tenant_id = $1 order by " + key,
	} {
		Statements[table+"."+name] = text
	}
	DescribedTables = append(DescribedTables, table)
	return &Described[T]{table, of}
}

// Reading limits reads to rows that satisfy a condition.
func (d *Described[T]) Reading(where string) *Described[T] {
	name := d.Table + ".read"
	Statements[name] = strings.Replace(Statements[name], " order by ", " and "+where+" order by ", 1)
	return d
}

// Encode adds the row to a COPY.
func (d *Described[T]) Encode(r *Row, row *T) error {
	c := Columns{row: r}
	d.of(&c, row)
	return c.err
}

// Read reads all rows.
func (d *Described[T]) Read(ctx context.Context, q Querier, f func(T)) error {
	return Query(ctx, q, d.Table+".read", d.scan(f), Tenant)
}

// Stored reads the rows with the given keys, one list per key column.
func (d *Described[T]) Stored(ctx context.Context, q Querier, f func(T), keys ...any) error {
	return Query(ctx, q, d.Table+".stored", d.scan(f), append([]any{Tenant}, keys...)...)
}

func (d *Described[T]) scan(f func(T)) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var row T
		var c Columns
		d.of(&c, &row)
		if err := rows.Scan(c.into...); err != nil {
			return err
		}
		f(row)
		return nil
	}
}

// add reports whether the row is being written.
func (c *Columns) add(name, typ string, into any) bool {
	if c.row != nil {
		c.row.Col(name)
		return true
	}
	c.names, c.types = append(c.names, name), append(c.types, typ)
	c.read, c.into = append(c.read, name), append(c.into, into)
	return false
}

// Text is a text column.
func (c *Columns) Text(name string, v *string) {
	if c.add(name, "text", v) {
		c.row.Text(*v)
	}
}

// Int4 is an integer column.
func (c *Columns) Int4(name string, v *int32) {
	if c.add(name, "int", v) {
		c.row.Int4(int(*v))
	}
}

// Int8 is a bigint column.
func (c *Columns) Int8(name string, v *int64) {
	if c.add(name, "bigint", v) {
		c.row.Int8(*v)
	}
}

// At is a column of an instant.
func (c *Columns) At(name string, v *period.Second) {
	if c.add(name, "timestamptz", v) {
		c.row.At(*v)
	}
}

// Known is a column of an instant whose zero value is NULL.
func (c *Columns) Known(name string, v *period.Second) {
	if c.add(name, "timestamptz", v) {
		c.row.Known(*v)
	}
}

// Object is a jsonb column; v is the address of a map.
func (c *Columns) Object(name string, v any) {
	if c.add(name, "jsonb", v) {
		c.err = errors.Join(c.err, c.row.Object(v))
	}
}

// Derived is a column that follows from others: it is written but not read back.
func (c *Columns) Derived(name, typ string, write func(*Row)) {
	if c.row == nil {
		c.names, c.types = append(c.names, name), append(c.types, typ)
		return
	}
	write(c.row.Col(name))
}
