package metrics

import (
	"context"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// spend is what counts against a budget.
type spend struct {
	actual, provisional money.Amount
	unconverted         []string
}

// spentAt is what spend is read by: a value of the key, the day if it is read by day, and the value of a further key.
type spentAt struct {
	value string
	day   period.Second
	part  string
}

// asked identifies a question about spend: budgets with equal ones share it.
type asked struct {
	key, unit, currency string
	window              period.Interval
}

// spent is the spend by value of the key, by day if step is Day, else Total, and by a further key if one is named.
func (ask asked) spent(ctx context.Context, from Source, step Granularity, by ...Key) (map[spentAt]spend, error) {
	q := Query{Dataset: &costs, Window: ask.window, Zone: "UTC", Granularity: step, Basis: ledger.EffectiveCost}
	column := "effective_cost"
	switch ledger.BudgetUnit(ask.unit) {
	case ledger.BudgetMoney:
		q.Currency, q.KeepUnconverted = ask.currency, true
	case ledger.BudgetGPUHours:
		column = "gpu_hours"
	case ledger.BudgetTokens:
		return ask.tokens(ctx, from, step, by...)
	}
	state, _ := LookupKey("state")
	q.GroupBy = []Key{state}
	if ask.key != ledger.BudgetAll {
		k, _ := LookupKey(ask.key)
		q.GroupBy = append(q.GroupBy, k)
	}
	q.GroupBy = append(q.GroupBy, by...)
	q.Only = []string{"period_start", column, "currency"}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, err
	}
	out := map[spentAt]spend{}
	for _, row := range a.Rows {
		v := row[a.At(column)]
		at := spentAt{day: dayOf(a, row, step), part: partOf(a, row, by)}
		if ask.key != ledger.BudgetAll {
			at.value = row[a.At(ask.key)].Text
		}
		s := out[at]
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
		out[at] = s
	}
	return out, nil
}

// tokens are those of served models. Keys that they do not have are without tokens.
func (ask asked) tokens(
	ctx context.Context, from Source, step Granularity, by ...Key,
) (map[spentAt]spend, error) {
	steps := step
	if steps == Total { // the dataset has steps
		steps = Month
	}
	q := Query{Dataset: &inference, Window: ask.window, Zone: "UTC", Granularity: steps, Basis: ledger.EffectiveCost}
	k, offered := inference.groupKey(ask.key)
	switch {
	case ask.key == ledger.BudgetAll:
		k, _ = inference.groupKey("service")
	case !offered:
		return map[spentAt]spend{}, nil
	}
	q.GroupBy = append([]Key{k}, slices.DeleteFunc(by, func(part Key) bool { return part == k })...)
	q.Only = []string{"period_start", "prompt_tokens", "generation_tokens"}
	q.completeOrder()
	a, err := ReadAnswer(ctx, from, q)
	if err != nil {
		return nil, err
	}
	out := map[spentAt]spend{}
	for _, row := range a.Rows {
		at := spentAt{value: row[a.At(k.Name)].Text, day: dayOf(a, row, step), part: partOf(a, row, by)}
		if ask.key == ledger.BudgetAll {
			at.value = ""
		}
		s := out[at]
		for _, column := range []string{"prompt_tokens", "generation_tokens"} {
			if v := row[a.At(column)]; v.Valid {
				s.actual = s.actual.Add(money.MustParse(v.String(a.Columns[a.At(column)].Kind)))
			}
		}
		out[at] = s
	}
	return out, nil
}

// partOf is the value of the further key of a row; empty without one.
func partOf(a *Answer, row []Value, by []Key) string {
	if len(by) == 0 {
		return ""
	}
	return row[a.At(by[0].Name)].Text
}

// dayOf is the day of a row of an answer by day.
func dayOf(a *Answer, row []Value, step Granularity) period.Second {
	if step != Day {
		return 0
	}
	return period.FromTime(row[a.At("period_start")].Time)
}
