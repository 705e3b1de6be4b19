package allocation

import (
	"gpuledger/allocation/policy"
	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
)

// standing returns the quality of a hold and the method by which it got its share.
func (w *walker) standing(h *heldDay, quality ledger.Quality, holders int, slice int32) (ledger.Quality, method) {
	given := w.policy.CardSharing != policy.EqualShares
	switch {
	case h.requested:
		return quality.Worse(ledger.Estimated), methodRequested
	case given && h.given && (holders > 1 || h.share != split.One):
		return quality.Worse(ledger.Estimated), methodGiven // rule 5.3: activity is the device's
	case given && h.claimed && holders > 1:
		return quality.Worse(ledger.Estimated), methodClaim
	case given && w.node.Replicas > 1:
		return quality.Worse(ledger.Estimated), methodReplicas
	case holders > 1 || w.node.Replicas > 1:
		return quality.Worse(ledger.Estimated), methodEqual
	case slice != ledger.WholeDevice:
		return quality, methodSlice
	}
	return quality, methodExclusive
}

// alone is the share of a single holder: everything.
var alone = []split.Fraction{split.One}

// sharesOf returns each holder's share of a slice in one second, and the rest that has no holder (rule 4.8).
func (w *walker) sharesOf(holders []*heldDay) (shares []split.Fraction, rest split.Fraction, err error) {
	switch {
	case len(holders) == 0:
		return nil, split.One, nil
	case len(holders) == 1 && !holders[0].claimed && holders[0].share.IsZero():
		return alone, noShare, nil
	case w.policy.CardSharing == policy.EqualShares:
		return equally(len(holders)), noShare, nil
	}
	claims, open := uint64(0), uint64(0)
	for _, h := range holders {
		switch {
		case !h.share.IsZero():
		case h.claimed:
			claims++
		default:
			open++
		}
	}
	shares = make([]split.Fraction, len(holders))
	for i, h := range holders {
		shares[i] = h.share
		if h.share.IsZero() && h.claimed {
			shares[i] = split.NewFraction(1, claims)
		}
	}
	if shares, rest, err = split.Shares(shares); err != nil || open == 0 {
		return shares, rest, err
	}
	each, err := rest.Mul(split.NewFraction(1, open))
	for i, h := range holders {
		if h.share.IsZero() && !h.claimed {
			shares[i] = each
		}
	}
	return shares, noShare, err
}

func equally(holders int) []split.Fraction {
	shares := make([]split.Fraction, holders)
	for i := range shares {
		shares[i] = split.NewFraction(1, uint64(holders))
	}
	return shares
}
