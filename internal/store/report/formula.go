package report

import (
	"fmt"
	"strings"

	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// formula compiles a definition over the base relation f.
func (c Compiler) formula(f metrics.Formula, kind metrics.Kind) string {
	field := f.Field
	if field == metrics.Basis {
		field = string(c.Q.Basis)
	}
	col := "f." + ident(field)
	switch f.Op {
	case metrics.OpField:
		return col
	case metrics.OpSum:
		cond := c.match(f.Where)
		sum := "sum(" + col + ")" + filterClause(cond)
		switch {
		case f.ZeroAmongKnown:
			return fmt.Sprintf("coalesce(%s, sum(%s) * 0)", sum, col)
		case !f.ZeroWhenNone:
			return sum
		}
		count := "count(*)" + filterClause(cond)
		if cond == "" {
			return fmt.Sprintf("case when %s = 0 then 0 else %s end", count, sum)
		}
		// 0 if no row matches, and also if all matching rows are unknown while others are known, so that parts add up
		// to their total.
		return fmt.Sprintf("coalesce(%s, case when %s = 0 or sum(%s) is not null then 0 end)", sum, count, col)
	case metrics.OpSumAll:
		cond := c.match(f.Where)
		unknown := col + " is null"
		if cond != "" {
			unknown += " and " + cond
		}
		return fmt.Sprintf("case when count(*) filter (where %s) = 0 then coalesce(sum(%s)%s, 0) end",
			unknown, col, filterClause(cond))
	case metrics.OpRatio:
		return fmt.Sprintf("(%s)::numeric / nullif(%s, 0)", c.formula(*f.Num, kind), c.formula(*f.Den, kind))
	case metrics.OpLess:
		return fmt.Sprintf("(%s) - coalesce(%s, 0)", c.formula(*f.Num, kind), c.formula(*f.Den, kind))
	case metrics.OpLeastSettled:
		return pg.LeastSettledSQL("f")
	case metrics.OpWorstQuality:
		share := func(q string) string { // metrics.WorstQuality
			return fmt.Sprintf("bool_or(%[1]s = '%[2]s') and %[3]d * coalesce(sum(f.effective_abs) "+
				"filter (where %[1]s = '%[2]s'), 0) >= coalesce(sum(f.effective_abs), 0)",
				col, q, metrics.QualityParts)
		}
		return fmt.Sprintf("case when %s then 'assumed' when %s then 'estimated' "+
			"when bool_or(%s is not null) then 'measured' end",
			share("assumed"), share("estimated"), col)
	case metrics.OpDistinct:
		return fmt.Sprintf("string_agg(distinct %[1]s, ' ' order by %[1]s)", col)
	case metrics.OpCount:
		if f.Listed {
			return fmt.Sprintf("(select count(distinct v) from unnest(string_to_array(string_agg(%s, ','), ',')) v)", col)
		}
		return "count(distinct " + col + ")" + filterClause(c.match(f.Where))
	case metrics.OpPercentile:
		return fmt.Sprintf("bins_percentile(merged_bins(%s), %d) / %d", col, f.Percent, f.Per)
	case metrics.OpRank:
		return fmt.Sprintf("percentile_disc(%d / 1e6) within group (order by %s)%s",
			f.Share, col, filterClause(c.match(f.Where)))
	case metrics.OpMin, metrics.OpMax:
		return string(f.Op) + "(" + col + ")" + filterClause(c.match(f.Where))
	case metrics.OpQuantile:
		cond := col + " is not null"
		if more := c.match(f.Where); more != "" {
			cond += " and " + more
		}
		return fmt.Sprintf("histogram_quantile(merged_histograms(%s)%s, %d / 1e6)", col, filterClause(cond), f.Share)
	}
	switch { // OpUnknown
	case kind.Decimal():
		return "null::numeric"
	case kind.Integer():
		return "null::bigint"
	}
	return "null::text"
}

func filterClause(cond string) string {
	if cond == "" {
		return ""
	}
	return " filter (where " + cond + ")"
}

func (c Compiler) match(where []metrics.Match) string {
	var terms []string
	for _, m := range where {
		if len(m.Values) == 0 {
			field := m.Field
			if field == metrics.Basis {
				field = string(c.Q.Basis)
			}
			terms = append(terms, "f."+ident(field)+" is not null")
			continue
		}
		var values []string
		for _, v := range m.Values {
			values = append(values, "'"+strings.ReplaceAll(v, "'", "''")+"'") // v is from the definitions
		}
		terms = append(terms, fmt.Sprintf("f.%s in (%s)", ident(m.Field), strings.Join(values, ", ")))
	}
	return strings.Join(terms, " and ")
}
