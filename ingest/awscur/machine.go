package awscur

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/internal/ledger"
)

// machine links a line to its resource: an instance, or the machines of a HyperPod cluster. If
// the export has no usage types, the rest of the line decides whether it bills the instance
// itself.
func (m *mapper) machine(c *ledger.Charge) {
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount:
	default:
		c.InstanceID = ledger.AWSInstanceKey(c.ResourceID)
		c.InstanceHours = c.Category == ledger.CategoryTax && c.InstanceID != "" && readUsageType(c.UsageType).instanceHours
		return
	}
	if c.InstanceID = ledger.AWSInstanceKey(c.ResourceID); c.InstanceID != "" {
		c.InstanceHours = c.InstanceHours || c.UsageType == "" && billsInstance(c)
		if c.LineItemType == string(typeRefund) && c.InstanceHours && c.UsageAmount != nil && c.UsageAmount.Sign() < 0 {
			c.Kind = ledger.LineUsage // it takes back time, not only money
		}
		return
	}
	name := ledger.HyperPodType(c.UsageType)
	if name == "" && c.UsageType == "" && strings.HasPrefix(c.InstanceType, "ml.") {
		name = c.InstanceType
	}
	if key := ledger.HyperPodKey(c.ResourceID, name); key != "" {
		c.InstanceID, c.InstanceHours = m.words.Intern(key), true
		c.InstanceType = bill.First(c.InstanceType, name)
	}
}

// billsInstance reports whether a line without a usage type bills its instance: its unit is a
// time, or, if the export has no units, its type or description names instances and its
// quantity fits its period.
func billsInstance(c *ledger.Charge) bool {
	text := c.Description + " " + c.Operation
	if c.UsageUnit != "" {
		return bill.Use{Unit: c.UsageUnit, Text: text}.BillsMachine()
	}
	if strings.Contains(c.Description, "GB") || !(bill.Use{Unit: "Hrs", Text: text}).BillsMachine() {
		return false
	}
	if c.UsageAmount != nil {
		seconds, ok := ledger.InstanceSeconds(*c.UsageAmount)
		if !ok || c.Period.Seconds() > 0 && seconds > c.Period.Seconds() {
			return false
		}
	}
	return c.InstanceType != "" || strings.Contains(strings.ToLower(c.Description), "instance") ||
		strings.HasPrefix(c.Operation, "RunInstances")
}
