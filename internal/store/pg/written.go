package pg

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Written is a row type whose encoder names the column of each field. The names give its COPY, and its columns in
// statements: @TABLE_columns(alias).
type Written struct {
	Table   string
	Columns []string // after the tenant; digests cover these
	more    []string
}

// Write runs an encoder once to learn its columns. The columns in more follow them and are not covered by digests.
func Write(table string, encode func(*Row), more ...string) *Written {
	w := &Written{Table: table, more: more}
	encode(&Row{named: &w.Columns})
	return w
}

// Begin begins a tuple: the encoder adds its fields, the caller those of the additional columns.
func (w *Written) Begin(r *Row) {
	r.Begin(1 + len(w.Columns) + len(w.more))
	r.Int4(Tenant)
}

// Copy is the COPY statement that fills a table with such rows.
func (w *Written) Copy(into string) string {
	columns := strings.Join(slices.Concat(w.Columns, w.more), ", ")
	return "copy " + into + " (tenant_id, " + columns + ") from stdin (format binary)"
}

// CopyInto fills a table with rows. The first row gives the columns and is encoded twice, so an encoder must not count
// its calls.
func CopyInto[T any](
	ctx context.Context, tx pgx.Tx, table string, rows []T, encode func(*Row, *T) error,
) (n int64, err error) {
	if len(rows) == 0 {
		return 0, nil
	}
	w := Write(table, func(r *Row) { err = encode(r, &rows[0]) })
	if err != nil {
		return 0, err
	}
	return CopySlice(ctx, tx, w.Copy(table), rows, func(r *Row, row *T) error {
		w.Begin(r)
		return encode(r, row)
	})
}

func (w *Written) of(alias string) string {
	return alias + "." + strings.Join(w.Columns, ", "+alias+".")
}
