package azurecost

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// The control totals are computed here from the text of the columns, with separate arithmetic,
// so that a fault in the row mapping shows as a difference.

// Control adds the row's text to the control totals.
func (b *binding) Control(tr table.Row, t *bill.Totals) *table.CellError {
	r := b.row(tr)
	month, bad := r.month()
	if bad != nil {
		return bad
	}
	t.Line(bill.TotalKey{Account: r.account(), Month: month, Currency: r.currency()})
	cost := r.TextOf(colCost)
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
		return r.multiplied(t, ledger.ContractedCost, colUnitPrice)
	}
	return nil
}

// feeText recognises, by their texts only, rows of commitments, whose use is priced on other
// rows.
func feeText(r row) bool {
	switch table.Squash(r.TextOf(colChargeType)) {
	case "unusedreservation", "unusedsavingsplan":
		return true
	case "purchase", "refund":
		switch strings.ToLower(r.TextOf(colConsumedService)) {
		case "microsoft.capacity", "microsoft.billingbenefits":
			return true
		}
		switch table.Squash(r.TextOf(colPricingModel)) {
		case "reservation", "savingsplan":
			return true
		case "":
			return r.TextOf(colBenefit) != "" || r.TextOf(colReservation) != ""
		}
	}
	return false
}

func (r row) controlList(t *bill.Totals) *table.CellError {
	if done := r.TextOf(colListCost); done != "" {
		if err := t.Add(ledger.ListCost, done); err != nil {
			return notANumber(colListCost, done, err)
		}
		return nil
	}
	return r.multiplied(t, ledger.ListCost, colListPrice) // a price of 0 adds nothing, known or not
}

// multiplied adds price × quantity × exchange rate, nothing if one of them is missing.
func (r row) multiplied(t *bill.Totals, m ledger.Metric, price column) *table.CellError {
	factors := [3]string{r.TextOf(price), r.TextOf(colQuantity), r.TextOf(colExchangeRate)}
	if factors[0] == "" || factors[1] == "" {
		return nil
	}
	if factors[2] == "" {
		if pricing := r.TextOf(colPricingCurrency); pricing != "" && !strings.EqualFold(pricing, r.TextOf(colCurrency)) {
			return nil
		}
		factors[2] = "1"
	}
	if digits, ok := shortText(factors); ok {
		if err := t.Add(m, digits); err != nil {
			return notANumber(price, factors[0], err)
		}
		return nil
	}
	out := big.NewRat(1, 1)
	for i, c := range [3]column{price, colQuantity, colExchangeRate} {
		f, err := exact(factors[i])
		if err != nil {
			return notANumber(c, factors[i], err)
		}
		out.Mul(out, f)
	}
	t.AddRat(m, out)
	return nil
}

// shortText is the product of plain decimals as text, if all fit into a machine word.
func shortText(factors [3]string) (text string, ok bool) {
	product, scale := int64(1), 0
	for _, f := range factors {
		whole, fraction, _ := strings.Cut(f, ".")
		if len(f) > 18 || whole == "" || strings.Trim(fraction, "0123456789") != "" || whole[0] == '+' {
			return "", false
		}
		n, err := strconv.ParseInt(whole+fraction, 10, 64)
		if err != nil || n != 0 && (product*n)/n != product {
			return "", false
		}
		product *= n
		scale += len(fraction)
	}
	if scale > 18 || product == math.MinInt64 {
		return "", false
	}
	sign := ""
	if product < 0 {
		sign, product = "-", -product
	}
	digits := strconv.FormatInt(product, 10)
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:], true
}

var errDecimal = errors.New("a decimal number is expected")

// exact reads a decimal of bounded length.
func exact(text string) (*big.Rat, error) {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "+-.0123456789") != "" || found && len(strings.TrimLeft(exponent, "+-")) > 2 ||
		len(text) > 160 {
		return nil, errDecimal
	}
	f, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, errDecimal
	}
	return f, nil
}

func notANumber(c column, text string, err error) *table.CellError {
	return &table.CellError{
		Column: c.Name(), Reason: "not a number", Detail: "\"" + table.Clip(text) + "\": " + err.Error(),
	}
}
