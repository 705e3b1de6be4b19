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
	group   string // as group
}

// orderTerm is what a statement sorts by, with NULLs last; expr has the values of
// the column.
func (c Compiler) orderTerm(o metrics.Order, expr string, kind metrics.Kind) string {
	if kind == metrics.Text {
		expr += ` collate "C"`
	}
	if o.Desc {
		expr += " desc"
	}
	return expr + " nulls last"
}

// top answers only the rows that are shown, or nothing where that is not
// worth it: where there are far more, it is cheaper to find them first,
// by what they are ordered by, and to look them up again, than to work out
// every column of all. Arrays, because two NULLs in them are equal. Without a
// group rows are those of the base.
func (c Compiler) top(base, list, where string, group []string, cols []answerColumn) string {
	many, named := c.manyOf()
	if many == "" || c.Q.Limit == 0 || c.Q.Limit > mostTop || c.Q.Having != nil {
		return ""
	}
	var keys, first, order []string
	var used []metrics.Column // to find them by
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
		if col := cols[i]; col.grouped || col.Formula.Aggregates() { // else the same in all rows
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

// before are the base rows that groups are found in by some columns.
func (c Compiler) before(base string, by []metrics.Column) string {
	if c.totals || !c.ofTotals(by) {
		return base
	}
	c.totals = true
	return c.ungrouped()
}

// again are the base rows once more, where it can be told at the source of those alone
// that are shown.
func (c Compiler) again(base string) string {
	if !baseOf(c.Q.Dataset).sought {
		return base
	}
	c.shown = true
	return c.ungrouped()
}

// seek looks up what is shown alone, where it is known what is.
func (c Compiler) seek(column string) string {
	if !c.shown {
		return ""
	}
	return "and " + column + " = any (array(select many from shown))"
}

// manyOf is the column of which there are far more values than are shown, and
// the columns that tell groups apart, nil: all that they are grouped by. Findings
// and days of devices are rows of their own, whose other columns take long: the
// words of evidence, percentiles of merged counts.
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

// mostTop is up to how many rows of an answer are found first.
const mostTop = 200
