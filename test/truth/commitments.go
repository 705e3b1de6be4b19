package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
)

// Commitment is the bill's cost of one commitment: effective cost of covered usage, and of the unused part.
type Commitment struct{ Used, Unused *big.Rat }

// Commitments sums the bill by the savings plan or reservation in its lines (docs/figures.md, 22.1).
func Commitments(f *fleetsim.Fleet) map[string]Commitment {
	out := map[string]Commitment{}
	for _, c := range f.Clusters {
		for _, l := range c.Bill.Charges() {
			if l.Plan == "" || l.Effective == nil {
				continue
			}
			x, there := out[l.Plan]
			if !there {
				x = Commitment{new(big.Rat), new(big.Rat)}
				out[l.Plan] = x
			}
			switch l.Rule {
			case bills.OfMachine, bills.Negation:
				x.Used.Add(x.Used, l.Effective)
			case bills.Fee:
				x.Unused.Add(x.Unused, l.Effective)
			default: // other lines with its name cost nothing
			}
		}
	}
	return out
}
