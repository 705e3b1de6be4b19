package script

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// closedKey is a closed period of a billing account.
type closedKey struct {
	account string
	month   period.Month
}

// finals are the rows that closed periods keep (rule 13.3).
type finals struct {
	parts    map[ledger.ID]ledger.Part // by id
	postings map[ledger.ID][]ledger.Posting
	usage    map[ledger.ID]map[period.Second][]ledger.Usage // by node and hour
	charges  map[ledger.ID]bool
}

func newFinals() finals {
	return finals{
		map[ledger.ID]ledger.Part{}, map[ledger.ID][]ledger.Posting{},
		map[ledger.ID]map[period.Second][]ledger.Usage{}, map[ledger.ID]bool{},
	}
}

// doClose makes the rows of a billing period final: close 2026-10.
func (w *world) doClose(s *statement) error {
	f, err := w.fields(s, 1, "payer")
	if err != nil {
		return err
	}
	month := period.Month(s.args[0].text)
	if _, err := month.Interval(); err != nil {
		return w.c.fault(s, s.args[0], "%s", err)
	}
	if w.last == nil {
		return w.c.fault(s, s.word, "nothing is allocated yet: write allocate before close")
	}
	key := closedKey{f.text("payer", "payer"), month}
	w.closed[key] = true
	frozen := map[ledger.ID]map[period.Second]bool{}
	for i := range w.last.postings {
		p := w.last.postings[i]
		c := w.last.charges[p.ChargeID]
		if p.Kind == ledger.Adjustment || c == nil || c.BillingAccount != key.account || c.BillingPeriod != month {
			continue
		}
		part := w.last.parts[p.PartID]
		part.Final = true
		p.State = ledger.Final
		w.final.parts[p.PartID] = part
		w.final.postings[p.PartID] = append(w.final.postings[p.PartID], p)
		w.final.charges[p.ChargeID] = true
		if !p.UsageID.IsZero() {
			if frozen[p.NodeID] == nil {
				frozen[p.NodeID] = map[period.Second]bool{}
			}
			frozen[p.NodeID][p.Hour] = true
		}
	}
	for _, u := range w.last.usage {
		if frozen[u.NodeID][u.Hour] && w.final.usage[u.NodeID][u.Hour] == nil {
			if w.final.usage[u.NodeID] == nil {
				w.final.usage[u.NodeID] = map[period.Second][]ledger.Usage{}
			}
			for _, v := range w.last.usage {
				if v.NodeID == u.NodeID && v.Hour == u.Hour {
					w.final.usage[u.NodeID][u.Hour] = append(w.final.usage[u.NodeID][u.Hour], v)
				}
			}
		}
	}
	return nil
}

func (f *finals) usageOf(node ledger.ID, day period.Interval) []ledger.Usage {
	var out []ledger.Usage
	for hour, rows := range f.usage[node] {
		if day.Contains(hour) {
			out = append(out, rows...)
		}
	}
	return out
}

// restate compares the parts of the current bill with the final ones: unchanged parts are final, missing ones are
// reversed, and new ones in a closed period are adjustments of the line that they replace (rule 13.5).
func (w *world) restate(r *result, parts []ledger.Part) []ledger.Part {
	var out []ledger.Part
	kept := map[ledger.ID]bool{}
	for _, p := range parts {
		c := r.charges[p.ChargeID]
		switch {
		case w.final.charges[p.ChargeID]:
			if f, ok := w.final.parts[p.ID]; ok {
				out = append(out, f)
				kept[p.ID] = true
			}
			continue
		case w.closed[closedKey{c.BillingAccount, c.BillingPeriod}]:
			p.PostingKind = ledger.Adjustment
			p.Replaces = w.replacedBy(r, c, &p)
		}
		out = append(out, p)
	}
	var gone []ledger.Part
	for id, f := range w.final.parts {
		if kept[id] || !w.gone[f.ChargeID] {
			continue
		}
		gone = append(gone, f)
		back := f
		back.ID, back.Reverses, back.Final, back.PostingKind, back.UsageSeconds = ledger.NewID("part", "reversal",
			id.String()), id, false, ledger.Adjustment, nil
		for _, m := range ledger.Metrics {
			if a := f.Get(m); a != nil {
				n := a.Neg()
				back.Set(m, &n)
			}
		}
		gone = append(gone, back)
	}
	slices.SortFunc(gone, func(a, b ledger.Part) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return append(out, gone...)
}

// replacedBy is the final part of the line that a new one replaces: same
// resource, usage type, operation, kind and charge period.
func (w *world) replacedBy(r *result, c *ledger.Charge, p *ledger.Part) ledger.ID {
	var found []ledger.Part
	for _, f := range w.final.parts {
		o := r.charges[f.ChargeID]
		if w.gone[o.ID] && o.ResourceID == c.ResourceID && o.UsageType == c.UsageType && o.Operation == c.Operation &&
			o.Kind == c.Kind && o.Period == c.Period && f.Hour == p.Hour {
			found = append(found, f)
		}
	}
	if len(found) == 0 {
		return ledger.ID{}
	}
	return slices.MinFunc(found, func(a, b ledger.Part) int { return bytes.Compare(a.ID[:], b.ID[:]) }).ID
}

func sortedIDs[T any](m map[ledger.ID]T) []ledger.ID {
	var out []ledger.ID
	for id := range m {
		out = append(out, id)
	}
	slices.SortFunc(out, func(a, b ledger.ID) int { return bytes.Compare(a[:], b[:]) })
	return out
}

// billingPeriod is the invoice of a posting; for an adjustment the oldest open period after the closed one.
func (w *world) billingPeriod(r *result, p *ledger.Posting) string {
	c := r.charges[p.ChargeID]
	if c == nil {
		return "-"
	}
	month := c.BillingPeriod
	for p.Kind == ledger.Adjustment && w.closed[closedKey{c.BillingAccount, month}] {
		i, err := month.Interval()
		if err != nil {
			break
		}
		month = period.MonthName(i.To)
	}
	return string(month)
}

// conserved checks that the postings of every charge of the bill add up to the charge, metric by metric, those of
// removed charges to zero, and that pairs add up to zero.
func (w *world) conserved(r *result) error {
	sums := map[ledger.ID]*ledger.Costs{}
	for i := range r.postings {
		p := &r.postings[i]
		if p.ChargeID.IsZero() {
			continue
		}
		if sums[p.ChargeID] == nil {
			sums[p.ChargeID] = &ledger.Costs{}
		}
		addCosts(sums[p.ChargeID], &p.Costs)
	}
	for _, c := range r.charges {
		sum := cmp.Or(sums[c.ID], &ledger.Costs{})
		for _, m := range ledger.Metrics {
			want, got := c.Get(m), sum.Get(m)
			switch {
			case c.Kind == ledger.LineSplit:
				continue
			case w.gone[c.ID]:
				want = &money.Amount{}
				if got == nil {
					continue
				}
			}
			if (want == nil) != (got == nil) || want != nil && want.Cmp(*got) != 0 {
				return fmt.Errorf("charge %s: its postings are %s of %s, and the line %s: this is a fault of the engine",
					w.names2[c.ID], text(got), m, text(want))
			}
		}
	}
	for _, s := range r.shared {
		var sum ledger.Costs
		for i := range s.Rows {
			addCosts(&sum, &s.Rows[i].Costs)
		}
		if sum.CarriesMoney() {
			return fmt.Errorf("sharing of %s on %s does not add up to zero: this is a fault of the engine", s.Cause, s.Day)
		}
	}
	return nil
}

func addCosts(to, more *ledger.Costs) {
	for _, m := range ledger.Metrics {
		to.Set(m, plus(to.Get(m), more.Get(m)))
	}
}

// plus adds known amounts: nil is unknown.
func plus(a, b *money.Amount) *money.Amount {
	switch {
	case b == nil:
		return a
	case a == nil:
		sum := *b
		return &sum
	}
	sum := a.Add(*b)
	return &sum
}

func text(a *money.Amount) string {
	if a == nil {
		return "-"
	}
	return a.String()
}
