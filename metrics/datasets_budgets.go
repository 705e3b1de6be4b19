package metrics

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// budgetTexts are the columns that define a budget, in budgets and in its versions.
func budgetTexts() []Column {
	units, periods := make([]string, len(ledger.BudgetUnits)), make([]string, len(ledger.BudgetPeriods))
	for i, u := range ledger.BudgetUnits {
		units[i] = string(u)
	}
	for i, p := range ledger.BudgetPeriods {
		periods[i] = string(p.Name)
	}
	return []Column{
		attr("budget_id", ID, "Budget, by its name."),
		attr("name", Text, "Name, which identifies the budget in all its versions."),
		attr("key", Text, "Group key that the budget is for; all for the whole ledger."),
		attr("value", Text, "Value of the key; NULL for all."),
		attr("unit", Text, "What is limited. Tokens are prompt and generated ones of served models.").values(units...),
		attr("currency", Text, "Currency of a budget in money."),
		attr("period", Text, "Length of the period.").values(periods...),
		attr("period_start", Time, "Start of the period; NULL for a life without start."),
		attr("period_end", Time, "End of the period, exclusive; NULL for a life."),
		attr("version", Count, "Number of the version, from 1."),
		amountColumn("amount", "Limit, in the currency or unit."),
		attr("source", Text, "Who set it: a person, or a label `cost-budget-limit`.").values("person", "label"),
		attr("labelled_from", Time, "When the first workload with its label appeared; NULL for budgets of people."),
		attr("labelled_until", Time, "Until when a workload with its label was there; NULL for budgets of people."),
	}
}

// amountColumn is an amount in the unit of its budget.
func amountColumn(name, doc string) Column {
	return Column{Name: name, Kind: Quantity, Unit: "unit", Doc: doc, Formula: Field(name)}
}

const budgetTables = "budgets, limit_labels"

const noteOfBudget = "What to know: other amounts that labels of the same owner say, and which budget counts instead."

var budgetVersions = Dataset{
	Name:   "budget_versions",
	Lead:   []string{"name", "version", "amount", "currency", "unit", "changed_at", "changed_by", "reason", "newest"},
	InPart: true,
	Logged: true,
	Doc:    "Every version of every budget, of people and of labels, with who changed it and why.",
	Columns: sourced(budgetTables, append(budgetTexts(),
		attr("parent", Text, "Budget that this one is a part of."),
		attr("newest", Bool, "Whether this version counts."),
		attr("changed_at", Time, "When the version was stored; of a label, when the first workload that carries it appeared."),
		attr("changed_by", Text, "Who stored it: a user, import, or label."),
		attr("reason", Text, "Why, as stated; of a label, the workload that carries it."),
		attr("note", Text, noteOfBudget),
	)...),
	RowKey: []string{"budget_id", "version"},
	Order:  []Order{{Column: "name"}, {Column: "version", Desc: true}},
}

var budgets = Dataset{
	Name: "budgets",
	Lead: []string{"name", "amount", "actual", "provisional", "projected", "ratio", "state", "currency", "unit",
		"period_start", "value"},
	InPart: true,
	Logged: true,
	Doc: "The newest version of each budget with its spend so far: effective cost by service hour, before sharing; " +
		"GPU-hours held; or tokens.",
	Columns: sourced("budgets, limit_labels, costs, inference, policies", append(budgetTexts(),
		amountColumn("actual", "Spend of hours with a bill, open or final."),
		amountColumn("provisional", "Spend of hours that no bill covers yet."),
		amountColumn("projected", "Spend at the end of the period if it goes on as in the period so far; the spend once the "+
			"period has ended, and of a life."),
		attr("projected_days", Count, "Days of the period so far that projected goes on from, a begun one included; of a "+
			"life, those that breaks_on goes on from. NULL without a projection."),
		attr("early", Bool, "Whether projected and breaks_on are guesses: the period so far is less than 7 days or less "+
			"than a tenth of it, or the pace of a life is of less than 7 days."),
		Column{Name: "ratio", Kind: Ratio, Doc: "(actual + provisional) ÷ amount.", Formula: Field("ratio")},
		attr("breaks_on", Time, "Day on which the spend reaches the amount if it goes on as in the period so far, or for a "+
			"life as in the last 7 days; NULL if it does not within the period (a life: a year), or has already. Also NULL for "+
			"a life without spend on the last two days."),
		attr("state", Text, "Highest step of the policy that the ratio reached, such as at_80 for 80 %; else ok."),
		attr("parent", Text, "Budget that this one is a part of; NULL if it is outside the reader's scope."),
		amountColumn("unallocated", "Amount less those of its parts; below 0 if they are more. NULL without parts."),
		attr("unconverted", Text, "Currencies whose cost is not in the spend, because no stored rate converts them."),
		attr("note", Text, noteOfBudget),
	)...),
	RowKey:  []string{"budget_id"},
	Order:   []Order{{Column: "name"}},
	Derived: budgetRows,
}

// budgetRows computes the rows of budgets from the newest versions and the spend.
func budgetRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	plan, err := readPlan(ctx, from)
	if err != nil || len(plan.versions.Rows) == 0 {
		return nil, err
	}
	rules, err := readRules(ctx, from)
	if err != nil {
		return nil, err
	}
	spent, paces := map[asked]map[spentAt]spend{}, map[asked]map[string]pace{}
	var rows [][]Value
	for _, row := range plan.versions.Rows {
		if !plan.wanted(q, row) {
			continue
		}
		ask := plan.asks(row)
		if spent[ask] == nil {
			if spent[ask], err = ask.spent(ctx, from, Total); err != nil {
				return nil, err
			}
			if paces[ask], err = plan.paces(ctx, from, ask); err != nil {
				return nil, err
			}
		}
		value := plan.text(row, "value")
		steps := rules.At(plan.lastDay(ask.window)).BudgetSteps
		rows = append(rows, plan.row(row, spent[ask][spentAt{value: value}], ask.window, steps, paces[ask][value]))
	}
	return rows, nil
}

// plan is the newest version of each budget that the reader may see.
type plan struct {
	versions *Answer
	stored   period.Second           // end of the stored hours
	children map[string]money.Amount // amounts of the parts of a budget, by its name
	seen     map[string]bool         // names
}

func readPlan(ctx context.Context, from Source) (p plan, err error) {
	p.versions, err = ReadAnswer(ctx, from, Query{
		Dataset: &budgetVersions, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost,
		Filter: Compare{Key: "newest", Op: Equal, Values: []string{"true"}, Kind: Bool},
		Order:  []Order{{Column: "budget_id"}, {Column: "version"}},
	})
	if err != nil || len(p.versions.Rows) == 0 {
		return p, err
	}
	p.children, p.seen = map[string]money.Amount{}, map[string]bool{}
	for _, row := range p.versions.Rows {
		p.seen[p.text(row, "name")] = true
		if parent := p.text(row, "parent"); parent != "" {
			p.children[parent] = p.children[parent].Add(money.MustParse(p.text(row, "amount")))
		}
	}
	p.stored, err = storedUntil(ctx, from)
	return p, err
}

func (p plan) text(row []Value, name string) string { return row[p.versions.At(name)].Text }

// wanted reports whether a question may ask for the budget: the spend of those is not read whose definitions alone fail
// the filter.
func (p plan) wanted(q Query, row []Value) bool {
	texts := budgetTexts()
	figure := func(key string) bool {
		return !slices.ContainsFunc(texts, func(c Column) bool { return c.Name == key })
	}
	for _, term := range Terms(q.Filter) {
		if !slices.ContainsFunc(FilterKeys(term), figure) && !Matches(term, func(key string) (string, bool) {
			i := p.versions.At(key)
			return row[i].String(p.versions.Columns[i].Kind), row[i].Valid
		}) {
			return false
		}
	}
	return true
}

// asks is the question about a budget's spend.
func (p plan) asks(row []Value) asked {
	a := asked{key: p.text(row, "key"), unit: p.text(row, "unit"), currency: p.text(row, "currency")}
	if v := row[p.versions.At("period_start")]; v.Valid {
		a.window.From = period.FromTime(v.Time)
	}
	if v := row[p.versions.At("period_end")]; v.Valid {
		a.window.To = period.FromTime(v.Time)
	}
	return a
}

// row is a budget's row: its definition, then its figures.
func (p plan) row(row []Value, s spend, window period.Interval, steps []int64, recent pace) []Value {
	out := slices.Clone(row[:len(budgetTexts())])
	amount := money.MustParse(p.text(row, "amount"))
	sum := s.actual.Add(s.provisional)
	ratio := new(big.Rat).Quo(sum.Rat(), amount.Rat())
	known := func(a money.Amount) Value { return Value{Valid: true, Text: a.String()} }
	parent := row[p.versions.At("parent")]
	parent.Valid = parent.Valid && p.seen[parent.Text]
	rest, parts := p.children[p.text(row, "name")]
	unallocated := Null
	if parts {
		unallocated = known(amount.Sub(rest))
	}
	unconverted := strings.Join(s.unconverted, " ")
	breaks := breaksOn(sum, amount, window, p.stored)
	days, early := projectedFrom(window, p.stored)
	if window.To == 0 {
		breaks = recent.breaksOn(amount.Sub(sum), p.stored)
		days, early = recent.from(p.stored)
	}
	return append(out, known(s.actual), known(s.provisional), known(projected(sum, window, p.stored)), days, early,
		known(money.FromRat(ratio)), breaks, Value{Valid: true, Text: stateOf(ratio, steps)}, parent, unallocated,
		Value{Valid: unconverted != "", Text: unconverted}, row[p.versions.At("note")])
}

// projected is the spend at the end of a period at the pace so far: never less than the spend itself.
func projected(spent money.Amount, window period.Interval, stored period.Second) money.Amount {
	elapsed := int64(min(stored, window.To) - window.From)
	if window.To == 0 || stored >= window.To || elapsed <= 0 || spent.Sign() < 0 {
		return spent
	}
	return spent.MulRat(big.NewRat(window.Seconds(), elapsed))
}

// storedUntil is the end of the last hour with GPUs. Fees are spread over hours to come, so their end says nothing.
func storedUntil(ctx context.Context, from Source) (end period.Second, err error) {
	var window period.Interval
	for _, step := range []Granularity{Day, Hour} { // the hours of the last day
		q := Query{
			Dataset: &costs, Window: window, Zone: "UTC", Granularity: step, Basis: ledger.EffectiveCost, Limit: 1,
			Having: Compare{Key: "capacity_gpu_hours", Op: Greater, Values: []string{"0"}, Kind: Quantity},
			Order:  []Order{{Column: "period_start", Desc: true}},
			Only:   []string{"period_start", "period_end", "currency", "capacity_gpu_hours"},
		}
		q.completeOrder()
		a, err := ReadAnswer(ctx, from, q)
		if err != nil || len(a.Rows) == 0 {
			return 0, err
		}
		end = period.FromTime(a.Rows[0][a.At("period_end")].Time)
		window = period.Interval{From: period.FromTime(a.Rows[0][a.At("period_start")].Time), To: end}
	}
	return end, nil
}
