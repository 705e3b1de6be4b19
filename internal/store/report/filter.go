package report

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// fewValues is up to how many values of a list become separate parameters; a statement can have 65,535 at most.
const fewValues = 100

// filter compiles an expression over a relation: f, the base rows, or q, those of the answer. Under a not, every test
// must be true or false, never NULL. Elsewhere NULL drops the row just as false does, and the plain form lets the
// server use indexes.
func (c Compiler) filter(of string, e metrics.Expr, exact bool) string {
	switch e := e.(type) {
	case metrics.And:
		return "(" + c.filter(of, e.Left, exact) + " and " + c.filter(of, e.Right, exact) + ")"
	case metrics.Or:
		return "(" + c.filter(of, e.Left, exact) + " or " + c.filter(of, e.Right, exact) + ")"
	case metrics.Not:
		return "(not " + c.filter(of, e.Of, true) + ")"
	case metrics.Compare:
		text := c.compare(of, e)
		if exact {
			return "coalesce(" + text + ", false)"
		}
		return text
	}
	return "true"
}

func (c Compiler) compare(of string, e metrics.Compare) string {
	name := e.Key
	if real, ok := c.Q.Dataset.Aliases[name]; ok {
		name = real
	}
	col, typ := of+"."+ident(name), "text"
	switch {
	case e.Kind == metrics.ID:
		typ = "uuid"
	case e.Kind == metrics.Bool:
		typ = "bool"
	case e.Kind == metrics.Time:
		typ = "timestamptz"
	case e.Kind.Integer():
		typ = "bigint"
	case e.Kind.Decimal():
		typ = "numeric"
	}
	switch e.Op {
	case metrics.Equal:
		if e.Values[0] == "" {
			return col + " is null"
		}
		return col + " = " + c.value(e.Values[0], typ)
	case metrics.NotEqual:
		if e.Values[0] == "" {
			return col + " is not null"
		}
		return "(" + col + " is distinct from " + c.value(e.Values[0], typ) + ")"
	case metrics.Like:
		return col + " like " + c.value(e.Values[0], typ)
	case metrics.Less, metrics.AtMost, metrics.Greater, metrics.AtLeast:
		if typ == "text" {
			col += ` collate "C"`
		}
		return col + " " + string(e.Op) + " " + c.value(e.Values[0], typ)
	}
	named := slices.DeleteFunc(slices.Clone(e.Values), func(v string) bool { return v == "" })
	none := len(named) < len(e.Values)
	if len(named) == 0 {
		return col + " is null"
	}
	text := ""
	if len(named) > fewValues && c.arguments != nil {
		text = col + " = any(" + c.list(named) + "::" + typ + "[])"
	} else {
		values := make([]string, len(named))
		for i, v := range named {
			values[i] = c.value(v, typ)
		}
		text = fmt.Sprintf("%s in (%s)", col, strings.Join(values, ", "))
	}
	if none {
		text = "(" + col + " is null or " + text + ")"
	}
	return text
}
