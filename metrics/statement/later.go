package statement

import (
	"context"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Correction is what a later month adjusts of the statement's month, in one currency.
type Correction struct {
	Month    period.Month // whose statement carries it
	Currency string
	Amount   money.Amount
}

// Later returns the corrections of a closed month, the earliest first. They are not part of its statement.
func Later(ctx context.Context, from metrics.Querier, q Question) ([]Correction, error) {
	month, err := q.Month.Interval()
	if err != nil {
		return nil, err
	}
	filter := "kind = 'adjustment' and billing_period > " + quote(string(q.Month))
	if own := q.filter(); own != "" {
		filter += " and (" + own + ")"
	}
	t, err := ask(ctx, from, "costs", metrics.Options{From: month.From.String(), To: month.To.String(), Filter: filter,
		GroupBy: "billing_period", Order: "billing_period,currency"}, "currency", "effective_cost")
	if err != nil {
		return nil, err
	}
	out := make([]Correction, 0, len(t.Rows))
	for _, row := range t.Rows {
		out = append(out, Correction{period.Month(t.text(row, "billing_period")), t.text(row, "currency"),
			amount(t.value(row, "effective_cost"))})
	}
	return out, nil
}
