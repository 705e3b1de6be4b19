package awscur

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// The control totals are computed here from the text of the columns, with a separate table and
// separate arithmetic, so that a fault in the row mapping shows as a difference.

// formula computes a measure of a line type from columns: Σ plus − Σ minus. With strict, one
// missing operand makes the row's measure unknown.
type formula struct {
	plus, minus []column
	strict      bool
}

var (
	nothing       = formula{}
	unblended     = formula{plus: []column{colUnblended}}
	netUnblended  = formula{plus: []column{colNetUnblended}}
	onDemand      = formula{plus: []column{colListCost}}
	effectiveText = map[string]formula{
		"DiscountedUsage":         {plus: []column{colReservationEffective}},
		"RIFee":                   {plus: []column{colReservationUnusedUpfront, colReservationUnusedRecurring}},
		"SavingsPlanCoveredUsage": {plus: []column{colPlanEffective}},
		"SavingsPlanNegation":     nothing,
		"SavingsPlanRecurringFee": {plus: []column{colPlanTotal}, minus: []column{colPlanUsed}, strict: true},
		"SavingsPlanUpfrontFee":   nothing,
	}
	netEffectiveText = map[string]formula{
		"DiscountedUsage":         {plus: []column{colNetReservationEffective}},
		"RIFee":                   {plus: []column{colNetReservationUnusedUpfront, colNetReservationUnusedRecurring}},
		"SavingsPlanCoveredUsage": {plus: []column{colNetPlanEffective}},
	}
	contractedText = map[string]formula{
		"DiscountedUsage":         onDemand,
		"RIFee":                   nothing,
		"SavingsPlanNegation":     nothing,
		"SavingsPlanRecurringFee": nothing,
		"SavingsPlanUpfrontFee":   nothing,
	}
	netDrops = map[string]bool{
		"EdpDiscount": true, "PrivateRateDiscount": true, "BundledDiscount": true, "RiVolumeDiscount": true, "Discount": true,
	}
)

// metricFormula returns the formula of a measure for a row.
func metricFormula(m ledger.Metric, lineType string, reserved, net bool) formula {
	base := unblended
	if net {
		base = netUnblended
		if netDrops[lineType] {
			base = nothing
		}
	}
	reservedFee := lineType == "Fee" && reserved
	switch m {
	case ledger.ListCost:
		return onDemand
	case ledger.EffectiveCost:
		if reservedFee {
			return nothing
		}
		if f, ok := netEffectiveText[lineType]; ok && net {
			return f
		}
		if f, ok := effectiveText[lineType]; ok {
			return f
		}
	case ledger.ContractedCost:
		if reservedFee {
			return nothing
		}
		if f, ok := contractedText[lineType]; ok {
			return f
		}
	}
	return base
}

// formulas are those of the last line type, by ledger.Metrics.
type formulas struct {
	lineType string
	reserved bool
	known    bool
	each     [4]formula
}

func (f *formulas) of(lineType string, reserved, net bool) *[4]formula {
	if !f.known || f.lineType != lineType || f.reserved != reserved {
		f.lineType, f.reserved, f.known = strings.Clone(lineType), reserved, true
		for i, m := range ledger.Metrics {
			f.each[i] = metricFormula(m, lineType, reserved, net)
		}
	}
	return &f.each
}

// Control adds the row's text to the control totals.
func (b *binding) Control(raw table.Row, t *bill.Totals) *table.CellError {
	r := b.row(raw)
	month, bad := b.billingMonth(r)
	if bad != nil {
		return bad
	}
	t.Line(bill.TotalKey{Account: r.TextOf(colAccount), Month: month, Currency: r.TextOf(colCurrency)})
	if r.isSplit() {
		return nil // a share of another row
	}
	lineType, reserved := r.TextOf(colLineType), r.TextOf(colReservationARN) != ""
	formulas := b.formulas.of(lineType, reserved, b.s.net)
	for i, m := range ledger.Metrics {
		if c, err := add(t, m, r, &formulas[i]); err != nil {
			return &table.CellError{
				Column: c.Name(), Reason: "not a number", Detail: "\"" + table.Clip(r.TextOf(c)) + "\": " + err.Error(),
			}
		}
	}
	return nil
}

// add adds a row's text to a measure by the formula. It returns the column whose text is not a
// number.
func add(t *bill.Totals, m ledger.Metric, r row, f *formula) (column, error) {
	if f.strict {
		for _, c := range append(append([]column(nil), f.plus...), f.minus...) {
			if r.TextOf(c) == "" {
				return 0, nil
			}
		}
	}
	for _, c := range f.plus {
		if err := t.Add(m, r.TextOf(c)); err != nil {
			return c, err
		}
	}
	for _, c := range f.minus {
		if err := t.Subtract(m, r.TextOf(c)); err != nil {
			return c, err
		}
	}
	return 0, nil
}
