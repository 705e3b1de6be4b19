package bill

import (
	"sync"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// CheckCurrency refuses money without a currency and invalid codes; rows without money and
// currency get NoCurrency. column is the name of the currency column.
func CheckCurrency(c *ledger.Charge, column string) *table.CellError {
	switch {
	case c.Currency == "" && c.CarriesMoney():
		return &table.CellError{
			Column: column, Reason: "missing value",
			Detail: "a row with money needs its currency; if the file has none, give it with --bill-currency",
		}
	case c.Currency == "":
		c.Currency = NoCurrency
	case !ledger.CurrencyCode(c.Currency):
		return &table.CellError{
			Column: column, Reason: "unknown unit",
			Detail: "\"" + table.Clip(c.Currency) + "\" is not an ISO 4217 currency code",
		}
	}
	return nil
}

// Moment is a time in a column.
type Moment struct {
	At     period.Second
	Known  bool
	Column string
}

// SetPeriod sets a charge's period from start to end. If a row without money lacks one of them,
// its period is the whole billing period; month is the column of that. The charge's billing
// period must be set.
func SetPeriod(c *ledger.Charge, start, end Moment, month string) *table.CellError {
	all, bad := checkMonth(c.BillingPeriod, month)
	if bad != nil {
		return bad
	}
	switch {
	case start.Known && end.Known && end.At < start.At:
		return &table.CellError{
			Column: end.Column, Reason: "end before start", Detail: end.At.String() + " is before " + start.At.String(),
		}
	case start.Known && end.Known:
		c.Period = period.Interval{From: start.At, To: end.At}
		return checkPeriod(c.Period, all, start.Column, end.Column)
	case c.CarriesMoney():
		missing := start.Column
		if start.Known {
			missing = end.Column
		}
		return &table.CellError{Column: missing, Reason: "missing value", Detail: "a row with money needs its charge period"}
	}
	c.Period = all
	return nil
}

// tooLong and farAway are reasons for refusing times that no bill has: a typing error would
// otherwise become data.
const (
	tooLong = "longer than ten years"
	farAway = "far from its billing period"
)

var correct = "; correct the value, or have the bill exported again, and import it again"

// checkMonth refuses implausible billing months. column is the name of the month's column.
func checkMonth(m period.Month, column string) (period.Interval, *table.CellError) {
	if known, ok := monthSpans.Load(m); ok {
		return known.(period.Interval), nil
	}
	all, err := m.Interval()
	switch {
	case err != nil:
		return all, &table.CellError{Column: column, Reason: "not a date", Detail: err.Error()}
	case !all.From.Believable():
		return all, &table.CellError{
			Column: column, Reason: "out of range",
			Detail: "a billing period in the years 2000 to 2099 is expected, not " + string(m) + correct,
		}
	}
	monthSpans.Store(m, all) // 1,200 at most
	return all, nil
}

var monthSpans sync.Map

// checkPeriod refuses charge periods that are longer than any term on sale, or far from the
// billing period.
func checkPeriod(p, month period.Interval, start, end string) *table.CellError {
	far := func(column string, at period.Second) *table.CellError {
		return &table.CellError{
			Column: column, Reason: farAway,
			Detail: at.String() + " is more than ten years from the billing period, " + month.From.String() + correct,
		}
	}
	switch {
	case p.TooLong():
		return &table.CellError{
			Column: end, Reason: tooLong,
			Detail: p.To.String() + " is more than ten years after " + p.From.String() + ", and nothing is sold for longer" +
				correct,
		}
	case period.FarAfter(p.From, month.From) || period.FarAfter(month.To, p.From):
		return far(start, p.From)
	case period.FarAfter(month.To, p.To):
		return far(end, p.To)
	}
	return nil
}

// CheckDay is SetPeriod's check for a row that bills one day. column is the day's column, month
// the billing period's.
func CheckDay(c *ledger.Charge, column, month string) *table.CellError {
	all, bad := checkMonth(c.BillingPeriod, month)
	if bad != nil {
		return bad
	}
	return checkPeriod(c.Period, all, column, column)
}

// CheckBillingPeriod refuses billing periods that are longer than any real one.
func CheckBillingPeriod(start, end Moment) *table.CellError {
	if p := (period.Interval{From: start.At, To: end.At}); start.Known && end.Known && p.TooLong() {
		return &table.CellError{
			Column: end.Column, Reason: tooLong,
			Detail: "a billing period from " + p.From.String() + " to " + p.To.String() + correct,
		}
	}
	return nil
}
