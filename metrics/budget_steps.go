package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// limit is a budget as far as its steps need it.
type limit struct {
	name, value string
	amount      money.Amount
	steps       []int64 // %, ascending
}

// stepsOfBudgets are the first days on which the spend of budgets reached their steps. Budgets of one key, unit,
// currency and period share a question.
func stepsOfBudgets(ctx context.Context, w period.Interval, from Source) ([]ledger.Annotation, error) {
	plan, err := readPlan(ctx, from)
	if err != nil {
		return nil, err
	}
	if len(plan.versions.Rows) == 0 {
		return nil, nil
	}
	rules, err := readRules(ctx, from)
	if err != nil {
		return nil, err
	}
	limits := map[asked][]limit{}
	for _, row := range plan.versions.Rows {
		ask := plan.asks(row)
		if w.From != 0 && ask.window.To != 0 && ask.window.To <= w.From || w.To != 0 && ask.window.From >= w.To {
			continue
		}
		steps := rules.At(plan.lastDay(ask.window)).BudgetSteps
		if end := (w.To + period.Day - 1).Floor(period.Day); w.To != 0 && (ask.window.To == 0 || end < ask.window.To) {
			ask.window.To = end // later days decide nothing
		}
		limits[ask] = append(limits[ask], limit{
			plan.text(row, "name"), plan.text(row, "value"), money.MustParse(plan.text(row, "amount")), steps,
		})
	}
	var list []ledger.Annotation
	for ask, of := range limits {
		spent, err := ask.spent(ctx, from, Day)
		if err != nil {
			return nil, err
		}
		days := map[string][]daySpend{}
		for at, s := range spent {
			days[at.value] = append(days[at.value], daySpend{at.day, s.actual.Add(s.provisional)})
		}
		for _, l := range of {
			slices.SortFunc(days[l.value], func(a, b daySpend) int { return cmp.Compare(a.day, b.day) })
			list = append(list, ask.reached(l, days[l.value])...)
		}
	}
	return list, nil
}

// daySpend is the spend of a UTC day.
type daySpend struct {
	day period.Second
	sum money.Amount
}

// reached are the steps that the spend of a budget reached, each on its first day.
func (ask asked) reached(l limit, days []daySpend) (list []ledger.Annotation) {
	var sum money.Amount
	highest := int64(0)
	for _, d := range days {
		sum = sum.Add(d.sum)
		ratio := new(big.Rat).Quo(sum.Rat(), l.amount.Rat())
		for _, step := range l.steps {
			if step <= highest || ratio.Cmp(big.NewRat(step, 100)) < 0 {
				continue
			}
			highest = step
			list = append(list, ledger.Annotation{At: d.day, Kind: ledger.AnnotationBudget, Key: ask.key, Value: l.value,
				Text:   fmt.Sprintf("budget %s reached %d %% of %s %s", l.name, step, l.amount, ask.unitWord()),
				Source: ledger.AnnotationsOfLedger})
		}
	}
	return list
}

// unitWord is the unit of amounts, for texts.
func (ask asked) unitWord() string {
	switch ledger.BudgetUnit(ask.unit) {
	case ledger.BudgetMoney:
		return ask.currency
	case ledger.BudgetGPUHours:
		return "GPU-hours"
	}
	return "tokens"
}
