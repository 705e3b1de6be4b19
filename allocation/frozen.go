package allocation

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// freeze gives the hours of closed periods their usage rows (rule 13.3). Their order does not depend on current data.
func (d *day) freeze(bills []bill) error {
	for i := range d.in.Frozen {
		u := &d.in.Frozen[i]
		if !d.in.Day.Contains(u.Hour) || u.Weight == nil || u.Weight.Sign() <= 0 {
			return fmt.Errorf("node %s: frozen usage row %s of %s is outside %s", d.node.Name, u.ID, u.Hour, d.in.Day)
		}
		b := &bills[(u.Hour-d.in.Day.From)/period.Hour]
		b.frozen = append(b.frozen, *u)
	}
	for h := range bills {
		slices.SortFunc(bills[h].frozen, func(a, b ledger.Usage) int {
			return cmp.Or(cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.SliceID, b.SliceID),
				bytes.Compare(a.WorkloadID[:], b.WorkloadID[:]),
				cmp.Compare(a.RunID, b.RunID), bytes.Compare(a.AttemptID[:], b.AttemptID[:]),
				cmp.Compare(a.Cause.Order(), b.Cause.Order()),
				cmp.Compare(a.Activity.Order(), b.Activity.Order()), bytes.Compare(a.ID[:], b.ID[:]))
		})
	}
	return nil
}

// postFrozen posts new parts in an hour whose usage rows are final: on those rows, without quantities, which are on the
// final postings. rows are built from current telemetry; differences are reported.
func (d *day) postFrozen(p *poster, chunk *Chunk, b *bill, rows []int32) error {
	chunk.Frozen = append(chunk.Frozen, FrozenHour{Hour: b.hour.From, LateRows: d.late(b, rows)})
	weights := make([]*big.Rat, len(b.frozen))
	for i := range b.frozen {
		weights[i] = b.frozen[i].Weight
	}
	d.weights.TakeRats(weights)
	for i := range b.compute {
		part := &b.compute[i]
		first := len(chunk.Postings)
		if err := p.spread(chunk, part, b.frozen, ledger.Open); err != nil {
			return fmt.Errorf("part %s: %w", part.ID, err)
		}
		if finals := d.in.Finals[part.Replaces]; len(finals) > 0 {
			for j := first; j < len(chunk.Postings); j++ {
				chunk.Postings[j].Adjusts = original(finals, chunk.Postings[j].UsageID)
			}
		}
	}
	for i := range b.others {
		posting := p.whole(&b.others[i], causeOf(b.others[i].Kind), d.node.OwnerID)
		posting.Adjusts = original(d.in.Finals[b.others[i].Replaces], ledger.ID{})
		chunk.Postings = append(chunk.Postings, posting)
	}
	return d.reverse(chunk, b)
}

// reverse posts reversals of final postings.
func (d *day) reverse(chunk *Chunk, b *bill) error {
	for i := range b.reversed {
		postings, err := reversal(&b.reversed[i], d.in.Finals[b.reversed[i].Reverses])
		if err != nil {
			return err
		}
		chunk.Postings = append(chunk.Postings, postings...)
	}
	return nil
}

// reversal makes the postings of a part that reverses a final one: each final posting with the opposite amounts, so
// that both sum to zero whatever was rounded then. It returns an error if the postings do not add up to the part.
func reversal(part *ledger.Part, finals []ledger.Posting) ([]ledger.Posting, error) {
	if len(finals) == 0 {
		return nil, fmt.Errorf("part %s reverses %s, which has no final postings", part.ID, part.Reverses)
	}
	sorted := slices.Clone(finals)
	slices.SortFunc(sorted, func(a, b ledger.Posting) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	rest := part.Costs
	for i := range sorted {
		p := &sorted[i]
		for _, m := range ledger.Metrics {
			amount, left := p.Get(m), rest.Get(m)
			if (amount == nil) != (left == nil) {
				return nil, fmt.Errorf("part %s reverses %s, whose postings have other metrics", part.ID, part.Reverses)
			}
			if amount == nil {
				continue
			}
			back, remaining := amount.Neg(), left.Add(*amount)
			p.Set(m, &back)
			rest.Set(m, &remaining)
		}
		p.Adjusts = p.ID
		p.ID = ledger.NewID("posting", idText(part.ID), idText(p.UsageID), string(ledger.Adjustment))
		p.PartID, p.Part, p.Kind, p.State = part.ID, part.Number, ledger.Adjustment, ledger.Open
		p.GPUHours, p.CapacityGPUHours, p.ActiveGPUHours, p.EnergyKWh = nil, nil, nil, nil
	}
	for _, m := range ledger.Metrics {
		if left := rest.Get(m); left != nil && !left.IsZero() {
			return nil, fmt.Errorf("part %s does not take back all of %s: %s is left of its %s", part.ID, part.Reverses, left, m)
		}
	}
	return sorted, nil
}

// GoneDay is a day of a node that is no longer in the fleet: closed periods stay final, and parts that reverse them are
// posted. It returns an error if a final posting to reverse is missing.
func GoneDay(node ledger.ID, in DayInput) (*Chunk, error) {
	chunk := &Chunk{NodeID: node, Day: in.Day}
	for i := range in.Parts {
		p := &in.Parts[i]
		if p.Final || p.Reverses.IsZero() {
			continue
		}
		postings, err := reversal(p, in.Finals[p.Reverses])
		if err != nil {
			return nil, err
		}
		chunk.Postings = append(chunk.Postings, postings...)
	}
	return chunk, nil
}

// original is the final posting of a replaced line on the same usage row.
func original(finals []ledger.Posting, usage ledger.ID) ledger.ID {
	for i := range finals {
		if finals[i].UsageID == usage {
			return finals[i].ID
		}
	}
	return ledger.ID{}
}

// late counts the usage rows that current telemetry would make differently (rule 13.6).
func (d *day) late(b *bill, rows []int32) int {
	frozen := make(map[ledger.ID]*ledger.Usage, len(b.frozen))
	for i := range b.frozen {
		frozen[b.frozen[i].ID] = &b.frozen[i]
	}
	d.beginIDs(b.hour.From)
	differ := 0
	for _, r := range rows {
		var u ledger.Usage
		d.usage(&u, &d.rows[r], zero)
		f := frozen[u.ID]
		if f == nil || f.Seconds != u.Seconds || f.ActiveSeconds != u.ActiveSeconds || f.Weight.Cmp(u.Weight) != 0 {
			differ++
		}
		delete(frozen, u.ID)
	}
	if differ += len(frozen); differ > 0 {
		d.report("late_telemetry", "hour %s is closed: %d of its usage rows would be others by now; they stay", b.hour.From,
			differ)
	}
	return differ
}
