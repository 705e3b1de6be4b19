package report

import (
	"slices"
	"strconv"
	"time"

	"gpuledger/metrics"
)

// A page of rows begins after a position: the values of the page before in the columns of the order. Unlike an offset,
// the server need not make the rows before it, so that a deep page takes no longer than the first.

// orderTerms are the terms of the order with their kinds, as columns of q.
func (c Compiler) orderTerms() []orderTerm {
	cols := c.Q.Columns()
	terms := make([]orderTerm, len(c.Q.Order))
	for i, o := range c.Q.Order {
		terms[i] = orderTerm{expr: "q." + ident(o.Column), desc: o.Desc, at: i}
		if at := slices.IndexFunc(cols, func(col metrics.Column) bool { return col.Name == o.Column }); at >= 0 {
			terms[i].kind = cols[at].Kind
		}
	}
	return terms
}

// orderTerm is a term of the order: an expression with the values of a column.
type orderTerm struct {
	expr string
	kind metrics.Kind
	desc bool
	at   int // in Query.Order
}

// sorted is the expression as rows are compared by it.
func (t orderTerm) sorted() string {
	if t.kind == metrics.Text {
		return t.expr + ` collate "C"`
	}
	return t.expr
}

// sql sorts by the term, with NULLs last in either direction.
func (t orderTerm) sql() string {
	text := t.sorted()
	if t.desc {
		text += " desc"
	}
	return text + " nulls last"
}

// after is the condition that a row comes after the position; "" without one.
func (c Compiler) after(terms []orderTerm) string {
	if c.Q.After == nil {
		return ""
	}
	rest := ""
	for _, t := range slices.Backward(terms) {
		v, equal := c.Q.After[t.at], ""
		if rest != "" {
			equal = t.expr + " is null and " + rest
		}
		switch {
		case !v.Valid && equal == "": // no row comes after the unknown one
			rest = "false"
			continue
		case !v.Valid:
			rest = "(" + equal + ")"
			continue
		}
		value := c.cell(t.kind, v)
		than := " > "
		if t.desc {
			than = " < "
		}
		later := t.sorted() + than + value + " or " + t.expr + " is null"
		if rest != "" {
			later += " or " + t.expr + " = " + value + " and " + rest
		}
		rest = "(" + later + ")"
	}
	return rest
}

// cell is the SQL for the value of a cell.
func (c Compiler) cell(k metrics.Kind, v metrics.Value) string {
	switch {
	case k.Integer():
		return c.value(strconv.FormatInt(v.Int, 10), "bigint")
	case k.Decimal():
		return c.value(v.Text, "numeric")
	case k == metrics.Time:
		return c.value(v.Time.UTC().Format(time.RFC3339Nano), "timestamptz")
	case k == metrics.Bool:
		return c.value(strconv.FormatBool(v.Bool), "boolean")
	case k == metrics.ID:
		return c.value(v.Text, "uuid")
	}
	return c.value(v.Text, "text")
}
