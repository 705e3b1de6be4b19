package awscur

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// noCurrency is ISO 4217's code for "no currency": rows without any money.
const noCurrency = "XXX"

// mapper turns the rows of one file into charges. It is used by one goroutine.
type mapper struct {
	file  string
	s     *schema
	words interner
	tags  map[string]map[string]string // by canonical pairs
	buf   []byte
}

func newMapper(file string, s *schema) *mapper {
	return &mapper{file: file, s: s, tags: map[string]map[string]string{}}
}

// charge maps a row. payer is the account of the row's delivery; month its
// billing period. unknownType reports a line-item type without a rule. The ID
// is left to the caller.
func (m *mapper) charge(r row, payer string, month period.Month, c *ledger.Charge) (unknownType bool, bad *cellError) {
	word := func(col column) string { return m.words.intern(r.text(col)) }
	t := lineType(word(colLineType))
	productCode := word(colProductCode)
	reservation := word(colReservationARN)
	c.Line, c.SourceFile, c.Provider = r.line(), m.file, "aws"
	c.BillingAccount, c.BillingPeriod = payer, month
	if c.Account = word(colAccount); c.Account == "" {
		c.Account = payer
	}
	var known bool
	c.Kind, c.Category, known = classify(t, productCode, reservation != "")
	if t == typeRefund || word(colBillType) == "Refund" {
		c.Class = "Correction"
	}
	if c.Costs, bad = r.costs(t, reservation != ""); bad != nil {
		return !known, bad
	}
	if bad = m.when(r, c); bad != nil {
		return !known, bad
	}
	if c.Currency, bad = m.currency(r, c); bad != nil {
		return !known, bad
	}
	c.LineItemType = string(t)
	c.ServiceCode, c.UsageType, c.Operation = productCode, word(colUsageType), word(colOperation)
	c.ResourceID, c.Description, c.Zone = word(colResource), word(colDescription), word(colZone)
	if c.CommitmentID = reservation; c.CommitmentID == "" {
		c.CommitmentID = word(colPlanARN)
	}
	product, bad := r.pairsOf(colProduct)
	if bad != nil {
		return !known, bad
	}
	m.where(r, c, product)
	if bad = m.usage(r, c, t, product); bad != nil {
		return !known, bad
	}
	c.Tags, bad = m.rowTags(r)
	return !known, bad
}

func (m *mapper) when(r row, c *ledger.Charge) *cellError {
	from, okFrom, bad := r.instantOf(colUsageStart)
	if bad != nil {
		return bad
	}
	to, okTo, bad := r.instantOf(colUsageEnd)
	if bad != nil {
		return bad
	}
	if !okFrom || !okTo {
		if carriesMoney(&c.Costs) {
			missing := colUsageStart
			if okFrom {
				missing = colUsageEnd
			}
			return &cellError{missing.name(), "missing value", "a row with money needs its usage period"}
		}
		all, err := c.BillingPeriod.Interval()
		if err != nil {
			return &cellError{colPeriodStart.name(), "not a date", err.Error()}
		}
		c.Period = all
		return nil
	}
	if to < from {
		return &cellError{colUsageEnd.name(), "end before start", to.String() + " lies before " + from.String()}
	}
	c.Period = period.Interval{From: from, To: to}
	return nil
}

func carriesMoney(c *ledger.Costs) bool {
	for _, metric := range ledger.Metrics {
		if a := c.Get(metric); a != nil && !a.IsZero() {
			return true
		}
	}
	return false
}

func (m *mapper) currency(r row, c *ledger.Charge) (string, *cellError) {
	code := m.words.intern(r.text(colCurrency))
	if code == "" {
		if carriesMoney(&c.Costs) {
			return "", &cellError{colCurrency.name(), "missing value", "a row with money needs its currency"}
		}
		return noCurrency, nil
	}
	if !currencyCode(code) {
		return "", &cellError{colCurrency.name(), "unknown unit", "\"" + clip(code) + "\" is no ISO 4217 currency code"}
	}
	return code, nil
}

func currencyCode(s string) bool {
	return len(s) == 3 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func (m *mapper) where(r row, c *ledger.Charge, product []pair) {
	if c.Region = m.words.intern(r.text(colRegion)); c.Region == "" {
		if c.Region = m.words.intern(lookup(product, "region")); c.Region == "" && zoneName(c.Zone) {
			c.Region = m.words.intern(c.Zone[:len(c.Zone)-1])
		}
	}
	for _, name := range []string{lookup(product, "product_name"), r.text(colProductName), r.text(colServiceCode), c.ServiceCode} {
		if name != "" {
			c.ServiceName = m.words.intern(name)
			break
		}
	}
}

// zoneName reports whether s looks like us-east-1a.
func zoneName(s string) bool {
	n := len(s)
	return n > 3 && s[n-1] >= 'a' && s[n-1] <= 'z' && s[n-2] >= '0' && s[n-2] <= '9' && strings.Count(s, "-") >= 2
}

func lookup(pairs []pair, key string) string {
	for _, p := range pairs {
		if p.key == key {
			return p.value
		}
	}
	return ""
}

// usage fills what the line says of use: amount, unit, instance type, price
// class, and whether it bills instance time.
func (m *mapper) usage(r row, c *ledger.Charge, t lineType, product []pair) *cellError {
	amount, bad := r.amount(colUsageAmount)
	if bad != nil {
		return bad
	}
	c.UsageAmount, c.UsageUnit = amount, m.words.intern(r.text(colUnit))
	kind := readUsageType(c.UsageType)
	switch c.Kind {
	case ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineDiscount:
		// Time inside an allocated capacity reservation is billed on another line.
		c.InstanceHours = kind.instanceHours && lookup(product, "capacitystatus") != "AllocatedCapacityReservation"
	}
	if c.InstanceType = m.words.intern(r.text(colInstanceType)); c.InstanceType == "" {
		if c.InstanceType = m.words.intern(lookup(product, "instance_type")); c.InstanceType == "" {
			c.InstanceType = m.words.intern(kind.instanceType)
		}
	}
	c.PriceClass = priceClass(t, kind, r.text(colTerm))
	if c.InstanceHours && c.Kind != ledger.LineDiscount && amount != nil && !amount.IsZero() {
		switch c.UsageUnit {
		case "", "Hrs", "Hours", "hours", "hrs", "Hour", "hour":
		default:
			return &cellError{colUnit.name(), "unknown unit", "instance time is expected in hours (Hrs), not \"" + clip(c.UsageUnit) + "\""}
		}
	}
	return instanceTime(c, amount)
}

// instanceTime ties the line to its machine and says how long it bills it;
// lines that modify others repeat the amount of those and bill no time.
func instanceTime(c *ledger.Charge, hours *money.Amount) *cellError {
	c.InstanceID, c.InstanceSeconds = ledger.AWSInstanceKey(c.ResourceID), nil
	if !c.InstanceHours || c.Kind == ledger.LineDiscount || hours == nil || hours.Sign() < 0 {
		return nil
	}
	seconds, ok := ledger.InstanceSeconds(*hours)
	if !ok {
		return &cellError{colUsageAmount.name(), "out of range", "at most 305419896 instance-hours are possible on one line"}
	}
	c.InstanceSeconds = &seconds
	return nil
}

func priceClass(t lineType, kind usageKind, term string) ledger.PriceClass {
	switch {
	case kind.spot || term == "Spot":
		return ledger.Spot
	case t == typeRIUsage:
		return ledger.Reserved
	case t == typePlanUsage || t == typePlanNegation:
		return ledger.SavingsPlan
	case t == typeUsage && kind.instanceHours:
		return ledger.OnDemand
	}
	return ledger.UnknownRate
}

// rowTags merges the tag map and tags that were selected as columns. The map
// is shared between charges and must not be written to.
func (m *mapper) rowTags(r row) (map[string]string, *cellError) {
	pairs, bad := r.pairsOf(colResourceTags)
	if bad != nil {
		return nil, bad
	}
	more, bad := r.pairsOf(colTags)
	if bad != nil {
		return nil, bad
	}
	if len(more) > 0 {
		pairs = append(append([]pair(nil), more...), pairs...) // resource_tags win
	}
	if len(m.s.tags) > 0 {
		own := append([]pair(nil), pairs...)
		for _, t := range m.s.tags {
			if v := r.raw(t.pos); v != "" {
				own = append(own, pair{t.key, v})
			}
		}
		pairs = own
	}
	if len(pairs) == 0 {
		return nil, nil
	}
	m.buf = appendPairs(m.buf[:0], pairs)
	if tags, ok := m.tags[string(m.buf)]; ok {
		return tags, nil
	}
	tags := make(map[string]string, len(pairs))
	for _, p := range pairs {
		if p.value != "" {
			tags[strings.Clone(p.key)] = strings.Clone(p.value)
		}
	}
	if len(m.tags) >= mapCacheSize {
		m.tags = map[string]map[string]string{}
	}
	m.tags[string(m.buf)] = tags
	return tags, nil
}

// interner keeps one copy of words that repeat, so that a charge does not hold
// on to the text of its whole row or batch.
type interner struct{ known map[string]string }

const internerSize = 1 << 16

func (in *interner) intern(s string) string {
	if s == "" {
		return ""
	}
	if w, ok := in.known[s]; ok {
		return w
	}
	if in.known == nil || len(in.known) >= internerSize {
		in.known = make(map[string]string, 1024)
	}
	w := strings.Clone(s)
	in.known[w] = w
	return w
}
