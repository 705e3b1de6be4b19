package table

import (
	"fmt"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// textRecord is a row of texts.
type textRecord struct {
	cells []string
	has   []bool
	line  int64
	maps  mapCache
}

func newTextRecord(n int) *textRecord {
	return &textRecord{cells: make([]string, n), has: make([]bool, n)}
}

func (r *textRecord) reset(line int64) {
	r.line = line
	clear(r.cells)
	clear(r.has)
}

func (r *textRecord) set(pos int, text string) error {
	if r.has[pos] {
		return errTwice
	}
	r.cells[pos], r.has[pos] = text, true
	return nil
}

func (r *textRecord) Line() int64 { return r.line }

func (r *textRecord) Raw(pos int) string {
	if t := r.cells[pos]; !IsNull(t) {
		return t
	}
	return ""
}

func (r *textRecord) Number(pos int) (money.Amount, bool, error) { return NumberOf(r.cells[pos]) }

func (r *textRecord) Instant(pos int) (period.Second, bool, error) { return InstantOf(r.cells[pos]) }

func (r *textRecord) Pairs(pos int) ([]Pair, error) { return r.maps.parse(r.cells[pos]) }

// NumberOf is the decimal of a cell's text; ok is false if it is null.
func NumberOf(t string) (money.Amount, bool, error) {
	if IsNull(t) {
		return money.Amount{}, false, nil
	}
	a, err := money.Parse(t)
	return a, err == nil, err
}

// InstantOf is the time of a cell's text; ok is false if it is null.
func InstantOf(t string) (period.Second, bool, error) {
	if IsNull(t) {
		return 0, false, nil
	}
	at, err := ParseInstant(t)
	if err != nil {
		return 0, false, fmt.Errorf("%q: %w", Clip(t), err)
	}
	return at, true, nil
}
