package report

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
	grouped bool   // rows are grouped by it
	group   string // the expression to group by
}

// top answers only the rows that are shown, or "" if that is not worth it. If there are far more rows than are shown,
// finding them first by their sort columns, and looking them up again, is cheaper than computing every column of all
// rows. Keys are compared as arrays, because two NULLs in arrays are equal. Without a group, the rows are those of
// base.
func (c Compiler) top(base, list, where string, group []string, cols []answerColumn) string {
	many, named := c.manyOf()
	if many == "" || c.Q.Limit == 0 || c.Q.Limit > mostTop || c.Q.Having != nil {
		return ""
	}
	var keys, first, order []string
	var terms []orderTerm
	var used []metrics.Column // columns that find the rows
	found := false
	for _, col := range cols {
		if !col.grouped {
			continue
		}
		if found = found || col.Name == many; named == nil || slices.Contains(named, col.Name) {
			keys, first, used = append(keys, col.expr+"::text"), append(first, col.expr), append(used, col.Column)
		}
		if col.Name == many {
			many = col.expr
		}
	}
	if !found {
		return ""
	}
	for at, o := range c.Q.Order {
		i := slices.IndexFunc(cols, func(col answerColumn) bool { return col.Name == o.Column })
		if col := cols[i]; col.grouped || col.Formula.Aggregates() { // others are the same in all rows
			t := orderTerm{expr: col.expr, kind: col.Kind, desc: o.Desc, at: at}
			order, terms, used = append(order, t.sql()), append(terms, t), append(used, col.Column)
			for _, expr := range append(c.attributes(col), col.expr) {
				if (col.grouped || expr != col.expr) && !slices.Contains(first, expr) {
					first = append(first, expr)
				}
			}
		}
	}
	and := "\nwhere "
	if where != "" {
		and = where + " and "
	}
	by := func(terms []string) string {
		if len(group) == 0 {
			return ""
		}
		return "\ngroup by " + strings.Join(terms, ", ")
	}
	within := where + by(first)
	switch later := c.after(terms); {
	case later == "":
	case len(group) > 0:
		within += "\nhaving " + later
	default:
		within = and + later
	}
	return "with shown as materialized (\nselect " + many + " as many, array[" + strings.Join(keys, ", ") +
		"] as keys\nfrom (\n" + c.before(base, used) + "\n) f" + within +
		"\norder by " + strings.Join(order, ", ") + "\nlimit " + strconv.Itoa(c.Q.Limit+c.Q.Offset) + "\n)" +
		"\nselect " + list + "\nfrom (\n" + c.again(base) + "\n) f" + and + "(" + many +
		" = any(array(select many from shown)) or " + many + " is null)" +
		"\n  and array[" + strings.Join(keys, ", ") + "] in (select keys from shown)" + by(group)
}

// attributes are the fields that a figure takes from its row as they are, such as the budget of a ratio.
func (c Compiler) attributes(col answerColumn) (list []string) {
	if col.grouped {
		return nil
	}
	for _, field := range col.Formula.Attributes() {
		list = append(list, "f."+ident(field))
	}
	return list
}

// before are the base rows in which groups are found by some columns.
func (c Compiler) before(base string, by []metrics.Column) string {
	if c.totals || !c.ofTotals(by) {
		return base
	}
	c.totals = true
	return c.ungrouped()
}

// again are the base rows of the second pass, restricted at their source to the shown rows if the base allows it.
func (c Compiler) again(base string) string {
	if !baseOf(c.Q.Dataset).sought {
		return base
	}
	c.shown = true
	return c.ungrouped()
}

// seek restricts a column to the values that are shown, if those are known.
func (c Compiler) seek(column string) string {
	if !c.shown {
		return ""
	}
	return "and " + column + " = any (array(select many from shown))"
}

// manyOf is the column with far more values than are shown, and the columns that distinguish groups; nil: all group
// columns. Findings and days of devices are separate rows whose other columns are slow to compute: the text of
// evidence, percentiles of merged counts.
func (c Compiler) manyOf() (column string, groups []string) {
	if many := baseOf(c.Q.Dataset).many; many != "" && !c.Q.Regrouped() {
		return many, c.Q.Dataset.RowKey
	}
	if c.Q.Dataset.Grouped && c.Plan != nil &&
		!slices.ContainsFunc(c.Plan.Pieces, func(p piece) bool { return p.From == fromLedger }) {
		return c.costs().choose(c.Q, c.sees)[0].Many, nil
	}
	return "", nil
}

// mostTop bounds the rows of an answer that are found first.
const mostTop = 200
