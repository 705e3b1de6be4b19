package store

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/metrics"
)

// filterKeys lists the keys that a filter names.
func filterKeys(e metrics.Expr) []string {
	switch e := e.(type) {
	case metrics.And:
		return append(filterKeys(e.Left), filterKeys(e.Right)...)
	case metrics.Or:
		return append(filterKeys(e.Left), filterKeys(e.Right)...)
	case metrics.Not:
		return filterKeys(e.Of)
	case metrics.Compare:
		return []string{e.Key}
	}
	return nil
}

// filter compiles an expression over the base relation f. Under a not every
// test must be true or false, never NULL; elsewhere NULL drops the row just
// as false does, and the plain form lets indexes be used.
func (c *compiler) filter(e metrics.Expr, exact bool) string {
	switch e := e.(type) {
	case metrics.And:
		return "(" + c.filter(e.Left, exact) + " and " + c.filter(e.Right, exact) + ")"
	case metrics.Or:
		return "(" + c.filter(e.Left, exact) + " or " + c.filter(e.Right, exact) + ")"
	case metrics.Not:
		return "(not " + c.filter(e.Of, true) + ")"
	case metrics.Compare:
		text := c.compare(e)
		if exact {
			return "coalesce(" + text + ", false)"
		}
		return text
	}
	return "true"
}

func (c *compiler) compare(e metrics.Compare) string {
	name := e.Key
	if real, ok := c.q.Dataset.Aliases[name]; ok {
		name = real
	}
	col := "f." + ident(name)
	kind, _ := c.q.Dataset.FilterKind(e.Key)
	typ := "text"
	switch {
	case kind == metrics.ID:
		typ = "uuid"
	case kind == metrics.Bool:
		typ = "bool"
	case kind.Integer():
		typ = "bigint"
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
	}
	var values []string
	for _, v := range e.Values {
		if v != "" {
			values = append(values, c.value(v, typ))
		}
	}
	none := slices.Contains(e.Values, "")
	if len(values) == 0 {
		return col + " is null"
	}
	text := fmt.Sprintf("%s in (%s)", col, strings.Join(values, ", "))
	if none {
		text = "(" + col + " is null or " + text + ")"
	}
	return text
}
