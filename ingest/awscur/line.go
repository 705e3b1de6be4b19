package awscur

import (
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// lineType is AWS's kind of line, verbatim.
type lineType string

// The known line-item types (anything else becomes LineOther).
const (
	typeUsage        lineType = "Usage"
	typeRIUsage      lineType = "DiscountedUsage"
	typeRIFee        lineType = "RIFee"
	typeFee          lineType = "Fee"
	typePlanUsage    lineType = "SavingsPlanCoveredUsage"
	typePlanNegation lineType = "SavingsPlanNegation"
	typePlanFee      lineType = "SavingsPlanRecurringFee"
	typePlanUpfront  lineType = "SavingsPlanUpfrontFee"
	typeTax          lineType = "Tax"
	typeCredit       lineType = "Credit"
	typeRefund       lineType = "Refund"
	typeEdpDiscount  lineType = "EdpDiscount"
	typePrivateRate  lineType = "PrivateRateDiscount"
	typeBundled      lineType = "BundledDiscount"
	typeRIVolume     lineType = "RiVolumeDiscount"
	typeDiscount     lineType = "Discount"
)

// discount reports whether the row is part of the difference between unblended and net cost.
func (t lineType) discount() bool {
	switch t {
	case typeEdpDiscount, typePrivateRate, typeBundled, typeRIVolume, typeDiscount:
		return true
	}
	return false
}

// classify decides the line's effect on the ledger and its FOCUS category. known is false for
// types without a rule.
func classify(
	t lineType, productCode, usageType string, hasReservation bool,
) (kind ledger.LineKind, cat ledger.ChargeCategory, known bool) {
	if support(productCode) && (t == typeFee || t == typeUsage) {
		return ledger.LineInvoice, ledger.CategoryUsage, true
	}
	switch t {
	case typeUsage:
		if readUsageType(usageType).unused {
			return ledger.LineCommitmentFee, ledger.CategoryUsage, true // unused reserved hours
		}
		return ledger.LineUsage, ledger.CategoryUsage, true
	case typeRIUsage, typePlanUsage:
		return ledger.LineCoveredUsage, ledger.CategoryUsage, true
	case typePlanNegation:
		return ledger.LineNegation, ledger.CategoryAdjustment, true
	case typeRIFee, typePlanFee, typePlanUpfront:
		return ledger.LineCommitmentFee, ledger.CategoryPurchase, true
	case typeFee:
		if hasReservation {
			return ledger.LineCommitmentFee, ledger.CategoryPurchase, true
		}
		if readUsageType(usageType).block {
			return ledger.LinePrepaid, ledger.CategoryPurchase, true
		}
		return ledger.LineOther, ledger.CategoryPurchase, true
	case typeTax:
		return ledger.LineInvoice, ledger.CategoryTax, true
	case typeCredit:
		return ledger.LineDiscount, ledger.CategoryCredit, true
	case typeRefund:
		return ledger.LineDiscount, ledger.CategoryAdjustment, true
	}
	if t.discount() {
		return ledger.LineDiscount, ledger.CategoryAdjustment, true
	}
	return ledger.LineOther, ledger.CategoryAdjustment, false
}

// support reports whether the product is AWS Support, which is billed on the
// whole invoice.
func support(productCode string) bool {
	return strings.HasPrefix(productCode, "AWSSupport") || strings.HasPrefix(productCode, "OCBPremiumSupport")
}

// costs applies the line rule (doc.go) to a row. A measure is nil if a required column is
// absent or null.
func (r row) costs(t lineType, hasReservation bool) (ledger.Costs, *table.CellError) {
	var c ledger.Costs
	var bad *table.CellError
	get := func(col column) *money.Amount {
		a, err := r.AmountOf(col)
		if err != nil && bad == nil {
			bad = err
		}
		return a
	}
	net := r.s.net
	billedColumn := colUnblended
	if net {
		billedColumn = colNetUnblended
	}
	c.Billed = get(billedColumn)
	if net && t.discount() && c.Billed != nil {
		c.Billed = &money.Amount{} // the net columns already contain it
	}
	c.List = get(colListCost)
	zero := func() *money.Amount { return r.Keep(money.Amount{}) }
	switch t {
	case typeRIUsage:
		c.Effective = get(pick(net, colNetReservationEffective, colReservationEffective))
		c.Contracted = c.List
	case typePlanUsage:
		c.Effective = get(pick(net, colNetPlanEffective, colPlanEffective))
		c.Contracted = c.Billed
	case typePlanNegation, typePlanUpfront:
		c.Effective, c.Contracted = zero(), zero()
	case typeRIFee:
		c.Effective = plus(get(pick(net, colNetReservationUnusedUpfront, colReservationUnusedUpfront)),
			get(pick(net, colNetReservationUnusedRecurring, colReservationUnusedRecurring)))
		c.Contracted = zero()
	case typePlanFee:
		total, used := get(colPlanTotal), get(colPlanUsed)
		if total != nil && used != nil {
			unused := total.Sub(*used)
			c.Effective = &unused
		}
		c.Contracted = zero()
	case typeFee:
		c.Effective, c.Contracted = c.Billed, c.Billed
		if hasReservation {
			c.Effective, c.Contracted = zero(), zero()
		}
	default:
		c.Effective, c.Contracted = c.Billed, c.Billed
	}
	return c, bad
}

func pick(net bool, ifNet, otherwise column) column {
	if net {
		return ifNet
	}
	return otherwise
}

// plus adds non-nil amounts; nil if both are nil.
func plus(a, b *money.Amount) *money.Amount {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	sum := a.Add(*b)
	return &sum
}

// usageKind is the meaning of an instance line's usage type.
type usageKind struct {
	instanceHours bool
	spot          bool
	unused        bool // hours of a capacity reservation in which no machine ran
	block         bool // a capacity block for ML
	managing      bool // EKS Auto Mode's hourly price for managing a machine
	instanceType  string
}

// readUsageType splits a usage type: [REGION-]Kind[:instance type]. The first region,
// us-east-1, has no prefix on old usage types.
func readUsageType(usageType string) usageKind {
	head, tail, _ := strings.Cut(usageType, ":")
	if name, auto := strings.CutSuffix(tail, "-management-hours"); auto && strings.HasSuffix(head, "EKS-Auto") {
		return usageKind{instanceHours: true, managing: true, instanceType: name}
	}
	if i := strings.LastIndexByte(head, '-'); i >= 0 {
		head = head[i+1:]
	}
	switch head {
	case "BoxUsage", "DedicatedUsage", "HostBoxUsage", "SpotUsage", "SchedUsage", "DedicatedRes":
		return usageKind{instanceHours: true, spot: head == "SpotUsage", instanceType: tail}
	case "UnusedBox", "UnusedDed", "UnusedDedicatedRes":
		return usageKind{unused: true, instanceType: tail}
	case "CapacityBlock", "CapacityBlocks":
		return usageKind{block: true, instanceType: tail}
	}
	return usageKind{}
}

// managedGPU reports whether a line bills a GPU machine of a managed service,
// such as SageMaker's ml.p4d.24xlarge.
func managedGPU(c *ledger.Charge) bool {
	name, managed := strings.CutPrefix(c.InstanceType, "ml.")
	if !managed {
		if _, after, found := strings.Cut(c.UsageType, ":ml."); found {
			name, managed = after, true
			c.InstanceType = "ml." + strings.Clone(after)
		}
	}
	t, known := catalog.LookupAt(provider, name)
	return managed && (known && t.Slots() > 0 || !known && catalog.AcceleratedLooking(name))
}
