package figures

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// Tie is a figure of another page that a page's own figures are held against: a reader
// who has both open must be told how one leads to the other. It is of the page's period,
// team and cluster, in its currency, and of effective cost, as the page's own are.
type Tie struct {
	Dataset string // empty: costs of the GPU fleet, as the overview counts them
	Filter  string
	Column  string // empty: effective_cost
}

// fleetTerm leaves out what lies outside the GPU fleet.
const fleetTerm = "cause != non_gpu"

// readTie asks for a figure of another page; nil where it is not known.
func (d *room) readTie(ctx context.Context, s page.Scope, t Tie) (*money.Amount, error) {
	dataset, filter, column := t.Dataset, t.Filter, t.Column
	if dataset == "" {
		dataset, filter = "costs", page.Both(fleetTerm, filter)
	}
	if column == "" {
		column = string(ledger.EffectiveCost)
	}
	o := metrics.Options{Filter: filter, GroupBy: wholeBy(dataset)}
	q, err := metrics.Parse(dataset, optionsOf(s, dataset, o))
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

// comparable reports whether the page's figures are of all that others are of, and of the
// same basis: what narrows it to some of its own rows means nothing to them.
func (f *Page) comparable(s page.Scope) bool {
	return len(f.Ties) > 0 && f.Tied != nil && s.Filter == "" && s.Within == "" && s.Basis == effective
}

// effective is the basis of columns that are called cost, whatever a reader chooses.
const effective = "effective"

// Tie is a figure of the page's Ties, by its place; false where it is not known.
func (r *Reading) Tie(i int) (money.Amount, bool) {
	if i >= len(r.ties) || r.ties[i] == nil {
		return money.Amount{}, false
	}
	return *r.ties[i], true
}
