package awscur

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// mapper turns the rows of one file into charges. One goroutine uses it.
type mapper struct {
	s       *schema
	words   bill.Words
	tags    bill.TagSets
	said    bill.RowDetails
	lines   lines
	perUse  bill.PerUse
	seconds []int64 // memory for instance seconds, freed together
}

// charge maps a row. payer is the account of the row's delivery; month its billing period.
// unknownType reports a line-item type without a rule. The caller sets the ID.
func (m *mapper) charge(
	r row, payer string, month period.Month, c *ledger.Charge,
) (unknownType bool, bad *table.CellError) {
	l, bad := m.line(r)
	if bad != nil {
		return false, bad
	}
	file, number := c.SourceFile, c.Line
	*c = l.charge
	c.SourceFile, c.Line = file, number
	c.BillingAccount, c.BillingPeriod = payer, month
	if c.Account = m.word(r, colAccount); c.Account == "" {
		c.Account = payer
	}
	if c.Costs, bad = r.costs(l.kind, l.reserved); bad != nil {
		return false, bad
	}
	if bad = m.when(r, c); bad != nil {
		return false, bad
	}
	if bad = bill.CheckCurrency(c, colCurrency.Name()); bad != nil {
		return false, bad
	}
	c.ResourceID, c.Description = m.word(r, colResource), m.word(r, colDescription)
	if bad = m.usage(r, c); bad != nil {
		return false, bad
	}
	if bad = m.split(r, c); bad != nil {
		return false, bad
	}
	c.Details = m.details(r, l, c)
	c.Tags, bad = m.rowTags(r)
	return !l.known, bad
}

// detailed are the columns that leave as columns of FOCUS, in the order of those.
var detailed = []struct {
	column
	name string
}{{colPayerName, "BillingAccountName"}, {colInvoice, "InvoiceId"}, {colInvoicingEntity, "InvoiceIssuerName"},
	{colAccountName, "SubAccountName"}}

// details are columns of FOCUS that a charge has no field for. Charges share the map.
func (m *mapper) details(r row, l *line, c *ledger.Charge) map[string]string {
	for _, d := range detailed {
		m.said.Add(d.name, r.TextOf(d.column))
	}
	m.said.AddPriced(c, c.UsageAmount, &bill.Priced{
		SKU: r.TextOf(colSKU), SKUPrice: r.TextOf(colPriceID), Details: l.price,
		List: r.TextOf(colListRate), Contracted: r.TextOf(pick(m.s.net, colNetRate, colRate)),
	})
	return m.said.Map()
}

// priceDetails are the properties that a row states of its product.
func priceDetails(r row, product []table.Pair) string {
	return bill.PriceDetails(map[string]string{
		"InstanceType":    bill.First(r.TextOf(colInstanceType), lookup(product, "instance_type")),
		"OperatingSystem": lookup(product, "operating_system"),
	}, map[string]string{"CoreCount": lookup(product, "vcpu"), "GpuCount": lookup(product, "gpu")})
}

// word is the text of c, as a copy that charges share.
func (m *mapper) word(r row, c column) string {
	for _, pos := range m.s.at[c] {
		if t := m.words.Of(r.Row, pos); t != "" {
			return t
		}
	}
	return ""
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
	begin, okBegin, bad := r.InstantOf(colPeriodStart)
	if bad != nil {
		return bad
	}
	end, okEnd, bad := r.InstantOf(colPeriodEnd)
	if bad != nil {
		return bad
	}
	if bad := bill.CheckBillingPeriod(bill.Moment{At: begin, Known: okBegin, Column: colPeriodStart.Name()},
		bill.Moment{At: end, Known: okEnd, Column: colPeriodEnd.Name()}); bad != nil {
		return bad
	}
	return bill.SetPeriod(c, bill.Moment{At: from, Known: okFrom, Column: colUsageStart.Name()},
		bill.Moment{At: to, Known: okTo, Column: colUsageEnd.Name()}, colPeriodStart.Name())
}

func (m *mapper) where(r row, c *ledger.Charge, product []table.Pair) {
	if c.Region = m.word(r, colRegion); c.Region == "" {
		if c.Region = m.words.Intern(lookup(product, "region")); c.Region == "" && zoneName(c.Zone) {
			c.Region = m.words.Intern(c.Zone[:len(c.Zone)-1])
		}
	}
	c.ServiceName = m.words.Intern(lookup(product, "product_name"))
	for _, col := range []column{colProductName, colServiceCode} {
		if c.ServiceName == "" {
			c.ServiceName = m.word(r, col)
		}
	}
	if c.ServiceName == "" {
		c.ServiceName = c.ServiceCode
	}
}

// zoneName reports whether s looks like us-east-1a.
func zoneName(s string) bool {
	n := len(s)
	return n > 3 && s[n-1] >= 'a' && s[n-1] <= 'z' && s[n-2] >= '0' && s[n-2] <= '9' && strings.Count(s, "-") >= 2
}

func lookup(pairs []table.Pair, key string) string {
	for _, p := range pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// usage sets the charge's usage: amount and instance time.
func (m *mapper) usage(r row, c *ledger.Charge) *table.CellError {
	amount, bad := r.AmountOf(colUsageAmount)
	if bad != nil {
		return bad
	}
	c.UsageAmount = amount
	m.machine(c)
	if (c.InstanceHours && c.Kind != ledger.LineDiscount && c.Kind != ledger.LineInvoice ||
		c.Kind == ledger.LinePrepaid) && amount != nil && !amount.IsZero() {
		switch c.UsageUnit {
		case "", "Hrs", "Hours", "hours", "hrs", "Hour", "hour":
		default:
			return &table.CellError{
				Column: colUnit.Name(), Reason: "unknown unit",
				Detail: "instance time is expected in hours (Hrs), not \"" + table.Clip(c.UsageUnit) + "\"",
			}
		}
	}
	return m.instanceTime(c, amount)
}

// instanceTime links the line to its machine and sets the billed time; lines that modify others
// repeat their amount and bill no time.
func (m *mapper) instanceTime(c *ledger.Charge, hours *money.Amount) *table.CellError {
	c.InstanceSeconds = nil
	if c.Kind != ledger.LinePrepaid &&
		(!c.InstanceHours || c.Kind == ledger.LineDiscount || c.Kind == ledger.LineInvoice) || hours == nil ||
		c.Kind == ledger.LinePrepaid && hours.Sign() < 0 || ledger.ManagedMachine(c) {
		return nil
	}
	seconds, ok := ledger.InstanceSeconds(*hours)
	if !ok {
		return &table.CellError{
			Column: colUsageAmount.Name(), Reason: "out of range",
			Detail: "at most 305419896 instance-hours are possible on one line",
		}
	}
	if len(m.seconds) == 0 {
		m.seconds = make([]int64, 512)
	}
	c.InstanceSeconds, m.seconds = &m.seconds[0], m.seconds[1:]
	*c.InstanceSeconds = seconds
	return nil
}

func priceClass(t lineType, kind usageKind, term string) ledger.PriceClass {
	switch {
	case kind.spot || term == "Spot":
		return ledger.Spot
	case kind.block:
		return ledger.Reserved
	case t == typeRIUsage:
		return ledger.Reserved
	case t == typePlanUsage || t == typePlanNegation:
		return ledger.SavingsPlan
	case t == typeUsage && kind.instanceHours && !kind.managing:
		return ledger.OnDemand
	}
	return ledger.UnknownRate
}

// rowTags merges the tag map and tags in separate columns. Charges share the map, so it must
// not be written to.
func (m *mapper) rowTags(r row) (map[string]string, *table.CellError) {
	if at := m.s.at[colResourceTags]; len(at) == 1 && !m.s.has(colTags) && len(m.s.tags) == 0 {
		tags, err := m.tags.Of(r.Row, at[0])
		if err != nil {
			return nil, &table.CellError{Column: colResourceTags.Name(), Reason: "not a map", Detail: err.Error()}
		}
		return tags, nil
	}
	pairs, bad := r.PairsOf(colResourceTags)
	if bad != nil {
		return nil, bad
	}
	more, bad := r.PairsOf(colTags)
	if bad != nil {
		return nil, bad
	}
	if len(more) > 0 {
		pairs = append(append([]table.Pair(nil), more...), pairs...) // resource_tags win
	}
	if len(m.s.tags) > 0 {
		own := append([]table.Pair(nil), pairs...)
		for _, t := range m.s.tags {
			if v := r.Raw(t.pos); v != "" {
				own = append(own, table.Pair{Key: t.key, Value: v})
			}
		}
		pairs = own
	}
	return m.tags.Map(pairs), nil
}
