package policy

import (
	"fmt"
	"time"

	"gpuledger/internal/fiscal"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// SetEnds gives budgets the ends of their periods by the fiscal calendar. A start at which no period of the calendar or
// of the fiscal calendar begins is a *ledger.FileError, unless the budget is stored already: current are the newest
// stored versions by name, which keep their ends.
func (b Book) SetEnds(current map[string]ledger.Budget, joining []ledger.Budget) error {
	for i := range joining {
		budget := &joining[i]
		window, near := b.budgetPeriod(budget.Period, budget.Start)
		budget.End = window.To
		if near == "" {
			continue
		}
		old, known := current[budget.Name]
		if budget.End = old.End; known && old.Same(budget) {
			continue
		}
		return &ledger.FileError{Rejection: ledger.Rejection{
			File: budget.File, Line: budget.Line, Column: "start", Reason: "not a first day", Detail: near,
		}}
	}
	return nil
}

// budgetPeriod is the period of a budget; near says which periods start near the day if none starts on it. A fiscal
// period goes before one of calendar months that starts on the same day.
func (b Book) budgetPeriod(kind ledger.BudgetPeriod, start period.Second) (w period.Interval, near string) {
	length := fiscal.Length(kind.Months())
	if length == 0 {
		return period.Interval{From: start}, ""
	}
	calendar := b.FiscalAt(start)
	if w, ok := calendar.From(length, start); ok {
		return w, ""
	}
	month := period.MonthOf(start)
	if month.From == start {
		return period.Interval{From: start, To: period.FromTime(start.Time().AddDate(0, int(length), 0))}, ""
	}
	day := func(at period.Second) string { return at.Time().Format(time.DateOnly) }
	if !calendar.Set() {
		return w, fmt.Sprintf("%s is not the first day of a month; near it are %s and %s", day(start), day(month.From),
			day(month.To))
	}
	own := calendar.Around(length, start)
	return w, fmt.Sprintf("%s is the first day neither of a calendar month nor of a fiscal %s; near it, months start on "+
		"%s and %s, fiscal %ss on %s and %s", day(start), kind, day(month.From), day(month.To), kind, day(own.From),
		day(own.To))
}
