package analysis

import (
	"cmp"
	"maps"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// cutRows assigns the hours of slots to their layouts, and adds them up by slice and holder. Rows of devices that
// were never partitioned are left out.
func cutRows(n *SlicedNode, bySlot map[int32][]CardLayout) ([]SliceDay, error) {
	type key struct {
		slot, number, slice int32
		Holder
	}
	sums := map[key]*[AmountCount]*money.Amount{}
	for i := range n.Rows {
		r := &n.Rows[i]
		of := bySlot[r.Slot]
		if len(of) == 0 {
			continue
		}
		parts, err := cutRow(r, of, n.Spans)
		if err != nil {
			return nil, err
		}
		for k := range parts {
			l := &of[parts[k].layout]
			if !l.InMIG {
				continue
			}
			id := r.SliceID
			if !slices.Contains(l.SliceIDs, id) {
				id = ledger.WholeDevice
			}
			at := key{r.Slot, l.Number, id, r.Holder}
			if sums[at] == nil {
				sums[at] = new([AmountCount]*money.Amount)
			}
			addAmounts(sums[at], &parts[k].amounts)
		}
	}
	out := make([]SliceDay, 0, len(sums))
	for k, amounts := range sums {
		out = append(out, SliceDay{n.Input.Node.ID, k.slot, k.number, k.slice, k.Holder, *amounts})
	}
	slices.SortFunc(out, func(a, b SliceDay) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Number, b.Number), cmp.Compare(a.SliceID, b.SliceID),
			slices.Compare(a.OwnerID[:], b.OwnerID[:]),
			cmp.Compare(a.Class, b.Class), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.State, b.State), cmp.Compare(a.Currency, b.Currency))
	})
	return out, nil
}

func addAmounts(to, more *[AmountCount]*money.Amount) {
	for i, v := range more {
		switch {
		case v == nil:
		case to[i] == nil:
			sum := *v
			to[i] = &sum
		default:
			*to[i] = to[i].Add(*v)
		}
	}
}

// piece is the part of a row that lies in one layout.
type piece struct {
	layout  int
	amounts [AmountCount]*money.Amount
}

// cutRow splits a row over the layouts of its hour by the seconds of its spans × its weight in each (rule 17.4).
func cutRow(r *SlotRow, of []CardLayout, spans []ledger.Span) ([]piece, error) {
	hour := period.Interval{From: r.Hour, To: r.Hour + period.Hour}
	var in []int
	for i := range of {
		if of[i].Overlaps(hour) {
			in = append(in, i)
		}
	}
	if len(in) == 0 {
		in = []int{nearest(of, hour)}
	}
	whole := []piece{{in[0], r.Amounts}}
	if len(in) == 1 {
		return whole, nil
	}
	weights := make([]*big.Int, len(in))
	any := false
	for k, i := range in {
		weights[k] = big.NewInt(r.seconds(spans, of[i].Intersect(hour)))
		weights[k].Mul(weights[k], big.NewInt(r.weightIn(&of[i])))
		for _, other := range in {
			if other != i { // bring to one denominator
				weights[k].Mul(weights[k], big.NewInt(of[other].Denominator))
			}
		}
		any = any || weights[k].Sign() > 0
	}
	if !any {
		return whole, nil
	}
	out := make([]piece, len(in))
	for k := range in {
		out[k].layout = in[k]
	}
	for a, v := range r.Amounts {
		if v == nil {
			continue
		}
		shares, err := money.Split(*v, weights)
		if err != nil {
			return nil, err
		}
		for k := range shares {
			if weights[k].Sign() > 0 {
				out[k].amounts[a] = &shares[k]
			}
		}
	}
	return slices.DeleteFunc(out, func(p piece) bool { return p.amounts == [AmountCount]*money.Amount{} }), nil
}

// nearest is the layout closest to an hour that has none.
func nearest(of []CardLayout, hour period.Interval) int {
	for i := range of {
		if of[i].To > hour.From {
			return i
		}
	}
	return len(of) - 1
}

// seconds is how long the row's spans overlap an interval.
func (r *SlotRow) seconds(spans []ledger.Span, within period.Interval) int64 {
	var sum int64
	for i := range spans {
		s := &spans[i]
		if s.Slot == r.Slot && s.SliceID == r.SliceID && s.WorkloadID == r.Workload && s.AttemptID == r.Attempt &&
			string(s.Cause) == r.Cause {
			if part := (period.Interval{From: s.From, To: s.To}).Intersect(within); !part.Empty() {
				sum += part.Seconds()
			}
		}
	}
	return sum
}

// weightIn is the weight of the row's slice in a layout, over its denominator.
func (r *SlotRow) weightIn(l *CardLayout) int64 {
	if r.SliceID != ledger.WholeDevice {
		if i := slices.Index(l.SliceIDs, r.SliceID); i >= 0 {
			return l.Weights[i]
		}
		return 0
	}
	switch {
	case len(l.SliceIDs) == 0:
		return l.Denominator
	case r.Cause == string(ledger.Stranded):
		return l.Stranded
	case r.Cause == string(ledger.Free):
		return l.Free
	}
	return l.Free + l.Stranded
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
