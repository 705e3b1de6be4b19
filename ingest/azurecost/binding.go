package azurecost

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// binding reads the rows of one file. One goroutine uses it.
type binding struct {
	s        *schema
	found    found
	identity []bill.IdentityColumn
	columns  bill.Columns[column]
	words    bill.Words
	tags     bill.TagSets
	said     bill.RowDetails
	perUse   bill.PerUse
	maps     pairCache
	days     map[string]day // by text: dates repeat
}

func newBinding(s *schema, about found) *binding {
	return &binding{s: s, found: about, columns: bill.Columns[column]{At: s.at[:], Null: isNull}}
}

type day struct {
	at  period.Second
	err error
}

const dayCacheSize = 4096

// date reads a date in the file's order.
func (b *binding) date(text string) (period.Second, error) {
	if d, ok := b.days[text]; ok {
		return d.at, d.err
	}
	at, err := parseDate(text, b.found.order)
	if b.days == nil || len(b.days) >= dayCacheSize {
		b.days = map[string]day{}
	}
	b.days[strings.Clone(text)] = day{at, err}
	return at, err
}

// surveyed are the columns that the first pass reads.
var surveyed = []column{
	colBillingAccount, colProfile, colSubscription, colPeriodStart, colPeriodEnd,
	colDate, colCost, colCurrency, colPricingCurrency, colExchangeRate,
	colListCost, colListPrice, colUnitPrice, colQuantity, colChargeType,
	colPricingModel, colReservation, colBenefit, colConsumedService,
	colResource, colInfo, colMeterCategory, colMeterSubCategory, colMeterName, colPublisherType,
}

func (b *binding) Survey() []int {
	var out []int
	for _, c := range surveyed {
		out = append(out, b.s.at[c]...)
	}
	return out
}

func (b *binding) Identity() []bill.IdentityColumn { return b.identity }
func (b *binding) Extra() []int                    { return nil }
func (b *binding) ScopeColumn() string             { return b.s.scope().Name() }

// Subject implements bill.Subject.
func (b *binding) Subject() (what, when []int) {
	for _, c := range []column{colSubscription, colResource, colMeterCategory, colMeterSubCategory, colMeterName, colUnit,
		colChargeType, colPricingModel, colReservation,
		colBenefit, colPublisherType, colTags, colInfo} {
		what = append(what, b.s.at[c]...)
	}
	return what, b.s.at[colDate]
}

// LineKey never distinguishes rows: Azure has no row id.
func (b *binding) LineKey(_ table.Row, dst []byte) ([]byte, bool) { return dst, false }
func (b *binding) Keyed() bool                                    { return false }

// carries reports whether the file is the book of a measure, if it has the columns for it.
func (b *binding) carries(m ledger.Metric) bool {
	billed := b.found.dataset != datasetAmortized
	amortized := b.found.dataset == datasetAmortized || b.found.plain
	switch m {
	case ledger.BilledCost:
		return billed
	case ledger.EffectiveCost:
		return amortized
	case ledger.ListCost:
		return amortized && (b.s.has(colListCost) || b.s.has(colListPrice) && b.s.has(colQuantity))
	case ledger.ContractedCost:
		return amortized && b.s.has(colUnitPrice) && b.s.has(colQuantity)
	}
	return false
}

func (b *binding) Carries() []ledger.Metric {
	var out []ledger.Metric
	for _, m := range ledger.Metrics {
		if b.carries(m) {
			out = append(out, m)
		}
	}
	return out
}

// Unit is the scope, billing month and dataset of a row.
func (b *binding) Unit(tr table.Row) (bill.Unit, *table.CellError) {
	r := b.row(tr)
	month, bad := r.month()
	if bad != nil {
		return bill.Unit{}, bad
	}
	return bill.Unit{Scope: r.scope(), Partition: string(month), Dataset: b.found.dataset}, nil
}

// Machine is the key of the GPU machine, or its scale set, whose time a row bills.
func (b *binding) Machine(tr table.Row) string {
	r := b.row(tr)
	facts := r.facts()
	if facts.charge != typeUsage {
		return ""
	}
	info, _ := b.maps.get(r.TextOf(colInfo))
	m := r.machine(facts.charge, info)
	if m.key == "" || !m.hours {
		return ""
	}
	if t, known := catalog.LookupAt(catalog.Azure, m.instanceType); m.instanceType != "" &&
		(known && t.Slots() == 0 || !known && !catalog.AcceleratedLooking(m.instanceType)) {
		return ""
	}
	return m.key
}

func (b *binding) Charge(tr table.Row, scope string, c *ledger.Charge) (note string, bad *table.CellError) {
	r := b.row(tr)
	month, bad := r.month()
	if bad != nil {
		return "", bad
	}
	return r.charge(scope, month, c)
}
