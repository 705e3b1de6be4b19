package gcpbilling

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/period"
)

// row is a record with known fields.
type row struct {
	bill.Fields[column]
	s *schema
}

// month is the invoice month. derived is true if the row does not name it, and the Pacific
// month of its use replaces it.
func (r row) month() (m period.Month, derived bool, bad *table.CellError) {
	text := strings.TrimSuffix(r.TextOf(colInvoiceMonth), ".0")
	if text == "" {
		at, ok, bad := r.InstantOf(colUsageStart)
		switch {
		case bad != nil:
			return "", false, bad
		case !ok:
			return "", false, &table.CellError{
				Column: colInvoiceMonth.Name(), Reason: "missing value",
				Detail: "a row needs its invoice month or the time of its usage",
			}
		}
		return pacificMonth(at), true, nil
	}
	digits := strings.Replace(text, "-", "", 1)
	if len(digits) == 6 && strings.Trim(digits, "0123456789") == "" {
		m := period.Month(digits[:4] + "-" + digits[4:])
		if _, err := m.Interval(); err == nil {
			return m, false, nil
		}
	}
	return "", false, &table.CellError{
		Column: colInvoiceMonth.Name(), Reason: "not a date",
		Detail: "\"" + table.Clip(text) + "\": a month such as 202611 is expected",
	}
}

// recordCache caches the records of recent texts: labels repeat on thousands of rows. One
// goroutine uses it.
type recordCache struct{ known map[string][]table.Record }

const recordCacheSize = 4096

func (c *recordCache) get(text string) ([]table.Record, error) {
	if text == "" || text == "[]" {
		return nil, nil
	}
	if r, ok := c.known[text]; ok {
		return r, nil
	}
	r, err := table.ParseRecords(text)
	if err != nil {
		return nil, err
	}
	if c.known == nil || len(c.known) >= recordCacheSize {
		c.known = map[string][]table.Record{}
	}
	c.known[strings.Clone(text)] = r
	return r, nil
}

// list is the records of a repeated field.
func (c *recordCache) list(r row, col column) ([]table.Record, *table.CellError) {
	for _, pos := range r.s.at[col] {
		records, err := c.get(r.Raw(pos))
		if err != nil {
			return nil, &table.CellError{Column: col.Name(), Reason: "not a list", Detail: err.Error()}
		}
		if len(records) > 0 {
			return records, nil
		}
	}
	return nil, nil
}
