package gcpbilling

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// mapper turns the rows of one file into charges. One goroutine uses it.
type mapper struct {
	words   bill.Words
	records recordCache
	skus    map[[3]string]skuKind
	tagSets map[string]map[string]string
	days    dayNames
	perUse  bill.PerUse
	said    bill.RowDetails
	buf     []byte
}

const cacheSize = 1 << 14

// sku classifies a row by service and SKU.
func (m *mapper) sku(r row) skuKind {
	key := [3]string{r.TextOf(colServiceID), r.TextOf(colService), r.TextOf(colSKU)}
	if k, ok := m.skus[key]; ok {
		return k
	}
	if m.skus == nil || len(m.skus) >= cacheSize {
		m.skus = map[[3]string]skuKind{}
	}
	for i := range key {
		key[i] = strings.Clone(key[i])
	}
	k := readSKU(key[0], key[1], key[2])
	m.skus[key] = k
	return k
}

// facts are the properties of a row that decide about its charge.
type facts struct {
	sku      skuKind
	costType string
	credits  []credit
	system   []table.Record
	model    model
	project  string
	adjusted bool
	usage    bool // adjusted: it corrects usage, not only its price
}

// charge maps a row. scope is the billing account of its delivery. The caller sets the ID.
func (m *mapper) charge(r row, scope string, c *ledger.Charge) (note string, bad *table.CellError) {
	word := func(col column) string { return m.words.Intern(r.TextOf(col)) }
	f := facts{sku: m.sku(r), costType: word(colCostType), model: readModel(r.TextOf(colModelID), r.TextOf(colModel)),
		project:  word(colProject),
		adjusted: r.TextOf(colAdjustmentID) != "" || r.TextOf(colAdjustmentMode) != "" || r.TextOf(colAdjustmentType) != ""}
	list, bad := m.records.list(r, colCredits)
	if bad != nil {
		return "", bad
	}
	if f.credits, bad = readCredits(list); bad != nil {
		return "", bad
	}
	if f.system, bad = m.systemLabels(r); bad != nil {
		return "", bad
	}
	c.Provider, c.BillingAccount, c.Account = catalog.GCP, scope, f.project
	if f.project == "" {
		c.Account = scope
	}
	var notes []string
	month, derived, bad := r.month()
	if bad != nil {
		return "", bad
	}
	if derived {
		notes = append(notes, "billing period taken from the usage time: the row has no invoice.month")
	}
	c.BillingPeriod = month
	if bad = m.money(r, c, f.credits); bad != nil {
		return "", bad
	}
	if bad = m.when(r, c); bad != nil {
		return "", bad
	}
	if c.UsageAmount, bad = r.AmountOf(colUsageAmount); bad != nil {
		return "", bad
	}
	f.usage = f.adjusted && correctsUsage(c, r.TextOf(colAdjustmentMode), r.TextOf(colAdjustmentType))
	c.Currency = m.words.Intern(r.TextOf(colCurrency))
	if bad = bill.CheckCurrency(c, colCurrency.Name()); bad != nil {
		return "", bad
	}
	c.LineItemType = f.costType
	c.ServiceCode, c.ServiceName = word(colServiceID), word(colService)
	if c.ServiceName == "" && f.sku.control {
		c.ServiceName = "Kubernetes Engine"
	}
	c.UsageType, c.Description, c.Operation = word(colSKUID), word(colSKU), word(colTransaction)
	c.Marketplace = marketplace(r.TextOf(colPublisher), c.Operation, r.TextOf(colSeller))
	if c.ResourceID = word(colResource); c.ResourceID == "" {
		c.ResourceID = word(colResourceName)
	}
	if !classify(c, &f) {
		notes = append(notes, "unknown cost type "+bill.First(f.costType, "(none)"))
	}
	if f.adjusted {
		c.Class = "Correction"
	}
	m.where(r, c)
	more, bad := m.usage(r, c, &f)
	if bad != nil {
		return "", bad
	}
	notes = append(notes, more...)
	m.perUse.Mark(c, "")
	m.commitment(r, c, &f)
	if !r.s.has(colCredits) {
		notes = append(notes, "no column credits: billed is the cost before credits")
	}
	if hasCredit(f.credits, promotionCredit) {
		notes = append(notes, "promotional credit inside the billed cost")
	}
	c.Details = m.details(r, c)
	c.Tags, bad = m.tags(r, f.system)
	return strings.Join(notes, "; "), bad
}

// details are columns of FOCUS that a charge has no field for. Charges share the map. The bill prices another unit than
// it measures: gibibyte hours, and byte-seconds.
func (m *mapper) details(r row, c *ledger.Charge) map[string]string {
	priced := c.UsageAmount
	if amount, bad := r.AmountOf(colPricingAmount); bad == nil && amount != nil && r.TextOf(colPricingUnit) != "" {
		priced = amount
		c.Quantities = &ledger.Quantities{Pricing: amount, Consumed: c.UsageAmount}
		m.said.Add("PricingUnit", r.TextOf(colPricingUnit))
	}
	if r.TextOf(colResource) != "" {
		m.said.Add("ResourceName", r.TextOf(colResourceName))
	}
	if r.TextOf(colProject) != "" {
		m.said.Add("SubAccountName", r.TextOf(colProjectName))
	}
	price := r.TextOf(colPrice)
	if r.TextOf(colDefaultCost) != "" {
		price = r.TextOf(colDefaultPrice)
	}
	m.said.AddPriced(c, priced, &bill.Priced{SKU: r.TextOf(colSKUID), List: r.TextOf(colListPrice), Contracted: price})
	return m.said.Map()
}

// money applies the rules of doc.go.
func (m *mapper) money(r row, c *ledger.Charge, credits []credit) *table.CellError {
	cost, bad := r.AmountOf(colCost)
	if bad != nil {
		return bad
	}
	c.Billed = cost
	if len(credits) > 0 {
		var sum money.Amount
		if cost != nil {
			sum = *cost
		}
		for _, x := range credits {
			sum = sum.Add(x.amount)
		}
		c.Billed = r.Keep(sum)
	}
	c.Effective = c.Billed
	if c.List, bad = r.AmountOf(colListCost); bad != nil {
		return bad
	}
	if c.Contracted, bad = r.AmountOf(colDefaultCost); c.Contracted == nil {
		c.Contracted = cost
	}
	return bad
}

func (m *mapper) when(r row, c *ledger.Charge) *table.CellError {
	from, okFrom, bad := r.InstantOf(colUsageStart)
	if bad != nil {
		return bad
	}
	to, okTo, bad := r.InstantOf(colUsageEnd)
	if bad != nil {
		return bad
	}
	return bill.SetPeriod(c, bill.Moment{At: from, Known: okFrom, Column: colUsageStart.Name()},
		bill.Moment{At: to, Known: okTo, Column: colUsageEnd.Name()}, colInvoiceMonth.Name())
}

// marketplace reports whether the row bills a partner's product, by the invoice, the
// transaction or the seller's name.
func marketplace(publisher, transaction, seller string) bool {
	return strings.EqualFold(publisher, "PARTNER") || strings.HasPrefix(transaction, "THIRD_PARTY") ||
		seller != "" && !strings.Contains(strings.ToLower(seller), "google")
}

// classify decides the row's effect on the ledger and its FOCUS category. known is false for
// cost types without a rule.
func classify(c *ledger.Charge, f *facts) (known bool) {
	known = true
	switch strings.ToLower(f.costType) {
	case "tax":
		c.Kind, c.Category = ledger.LineInvoice, ledger.CategoryTax
		return known
	case "adjustment", "rounding_error", "roundoff":
		if f.usage && f.sku.part != notMachine {
			break
		}
		c.Kind, c.Category = ledger.LineDiscount, ledger.CategoryAdjustment
		if f.project == "" && c.ResourceID == "" {
			c.Kind = ledger.LineInvoice
		}
		return known
	case "", "regular":
	default:
		c.Kind, c.Category, known = ledger.LineOther, ledger.CategoryAdjustment, false
		return known
	}
	c.Category = ledger.CategoryUsage
	switch {
	case f.sku.fee:
		c.Kind, c.Category = ledger.LinePrepaid, ledger.CategoryPurchase
		if hasCredit(f.credits, feeOffset) {
			c.Kind = ledger.LineCommitmentFee // the used part was deducted
		}
	case f.sku.support:
		c.Kind = ledger.LineInvoice
	case f.adjusted && !f.usage:
		c.Kind = ledger.LineDiscount
	case strings.EqualFold(labelOf(f.system, labelUnused), "true"):
		c.Kind = ledger.LineCommitmentFee
	case f.model == committed || hasCredit(f.credits, resourceCredit) || hasCredit(f.credits, spendCredit):
		c.Kind = ledger.LineCoveredUsage
	default:
		c.Kind = ledger.LineUsage
	}
	return known
}

// correctsUsage reports whether an adjusted row takes usage back or bills it again. A price
// correction may repeat the quantity with a cost of the opposite sign.
func correctsUsage(c *ledger.Charge, mode, kind string) bool {
	switch strings.ToUpper(mode) {
	case "COMPLETE_NEGATION", "COMPLETE_NEGATION_WITH_REMONETIZATION":
	default:
		if !strings.EqualFold(kind, "USAGE_CORRECTION") {
			return false
		}
	}
	return c.UsageAmount != nil && !c.UsageAmount.IsZero() &&
		(c.UsageAmount.Sign() < 0 || c.Billed == nil || c.Billed.Sign() >= 0)
}

func hasCredit(credits []credit, kind creditKind) bool {
	for i := range credits {
		if credits[i].kind == kind && !credits[i].amount.IsZero() {
			return true
		}
	}
	return false
}

// model is how a row was priced.
type model byte

const (
	usualModel model = iota
	spotModel
	committed // under a commitment: the cost includes the discount
)

// readModel uses the id and description of consumption_model; the default model has the id
// 7754-699E-0EBF.
func readModel(id, description string) model {
	both := strings.ToUpper(id + " " + description)
	switch {
	case id == "" && description == "", id == "7754-699E-0EBF", description == "Default":
		return usualModel
	case strings.Contains(both, "SPOT"), strings.Contains(both, "PREEMPTIBLE"):
		return spotModel
	case strings.Contains(both,
		"PAY AS YOU GO"), strings.Contains(both, "PAY_AS_YOU_GO"), strings.Contains(both, "FLEX-START"):
		return usualModel
	}
	return committed
}

// commitment sets the row's commitment.
func (m *mapper) commitment(r row, c *ledger.Charge, f *facts) {
	c.CommitmentID = m.words.Intern(r.TextOf(colSubscription))
	if c.Kind != ledger.LineUsage && c.Kind != ledger.LineCoveredUsage {
		return
	}
	var off money.Amount
	for _, x := range f.credits {
		if x.kind != resourceCredit && x.kind != spendCredit {
			continue
		}
		off = off.Sub(x.amount)
		if c.CommitmentID == "" {
			c.CommitmentID = m.words.Intern(x.id)
		}
	}
	if off.Sign() > 0 {
		c.CommitmentCredit = r.Keep(off)
	}
}
