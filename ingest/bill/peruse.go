package bill

import "gpuledger/internal/ledger"

// PerUse caches which lines bill AI by use: bills have few different ones. One goroutine uses
// it.
type PerUse map[[6]string]bool

const maxPerUse = 1 << 14

// Mark marks a charge that bills AI by use of a service, not a machine (docs/rules.md, 8.21).
// category is FOCUS's, empty if the bill has none.
func (p *PerUse) Mark(c *ledger.Charge, category string) {
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount:
	default:
		return
	}
	if c.InstanceHours || c.InstanceType != "" {
		return
	}
	key := [6]string{c.ServiceName, c.ServiceCode, c.UsageType, c.Description, c.UsageUnit, category}
	yes, known := (*p)[key]
	if !known {
		yes = ledger.PerUse(c, category)
		if *p == nil || len(*p) >= maxPerUse {
			*p = PerUse{}
		}
		(*p)[key] = yes
	}
	if yes {
		c.BillsGPU, c.InstanceID, c.InstanceAlias = true, "", ""
	}
}
