package metrics

import (
	"math/big"
	"strings"
)

// Target is the bounds of good values and of values that need action; values in between are to be watched. Bounds are
// decimals in the figure's own unit (shares from 0 to 1); an empty bound is open.
type Target struct {
	AtLeast, AtMost string // good: within both
	ActBelow        string // act: less than this
	ActAbove        string // act: more than this
	Note            string // the target's author, or the basis of the comparison
}

// Status is a target's verdict on a value.
type Status string

// Statuses, the best first. An unknown value has no verdict.
const (
	StatusGood    Status = "good"
	StatusWatch   Status = "watch"
	StatusAct     Status = "act"
	StatusUnknown Status = "unknown"
)

// Of judges a value; nil is unknown.
func (t Target) Of(v *big.Rat) Status {
	below := func(bound string) bool { return bound != "" && v.Cmp(decimalOf(bound)) < 0 }
	above := func(bound string) bool { return bound != "" && v.Cmp(decimalOf(bound)) > 0 }
	switch {
	case v == nil:
		return StatusUnknown
	case below(t.ActBelow) || above(t.ActAbove):
		return StatusAct
	case below(t.AtLeast) || above(t.AtMost):
		return StatusWatch
	}
	return StatusGood
}

// String is the target in words: "60 – 85 %, act below 40 %".
func (t Target) String() string {
	var good string
	switch {
	case t.AtLeast != "" && t.AtMost != "":
		good = percentText(t.AtLeast) + " – " + percentText(t.AtMost)
	case t.AtLeast != "":
		good = "at least " + percentText(t.AtLeast)
	case t.AtMost != "":
		good = "at most " + percentText(t.AtMost)
	}
	parts := []string{good}
	if t.ActBelow != "" {
		parts = append(parts, "act below "+percentText(t.ActBelow))
	}
	if t.ActAbove != "" {
		parts = append(parts, "act above "+percentText(t.ActAbove))
	}
	text := strings.Join(parts, ", ")
	if t.Note != "" {
		text += " (" + t.Note + ")"
	}
	return text
}

func percentText(bound string) string {
	r := decimalOf(bound)
	return strings.TrimSuffix(strings.TrimRight(r.Mul(r, big.NewRat(100, 1)).FloatString(2), "0"), ".") + " %"
}

// decimalOf reads a bound; bounds are constants of this package, tested.
func decimalOf(bound string) *big.Rat {
	r, ok := new(big.Rat).SetString(bound)
	if !ok {
		return new(big.Rat)
	}
	return r
}
