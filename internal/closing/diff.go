package closing

import (
	"cmp"
	"errors"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"iter"
	"slices"
)

// Difference is what two statements say otherwise of one owner and cause.
type Difference struct {
	Owner    ledger.ID
	Cause    ledger.Cause
	Currency string
	Old, New ledger.Costs
}

// Diff compares two statements by owner, cause and currency, after sharing.
// Rows without a difference are left out; a measure that neither carries is nil.
func Diff(old, fresh iter.Seq2[*Line, error]) ([]Difference, error) {
	type key struct {
		owner    ledger.ID
		cause    ledger.Cause
		currency string
	}
	sums := map[key]*Difference{}
	add := func(lines iter.Seq2[*Line, error], of func(*Difference) *ledger.Costs) error {
		for l, err := range lines {
			if err != nil {
				return err
			}
			k := key{l.Owner, l.Cause, l.Currency}
			d := sums[k]
			if d == nil {
				d = &Difference{Owner: l.Owner, Cause: l.Cause, Currency: l.Currency}
				sums[k] = d
			}
			to := of(d)
			for _, m := range ledger.Metrics {
				if a := l.Get(m); a != nil {
					sum := *a
					if had := to.Get(m); had != nil {
						sum = had.Add(sum)
					}
					to.Set(m, &sum)
				}
			}
		}
		return nil
	}
	err := errors.Join(add(old, func(d *Difference) *ledger.Costs { return &d.Old }), add(fresh, func(d *Difference) *ledger.Costs { return &d.New }))
	if err != nil {
		return nil, err
	}
	var out []Difference
	for _, d := range sums {
		if slices.ContainsFunc(ledger.Metrics, func(m ledger.Metric) bool { return !equal(d.Old.Get(m), d.New.Get(m)) }) {
			out = append(out, *d)
		}
	}
	slices.SortFunc(out, func(a, b Difference) int {
		return cmp.Or(slices.Compare(a.Owner[:], b.Owner[:]), cmp.Compare(a.Cause.Order(), b.Cause.Order()), cmp.Compare(a.Currency, b.Currency))
	})
	return out, nil
}

func equal(a, b *money.Amount) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Cmp(*b) == 0
}
