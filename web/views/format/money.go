package format

import (
	"math/big"
	"strings"

	"gpuledger/internal/money"
)

const (
	// Minus is the sign of negative figures (U+2212).
	Minus = "−"
	// NA is the text for an unknown value.
	NA = "n/a"

	thin = "\u202f" // between a figure and its unit
)

var symbols = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹"}

// Currency prints money of one ISO 4217 currency. The zero value prints no unit.
type Currency string

// coded marks a currency that prints its code instead of a symbol.
const coded = "\x00"

// Coded is the currency for pages with several currencies: it
// prints "EUR 1,204.10".
func Coded(code string) Currency {
	if code == "" {
		return ""
	}
	return Currency(coded + code)
}

// Code returns the ISO 4217 code.
func (c Currency) Code() string { return strings.TrimPrefix(string(c), coded) }

// Symbol returns the prefix of a figure: the symbol, else the code and a space.
func (c Currency) Symbol() string {
	if code, ok := strings.CutPrefix(string(c), coded); ok {
		return code + "\u00a0"
	}
	if s, ok := symbols[string(c)]; ok {
		return s
	}
	if c == "" {
		return ""
	}
	return string(c) + "\u00a0"
}

// Money prints a table amount: whole units from 1,000, two decimals below,
// "< $0.01" for an amount that is not zero but would round to it.
func (c Currency) Money(a money.Amount) string {
	r := a.Rat()
	if round(r, 2).CmpAbs(big.NewInt(100_000)) >= 0 {
		return c.print(r, 0)
	}
	if c.vanishes(r, 2) {
		return c.below(r)
	}
	return c.print(r, 2)
}

// Full prints an amount of a statement, bill line or explanation: two decimals.
func (c Currency) Full(a money.Amount) string {
	r := a.Rat()
	if c.vanishes(r, 2) {
		return c.below(r)
	}
	return c.print(r, 2)
}

// Whole prints an amount for the headline of a page: without decimals from 1,000, else as Full.
func (c Currency) Whole(a money.Amount) string {
	r := a.Rat()
	if round(r, 0).CmpAbs(big.NewInt(1000)) < 0 {
		return c.Full(a)
	}
	return c.print(r, 0)
}

// Compact prints an amount in a chart, tile or node: $2.42M, $411k, $94.3k, $18.40.
func (c Currency) Compact(a money.Amount) string {
	r := a.Rat()
	switch {
	case round(r, -3).CmpAbs(big.NewInt(1000)) >= 0:
		return c.print(scaled(r, 1_000_000), 2) + "M"
	case round(scaled(r, 100), 0).CmpAbs(big.NewInt(1000)) >= 0:
		return c.print(scaled(r, 1000), 0) + "k"
	case round(r, 2).CmpAbs(big.NewInt(100_000)) >= 0:
		return c.print(scaled(r, 1000), 1) + "k"
	}
	return c.Money(a)
}

// Axis prints the round value of a grid line: $0, $50k, $1.5M.
func (c Currency) Axis(units int64) string {
	abs, sign := units, ""
	if units < 0 {
		abs, sign = -units, Minus
	}
	r := new(big.Rat).SetInt64(abs)
	trim := func(r *big.Rat, unit string) string {
		s := r.FloatString(2)
		return sign + c.Symbol() + strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + unit
	}
	switch {
	case abs >= 1_000_000:
		return trim(scaled(r, 1_000_000), "M")
	case abs >= 1000:
		return trim(scaled(r, 1000), "k")
	}
	return sign + c.Symbol() + r.FloatString(0)
}

// Change is Money with a plus sign if positive.
func (c Currency) Change(a money.Amount) string {
	if a.Sign() > 0 {
		return "+" + c.Money(a)
	}
	return c.Money(a)
}

// UnitPrice prints a price per unit with 4 significant digits and 2 to 6
// decimals. A nil price is NA.
func (c Currency) UnitPrice(r *big.Rat) string {
	if r == nil {
		return NA
	}
	if r.Sign() == 0 {
		return c.print(r, 2)
	}
	abs := new(big.Rat).Abs(r)
	one, ten, places := big.NewRat(1, 1), big.NewRat(10, 1), 3
	for v := new(big.Rat).Set(abs); v.Cmp(one) < 0 && places < 6; places++ {
		v.Mul(v, ten)
	}
	for v := new(big.Rat).Set(abs); v.Cmp(ten) >= 0 && places > 2; places-- {
		v.Quo(v, ten)
	}
	if c.vanishes(r, places) {
		return "< " + c.Symbol() + "0.000001"
	}
	return c.print(r, places)
}

// Span prints both ends of an assumed amount: "$1,645 – $3,917"; one figure
// when the ends print the same.
func (c Currency) Span(low, high money.Amount) string {
	l, h := c.Money(low), c.Money(high)
	if low.IsZero() {
		l = "0"
	}
	if l == h || low.Cmp(high) == 0 {
		return h
	}
	return l + " – " + h
}

// Exact prints every digit, grouped, with the unit: for hover and focus.
func (c Currency) Exact(a money.Amount) string {
	whole, frac, ok := strings.Cut(strings.TrimPrefix(a.String(), "-"), ".")
	s := c.Symbol() + group(whole)
	if ok {
		s += "." + frac
	}
	if a.Sign() < 0 {
		s = Minus + s
	}
	return s
}

func (c Currency) vanishes(r *big.Rat, places int) bool {
	return r.Sign() != 0 && round(r, places).Sign() == 0
}

func (c Currency) below(r *big.Rat) string {
	if r.Sign() < 0 {
		return "> " + Minus + c.Symbol() + "0.01"
	}
	return "< " + c.Symbol() + "0.01"
}

func (c Currency) print(r *big.Rat, places int) string {
	s := decimal(r, places)
	if digits, negative := strings.CutPrefix(s, Minus); negative {
		return Minus + c.Symbol() + digits
	}
	return c.Symbol() + s
}
