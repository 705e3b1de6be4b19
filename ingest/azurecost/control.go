package azurecost

import (
	"errors"
	"math/big"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// The control totals are computed here from the text of the columns, with
// arithmetic of their own, so that a fault in the row mapping shows as a
// difference.

// Control adds the row's text to the control totals.
func (b *binding) Control(tr table.Row, t *bill.Totals) *table.CellError {
	r := row{tr, b}
	month, bad := r.month()
	if bad != nil {
		return bad
	}
	t.Line(bill.TotalKey{Account: r.account(), Month: month, Currency: r.currency()})
	cost := r.text(colCost)
	for _, m := range [2]ledger.Metric{ledger.BilledCost, ledger.EffectiveCost} {
		if b.carries(m) {
			if err := t.Add(m, cost); err != nil {
				return notANumber(colCost, cost, err)
			}
		}
	}
	if b.carries(ledger.ListCost) {
		if bad := r.controlList(t); bad != nil {
			return bad
		}
	}
	if b.carries(ledger.ContractedCost) && !feeText(r) {
		sum, bad := r.multiplied(colUnitPrice)
		if bad != nil {
			return bad
		}
		if sum != nil {
			t.AddRat(ledger.ContractedCost, sum)
		}
	}
	return nil
}

// feeText tells rows of commitments, whose use is priced on other rows, by
// their words alone.
func feeText(r row) bool {
	switch squash(r.text(colChargeType)) {
	case "unusedreservation", "unusedsavingsplan":
		return true
	case "purchase", "refund":
		switch strings.ToLower(r.text(colConsumedService)) {
		case "microsoft.capacity", "microsoft.billingbenefits":
			return true
		}
		switch squash(r.text(colPricingModel)) {
		case "reservation", "savingsplan":
			return true
		case "":
			return r.text(colBenefit) != "" || r.text(colReservation) != ""
		}
	}
	return false
}

func (r row) controlList(t *bill.Totals) *table.CellError {
	if done := r.text(colListCost); done != "" {
		if err := t.Add(ledger.ListCost, done); err != nil {
			return notANumber(colListCost, done, err)
		}
		return nil
	}
	sum, bad := r.multiplied(colListPrice) // a price of 0 adds nothing, known or not
	if bad == nil && sum != nil {
		t.AddRat(ledger.ListCost, sum)
	}
	return bad
}

// multiplied is price × quantity × exchange rate, nil where one is missing.
func (r row) multiplied(price column) (*big.Rat, *table.CellError) {
	var out *big.Rat
	for _, c := range [3]column{price, colQuantity, colExchangeRate} {
		text := r.text(c)
		if text == "" {
			if c != colExchangeRate {
				return nil, nil
			}
			if pricing := r.text(colPricingCurrency); pricing != "" && !strings.EqualFold(pricing, r.text(colCurrency)) {
				return nil, nil
			}
			continue
		}
		f, err := exact(text)
		if err != nil {
			return nil, notANumber(c, text, err)
		}
		if out == nil {
			out = f
		} else {
			out.Mul(out, f)
		}
	}
	return out, nil
}

var errDecimal = errors.New("a decimal number is expected")

// exact reads a decimal of bounded length.
func exact(text string) (*big.Rat, error) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "+-.0123456789") != "" || found && len(strings.TrimLeft(exponent, "+-")) > 2 || len(text) > 160 {
		return nil, errDecimal
	}
	f, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errDecimal
	}
	return f, nil
}

func notANumber(c column, text string, err error) *table.CellError {
	return &table.CellError{Column: c.name(), Reason: "not a number", Detail: "\"" + table.Clip(text) + "\": " + err.Error()}
}
