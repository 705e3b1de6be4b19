package awscur

import (
	"errors"
	"math/big"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// The control totals are computed here from the text of the columns, with a
// table of their own and arithmetic of their own, so that a fault in the row
// mapping shows as a difference.

// formula is how a measure of a line type follows from columns: Σ plus − Σ
// minus. With strict, one missing operand makes the row's measure unknown.
type formula struct {
	plus, minus []column
	strict      bool
}

var (
	nothing       = formula{}
	unblended     = formula{plus: []column{colUnblended}}
	netUnblended  = formula{plus: []column{colNetUnblended}}
	onDemand      = formula{plus: []column{colListCost}}
	effectiveText = map[string]formula{
		"DiscountedUsage":         {plus: []column{colReservationEffective}},
		"RIFee":                   {plus: []column{colReservationUnusedUpfront, colReservationUnusedRecurring}},
		"SavingsPlanCoveredUsage": {plus: []column{colPlanEffective}},
		"SavingsPlanNegation":     nothing,
		"SavingsPlanRecurringFee": {plus: []column{colPlanTotal}, minus: []column{colPlanUsed}, strict: true},
		"SavingsPlanUpfrontFee":   nothing,
	}
	netEffectiveText = map[string]formula{
		"DiscountedUsage":         {plus: []column{colNetReservationEffective}},
		"RIFee":                   {plus: []column{colNetReservationUnusedUpfront, colNetReservationUnusedRecurring}},
		"SavingsPlanCoveredUsage": {plus: []column{colNetPlanEffective}},
	}
	contractedText = map[string]formula{
		"DiscountedUsage":         onDemand,
		"RIFee":                   nothing,
		"SavingsPlanNegation":     nothing,
		"SavingsPlanRecurringFee": nothing,
		"SavingsPlanUpfrontFee":   nothing,
	}
	netDrops = map[string]bool{
		"EdpDiscount": true, "PrivateRateDiscount": true, "BundledDiscount": true, "RiVolumeDiscount": true, "Discount": true,
	}
)

// metricFormula returns the formula of a measure for a row.
func metricFormula(m ledger.Metric, lineType string, reserved, net bool) formula {
	base := unblended
	if net {
		base = netUnblended
		if netDrops[lineType] {
			base = nothing
		}
	}
	reservedFee := lineType == "Fee" && reserved
	switch m {
	case ledger.ListCost:
		return onDemand
	case ledger.EffectiveCost:
		if reservedFee {
			return nothing
		}
		if f, ok := netEffectiveText[lineType]; ok && net {
			return f
		}
		if f, ok := effectiveText[lineType]; ok {
			return f
		}
	case ledger.ContractedCost:
		if reservedFee {
			return nothing
		}
		if f, ok := contractedText[lineType]; ok {
			return f
		}
	}
	return base
}

// addRow adds a row's text to the sum by the formula. It returns the column
// whose text is no number.
func (s *textSum) addRow(r row, f formula) (column, error) {
	if f.strict {
		for _, c := range append(append([]column(nil), f.plus...), f.minus...) {
			if r.text(c) == "" {
				return 0, nil
			}
		}
	}
	for _, c := range f.plus {
		if err := s.add(r.text(c), false); err != nil {
			return c, err
		}
	}
	for _, c := range f.minus {
		if err := s.add(r.text(c), true); err != nil {
			return c, err
		}
	}
	return 0, nil
}

// textSum adds decimal texts exactly: one integer per number of decimals.
type textSum struct {
	byScale [19]int64
	rest    *big.Rat // what does not fit
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

// addWide takes long numbers and exponents.
func (s *textSum) addWide(text string, negate bool) error {
	mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e")
	if strings.Trim(mantissa, "+-.0123456789") != "" || (found && len(strings.TrimLeft(exponent, "+-")) > 2) || len(text) > 160 {
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

// widen moves a full counter into the rest.
func (s *textSum) widen(scale int) {
	s.addRat(new(big.Rat).SetFrac(big.NewInt(s.byScale[scale]), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
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
