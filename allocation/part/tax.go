package part

import (
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// taxOfMachine reports whether a line is tax on a machine that it names: it goes to the target of the machine's lines
// (rule 8.8). If a provider uses any text as a name, only a machine of the fleet is certain to be one.
func (c *Cutter) taxOfMachine(ch *ledger.Charge) bool {
	if ch.Kind != ledger.LineInvoice || ch.Category != ledger.CategoryTax || ch.Aggregate != nil || ch.InstanceID == "" {
		return false
	}
	return catalog.Lists(ch.Provider) || len(c.fleet.machinesOf(ch).nodes) > 0
}

// observeTax is like observePlain without a base: nothing is taxed by tax.
func (c *Cutter) observeTax(ch *ledger.Charge) {
	t := c.classify(ch)
	if n := ch.Period.Seconds(); t.node != nil && n > period.Hour && n <= longest {
		c.dependOnLives(ch.Period)
	}
	if !t.slots() {
		c.ownerOf(t.node, ch)
	}
}
