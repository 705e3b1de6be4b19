package part

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// isBlock reports whether a prepaid line is for capacity of machines with GPUs.
func (c *Cutter) isBlock(ch *ledger.Charge) bool { return ch.InstanceType != "" && c.billsGPU(ch) }

// cutPrepaid makes the cash side of capacity paid in advance and the pairs that move its effective cost to the place of
// use (rule 8.15).
func (c *Cutter) cutPrepaid(ch *ledger.Charge) ([]ledger.Part, error) {
	parts, err := spread(ch.Costs, evenly(ch.Period, longestPrepaid, place{kind: ledger.PartCommitmentFee, method: ByFee}))
	if err != nil {
		return nil, err
	}
	var moved []ledger.Part
	if ch.Effective != nil && ch.Effective.Sign() > 0 {
		switch p := c.plans[ch.ID]; {
		case p != nil:
			moved, err = c.follow(p, ch)
		case c.isBlock(ch):
			moved, err = c.useBlock(ch)
		}
	}
	if err != nil {
		return nil, err
	}
	parts = append(parts, pairs(moved)...)
	owner := c.ownerOf(nil, ch)
	for i := range parts {
		if parts[i].Kind != ledger.PartCompute || parts[i].NodeID.IsZero() {
			parts[i].OwnerID = owner
		}
	}
	return parts, nil
}

// pairs turns moved cost into amortise pairs, by hour: one half leaves the fee, the other arrives.
func pairs(moved []ledger.Part) []ledger.Part {
	slices.SortStableFunc(moved, func(a, b ledger.Part) int { return cmp.Compare(a.Hour, b.Hour) })
	out := make([]ledger.Part, 0, 2*len(moved))
	for _, in := range moved {
		if in.Effective.IsZero() {
			continue
		}
		left := in.Effective.Neg()
		in.PostingKind = ledger.Amortise
		out = append(out, ledger.Part{
			Kind: ledger.PartCommitmentFee, Hour: in.Hour, Method: in.Method, Quality: in.Quality,
			PostingKind: ledger.Amortise, Costs: ledger.Costs{Effective: &left},
		}, in)
	}
	return out
}

// follow sends a prepaid line's effective cost to the targets of the lines that drew on it.
func (c *Cutter) follow(p *plan, ch *ledger.Charge) ([]ledger.Part, error) {
	var out []ledger.Part
	for i := range p.moves {
		m := &p.moves[i]
		cut, err := spread(ledger.Costs{Effective: &m.amount}, c.places(m.period, m.target))
		if err != nil {
			return nil, err
		}
		for k := range cut {
			cut[k].Method = ByCredit
		}
		out = append(out, cut...)
	}
	rest, err := spread(ledger.Costs{Effective: &p.rest}, evenly(ch.Period, longestPrepaid, place{
		kind: ledger.PartCommitmentUnused, method: ByFee,
	}))
	return append(out, rest...), err
}

// blockHour is an hour of a block, or the part of it that is in its term.
type blockHour struct {
	place         // its weight in the block
	users []place // the machines that ran in it, and the rest
	over  bool    // no machine can run in it any more
}

// blockHours lists the hours of a block, earliest first.
func (c *Cutter) blockHours(ch *ledger.Charge) ([]blockHour, error) {
	hours := evenly(ch.Period, longestPrepaid, place{kind: ledger.PartCommitmentUnused, method: ByPrepaid})
	capacity := make([]money.Amount, len(hours))
	if s := ch.InstanceSeconds; s != nil && *s > 0 {
		var err error
		if capacity, err = money.SplitUint(money.FromUnits(*s), weights(hours)); err != nil {
			return nil, err
		}
	}
	nodes := c.matching(ch)
	end := c.fleet.endIn(ch.Period)
	out := make([]blockHour, len(hours))
	for i, h := range hours {
		hour := period.HourOf(h.hour).Intersect(ch.Period)
		out[i] = blockHour{h, c.inHour(nodes, hour, capacity[i]), hour.To <= end}
	}
	return out, nil
}

// useBlock sends a block's effective cost, hour by hour, to the machines that ran in it; the rest of an hour that is
// over counts as unused.
func (c *Cutter) useBlock(ch *ledger.Charge) ([]ledger.Part, error) {
	hours, err := c.blockHours(ch)
	if err != nil {
		return nil, err
	}
	shares := make([]uint64, len(hours))
	for i, h := range hours {
		shares[i] = h.weight
	}
	amounts, err := money.SplitUint(*ch.Effective, shares)
	if err != nil {
		return nil, err
	}
	var out []ledger.Part
	for i, h := range hours {
		cut, err := spread(ledger.Costs{Effective: &amounts[i]}, h.users)
		if err != nil {
			return nil, err
		}
		for _, p := range cut {
			if p.Kind == ledger.PartCompute || h.over {
				out = append(out, p)
			}
		}
	}
	return out, nil
}

// inHour lists the machines that ran in an hour, and the rest of the capacity last.
func (c *Cutter) inHour(nodes []*ledger.Node, hour period.Interval, capacity money.Amount) []place {
	at := hour.From.Floor(period.Hour)
	var out []place
	var up uint64
	for _, n := range nodes {
		if s := c.fleet.up(n, hour).Seconds(); s > 0 {
			out = append(out, place{kind: ledger.PartCompute, node: n, hour: at, weight: uint64(s), method: ByPrepaid})
			up += uint64(s)
		}
	}
	all, _ := capacity.Units() // seconds, below ledger.MaxInstanceSeconds
	switch {
	case all > 0 && uint64(all) > up:
		out = append(out, place{kind: ledger.PartCommitmentUnused, hour: at, weight: uint64(all) - up, method: ByPrepaid})
	case up == 0:
		out = append(out, place{kind: ledger.PartCommitmentUnused, hour: at, weight: 1, method: ByPrepaid})
	}
	return out
}
