package bill

import (
	"fmt"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
)

// Hints are what files of a bill cannot say themselves. Where a file does, its
// own word counts.
type Hints struct {
	// Currency is the ISO 4217 code of money that the file gives none.
	Currency string
	// DateOrder is how dates such as 03/04/2026 are written.
	DateOrder DateOrder
}

// DateOrder says what the first of two numbers of a date is; empty: not told.
type DateOrder string

// Date orders.
const (
	DayFirst   DateOrder = "dmy"
	MonthFirst DateOrder = "mdy"
)

// Check refuses hints that say nothing.
func (h Hints) Check() error {
	if h.Currency != "" && !CurrencyCode(h.Currency) {
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
	// CurrencyColumn is its documented name, and its position among the names; -1:
	// it is none of them.
	CurrencyColumn(names []string) (name string, at int)
}

// OpenTable opens a file as its format wants it, with the currency that only the
// hints know.
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
