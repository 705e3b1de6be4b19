package bills

import (
	"errors"
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// laterState is the first month of a bill weeks later: spot prices corrected by 2 %, one line removed, a refund for a
// machine that was faulty.
func laterState(w *world.World, final []*billLine) []*billLine {
	var out []*billLine
	month, gone, refunded := monthOf(w.From), false, false
	for i, l := range final {
		if l.period != month {
			continue
		}
		if !gone && l.kind == "Usage" && l.node == nil && l.product == "AmazonEC2" {
			gone = true
			continue
		}
		next := *l
		if l.term == "Spot" && i%7 == 0 {
			next.cost = world.AsDouble(new(big.Rat).Mul(world.OfDouble(l.cost), big.NewRat(98, 100)))
		}
		out = append(out, &next)
		if !refunded && l.node != nil && l.kind == "Usage" && l.term == "OnDemand" && l.unit == "Hrs" {
			refunded = true
			back := *l
			back.kind, back.description = "Refund", "Refund for a degraded instance"
			back.cost, back.usage, back.listCost, back.rate, back.list = -world.AsDouble(new(big.Rat).Quo(world.OfDouble(l.cost),
				big.NewRat(2, 1))), nil, nil, "", ""
			out = append(out, &back)
		}
	}
	numberLines(w, out)
	return out
}

// WriteLater writes the first month of an AWS bill in its state weeks later.
func WriteLater(dir string, of Bill) ([]string, error) {
	b, ok := of.(*awsBill)
	if !ok {
		return nil, errors.New("the first cluster has no AWS bill to restate")
	}
	return writeCUR(b.w, dir, laterState(b.w, b.lines), 3)
}
