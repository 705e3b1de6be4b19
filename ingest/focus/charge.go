package focus

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Charge maps a row.
func (b *binding) Charge(r table.Row, _ string, c *ledger.Charge) (note string, bad *table.CellError) {
	word := func(col column) string { return b.words.Intern(b.text(r, col)) }
	if c.BillingPeriod, bad = b.month(r); bad != nil {
		return "", bad
	}
	c.Provider, c.Account, c.Marketplace = b.provider(r), b.account(r), b.marketplace(r)
	c.BillingAccount = bill.First(word(colBillingAccount), noAccount)
	if bad := b.costs(r, c); bad != nil {
		return "", bad
	}
	if bad := b.when(r, c); bad != nil {
		return "", bad
	}
	if note, bad = b.currency(r, c); bad != nil {
		return "", bad
	}
	c.Class, c.ServiceName, c.ServiceCode = word(colClass), word(colService), word(colServiceCode)
	if c.ServiceCode == "" && c.ServiceName == "Amazon Elastic Kubernetes Service" {
		c.ServiceCode = "AmazonEKS" // which identifies control planes
	}
	c.ResourceID, c.Description, c.Region, c.Zone = word(colResource), word(colDescription), word(colRegion), word(colZone)
	c.UsageType, c.Operation = bill.First(word(colUsageType), word(colSku)), word(colOperation)
	c.CommitmentID = word(colCommitment)
	category := b.text(r, colCategory)
	c.LineItemType = word(colCategory)
	if bad := b.quantity(r, category, c); bad != nil {
		return "", bad
	}
	if known := b.classify(r, category, c); !known {
		note = "unknown charge category " + bill.First(table.Clip(category), "(none)")
	}
	if bad := b.machine(r, c); bad != nil {
		return "", bad
	}
	b.perUse.Mark(c, word(colServiceCategory))
	pairs, bad := b.tagged(r)
	if bad != nil {
		return "", bad
	}
	c.Tags = b.tags.Map(pairs)
	note = bill.First(note, b.describe(r, c))
	if b.repeated(r) {
		b.evidence(r, c)
	} else {
		c.Allocated = b.text(r, colAllocatedMethod) != ""
	}
	return note, nil
}

// quantity sets the used quantity of a row: the consumed one, else the priced one. If only the
// price is by time, it is the priced one.
func (b *binding) quantity(r table.Row, category string, c *ledger.Charge) (bad *table.CellError) {
	if c.UsageAmount, bad = b.amount(r, colConsumed); bad != nil {
		return bad
	}
	c.UsageUnit = b.words.Intern(b.text(r, colConsumedUnit))
	if category != "Usage" {
		return nil
	}
	missing := c.UsageAmount == nil && c.UsageUnit == ""
	if !missing && !b.pricedByTime(r) {
		return nil
	}
	priced, bad := b.amount(r, colPricingQuantity)
	if bad != nil {
		return bad
	}
	if missing || priced != nil {
		c.UsageAmount, c.UsageUnit = priced, b.words.Intern(b.text(r, colPricingUnit))
	}
	return nil
}

// pricedByTime reports whether a row is priced by the time of a machine or GPU while its
// consumption is in another unit.
func (b *binding) pricedByTime(r table.Row) bool {
	if of, _ := ledger.ReadUnit(b.text(r, colConsumedUnit)); of != ledger.CountsElse {
		return false
	}
	unit := b.text(r, colPricingUnit)
	of, _ := ledger.ReadUnit(unit)
	block := strings.TrimRight(unit[:len(unit)-len(strings.TrimLeft(unit, "0123456789., "))], " ")
	return (of == ledger.CountsMachine || of == ledger.CountsGPU) && (block == "" || block == "1")
}

func (b *binding) amount(r table.Row, col column) (*money.Amount, *table.CellError) {
	if !b.has(col) {
		return nil, nil
	}
	a, ok, err := r.Number(b.at[col])
	if err != nil {
		return nil, &table.CellError{Column: col.name(), Reason: "not a number", Detail: err.Error()}
	}
	if !ok {
		return nil, nil
	}
	return b.mem.Keep(a), nil
}

func (b *binding) costs(r table.Row, c *ledger.Charge) (bad *table.CellError) {
	for _, m := range ledger.Metrics {
		a, bad := b.amount(r, measures[m])
		if bad != nil {
			return bad
		}
		c.Set(m, a)
	}
	return nil
}

func (b *binding) when(r table.Row, c *ledger.Charge) *table.CellError {
	var at [4]bill.Moment
	for i, col := range []column{colChargeStart, colChargeEnd, colBillingStart, colBillingEnd} {
		if !b.has(col) {
			continue
		}
		v, ok, err := r.Instant(b.at[col])
		if err != nil {
			return &table.CellError{Column: col.name(), Reason: "not a date", Detail: err.Error()}
		}
		at[i] = bill.Moment{At: v, Known: ok, Column: col.name()}
	}
	if bad := bill.CheckBillingPeriod(at[2], at[3]); bad != nil {
		return bad
	}
	return bill.SetPeriod(c, at[0], at[1], colBillingStart.name())
}

func (b *binding) currency(r table.Row, c *ledger.Charge) (note string, bad *table.CellError) {
	if !b.has(colCurrency) && c.CarriesMoney() {
		c.Currency = bill.NoCurrency
		return "money without a currency: the file has no column " + colCurrency.name() + "; give it with --bill-currency",
			nil
	}
	c.Currency = b.words.Intern(b.text(r, colCurrency))
	return "", bill.CheckCurrency(c, colCurrency.name())
}

// correction is the ChargeClass of rows that correct an earlier bill.
const correction = "Correction"

// classify decides the row's effect on the ledger (doc.go).
func (b *binding) classify(r table.Row, category string, c *ledger.Charge) (known bool) {
	support := c.ResourceID == "" && strings.Contains(strings.ToLower(c.ServiceName), "support")
	switch category {
	case "Tax":
		c.Kind, c.Category = ledger.LineInvoice, ledger.CategoryTax
	case "Credit":
		c.Kind, c.Category = ledger.LineDiscount, ledger.CategoryCredit
	case "Adjustment":
		c.Kind, c.Category = ledger.LineDiscount, ledger.CategoryAdjustment
	case "Purchase":
		c.Category = ledger.CategoryPurchase
		switch {
		case c.CommitmentID != "":
			c.Kind = ledger.LineCommitmentFee
		case support:
			c.Kind = ledger.LineInvoice
		default:
			c.Kind = ledger.LineOther
		}
	case "Usage":
		c.Category = ledger.CategoryUsage
		switch {
		case b.committed(r) == "Unused" || b.text(r, colReservationStatus) == "Unused":
			c.Kind = ledger.LineCommitmentFee
		case support:
			c.Kind = ledger.LineInvoice
		case negative(c) && (c.UsageAmount == nil || c.UsageAmount.IsZero() || c.Class == correction &&
			c.UsageAmount.Sign() > 0):
			c.Kind = ledger.LineDiscount // of money only: it takes no time back
		case b.committed(r) == "Used":
			c.Kind = ledger.LineCoveredUsage
		default:
			c.Kind = ledger.LineUsage
		}
	default:
		c.Kind, c.Category = ledger.LineOther, ledger.CategoryAdjustment
		return false
	}
	return true
}

// committed is the status of a commitment, used or unused; "" if the row has none.
func (b *binding) committed(r table.Row) string {
	if status := b.text(r, colCommitmentStatus); status != "" {
		return status
	}
	status, _ := strings.CutSuffix(b.text(r, colSubcategory), " Commitment")
	return status
}

func negative(c *ledger.Charge) bool {
	for _, m := range ledger.Metrics {
		if a := c.Get(m); a != nil && a.Sign() < 0 {
			return true
		}
	}
	return false
}

// evidence turns a row that was split from a charge of the file into evidence.
func (b *binding) evidence(r table.Row, c *ledger.Charge) {
	c.Split = &ledger.SplitCost{Parent: c.InstanceID,
		Pod:      b.words.Intern(bill.First(b.text(r, colAllocatedName), b.text(r, colAllocatedResource))),
		Resource: b.words.Intern(b.text(r, colAllocatedMethod)), Used: c.Effective}
	c.Kind, c.InstanceHours, c.InstanceSeconds = ledger.LineSplit, false, nil
	for _, m := range ledger.Metrics {
		if c.Get(m) != nil {
			c.Set(m, &money.Amount{})
		}
	}
}

func (b *binding) pairs(r table.Row, col column) ([]table.Pair, *table.CellError) {
	if !b.has(col) {
		return nil, nil
	}
	p, err := r.Pairs(b.at[col])
	if err != nil {
		return nil, &table.CellError{Column: col.name(), Reason: "not a map", Detail: err.Error()}
	}
	return p, nil
}
