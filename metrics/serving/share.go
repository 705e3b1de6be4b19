package serving

import (
	"cmp"
	"math/big"
	"slices"

	"gpuledger/internal/money"
	"gpuledger/internal/sketch"
)

// Basis is the basis of the split between input and output.
type Basis string

// Bases.
const (
	Measured Basis = "measured" // seconds of prefill and decode
	Weighted Basis = "weighted" // tokens, generated ones by the policy's weight
	Stated   Basis = "stated"   // the policy's weight alone
)

// key identifies a part of a workload's hour.
type key struct{ model, server, tenant, version string }

func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.model, o.model), cmp.Compare(k.server, o.server), cmp.Compare(k.tenant, o.tenant),
		cmp.Compare(k.version, o.version))
}

// part is a key with its weight: the workload's own counts, or those of others of its service.
type part struct {
	key
	tally  *tally // nil: not counted
	own    bool
	weight *big.Int
}

// partsOf returns the parts of counted series, in the order of keys, without weights. Engines of one server and model
// are added up already.
func partsOf(list []series) []part {
	var out []part
	for _, s := range list {
		out = append(out, part{key: key{s.model, s.server, s.tenant, s.version}, tally: s.tally})
	}
	slices.SortFunc(out, func(a, b part) int { return a.compare(b.key) })
	return out
}

// weigh gives every part its weight (docs/figures.md 16.5): by the first measure that all parts with traffic count.
func weigh(parts []part, outputWeight int64) {
	bases := [...]struct {
		weight func(*tally) *big.Int
		lacks  func(*tally) bool // it has traffic that this measure does not see
	}{
		{func(t *tally) *big.Int { return t.weightedTokens(outputWeight) }, func(t *tally) bool {
			good, _ := t.requests()
			return !t.tokens() && (good != nil && *good > 0 || t.total[inferences] > 0)
		}},
		{func(t *tally) *big.Int {
			if good, _ := t.requests(); good != nil {
				return big.NewInt(*good)
			}
			return new(big.Int)
		}, func(t *tally) bool {
			good, _ := t.requests()
			return good == nil && (t.weightedTokens(outputWeight).Sign() > 0 || t.total[inferences] > 0)
		}},
		{func(*tally) *big.Int { return big.NewInt(1) }, func(*tally) bool { return false }},
	}
	for _, by := range bases {
		total := new(big.Int)
		for i := range parts {
			parts[i].weight = by.weight(parts[i].tally)
			total.Add(total, parts[i].weight)
		}
		if total.Sign() > 0 && !slices.ContainsFunc(parts, func(p part) bool { return by.lacks(p.tally) }) {
			return
		}
	}
}

// weightedTokens are computed prompt tokens, plus generated tokens times their weight, in millionths.
func (t *tally) weightedTokens(outputWeight int64) *big.Int {
	in := new(big.Int).Mul(big.NewInt(t.computed()), big.NewInt(1000))
	return in.Add(in, new(big.Int).Mul(big.NewInt(t.total[generated]), big.NewInt(outputWeight)))
}

// inputShare is the input's share of a cost.
func (t *tally) inputShare(outputWeight int64) (*big.Rat, Basis) {
	if t != nil && t.known[prefill] && t.known[decode] && t.total[prefill]+t.total[decode] > 0 {
		return big.NewRat(t.total[prefill], t.total[prefill]+t.total[decode]), Measured
	}
	if t != nil {
		if all := t.weightedTokens(outputWeight); all.Sign() > 0 {
			in := new(big.Int).Mul(big.NewInt(t.computed()), big.NewInt(1000))
			return new(big.Rat).SetFrac(in, all), Weighted
		}
	}
	return big.NewRat(1000, 1000+outputWeight), Stated
}

// divide splits an amount over parts.
func divide(a *money.Amount, parts []part) ([]*money.Amount, error) {
	out := make([]*money.Amount, len(parts))
	if a == nil {
		return out, nil
	}
	weights := make([]*big.Int, len(parts))
	for i := range parts {
		weights[i] = parts[i].weight
	}
	shares, err := money.Split(*a, weights)
	if err != nil {
		return nil, err
	}
	for i := range shares {
		out[i] = &shares[i]
	}
	return out, nil
}

// divideActivity divides the minutes of a workload's cards between the parts.
func divideActivity(minutes []int64, parts []part) [][]int64 {
	weights := make([]*big.Int, len(parts))
	for i := range parts {
		weights[i] = parts[i].weight
	}
	return sketch.SplitPacked(minutes, weights)
}

// cut divides an amount between input and output.
func cut(a *money.Amount, input *big.Rat) (in, out *money.Amount) {
	if a == nil {
		return nil, nil
	}
	i := a.MulRat(input)
	o := a.Sub(i)
	return &i, &o
}
