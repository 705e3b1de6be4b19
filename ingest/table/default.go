package table

import (
	"context"
	"slices"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// defaulted is a table with a text for the empty cells of one column, which may be an
// additional column.
type defaulted struct {
	Table
	names []string
	at    int
	text  string
}

// WithDefault gives a text to the empty cells of the column at a position; -1 adds a column of
// this name.
func WithDefault(t Table, name string, at int, text string) Table {
	names := t.Names()
	if at < 0 {
		at, names = len(names), append(slices.Clone(names), name)
	}
	return &defaulted{Table: t, names: names, at: at, text: text}
}

func (d *defaulted) Names() []string { return d.names }

// added reports whether the file itself lacks the column.
func (d *defaulted) added() bool { return d.at == len(d.Table.Names()) }

// Select does not pass an added column on to the table below.
func (d *defaulted) Select(positions []int) {
	if positions != nil && d.added() {
		positions = slices.DeleteFunc(slices.Clone(positions), func(pos int) bool { return pos == d.at })
	}
	d.Table.Select(positions)
}

func (d *defaulted) Each(ctx context.Context, visit func(Row) error) error {
	r := &defaultedRow{at: d.at, added: d.added(), text: d.text}
	return d.Table.Each(ctx, func(base Row) error {
		r.Row = base
		return visit(r)
	})
}

type defaultedRow struct {
	Row
	at    int
	added bool
	text  string
}

// Under returns the underlying row of a table, without defaults.
func Under(r Row) Row {
	if d, ok := r.(*defaultedRow); ok {
		return d.Row
	}
	return r
}

// empty reports whether the cell at a position has the default.
func (r *defaultedRow) empty(pos int) bool {
	return pos == r.at && (r.added || IsNull(r.Row.Raw(pos)))
}

func (r *defaultedRow) Raw(pos int) string {
	if r.empty(pos) {
		return r.text
	}
	return r.Row.Raw(pos)
}

func (r *defaultedRow) Number(pos int) (money.Amount, bool, error) {
	if r.empty(pos) {
		return NumberOf(r.text)
	}
	return r.Row.Number(pos)
}

func (r *defaultedRow) Instant(pos int) (period.Second, bool, error) {
	if r.empty(pos) {
		return InstantOf(r.text)
	}
	return r.Row.Instant(pos)
}

func (r *defaultedRow) Pairs(pos int) ([]Pair, error) {
	if r.empty(pos) {
		return ParsePairs(r.text)
	}
	return r.Row.Pairs(pos)
}
