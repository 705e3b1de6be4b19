package bill

import (
	"gpuledger/ingest/table"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Column is a column of a source, independent of its spelling in a file.
type Column interface {
	~int
	Name() string // in messages
}

// Columns are the columns of a file.
type Columns[C Column] struct {
	At      [][]int           // per column, the positions of its spellings
	Null    func(string) bool // the source's words for null; nil: it has none
	Amounts                   // memory for the amounts of its records
}

// Fields reads the columns of a record by meaning: if a file has several spellings of one
// column, the first one with a value counts.
type Fields[C Column] struct {
	table.Row
	*Columns[C]
}

// TextOf is the text of c; empty is null.
func (r Fields[C]) TextOf(c C) string {
	for _, pos := range r.At[c] {
		if t := r.Raw(pos); t != "" && (r.Null == nil || !r.Null(t)) {
			return t
		}
	}
	return ""
}

// AmountOf is the decimal of c, nil if the column is absent or null.
func (r Fields[C]) AmountOf(c C) (*money.Amount, *table.CellError) {
	for _, pos := range r.At[c] {
		a, err := r.amountAt(pos)
		switch {
		case err != nil && r.Null != nil && r.Null(r.Raw(pos)):
		case err != nil:
			return nil, &table.CellError{Column: c.Name(), Reason: "not a number", Detail: err.Error()}
		case a != nil:
			return a, nil
		}
	}
	return nil, nil
}

func (r Fields[C]) amountAt(pos int) (*money.Amount, error) {
	if p, ok := r.Row.(table.Prepared); ok {
		return p.Amount(pos)
	}
	a, ok, err := r.Number(pos)
	if err != nil || !ok {
		return nil, err
	}
	return r.Keep(a), nil
}

// InstantOf is the time of c; ok is false if the column is absent or null.
func (r Fields[C]) InstantOf(c C) (s period.Second, ok bool, bad *table.CellError) {
	for _, pos := range r.At[c] {
		s, ok, err := r.Instant(pos)
		if err != nil {
			return 0, false, &table.CellError{Column: c.Name(), Reason: "not a date", Detail: err.Error()}
		}
		if ok {
			return s, true, nil
		}
	}
	return 0, false, nil
}

// PairsOf is the map of c.
func (r Fields[C]) PairsOf(c C) ([]table.Pair, *table.CellError) {
	for _, pos := range r.At[c] {
		p, err := r.Pairs(pos)
		if err != nil {
			return nil, &table.CellError{Column: c.Name(), Reason: "not a map", Detail: err.Error()}
		}
		if len(p) > 0 {
			return p, nil
		}
	}
	return nil, nil
}
