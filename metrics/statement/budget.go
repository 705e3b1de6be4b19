package statement

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// budgetVersion is a version of a monthly budget of an owner in money.
type budgetVersion struct {
	id, name, currency string
	version            int64
	amount             money.Amount
	stored             time.Time
}

// budgets reads all versions of the month's budgets, by owner.
func (q Question) budgets(ctx context.Context, from metrics.Querier) (map[string][]budgetVersion, error) {
	filter := "unit = 'money' and period = 'month' and key = " + quote(q.Key.Name)
	if q.Value != "" {
		filter += " and value = " + quote(q.Value)
	}
	t, err := ask(ctx, from, "budget_versions", metrics.Options{Filter: filter})
	if err != nil {
		return nil, err
	}
	month, err := q.Month.Interval()
	if err != nil {
		return nil, err
	}
	out := map[string][]budgetVersion{}
	for _, row := range t.Rows {
		start, end := t.value(row, "period_start"), t.value(row, "period_end") // a fiscal month is no billing month
		if !start.Valid || (period.Interval{From: period.FromTime(start.Time), To: period.FromTime(end.Time)}) != month {
			continue
		}
		value := t.text(row, "value")
		out[value] = append(out[value], budgetVersion{
			id: t.text(row, "budget_id"), name: t.text(row, "name"), currency: t.text(row, "currency"),
			version: t.value(row, "version").Int, amount: amount(t.value(row, "amount")),
			stored: t.value(row, "changed_at").Time,
		})
	}
	for _, list := range out { // newest version first, then by name
		slices.SortFunc(list, func(a, b budgetVersion) int {
			return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id), cmp.Compare(b.version, a.version))
		})
	}
	return out, nil
}

// compare adds the newest version of a budget; of a closed statement, the newest one stored before the close, so that
// later versions don't change it.
func (s *Statement) compare(b budgetVersion) {
	if s.State == Closed && b.stored.After(s.ClosedAt()) ||
		slices.ContainsFunc(s.Budgets, func(have Budget) bool { return have.Name == b.name }) {
		return
	}
	var spent money.Amount
	for i := range s.Statements {
		if c := &s.Statements[i]; c.Currency == b.currency {
			spent = c.Own()
		}
	}
	s.Budgets = append(s.Budgets, Budget{Name: b.name, Currency: b.currency, Amount: b.amount, Spent: spent,
		Ratio: money.FromRat(new(big.Rat).Quo(spent.Rat(), b.amount.Rat()))})
}

// ClosedAt is when the last account was closed.
func (s *Statement) ClosedAt() (last time.Time) {
	for _, a := range s.Accounts {
		if a.ClosedAt != nil && a.ClosedAt.After(last) {
			last = *a.ClosedAt
		}
	}
	return last
}
