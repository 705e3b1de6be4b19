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

// orderTerm is a sort key of the statement, with NULLs last; expr has the values of the column.
func (c Compiler) orderTerm(o metrics.Order, expr string, kind metrics.Kind) string {
	if kind == metrics.Text {
		expr += ` collate "C"`
	}
	if o.Desc {
		expr += " desc"
	}
	return expr + " nulls last"
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
	for _, o := range c.Q.Order {
		i := slices.IndexFunc(cols, func(col answerColumn) bool { return col.Name == o.Column })
		if col := cols[i]; col.grouped || col.Formula.Aggregates() { // others are the same in all rows
			order, used = append(order, c.orderTerm(o, col.expr, col.Kind)), append(used, col.Column)
			if col.grouped && !slices.Contains(first, col.expr) {
				first = append(first, col.expr)
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
	return "with shown as materialized (\nselect " + many + " as many, array[" + strings.Join(keys, ", ") +
		"] as keys\nfrom (\n" + c.before(base, used) + "\n) f" + where + by(first) +
		"\norder by " + strings.Join(order, ", ") + "\nlimit " + strconv.Itoa(c.Q.Limit+c.Q.Offset) + "\n)" +
		"\nselect " + list + "\nfrom (\n" + c.again(base) + "\n) f" + and + "(" + many +
		" = any(array(select many from shown)) or " + many + " is null)" +
		"\n  and array[" + strings.Join(keys, ", ") + "] in (select keys from shown)" + by(group)
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
