package metrics

import (
	"context"
	"math/big"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

var budgetDays = Dataset{
	Name:   "budget_days",
	Lead:   []string{"name", "day", "spent", "cumulative", "projected", "amount", "currency", "unit"},
	InPart: true,
	Doc: "The spend of each budget's newest version day by day, and added up. Days to come have the spend that they " +
		"reach if it goes on as so far; a life has those until it breaks, else 28.",
	Columns: sourced("budgets, limit_labels, costs, inference", append(budgetTexts(),
		attr("day", Time, "Start of the day, in UTC."),
		amountColumn("spent", "Spend of the day, with or without a bill; NULL for days to come."),
		amountColumn("cumulative", "Spend from the start of the period to the end of the day; NULL for days to come."),
		amountColumn("projected", "Spend at the end of the day if it goes on as in the period so far, or for a life as in the "+
			"last 7 days, from the last stored day on; NULL before, and for a life without spend on the last two days."),
	)...),
	RowKey:  []string{"budget_id", "day"},
	Order:   []Order{{Column: "name"}, {Column: "day"}},
	Derived: budgetDayRows,
}

// budgetDayRows computes the days of the budgets that the filter names.
func budgetDayRows(ctx context.Context, q Query, from Source) ([][]Value, error) {
	plan, err := readPlan(ctx, from)
	if err != nil || len(plan.versions.Rows) == 0 {
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
			if spent[ask], err = ask.spent(ctx, from, Day); err != nil {
				return nil, err
			}
		}
		if paces[ask] == nil {
			recent := (plan.stored - paceDays*period.Second(period.Day)).Floor(period.Day)
			paces[ask] = pacesOf(spent[ask], max(ask.window.From, recent))
		}
		recent := paces[ask][plan.text(row, "value")]
		if rows = append(rows, plan.days(row, spent[ask], ask.window, recent)...); len(rows) > MostDerived {
			return nil, refuse("filter", "", "makes more than %d days of budgets; name one budget", MostDerived)
		}
	}
	return rows, nil
}

// days are a budget's days, with those to come. A life lasts from its first spend to the last stored day, and goes on at
// its pace until it breaks.
func (p plan) days(row []Value, spent map[spentAt]spend, window period.Interval, recent pace) (rows [][]Value) {
	value := p.text(row, "value")
	open := window.To == 0
	if open {
		window.To = p.stored
	}
	if window.From == 0 {
		window.From = window.To
		for at := range spent {
			if at.value == value {
				window.From = min(window.From, at.day)
			}
		}
	}
	whole := money.Amount{}
	for at, s := range spent {
		if at.value == value {
			whole = whole.Add(s.actual).Add(s.provisional)
		}
	}
	if open && recent.goesOn(p.stored) {
		window.To = (p.stored + paceLine).Floor(period.Day)
		left := money.MustParse(p.text(row, "amount")).Sub(whole)
		if breaks := recent.breaksOn(left, p.stored); breaks.Valid {
			window.To = period.FromTime(breaks.Time) + period.Second(period.Day)
		}
	}
	var sum money.Amount
	known := func(a money.Amount) Value { return Value{Valid: true, Text: a.String()} }
	for day := window.From; day < window.To; day += period.Second(period.Day) {
		end := min(day+period.Second(period.Day), window.To)
		out := append(append([]Value(nil), row[:len(budgetTexts())]...), Value{Valid: true, Time: day.Time()},
			Null, Null, Null)
		figures := out[len(out)-3:]
		if s := spent[spentAt{value: value, day: day}]; day < p.stored {
			sum = sum.Add(s.actual).Add(s.provisional)
			figures[0], figures[1] = known(s.actual.Add(s.provisional)), known(sum)
		}
		switch elapsed := int64(p.stored - window.From); {
		case end < p.stored || elapsed <= 0 || p.stored >= window.To:
		case open:
			figures[2] = known(whole.Add(recent.ahead(p.stored, end)))
		default:
			ahead := whole
			if whole.Sign() > 0 {
				ahead = whole.MulRat(big.NewRat(int64(end-window.From), elapsed))
			}
			figures[2] = known(ahead)
		}
		rows = append(rows, out)
	}
	return rows
}
