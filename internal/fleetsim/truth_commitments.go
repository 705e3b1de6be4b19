package fleetsim

import "math/big"

// TruthCommitment is what the bill says of one commitment: effective cost of
// what it covered, and of what was left unused.
type TruthCommitment struct{ Used, Unused *big.Rat }

// TruthCommitments adds up the bill by the savings plan or reservation that
// its lines name (docs/figures.md, 22.1).
func (f *Fleet) TruthCommitments() map[string]TruthCommitment {
	out := map[string]TruthCommitment{}
	for _, c := range f.clusters {
		for _, l := range c.bill.charges() {
			if l.plan == "" || l.effective == nil {
				continue
			}
			x, there := out[l.plan]
			if !there {
				x = TruthCommitment{new(big.Rat), new(big.Rat)}
				out[l.plan] = x
			}
			switch l.rule {
			case ofMachine, negation:
				x.Used.Add(x.Used, l.effective)
			case fee:
				x.Unused.Add(x.Unused, l.effective)
			default: // what else names it costs nothing
			}
		}
	}
	return out
}
