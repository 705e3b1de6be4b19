package bill

import (
	"errors"
	"math/big"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// The control totals are computed here from the text of the columns, with separate arithmetic,
// so that a fault in the row mapping shows as a difference.

// TotalKey identifies a control total.
type TotalKey struct {
	Account  string // empty: the scope of the delivery
	Month    period.Month
	Currency string // empty: NoCurrency
}

// NoCurrency is ISO 4217's code for "no currency": rows without any money.
const NoCurrency = "XXX"

// Totals adds up the raw text of the rows of a unit.
type Totals struct {
	of  map[TotalKey]*lineTotals
	sum *lineTotals // of the row in hand
	// Rows of one month and currency come in long runs.
	month    period.Month
	currency string
	accounts map[string]*lineTotals
}

type lineTotals struct {
	charges int64
	sums    [4]textSum // in the order of ledger.Metrics
}

// Line begins a row: everything added until the next Line counts under this key. The texts of
// the key are cloned if they are kept.
func (t *Totals) Line(key TotalKey) {
	if key.Month != t.month || key.Currency != t.currency || t.accounts == nil {
		t.month, t.currency, t.accounts = key.Month, strings.Clone(key.Currency), map[string]*lineTotals{}
	}
	t.sum = t.accounts[key.Account]
	if t.sum == nil {
		t.sum = t.total(key)
		t.accounts[strings.Clone(key.Account)] = t.sum
	}
	t.sum.charges++
}

func (t *Totals) total(key TotalKey) *lineTotals {
	sum := t.of[key]
	if sum == nil {
		if t.of == nil {
			t.of = map[TotalKey]*lineTotals{}
		}
		sum = &lineTotals{}
		t.of[TotalKey{strings.Clone(key.Account), key.Month, strings.Clone(key.Currency)}] = sum
	}
	return sum
}

// Add adds a decimal text to a measure of the row; an empty text adds nothing.
func (t *Totals) Add(m ledger.Metric, text string) error {
	return t.sum.sums[metricIndex(m)].add(text, false)
}

// Subtract subtracts a decimal text from a measure of the row.
func (t *Totals) Subtract(m ledger.Metric, text string) error {
	return t.sum.sums[metricIndex(m)].add(text, true)
}

// AddRat adds a product or another derived amount to a measure of the row.
func (t *Totals) AddRat(m ledger.Metric, r *big.Rat) { t.sum.sums[metricIndex(m)].addRat(r) }

// metricIndex is the place of a measure in ledger.Metrics.
func metricIndex(m ledger.Metric) int {
	switch m {
	case ledger.BilledCost:
		return 1
	case ledger.ListCost:
		return 2
	case ledger.ContractedCost:
		return 3
	}
	return 0
}

// textSum adds decimal texts exactly: one integer per number of decimals.
type textSum struct {
	byScale [19]int64
	rest    *big.Rat // the part that does not fit
}

var errNoDecimal = errors.New("a decimal number is expected")

func (s *textSum) add(text string, negate bool) error {
	if text == "" {
		return nil
	}
	t, neg := text, negate
	if t[0] == '-' || t[0] == '+' {
		neg = neg != (t[0] == '-')
		t = t[1:]
	}
	var v int64
	digits, scale, dot := 0, 0, false
	for i := range len(t) {
		switch c := t[i]; {
		case c >= '0' && c <= '9':
			if digits++; digits > 18 {
				return s.addWide(text, negate)
			}
			v = v*10 + int64(c-'0')
			if dot {
				scale++
			}
		case c == '.' && !dot:
			dot = true
		default:
			return s.addWide(text, negate)
		}
	}
	if digits == 0 {
		return errNoDecimal
	}
	if neg {
		v = -v
	}
	sum := s.byScale[scale] + v
	if (sum > s.byScale[scale]) != (v > 0) && v != 0 {
		s.widen(scale)
		sum = v
	}
	s.byScale[scale] = sum
	return nil
}

// addWide adds long numbers and exponents.
func (s *textSum) addWide(text string, negate bool) error {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "+-.0123456789") != "" || (found && len(strings.TrimLeft(exponent, "+-")) > 2) ||
		len(text) > 160 {
		return errNoDecimal
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return errNoDecimal
	}
	if negate {
		r.Neg(r)
	}
	s.addRat(r)
	return nil
}

func (s *textSum) addRat(r *big.Rat) {
	if s.rest == nil {
		s.rest = new(big.Rat)
	}
	s.rest.Add(s.rest, r)
}

// widen moves a full counter to the rest.
func (s *textSum) widen(scale int) {
	s.addRat(new(big.Rat).SetFrac(big.NewInt(s.byScale[scale]),
		new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	s.byScale[scale] = 0
}

// merge adds another sum.
func (s *textSum) merge(o *textSum) {
	for scale, v := range o.byScale {
		if v != 0 {
			if s.byScale[scale] != 0 {
				s.widen(scale)
			}
			s.byScale[scale] = v
		}
	}
	if o.rest != nil {
		s.addRat(o.rest)
	}
}

// total is the exact sum.
func (s *textSum) total() (money.Amount, error) {
	all := new(big.Rat)
	if s.rest != nil {
		all.Set(s.rest)
	}
	for scale, v := range s.byScale {
		all.Add(all, new(big.Rat).SetFrac(big.NewInt(v), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	}
	digits, exact := all.FloatPrec()
	if !exact {
		return money.Amount{}, errNoDecimal
	}
	return money.Parse(all.FloatString(digits))
}
