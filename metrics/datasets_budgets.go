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
	}
}

// amountColumn is an amount in the unit of its budget.
func amountColumn(name, doc string) Column {
	return Column{Name: name, Kind: Quantity, Unit: "unit", Doc: doc, Formula: Field(name)}
}

const budgetTables = "budgets"

var budgetVersions = Dataset{
	Name:   "budget_versions",
	InPart: true,
	Doc:    "Every version of every budget, with who changed it and why.",
	Columns: sourced(budgetTables, append(budgetTexts(),
		attr("parent", Text, "Budget that this one is a part of."),
		attr("newest", Bool, "Whether this version counts."),
		attr("changed_at", Time, "When the version was stored."),
		attr("changed_by", Text, "Who stored it: a user, or import."),
		attr("reason", Text, "Why, as stated."),
	)...),
	RowKey: []string{"budget_id", "version"},
	Order:  []Order{{Column: "name"}, {Column: "version", Desc: true}},
}

var budgets = Dataset{
	Name:   "budgets",
	InPart: true,
	Doc: "The newest version of each budget with its spend so far: effective cost by service hour, before sharing; " +
		"GPU-hours held; or tokens.",
	Columns: sourced("budgets, costs, inference", append(budgetTexts(),
		amountColumn("actual", "Spend of hours with a bill, open or final."),
		amountColumn("provisional", "Spend of hours that no bill covers yet."),
		amountColumn("projected", "Spend at the end of the period if it goes on as in the period so far; the spend once the period "+
			"has ended, and of a life."),
		Column{Name: "ratio", Kind: Ratio, Doc: "(actual + provisional) ÷ amount.", Formula: Field("ratio")},
		attr("state", Text, "Step that the ratio reached: 80, 100 or 120 %.").values(budgetStates()...),
		attr("parent", Text, "Budget that this one is a part of; NULL if it is outside the reader's scope."),
		amountColumn("unallocated", "Amount less those of its parts; below 0 if they are more. NULL without parts."),
		attr("unconverted", Text, "Currencies whose cost is not in the spend, because no stored rate converts them."),
	)...),
	RowKey:  []string{"budget_id"},
	Order:   []Order{{Column: "name"}},
	Derived: budgetRows,
}

// budgetSteps are the states of budgets from their ratio on, highest first.
var budgetSteps = []struct {
	state string
	ratio *big.Rat
}{{"at_120", big.NewRat(6, 5)}, {"at_100", big.NewRat(1, 1)}, {"at_80", big.NewRat(4, 5)}, {"ok", new(big.Rat)}}

func budgetStates() (states []string) {
	for _, s := range budgetSteps {
		states = append(states, s.state)
	}
	slices.Reverse(states)
	return states
}

// stateOf is the step that a ratio reached.
func stateOf(ratio *big.Rat) string {
	for _, s := range budgetSteps {
		if ratio.Cmp(s.ratio) >= 0 {
			return s.state
		}
	}
	return "ok" // credits exceed the cost
}

// spend is what counts against a budget.
type spend struct {
	actual, provisional money.Amount
	unconverted         []string
}

// asked identifies a question about spend: budgets with equal ones share it.
type asked struct {
	key, unit, currency string
	window              period.Interval
}

// budgetRows computes the rows of budgets from the newest versions and the spend.
func budgetRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	versions, err := ReadAnswer(ctx, from, Query{
		Dataset: &budgetVersions, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost,
		Filter: Compare{Key: "newest", Op: Equal, Values: []string{"true"}, Kind: Bool},
		Order:  []Order{{Column: "budget_id"}, {Column: "version"}},
	})
	if err != nil || len(versions.Rows) == 0 {
		return nil, err
	}
	stored, err := storedUntil(ctx, from)
	if err != nil {
		return nil, err
	}
	text := func(row []Value, name string) string { return row[versions.At(name)].Text }
	children, seen := map[string]money.Amount{}, map[string]bool{}
	for _, row := range versions.Rows {
		seen[text(row, "name")] = true
		if parent := text(row, "parent"); parent != "" {
			children[parent] = children[parent].Add(money.MustParse(text(row, "amount")))
		}
	}
	spent := map[asked]map[string]spend{}
	var rows [][]Value
	for _, row := range versions.Rows {
		ask := asked{key: text(row, "key"), unit: text(row, "unit"), currency: text(row, "currency")}
		for _, bound := range []struct {
			column string
			to     *period.Second
		}{{"period_start", &ask.window.From}, {"period_end", &ask.window.To}} {
			if v := row[versions.At(bound.column)]; v.Valid {
				*bound.to = period.FromTime(v.Time)
			}
		}
		if spent[ask] == nil {
			if spent[ask], err = ask.spent(ctx, from); err != nil {
				return nil, err
			}
		}
		rows = append(rows, budgetRow(versions, row, spent[ask][text(row, "value")], ask.window, stored, children, seen))
	}
	return rows, nil
}

// budgetRow is a budget's row: its definition, then its figures.
func budgetRow(versions *Answer, row []Value, s spend, window period.Interval, stored period.Second,
	children map[string]money.Amount, seen map[string]bool,
) []Value {
	out := slices.Clone(row[:len(budgetTexts())])
	amount := money.MustParse(row[versions.At("amount")].Text)
	sum := s.actual.Add(s.provisional)
	ratio := new(big.Rat).Quo(sum.Rat(), amount.Rat())
	known := func(a money.Amount) Value { return Value{Valid: true, Text: a.String()} }
	parent := row[versions.At("parent")]
	parent.Valid = parent.Valid && seen[parent.Text]
	rest, parts := children[row[versions.At("name")].Text]
	unallocated := Null
	if parts {
		unallocated = known(amount.Sub(rest))
	}
	unconverted := strings.Join(s.unconverted, " ")
	return append(out, known(s.actual), known(s.provisional), known(projected(sum, window, stored)),
		known(money.FromRat(ratio)), Value{Valid: true, Text: stateOf(ratio)}, parent, unallocated,
		Value{Valid: unconverted != "", Text: unconverted})
}

// projected is the spend at the end of a period at the pace so far: never less than the spend itself.
func projected(spent money.Amount, window period.Interval, stored period.Second) money.Amount {
	elapsed := int64(min(stored, window.To) - window.From)
	if window.To == 0 || stored >= window.To || elapsed <= 0 || spent.Sign() < 0 {
		return spent
	}
	return spent.MulRat(big.NewRat(window.Seconds(), elapsed))
}

// storedUntil is the end of the stored hours.
func storedUntil(ctx context.Context, from Source) (period.Second, error) {
	q := Query{Dataset: &costs, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost,
		Only: []string{"period_end", "currency"}}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil || len(a.Rows) == 0 || !a.Rows[0][a.At("period_end")].Valid {
		return 0, err
	}
	return period.FromTime(a.Rows[0][a.At("period_end")].Time), nil
}

// spent is the spend by value of the key.
func (ask asked) spent(ctx context.Context, from Source) (map[string]spend, error) {
	q := Query{Dataset: &costs, Window: ask.window, Zone: "UTC", Granularity: Total, Basis: ledger.EffectiveCost}
	column := "effective_cost"
	switch ledger.BudgetUnit(ask.unit) {
	case ledger.BudgetMoney:
		q.Currency, q.KeepUnconverted = ask.currency, true
	case ledger.BudgetGPUHours:
		column = "gpu_hours"
	case ledger.BudgetTokens:
		return ask.tokens(ctx, from)
	}
	state, _ := LookupKey("state")
	q.GroupBy = []Key{state}
	if ask.key != ledger.BudgetAll {
		k, _ := LookupKey(ask.key)
		q.GroupBy = append(q.GroupBy, k)
	}
	q.Only = []string{column, "currency"}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, err
	}
	out := map[string]spend{}
	for _, row := range a.Rows {
		v := row[a.At(column)]
		value := ""
		if ask.key != ledger.BudgetAll {
			value = row[a.At(ask.key)].Text
		}
		s := out[value]
		switch currency := row[a.At("currency")].Text; {
		case !v.Valid:
		case ask.currency != "" && currency != ask.currency:
			if amountOf(v).Sign() != 0 && !slices.Contains(s.unconverted, currency) {
				s.unconverted = append(s.unconverted, currency)
				slices.Sort(s.unconverted)
			}
		case row[a.At("state")].Text == string(ledger.Provisional):
			s.provisional = s.provisional.Add(amountOf(v))
		default:
			s.actual = s.actual.Add(amountOf(v))
		}
		out[value] = s
	}
	return out, nil
}

// tokens are those of served models. Keys that they do not have are without tokens.
func (ask asked) tokens(ctx context.Context, from Source) (map[string]spend, error) {
	q := Query{Dataset: &inference, Window: ask.window, Zone: "UTC", Granularity: Month, Basis: ledger.EffectiveCost}
	k, offered := inference.groupKey(ask.key)
	switch {
	case ask.key == ledger.BudgetAll:
		k, _ = inference.groupKey("service")
	case !offered:
		return map[string]spend{}, nil
	}
	q.GroupBy = []Key{k}
	q.Only = []string{"prompt_tokens", "generation_tokens"}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, err
	}
	out := map[string]spend{}
	for _, row := range a.Rows {
		value := row[a.At(k.Name)].Text
		if ask.key == ledger.BudgetAll {
			value = ""
		}
		s := out[value]
		for _, column := range []string{"prompt_tokens", "generation_tokens"} {
			if v := row[a.At(column)]; v.Valid {
				s.actual = s.actual.Add(money.MustParse(v.String(a.Columns[a.At(column)].Kind)))
			}
		}
		out[value] = s
	}
	return out, nil
}
