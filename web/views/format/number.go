package format

import (
	"math/big"
	"strings"

	"gpuledger/internal/money"
)

// Ratio is part ÷ whole, nil if either is unknown or the whole is zero. Pages
// divide only with it: any sum can be zero under some basis and filter.
func Ratio(part, whole *big.Rat) *big.Rat {
	if part == nil || whole == nil || whole.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(part, whole)
}

// Percent prints part of whole: one decimal below 1,000 %, none above. NA
// when the whole is zero.
func Percent(part, whole *big.Rat) string {
	if r := Ratio(part, whole); r != nil {
		return percent(r)
	}
	return NA
}

// Share is Percent of amounts.
func Share(part, whole money.Amount) string { return Percent(part.Rat(), whole.Rat()) }

// ShareSpan prints both ends of an assumed share: "2.8 % – 7.3 %", "up to 46.6 %".
func ShareSpan(low, high, whole money.Amount) string {
	l, h := Share(low, whole), Share(high, whole)
	switch {
	case l == h:
		return h
	case low.IsZero():
		return "up to " + h
	}
	return l + " – " + h
}

// WholePercent is Percent without decimals, for small labels.
func WholePercent(part, whole *big.Rat) string {
	if r := Ratio(part, whole); r != nil {
		return decimal(scaledUp(r, 100), 0) + thin + "%"
	}
	return NA
}

func percent(r *big.Rat) string {
	p := scaledUp(r, 100)
	places := 1
	if new(big.Rat).Abs(p).Cmp(big.NewRat(1000, 1)) >= 0 {
		places = 0
	}
	if p.Sign() > 0 && round(p, places).Sign() == 0 {
		return "<" + thin + "0.1" + thin + "%"
	}
	if p.Cmp(big.NewRat(100, 1)) < 0 && round(p, places).Cmp(big.NewInt(1000)) == 0 { // not 100 %: less than all
		return ">" + thin + "99.9" + thin + "%"
	}
	return decimal(p, places) + thin + "%"
}

// Growth prints the relative change from before to now with its sign: +9.5 %.
func Growth(now, before money.Amount) string {
	if before.IsZero() {
		return NA
	}
	return signed(scaledUp(new(big.Rat).Quo(now.Sub(before).Rat(), before.Rat()), 100), 1) + thin + "%"
}

// Cents prints a share as cents of one unit of money: 49.4 ¢.
func Cents(part, whole money.Amount) string {
	if whole.IsZero() {
		return NA
	}
	p := scaledUp(new(big.Rat).Quo(part.Rat(), whole.Rat()), 100)
	if p.Sign() > 0 && round(p, 1).Sign() == 0 {
		return "<" + thin + "0.1" + thin + "¢"
	}
	return decimal(p, 1) + thin + "¢"
}

// WholeCents is Cents without decimals, for sentences: 49 ¢.
func WholeCents(part, whole money.Amount) string {
	if whole.IsZero() {
		return NA
	}
	return decimal(scaledUp(new(big.Rat).Quo(part.Rat(), whole.Rat()), 100), 0) + thin + "¢"
}

// Times prints a multiple of another price: 2.60×.
func Times(r *big.Rat) string {
	if r == nil {
		return NA
	}
	return decimal(r, 2) + "×"
}

// GPUHours prints whole hours from 100, one decimal below, "< 0.1" for a positive value that would round to 0.0.
func GPUHours(a money.Amount) string {
	r := a.Rat()
	if round(r, 1).CmpAbs(big.NewInt(1000)) >= 0 {
		return decimal(r, 0)
	}
	if r.Sign() > 0 && round(r, 1).Sign() == 0 {
		return "< 0.1"
	}
	return decimal(r, 1)
}

// Count prints a number of things: exact below one million, compact above.
func Count(n int64) string {
	r := new(big.Rat).SetInt64(n)
	switch abs := max(n, -n); {
	case abs >= 1_000_000_000:
		return decimal(scaled(r, 1_000_000_000), 2) + "B"
	case abs >= 1_000_000:
		return decimal(scaled(r, 1_000_000), 2) + "M"
	}
	return decimal(r, 0)
}

// Gigabytes prints GPU memory as vendors do: 80 GB (GiB rounded to a whole number).
func Gigabytes(bytes int64) string {
	return decimal(scaled(new(big.Rat).SetInt64(bytes), 1<<30), 0) + " GB"
}

var words = []string{
	"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
}

// Words spells a count up to twelve, for sentences.
func Words(n int) string {
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return Count(int64(n))
}

// Plural is "1 run", "12 runs".
func Plural(n int, one, many string) string { return Count(int64(n)) + " " + Noun(n, one, many) }

// Noun is the noun after a number that is printed otherwise: 1 run, 1234567 runs.
func Noun[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// round returns r × 10^places rounded half away from zero.
func round(r *big.Rat, places int) *big.Int {
	num, den := new(big.Int).Abs(r.Num()), new(big.Int).Set(r.Denom())
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(places, -places))), nil)
	if places >= 0 {
		num.Mul(num, power)
	} else {
		den.Mul(den, power)
	}
	num.Lsh(num, 1).Add(num, den)
	num.Quo(num, den.Lsh(den, 1))
	if r.Sign() < 0 {
		num.Neg(num)
	}
	return num
}

func decimal(r *big.Rat, places int) string {
	n := round(r, places)
	digits := new(big.Int).Abs(n).String()
	if len(digits) <= places {
		digits = strings.Repeat("0", places-len(digits)+1) + digits
	}
	s := group(digits[:len(digits)-places])
	if places > 0 {
		s += "." + digits[len(digits)-places:]
	}
	if n.Sign() < 0 {
		return Minus + s
	}
	return s
}

func signed(r *big.Rat, places int) string {
	s := decimal(r, places)
	if round(r, places).Sign() > 0 {
		return "+" + s
	}
	return s
}

func group(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

func scaled(r *big.Rat, by int64) *big.Rat {
	return new(big.Rat).Quo(r, new(big.Rat).SetInt64(by))
}

func scaledUp(r *big.Rat, by int64) *big.Rat {
	return new(big.Rat).Mul(r, new(big.Rat).SetInt64(by))
}

// Bytes prints a size in decimal units: 812 B, 5.7 kB, 17.5 MB, 1.29 GB.
func Bytes(n int64) string {
	r := new(big.Rat).SetInt64(n)
	switch abs := max(n, -n); {
	case abs >= 999_500_000:
		return decimal(scaled(r, 1_000_000_000), 2) + " GB"
	case abs >= 999_500:
		return decimal(scaled(r, 1_000_000), 1) + " MB"
	case abs >= 1000:
		return decimal(scaled(r, 1000), 1) + " kB"
	}
	return decimal(r, 0) + " B"
}

// Decimal prints a number with up to four significant digits: 1,204, 12.4, 0.0312.
func Decimal(r *big.Rat) string {
	abs := new(big.Rat).Abs(r)
	places := 0
	for bound := big.NewRat(100, 1); places < 6 && abs.Sign() != 0 && abs.Cmp(bound) < 0; places++ {
		bound.Quo(bound, big.NewRat(10, 1))
	}
	text := decimal(r, places)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
