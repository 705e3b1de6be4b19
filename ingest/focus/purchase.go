package focus

import (
	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// longestRent is the longest charge period for which a purchase counts as a machine's rent.
// Longer ones are not spread over hours (rule 8.5).
const longestRent = 32 * period.Day

// rents reports whether a purchase without a commitment is the price of its machine, such as a
// reserved server that is billed by the month. Its quantity is the priced one: a purchase
// consumes nothing.
func (b *binding) rents(r table.Row, c *ledger.Charge) (bool, *table.CellError) {
	if c.Category != ledger.CategoryPurchase || c.Kind != ledger.LineOther || c.InstanceID == "" ||
		c.Period.Seconds() > longestRent {
		return false, nil
	}
	amount, unit := c.UsageAmount, c.UsageUnit
	if amount == nil && unit == "" {
		var bad *table.CellError
		if c.UsageAmount, bad = b.amount(r, colPricingQuantity); bad != nil {
			return false, bad
		}
		c.UsageUnit = b.words.Intern(b.text(r, colPricingUnit))
	}
	if b.billsMachine(r, c) {
		return true, nil
	}
	c.UsageAmount, c.UsageUnit = amount, unit
	return false, nil
}

// rentedTime is the machine time that a purchase pays for: its unit's, else all of its charge
// period.
func rentedTime(c *ledger.Charge, unit string, gpus int64) (ok bool) {
	if !bill.MachineTime(c, unit, gpus) {
		return false
	}
	of, _ := ledger.ReadUnit(unit)
	if whole := c.Period.Seconds(); c.InstanceSeconds == nil && of == ledger.CountsElse && whole > 0 && !negative(c) {
		c.InstanceSeconds = &whole
	}
	return true
}
