package export

import (
	"errors"
	"time"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"gpuledger/metrics"
)

// Held is a whole answer, in memory and in a temporary file: its columns' types are known, and it can be written in
// several files of the same types.
type Held struct{ s *spool }

// Hold reads rows to their end. The caller closes the answer.
func Hold(rows metrics.Rows) (*Held, error) {
	s, err := newSpool(rows, spoolMemory)
	if err != nil {
		return nil, err
	}
	return &Held{s}, nil
}

// Close frees the temporary file.
func (h *Held) Close() error { return h.s.close() }

// Len is the number of rows.
func (h *Held) Len() int { return h.s.rows }

// Columns are the columns of the rows.
func (h *Held) Columns() []metrics.Column { return h.s.cols }

// Type is the type of a column in files.
type Type struct {
	Name string `json:"name"`
	// Type is decimal, string, integer, boolean or timestamp (UTC, in microseconds).
	Type string `json:"type"`
	// Precision and Scale of a decimal are the digits that its values need, in all and after the point.
	Precision *int   `json:"precision"`
	Scale     *int   `json:"scale"`
	Unit      string `json:"unit,omitempty"`
}

// Names of types.
const (
	typeDecimal   = "decimal"
	typeString    = "string"
	typeInteger   = "integer"
	typeBoolean   = "boolean"
	typeTimestamp = "timestamp"
)

// Types are the types of the columns: wide enough for the values, and for those of files with the given types. A column
// that no decimal of 38 digits holds is a string, and stays one.
func (h *Held) Types(floor []Type) []Type {
	of := make([]digits, len(h.s.cols))
	for i, c := range h.s.cols {
		if of[i] = h.s.digits[i]; c.Kind.Decimal() {
			of[i] = of[i].with(floorOf(c.Name, floor))
		}
	}
	of = multipliable(of)
	out := make([]Type, len(h.s.cols))
	for i, c := range h.s.cols {
		t := Type{Name: c.Name, Type: typeString, Unit: c.Unit}
		switch {
		case c.Kind.Decimal() && of[i].fit():
			width, scale := of[i].width(), of[i].scale
			t.Type, t.Precision, t.Scale = typeDecimal, &width, &scale
		case c.Kind.Decimal(): // text
		case c.Kind.Integer():
			t.Type = typeInteger
		case c.Kind == metrics.Time:
			t.Type = typeTimestamp
		case c.Kind == metrics.Bool:
			t.Type = typeBoolean
		}
		out[i] = t
	}
	return out
}

// floorOf are the digits that a decimal column has in files with the given types; too many for a DECIMAL if it is text
// in one of them.
func floorOf(name string, floor []Type) (d digits) {
	for _, f := range floor {
		switch {
		case f.Name != name:
		case f.Type == typeString:
			d = d.with(digits{whole: precision + 1})
		case f.Precision != nil && f.Scale != nil:
			d = d.with(digits{*f.Precision - *f.Scale, *f.Scale})
		}
	}
	return d
}

// Rows reads the held rows again.
func (h *Held) Rows() *HeldRows {
	return &HeldRows{cols: h.s.cols, words: h.s.words, from: h.s.reader(), cells: make([]spooled, len(h.s.cols)),
		values: make([]metrics.Value, len(h.s.cols)), left: h.s.rows}
}

// HeldRows are held rows, as metrics.Rows.
type HeldRows struct {
	cols   []metrics.Column
	words  []words
	from   spoolReader
	cells  []spooled
	values []metrics.Value
	left   int
	err    error
}

// Columns implements metrics.Rows.
func (r *HeldRows) Columns() []metrics.Column { return r.cols }

// Next implements metrics.Rows.
func (r *HeldRows) Next() bool {
	if r.left == 0 || r.err != nil {
		return false
	}
	r.left--
	for i := range r.cells {
		if r.err = r.cells[i].next(r.from.Reader, r.words[i].list); r.err != nil {
			return false
		}
		r.values[i] = r.cells[i].value(r.cols[i].Kind)
	}
	return true
}

// Values implements metrics.Rows.
func (r *HeldRows) Values() []metrics.Value { return r.values }

// Err implements metrics.Rows.
func (r *HeldRows) Err() error { return errors.Join(r.from.err, r.err) }

// Close implements metrics.Rows: the answer stays held.
func (r *HeldRows) Close() {}

// value is a cell as it was before it was held.
func (c *spooled) value(k metrics.Kind) metrics.Value {
	v := metrics.Value{Valid: c.tag != cellNull}
	switch {
	case !v.Valid:
	case k == metrics.Time:
		v.Time = time.UnixMicro(c.num).UTC()
	case k.Integer():
		v.Int = c.num
	case k == metrics.Bool:
		v.Bool = c.tag == cellYes
	case c.tag == cellSmall:
		v.Text = decimal128.FromI64(c.num).ToString(int32(c.scale))
	default:
		v.Text = c.text
	}
	return v
}
