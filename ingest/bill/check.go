package bill

import (
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// CheckCurrency refuses money without a currency and codes that are none; rows
// without money and currency get NoCurrency. column is where the code stands.
func CheckCurrency(c *ledger.Charge, column string) *table.CellError {
	switch {
	case c.Currency == "" && c.CarriesMoney():
		return &table.CellError{Column: column, Reason: "missing value", Detail: "a row with money needs its currency; where the file cannot say it, --bill-currency does"}
	case c.Currency == "":
		c.Currency = NoCurrency
	case !CurrencyCode(c.Currency):
		return &table.CellError{Column: column, Reason: "unknown unit", Detail: "\"" + table.Clip(c.Currency) + "\" is no ISO 4217 currency code"}
	}
	return nil
}

// Moment is what a column says of a time.
type Moment struct {
	At     period.Second
	Known  bool
	Column string
}

// SetPeriod gives a charge its charge period: from start to end, and where a
// row without money lacks one of them, its whole billing period. month is the
// column of that.
func SetPeriod(c *ledger.Charge, start, end Moment, month string) *table.CellError {
	switch {
	case start.Known && end.Known && end.At < start.At:
		return &table.CellError{Column: end.Column, Reason: "end before start", Detail: end.At.String() + " lies before " + start.At.String()}
	case start.Known && end.Known:
		c.Period = period.Interval{From: start.At, To: end.At}
		return nil
	case c.CarriesMoney():
		missing := start.Column
		if start.Known {
			missing = end.Column
		}
		return &table.CellError{Column: missing, Reason: "missing value", Detail: "a row with money needs its charge period"}
	}
	all, err := c.BillingPeriod.Interval()
	if err != nil {
		return &table.CellError{Column: month, Reason: "not a date", Detail: err.Error()}
	}
	c.Period = all
	return nil
}
