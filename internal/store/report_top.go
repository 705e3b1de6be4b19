package store

import (
	"slices"
	"strconv"
	"strings"

	"gpuledger/metrics"
)

// answerColumn is a column of the answer as SQL over the base relation f.
type answerColumn struct {
	metrics.Column
	expr    string
	grouped bool // rows are grouped by it
}

// orderTerm is what a statement sorts by, with NULLs last; expr has the values of
// the column.
func (c *compiler) orderTerm(o metrics.Order, expr string, kind metrics.Kind) string {
	if kind == metrics.Text {
		expr += ` collate "C"`
	}
	if o.Desc {
		expr += " desc"
	}
	return expr + " nulls last"
}

// top answers only the groups that are shown, or nothing where that is not
// worth it: where a grain has far more groups, it is cheaper to find them first,
// by what they are ordered by, and to look up their rows again, than to add up
// every column of all. Arrays, because two NULLs in them are equal.
func (c *compiler) top(base, list, where string, cols []answerColumn) string {
	if c.plan == nil || c.q.Limit == 0 || c.q.Limit > mostTop || slices.ContainsFunc(c.plan.pieces, func(p piece) bool { return p.from == fromLedger }) {
		return ""
	}
	var keys, group, order []string
	many := ""
	for _, col := range cols {
		if col.grouped {
			keys, group = append(keys, col.expr+"::text"), append(group, col.expr)
			if col.Name == c.plan.grain.many {
				many = col.expr
			}
		}
	}
	if many == "" {
		return ""
	}
	for _, o := range c.q.Order {
		i := slices.IndexFunc(cols, func(col answerColumn) bool { return col.Name == o.Column })
		if col := cols[i]; col.grouped || col.Formula.Aggregates() { // else the same in all rows
			order = append(order, c.orderTerm(o, col.expr, col.Kind))
		}
	}
	and := "\nwhere "
	if where != "" {
		and = where + " and "
	}
	by := "\ngroup by " + strings.Join(group, ", ")
	return "with shown as materialized (\nselect " + many + " as many, array[" + strings.Join(keys, ", ") + "] as keys\nfrom (\n" + base + "\n) f" + where + by +
		"\norder by " + strings.Join(order, ", ") + "\nlimit " + strconv.Itoa(c.q.Limit+c.q.Offset) + "\n)" +
		"\nselect " + list + "\nfrom (\n" + base + "\n) f" + and + "(" + many + " = any(array(select many from shown)) or " + many + " is null)" +
		"\n  and array[" + strings.Join(keys, ", ") + "] in (select keys from shown)" + by
}

// mostTop is up to how many rows of an answer are found first.
const mostTop = 200
