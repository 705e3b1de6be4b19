package bill

import (
	"fmt"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Hints supply facts that files of a bill may lack. The file's own value takes precedence.
type Hints struct {
	// Currency is the ISO 4217 code for money without a currency in the file.
	Currency string
	// DateOrder is the order of dates such as 03/04/2026.
	DateOrder DateOrder
}

// DateOrder is the meaning of the first number of a date; empty: unknown.
type DateOrder string

// Date orders.
const (
	DayFirst   DateOrder = "dmy"
	MonthFirst DateOrder = "mdy"
)

// Check refuses invalid hints.
func (h Hints) Check() error {
	if h.Currency != "" && !ledger.CurrencyCode(h.Currency) {
		return fmt.Errorf("bill currency %q is not a currency code; expected three letters such as EUR",
			table.Clip(h.Currency))
	}
	if h.DateOrder != "" && !slices.Contains([]DateOrder{DayFirst, MonthFirst}, h.DateOrder) {
		return fmt.Errorf("unknown date order %q; expected %s (03/04 is in April) or %s (03/04 is in March)",
			table.Clip(string(h.DateOrder)), DayFirst, MonthFirst)
	}
	return nil
}

// Denominated is implemented by formats with a column for the currency.
type Denominated interface {
	// CurrencyColumn is its documented name, and its position among the names, or -1.
	CurrencyColumn(names []string) (name string, at int)
}

// OpenTable opens a file for its format, with the currency that only the hints have.
func OpenTable(format Format, f blob.File, h Hints) (t table.Table, err error) {
	if o, ok := format.(Opener); ok {
		t, err = o.Open(f)
	} else {
		t, err = table.Open(f, format.Options())
	}
	d, ok := format.(Denominated)
	if err != nil || !ok || h.Currency == "" {
		return t, err
	}
	name, at := d.CurrencyColumn(t.Names())
	return table.WithDefault(t, name, at, h.Currency), nil
}
