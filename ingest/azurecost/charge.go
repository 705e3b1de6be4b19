package azurecost

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// kubernetes is the service of AKS control planes, whatever its name in a localised file (rule
// 8.9).
const kubernetes = "Azure Kubernetes Service"

// charge maps a row. The caller sets the ID. note reports an omission or an assumption.
func (r row) charge(scope string, month period.Month, c *ledger.Charge) (note string, bad *table.CellError) {
	b := r.b
	word := func(col column) string { return b.words.Intern(r.TextOf(col)) }
	noted := func(text string) {
		if note == "" {
			note = text
		}
	}
	facts := r.facts()
	var known bool
	c.Provider, c.BillingAccount, c.BillingPeriod = "azure", scope, month
	if c.Account = b.words.Intern(r.account()); c.Account == "" {
		c.Account = scope
	}
	c.LineItemType = word(colChargeType)
	if c.Kind, c.Category, known = facts.classify(); !known {
		noted("unknown charge type " + c.LineItemType)
	}
	if facts.charge == typeRefund {
		c.Class = "Correction"
	}
	if c.Costs, bad = r.costs(&facts); bad != nil {
		return note, bad
	}
	if bad = r.when(c); bad != nil {
		return note, bad
	}
	if c.Currency, bad = r.checkedCurrency(c, noted); bad != nil {
		return note, bad
	}
	c.CommitmentID, c.Marketplace = b.words.Intern(facts.commitment), r.marketplace()
	r.where(c)
	info, ok := b.maps.get(r.TextOf(colInfo))
	if !ok {
		noted(colInfo.Name() + " that is neither JSON nor the inside of a JSON object")
	}
	if bad = r.use(c, &facts, info, noted); bad != nil {
		return note, bad
	}
	b.perUse.Mark(c, "")
	tags, ok := b.maps.get(r.TextOf(colTags))
	if !ok {
		noted(colTags.Name() + " that are neither JSON nor the inside of a JSON object")
	}
	c.Tags, c.Details = b.tags.Map(tags), b.details(r, c, info)
	if b.found.dataset == datasetActual && (facts.charge == typeUnusedReservation || facts.charge == typeUnusedPlan) {
		noted("an unused commitment in a file named ActualCost")
	}
	if b.found.dataset == datasetPlain {
		noted("rows of a file that does not say whether it is ActualCost or AmortizedCost and has no commitments: read " +
			"as both")
	}
	return note, nil
}

// costs applies the money rules of doc.go.
func (r row) costs(facts *lineFacts) (c ledger.Costs, bad *table.CellError) {
	cost, bad := r.AmountOf(colCost)
	if bad != nil {
		return c, bad
	}
	if r.b.carries(ledger.BilledCost) {
		c.Billed = cost
	}
	if r.b.carries(ledger.EffectiveCost) {
		c.Effective = cost
	}
	list, contracted := r.b.carries(ledger.ListCost), r.b.carries(ledger.ContractedCost)
	if !list && !contracted {
		return c, nil
	}
	unit, bad := r.AmountOf(colUnitPrice)
	if bad != nil {
		return c, bad
	}
	if list {
		if c.List, bad = r.list(unit); bad != nil {
			return c, bad
		}
	}
	switch {
	case contracted && facts.commitmentFee():
		c.Contracted = &money.Amount{}
	case contracted:
		c.Contracted, bad = r.times(colUnitPrice, unit)
	}
	return c, bad
}

// list is the public price: as computed in the file, else price times quantity. A public price
// of 0 next to an agreed price is unknown: files have it on covered use.
func (r row) list(unit *money.Amount) (*money.Amount, *table.CellError) {
	if done, bad := r.AmountOf(colListCost); bad != nil || done != nil {
		return done, bad
	}
	price, bad := r.AmountOf(colListPrice)
	if bad != nil || price == nil || price.IsZero() && unit != nil && unit.Sign() > 0 {
		return nil, bad
	}
	return r.times(colListPrice, price)
}

// times multiplies a price by the quantity, and by the exchange rate if prices are in another
// currency than the bill; nil if a factor is unknown.
func (r row) times(col column, price *money.Amount) (*money.Amount, *table.CellError) {
	if price == nil {
		return nil, nil
	}
	quantity, bad := r.AmountOf(colQuantity)
	if bad != nil || quantity == nil {
		return nil, bad
	}
	rate, bad := r.AmountOf(colExchangeRate)
	if bad != nil {
		return nil, bad
	}
	out, ok := product(*price, *quantity)
	switch pricing := r.TextOf(colPricingCurrency); {
	case rate != nil && ok:
		out, ok = product(out, *rate)
	case pricing != "" && !strings.EqualFold(pricing, r.currency()):
		return nil, nil
	}
	if !ok {
		return nil, &table.CellError{
			Column: col.Name(), Reason: "out of range", Detail: "price × quantity has more than a hundred decimals",
		}
	}
	return r.Keep(out), nil
}

// when is the day of the row; Azure bills by the day at the finest.
func (r row) when(c *ledger.Charge) *table.CellError {
	day, ok, bad := r.date(colDate)
	switch {
	case bad != nil:
		return bad
	case ok:
		c.Period = period.Interval{From: day, To: day + period.Day}
		return r.checkTimes(c)
	case c.CarriesMoney():
		return &table.CellError{Column: colDate.Name(), Reason: "missing value", Detail: "a row with money needs its date"}
	}
	all, err := c.BillingPeriod.Interval()
	if err != nil {
		return &table.CellError{Column: colPeriodStart.Name(), Reason: "not a date", Detail: err.Error()}
	}
	c.Period = all
	return nil
}

// checkTimes refuses implausible billing periods, and days far from them.
func (r row) checkTimes(c *ledger.Charge) *table.CellError {
	var at [2]bill.Moment
	for i, col := range []column{colPeriodStart, colPeriodEnd} {
		day, ok, bad := r.date(col)
		if bad != nil {
			return bad
		}
		at[i] = bill.Moment{At: day, Known: ok, Column: col.Name()}
	}
	if bad := bill.CheckBillingPeriod(at[0], at[1]); bad != nil {
		return bad
	}
	return bill.CheckDay(c, colDate.Name(), colPeriodStart.Name())
}

// checkedCurrency is the billing currency. Codes of other than three letters occur in real
// files and stay separate currencies.
func (r row) checkedCurrency(c *ledger.Charge, noted func(string)) (string, *table.CellError) {
	code := r.b.words.Intern(r.currency())
	switch {
	case code == "" && c.CarriesMoney():
		return "", &table.CellError{
			Column: colCurrency.Name(), Reason: "missing value",
			Detail: "a row with money needs its currency; if the file has none, give it with --bill-currency",
		}
	case code == "":
		return bill.NoCurrency, nil
	case ledger.CurrencyCode(code):
		return code, nil
	case len(code) < 2 || len(code) > 10 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
		return "", &table.CellError{
			Column: colCurrency.Name(), Reason: "unknown unit", Detail: "\"" + table.Clip(code) + "\" is not a currency code",
		}
	}
	noted("currency " + code + ", which is not an ISO 4217 code")
	return code, nil
}

func (r row) where(c *ledger.Charge) {
	b := r.b
	c.Region = b.words.Intern(region(r.TextOf(colLocation)))
	c.Zone = b.words.Intern(zone(c.Region, r.TextOf(colZone)))
	c.ResourceID = b.words.Intern(r.resource())
	c.ServiceCode = b.words.Intern(strings.ToLower(r.TextOf(colConsumedService)))
	c.ServiceName = b.words.Intern(bill.First(r.TextOf(colMeterCategory), r.TextOf(colServiceName),
		r.TextOf(colConsumedService)))
	if c.ServiceCode == "microsoft.containerservice" &&
		strings.Contains(strings.ToLower(c.ResourceID), "/managedclusters/") {
		c.ServiceName = kubernetes
	}
	c.UsageType = b.words.Intern(r.TextOf(colMeterName))
	c.Operation = b.words.Intern(r.TextOf(colMeterSubCategory))
	c.Description = b.words.Intern(r.TextOf(colProduct))
}

// use sets the charge's usage and machine.
func (r row) use(c *ledger.Charge, facts *lineFacts, info []table.Pair, noted func(string)) (bad *table.CellError) {
	if c.UsageAmount, bad = r.AmountOf(colQuantity); bad != nil {
		return bad
	}
	b := r.b
	c.UsageUnit = b.words.Intern(r.TextOf(colUnit))
	charge := facts.charge
	back := charge == typeRefund && c.Kind == ledger.LineDiscount && c.UsageAmount != nil && c.UsageAmount.Sign() < 0
	if back {
		charge = typeUsage // it may take back a machine's time, not only money
	}
	m := r.machine(charge, info)
	if back && m.hours && m.key != "" {
		c.Kind = ledger.LineUsage
	} else if back {
		m = r.machine(facts.charge, info)
	}
	c.InstanceID, c.InstanceType = b.words.Intern(m.key), b.words.Intern(m.instanceType)
	c.InstanceHours, c.BillsGPU = m.hours, m.managed
	c.PriceClass = facts.class(m.spot, m.hours)
	c.InstanceSeconds = nil
	if m.unused {
		// No machine ran: the cost of these hours is unused (rule 8.7).
		c.Kind, c.PriceClass = ledger.LineCommitmentFee, ledger.UnknownRate
		c.CommitmentID = bill.First(c.CommitmentID, b.words.Intern(m.reservation))
	}
	if !m.hours {
		return nil
	}
	seconds, known, bad := r.instanceSeconds(c.UsageAmount, c.UsageUnit)
	if !known {
		noted("machine time in \"" + table.Clip(c.UsageUnit) + "\", which is not a unit of time")
	}
	c.InstanceSeconds = seconds
	return bad
}

// detailed are the columns that leave as columns of FOCUS, in the order of those.
var detailed = []struct {
	column
	name string
}{{colAccountName, "BillingAccountName"}, {colCommitmentName, "CommitmentDiscountName"}, {colInvoice, "InvoiceId"},
	{colPublisherName, "PublisherName"}, {colResourceName, "ResourceName"}, {colSubscriptionName, "SubAccountName"}}

// details are columns of FOCUS that a charge has no field for. Charges share the map.
func (b *binding) details(r row, c *ledger.Charge, info []table.Pair) map[string]string {
	for _, d := range detailed {
		b.said.Add(d.name, r.TextOf(d.column))
	}
	b.inPricingCurrency(r, c)
	b.said.AddPriced(c, c.UsageAmount, &bill.Priced{
		SKU: r.TextOf(colMeterID), Meter: r.TextOf(colMeterName), SKUPrice: r.TextOf(colPartNumber),
		Details: bill.PriceDetails(map[string]string{"InstanceType": look(info, "ServiceType")},
			map[string]string{"CoreCount": look(info, "VCPUs")}),
		List: r.TextOf(colListPrice), Contracted: r.TextOf(colUnitPrice),
	})
	return b.said.Map()
}

// inPricingCurrency adds the prices and the cost that the row states in another currency than the bill's.
func (b *binding) inPricingCurrency(r row, c *ledger.Charge) {
	currency := r.TextOf(colPricingCurrency)
	if strings.EqualFold(currency, c.Currency) || !ledger.CurrencyCode(currency) || c.Effective == nil {
		return
	}
	cost, bad := r.AmountOf(colPricingCost)
	if bad != nil || cost == nil {
		return
	}
	c.Quantities = &ledger.Quantities{Pricing: c.UsageAmount, Consumed: c.UsageAmount, PricingCurrencyCost: cost}
	b.said.Add("PricingCurrency", currency)
	for _, price := range []struct {
		column
		name string
	}{{colUnitPrice, "PricingCurrencyContractedUnitPrice"}, {colListPrice, "PricingCurrencyListUnitPrice"}} {
		if p, bad := r.AmountOf(price.column); bad == nil && p != nil && p.Sign() > 0 {
			b.said.Add(price.name, p.String())
		}
	}
}
