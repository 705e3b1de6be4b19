package posting

import (
	"cmp"
	"context"
	"slices"

	"gpuledger/allocation/owner"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// OwnerTotal is the effective cost of an owner.
type OwnerTotal struct {
	Owner     ledger.ID
	Currency  string
	Effective money.Amount
}

// Moves computes what each value of the owner dimensions keys would pay under a proposal instead of the stored rules and
// bills, in the way of Trial. Without a window it looks at the calendar month of the newest computed day and at the
// month before, since sharing is by month; before the first computed day, at the last months of the new bills.
func Moves(
	ctx context.Context, store TrialStore, p *Proposal, keys []string, within period.Interval,
) (*metrics.Moves, error) {
	was, err := store.Policies(ctx)
	if err != nil {
		return nil, err
	}
	if within.From == 0 && within.To == 0 {
		if within, err = newestMonths(ctx, store, p.Bills); err != nil {
			return nil, err
		}
	}
	t, err := try(ctx, store, was, p, within)
	if err != nil {
		return nil, err
	}
	before, err := store.OwnerTotals(ctx, within)
	if err != nil {
		return nil, err
	}
	var unknown []ledger.ID
	for _, b := range before {
		if _, known := t.owners[b.Owner]; !known {
			unknown = append(unknown, b.Owner)
		}
	}
	stored, err := store.LabelsOf(ctx, unknown)
	if err != nil {
		return nil, err
	}
	labels := func(id ledger.ID) map[string]string {
		if l, known := t.owners[id]; known {
			return l
		}
		return stored[id]
	}
	out := &metrics.Moves{From: within.From, To: within.To, Days: t.days, Waiting: t.waiting, Rows: []metrics.Move{}}
	for _, key := range keys {
		sums := moveSums{}
		for _, b := range before {
			sum := sums.of(key, labels(b.Owner), b.Currency)
			sum.before = sum.before.Add(b.Effective)
		}
		for k, tried := range t.sums {
			if tried.effective != nil {
				sum := sums.of(key, labels(k.owner), k.currency)
				sum.after = sum.after.Add(*tried.effective)
			}
		}
		out.Rows = append(out.Rows, sums.moved(key)...)
	}
	return out, nil
}

// newestMonths is the calendar month of the newest computed day, else of the last day of new bills, with the month
// before.
func newestMonths(ctx context.Context, store TrialStore, bills []Bill) (period.Interval, error) {
	days, err := store.StoredDays(ctx, period.Interval{})
	var last period.Second
	for _, node := range days {
		for _, day := range node.Days {
			last = max(last, day.From)
		}
	}
	if err != nil {
		return period.Interval{}, err
	}
	for i := range bills {
		if last == 0 {
			last = bills[i].Months.To - 1
		}
	}
	if last == 0 {
		return period.Interval{}, nil
	}
	month := period.MonthOf(last)
	return period.Interval{From: period.MonthOf(month.From - 1).From, To: month.To}, nil
}

type moveKey struct{ value, currency string }

// moveSum is what a value pays. Cost that no posting has adds nothing.
type moveSum struct{ before, after money.Amount }

type moveSums map[moveKey]*moveSum

// of is the sum of the value that an owner has.
func (m moveSums) of(key string, labels map[string]string, currency string) *moveSum {
	k := moveKey{cmp.Or(labels[key], owner.Unowned), currency}
	if m[k] == nil {
		m[k] = &moveSum{}
	}
	return m[k]
}

// moved lists the values that would pay more or less, by currency and value.
func (m moveSums) moved(key string) (out []metrics.Move) {
	for k, sum := range m {
		if d := sum.after.Sub(sum.before); d.Sign() != 0 {
			out = append(out, metrics.Move{Key: key, Value: k.value, Currency: k.currency, Before: sum.before,
				After: sum.after, Difference: d})
		}
	}
	slices.SortFunc(out, func(a, b metrics.Move) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Value, b.Value))
	})
	return out
}
