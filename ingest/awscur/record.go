package awscur

import (
	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// row reads known columns of a record by name.
type row struct {
	table.Row
	s   *schema
	mem *bill.Amounts // where amounts of the mapping live
}

// text is the first spelling of c that has a value.
func (r row) text(c column) string {
	for _, pos := range r.s.at[c] {
		if t := r.Raw(pos); t != "" {
			return t
		}
	}
	return ""
}

// amount is the decimal of c, nil when the column is absent or null.
func (r row) amount(c column) (*money.Amount, *table.CellError) {
	p, prepared := r.Row.(table.Prepared)
	for _, pos := range r.s.at[c] {
		if prepared {
			a, err := p.Amount(pos)
			if err != nil {
				return nil, &table.CellError{Column: c.name(), Reason: "not a number", Detail: err.Error()}
			}
			if a != nil {
				return a, nil
			}
			continue
		}
		a, ok, err := r.Number(pos)
		if err != nil {
			return nil, &table.CellError{Column: c.name(), Reason: "not a number", Detail: err.Error()}
		}
		if ok {
			return r.mem.Keep(a), nil
		}
	}
	return nil, nil
}

// instantOf is the time of c; ok is false when the column is absent or null.
func (r row) instantOf(c column) (s period.Second, ok bool, bad *table.CellError) {
	for _, pos := range r.s.at[c] {
		s, ok, err := r.Instant(pos)
		if err != nil {
			return 0, false, &table.CellError{Column: c.name(), Reason: "not a date", Detail: err.Error()}
		}
		if ok {
			return s, true, nil
		}
	}
	return 0, false, nil
}

// pairsOf is the map of c.
func (r row) pairsOf(c column) ([]table.Pair, *table.CellError) {
	for _, pos := range r.s.at[c] {
		p, err := r.Pairs(pos)
		if err != nil {
			return nil, &table.CellError{Column: c.name(), Reason: "not a map", Detail: err.Error()}
		}
		if len(p) > 0 {
			return p, nil
		}
	}
	return nil, nil
}
