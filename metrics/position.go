package metrics

import (
	"slices"
	"strconv"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Position is where a row is in the order of its query: its values in the columns of Query.Order, which no other row
// has.
type Position []Value

// orderColumns are the columns of the order.
func (q Query) orderColumns() []Column {
	all := q.Columns()
	cols := make([]Column, len(q.Order))
	for i, o := range q.Order {
		cols[i] = all[slices.IndexFunc(all, func(c Column) bool { return c.Name == o.Column })]
	}
	return cols
}

// Texts writes a position; an unknown value is nil.
func (q Query) Texts(p Position) []*string {
	texts := make([]*string, len(p))
	for i, c := range q.orderColumns() {
		if p[i].Valid {
			text := p[i].String(c.Kind)
			texts[i] = &text
		}
	}
	return texts
}

// PositionOf reads what Texts has written; false if it is no position of the query.
func (q Query) PositionOf(texts []*string) (Position, bool) {
	if len(texts) != len(q.Order) || len(texts) == 0 {
		return nil, false
	}
	p := make(Position, len(texts))
	for i, c := range q.orderColumns() {
		if texts[i] == nil {
			continue
		}
		v, ok := parseValue(c.Kind, *texts[i])
		if !ok {
			return nil, false
		}
		p[i] = v
	}
	return p, true
}

// parseValue reads a cell as Value.String writes it.
func parseValue(k Kind, text string) (v Value, ok bool) {
	v.Valid = true
	var err error
	switch {
	case k.Integer():
		v.Int, err = strconv.ParseInt(text, 10, 64)
	case k == Time:
		v.Time, err = time.Parse(time.RFC3339Nano, text)
		if v.Time.Year() < 1 || v.Time.Year() > 9999 { // as far as timestamps are written
			return Null, false
		}
	case k == Bool:
		v.Bool = text == "true"
		return v, v.Bool || text == "false"
	case k == ID:
		var id ledger.ID
		id, err = ledger.ParseID(text)
		v.Text = id.String()
	case k.Decimal():
		var a money.Amount
		a, err = money.Parse(text)
		v.Text = a.String()
	default:
		v.Text = text
	}
	return v, err == nil
}

// afterPosition drops the rows up to the position after which the query begins; at finds their columns.
func (q Query) afterPosition(rows [][]Value, at map[string]int) [][]Value {
	cols := q.orderColumns()
	return slices.DeleteFunc(rows, func(row []Value) bool {
		for i, c := range cols {
			if by := compareValues(c.Kind, row[at[c.Name]], q.After[i], q.Order[i].Desc); by != 0 {
				return by < 0
			}
		}
		return true
	})
}
