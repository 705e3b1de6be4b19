package metrics

import (
	"strconv"
	"time"
)

// Rows is a streamed answer. Use it like a cursor: Next, then Values, until
// Next returns false; then Err. Close may be called at any time and more than
// once.
type Rows interface {
	// Columns describes the values of each row, in order.
	Columns() []Column
	// Next moves to the next row; false at the end or on an error.
	Next() bool
	// Values returns the current row; it is valid until the next call of Next.
	Values() []Value
	// Err returns the error that ended the rows early, nil at a regular end.
	Err() error
	Close()
}

// Noted are Rows with notes on the query, such as a label that no row has.
type Noted interface{ Notes() []string }

// NotesOf returns the notes of rows, one sentence each.
func NotesOf(r Rows) []string {
	if n, ok := r.(Noted); ok {
		return n.Notes()
	}
	return nil
}

// Value is one cell. The column's Kind decides which field holds it.
type Value struct {
	Valid bool      // false: NULL, unknown
	Text  string    // Text, ID and, in plain decimal notation without trailing zeros, Money, Quantity, Ratio
	Int   int64     // Count, Duration
	Bool  bool      // Bool
	Time  time.Time // Time, in UTC
}

// Null is the unknown value.
var Null = Value{}

// String returns the cell as CSV and text show it: empty for NULL.
func (v Value) String(k Kind) string {
	if k == Text || k == ID || k.Decimal() || !v.Valid {
		return v.Text
	}
	return string(v.Append(nil, k))
}

// Append appends the text of String.
func (v Value) Append(buf []byte, k Kind) []byte {
	switch {
	case !v.Valid:
		return buf
	case k.Integer():
		return strconv.AppendInt(buf, v.Int, 10)
	case k == Time:
		return v.Time.UTC().AppendFormat(buf, time.RFC3339Nano)
	case k == Bool:
		return strconv.AppendBool(buf, v.Bool)
	}
	return append(buf, v.Text...)
}

// SliceRows are rows held in memory: for tests and for answers known to be
// small.
type SliceRows struct {
	cols  []Column
	rows  [][]Value
	at    int
	notes []string
}

// NewSliceRows returns Rows over rows.
func NewSliceRows(cols []Column, rows [][]Value) *SliceRows {
	return &SliceRows{cols: cols, rows: rows, at: -1}
}

// Noting adds notes to the rows.
func (r *SliceRows) Noting(notes ...string) *SliceRows {
	r.notes = append(r.notes, notes...)
	return r
}

// Notes implements Noted.
func (r *SliceRows) Notes() []string { return r.notes }

// Columns implements Rows.
func (r *SliceRows) Columns() []Column { return r.cols }

// Next implements Rows.
func (r *SliceRows) Next() bool {
	if r.at+1 >= len(r.rows) {
		return false
	}
	r.at++
	return true
}

// Values implements Rows.
func (r *SliceRows) Values() []Value { return r.rows[r.at] }

// Err implements Rows; it is always nil.
func (r *SliceRows) Err() error { return nil }

// Close implements Rows.
func (r *SliceRows) Close() {}
