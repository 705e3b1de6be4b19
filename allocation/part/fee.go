package part

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// cutFee makes the cash side and the unused side of a commitment (rule 8.7).
func (c *Cutter) cutFee(ch *ledger.Charge) ([]ledger.Part, error) {
	fee := ledger.Costs{Billed: ch.Billed, Effective: zeroLike(ch.Effective), List: ch.List, Contracted: ch.Contracted}
	parts, err := spread(fee, evenly(ch.Period, longest, place{kind: ledger.PartCommitmentFee, method: ByFee}))
	if err != nil {
		return nil, err
	}
	if ch.Effective != nil && !ch.Effective.IsZero() {
		unused := ledger.Costs{
			Billed: zeroLike(ch.Billed), Effective: ch.Effective, List: zeroLike(ch.List), Contracted: zeroLike(ch.Contracted),
		}
		cut, err := spread(unused, evenly(ch.Period, longest, place{kind: ledger.PartCommitmentUnused, method: ByFee}))
		if err != nil {
			return nil, err
		}
		parts = append(parts, cut...)
	}
	c.own(parts, nil, ch)
	return parts, nil
}

// zeroLike is 0 for a measure that is present, nil for one that is not.
func zeroLike(a *money.Amount) *money.Amount {
	if a == nil {
		return nil
	}
	return &money.Amount{}
}
