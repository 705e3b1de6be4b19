package ask

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
)

// budgetSQL is the SQL of budgets and budget_days: their newest versions joined with the days that count. Costs in
// other currencies than the budget's are left out; the views have no rates.
func budgetSQL(q metrics.Query) (string, error) {
	versions, err := metrics.LookupDataset("budget_versions")
	if err != nil {
		return "", err
	}
	of, spent, until := q, statement{q: q}, ""
	of.Dataset, of.Filter, of.Having = versions, nil, nil
	for _, term := range append(metrics.Terms(q.Filter), metrics.Terms(q.Having)...) {
		keys := metrics.FilterKeys(term)
		figure := slices.IndexFunc(keys, func(key string) bool { _, own := versions.Column(key); return !own })
		unknown := slices.ContainsFunc(keys, func(key string) bool { return !slices.Contains(spentFigures, key) })
		switch {
		case figure < 0 && of.Filter == nil:
			of.Filter = term
		case figure < 0:
			of.Filter = metrics.And{Left: of.Filter, Right: term}
		case q.Dataset.Name == "budget_days" && until == "" && upTo(term) != "":
			until = quoted(upTo(term))
		case q.Dataset.Name != "budgets" || unknown:
			return "", refuse("the filter tests %s, a figure", keys[figure])
		default:
			text, err := spent.condition(term)
			if err != nil {
				return "", err
			}
			spent.cond = append(spent.cond, text)
		}
	}
	if q.Dataset.Name == "budget_days" && until == "" {
		return "", refuse("no view says how far a life is projected; add day <= its last day to the filter")
	}
	s := statement{q: of, cond: []string{"newest"}}
	if err := s.where(nil); err != nil {
		return "", err
	}
	costs, err := counted("costs")
	if err != nil {
		return "", err
	}
	served, err := counted("inference")
	if err != nil {
		return "", err
	}
	with := fmt.Sprintf(`with plan as (
  select * from bi_v1.budget_versions
  where %s
), spent as (
  select b.budget_id, c.period_start as hour, c.state,
    case b.unit when 'money' then c.effective_cost else c.gpu_hours end as amount
  from plan b
  join bi_v1.costs_daily c on (b.unit = 'money' and c.currency = b.currency or b.unit = 'gpu_hours')
    and c.period_start >= coalesce(b.period_start, '-infinity') and c.period_start < coalesce(b.period_end, 'infinity')
    and %s
  union all
  select b.budget_id, c.period_start, null, coalesce(c.prompt_tokens, 0) + coalesce(c.generation_tokens, 0)
  from plan b
  join bi_v1.inference c on b.unit = 'tokens'
    and c.period_start >= coalesce(b.period_start, '-infinity') and c.period_start < coalesce(b.period_end, 'infinity')
    and %s
)
`, strings.Join(s.cond, "\n    and "), costs, served)
	if q.Dataset.Name == "budget_days" {
		return "-- The spend day by day. The projected end: take REST or the command. A life has days up to the filter's.\n" +
			with + fmt.Sprintf(budgetDaySelect, until), nil
	}
	return "-- The spend of each budget. projected, early, breaks_on, state and unallocated: take REST or the command.\n" +
		with + kept(budgetSelect, spent.cond), nil
}

// upTo is the day of a condition day <= …; empty for any other one.
func upTo(term metrics.Expr) string {
	if c, ok := term.(metrics.Compare); ok && c.Key == "day" && c.Op == metrics.AtMost {
		return c.Values[0]
	}
	return ""
}

// spentFigures are what budgetSelect returns of a budget.
var spentFigures = []string{"name", "unit", "currency", "amount", "actual", "provisional", "ratio"}

// kept are the rows of a statement that hold conditions.
func kept(sql string, cond []string) string {
	if cond == nil {
		return sql
	}
	return "select * from (\n" + strings.TrimSuffix(sql, ";") + "\n) b\nwhere " + strings.Join(cond, " and ") + ";"
}

// counted is the condition that a row of a view counts against the budget b.
func counted(dataset string) (string, error) {
	d, err := metrics.LookupDataset(dataset)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("case b.key when 'all' then true")
	for _, key := range ledger.BudgetKeys {
		if _, own := d.Column(key); own || d.Grouped {
			fmt.Fprintf(&b, " when '%s' then c.%s = b.value", key, ident(key))
		}
	}
	return b.String() + " end", nil
}

const budgetSelect = `select b.budget_id, b.name, b.unit, b.currency, b.amount,
  coalesce(sum(s.amount) filter (where s.state is distinct from 'provisional'), 0) as actual,
  coalesce(sum(s.amount) filter (where s.state = 'provisional'), 0) as provisional,
  round((coalesce(sum(s.amount), 0) / b.amount)::numeric, 12) as ratio
from plan b
left join spent s using (budget_id)
group by 1, 2, 3, 4, 5;`

// budgetDaySelect lacks the last day, which the question names: how far a life is projected is a rule of budget_days,
// which the views do not have.
const budgetDaySelect = `select b.budget_id, b.name, b.unit, b.currency, b.amount, d.day,
  case when d.day <= t.stored then coalesce(sum(s.amount), 0) end as spent,
  case when d.day <= t.stored
    then sum(coalesce(sum(s.amount), 0)) over (partition by b.budget_id order by d.day) end as cumulative
from plan b
cross join (select max(period_start) as stored from bi_v1.costs_daily where capacity_gpu_hours > 0) t
cross join lateral generate_series(
  coalesce(b.period_start, (select min(x.hour) from spent x where x.budget_id = b.budget_id)),
  least(b.period_end - interval '24 hours', timestamptz %s), interval '24 hours') d(day)
left join spent s on s.budget_id = b.budget_id and s.hour >= d.day and s.hour < d.day + interval '24 hours'
group by 1, 2, 3, 4, 5, 6, t.stored;`
