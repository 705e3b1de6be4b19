package figures

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Tie is a figure of another page that the page reconciles with its own figures, so that a
// user who compares both pages finds the reason for a difference. It covers the page's
// period, team and cluster, in its currency and effective cost, as the page's own figures do.
type Tie struct {
	Dataset string // empty: costs of the GPU fleet, as the overview counts them
	Filter  string
	Column  string // empty: effective_cost
}

// fleetTerm excludes cost outside the GPU fleet.
const fleetTerm = "cause != non_gpu"

// readTie reads a figure of another page; nil if it is unknown.
func (d *room) readTie(ctx context.Context, s page.Scope, t Tie) (*money.Amount, error) {
	dataset, filter, column := t.Dataset, t.Filter, t.Column
	if dataset == "" {
		dataset, filter = "costs", page.Both(fleetTerm, filter)
	}
	if column == "" {
		column = string(ledger.EffectiveCost)
	}
	o := metrics.Options{Filter: filter, GroupBy: wholeBy(dataset)}
	q, err := metrics.Parse(dataset, s.For(dataset, o))
	if err != nil {
		return nil, err
	}
	q.Only = []string{column}
	rows, err := page.Gather(ctx, d.Reader, q)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if s.Currency == "" || r.Text("currency") == s.Currency {
			return r.Amount(column), nil
		}
	}
	return nil, nil
}

// comparable reports whether the page's figures cover the same rows and basis as those of
// other pages. A condition on the page's own rows has no meaning there.
func (f *Page) comparable(s page.Scope) bool {
	return len(f.Ties) > 0 && f.Tied != nil && !s.Narrows(f.Dataset) && s.Within == "" && s.Basis == effective
}

// effective is the basis of columns called cost, whatever basis is chosen.
const effective = "effective"

// Tie is the value of the i-th of the page's Ties; false if it is unknown.
func (r *Reading) Tie(i int) (money.Amount, bool) {
	if i >= len(r.ties) || r.ties[i] == nil {
		return money.Amount{}, false
	}
	return *r.ties[i], true
}
