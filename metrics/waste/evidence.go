package waste

import (
	"math/big"
	"slices"
	"strings"
)

// Evidence is a number that met a criterion, next to its threshold.
type Evidence struct {
	Name      string `json:"name"`
	Unit      string `json:"unit,omitempty"`
	Value     int64  `json:"value"`
	Bound     Bound  `json:"bound,omitempty"`
	Threshold *int64 `json:"threshold,omitempty"` // nil: without a threshold, for explanation only
	Said      string `json:"said"`                // for people
}

// EvidenceOf puts measured numbers next to the kind's thresholds.
func EvidenceOf(k Kind, numbers ...Number) []Evidence {
	d, _ := Define(k)
	out := make([]Evidence, len(numbers))
	for i, n := range numbers {
		out[i] = Evidence{Name: n.Name, Unit: n.Unit, Value: n.Value}
		for _, t := range d.Thresholds {
			if t.Name == n.Name {
				out[i].against(t.Bound, t.Value)
			}
		}
		out[i].Said = out[i].text()
	}
	return out
}

func (e *Evidence) against(b Bound, threshold int64) {
	e.Bound, e.Threshold = b, &threshold
}

// set changes the number and its text.
func (e *Evidence) set(value int64) {
	e.Value = value
	e.Said = e.text()
}

// Holds reports whether a value meets the bound.
func (b Bound) Holds(value, threshold int64) bool { return b.holds(value - threshold) }

func (b Bound) holds(over int64) bool {
	switch b {
	case AtLeast:
		return over >= 0
	case AtMost:
		return over <= 0
	case Above:
		return over > 0
	case Below:
		return over < 0
	}
	return true
}

// shownUnits are units that are shown in other units: the divisor, the sign, and the usual decimals.
var shownUnits = map[string]struct {
	of       int64
	sign     string
	decimals int
}{
	"ppm":              {10_000, "%", 1},
	"bytes":            {1 << 30, "GiB", 1},
	"bytes per second": {1_000_000_000, "GB/s", 1},
	"seconds":          {3600, "h", 2},
}

// mostDecimals are enough to distinguish any two values of the units above.
const mostDecimals = 10

// words are names of numbers that are not their words.
var words = map[string]string{"nobody_held": "not held", "host_cpu": "host CPU", "sm": "SM", "xid": "XID"}

// Words is the name of a number for people.
func Words(name string) string {
	if said, ok := words[name]; ok {
		return said
	}
	return strings.ReplaceAll(name, "_", " ")
}

// One is the unit of one: "replica" of "replicas".
func One(unit string) string {
	if unit == "retries" {
		return "retry"
	}
	return strings.TrimSuffix(unit, "s")
}

// counted prints a number with its unit, if it has one.
func counted(number, unit string) string {
	switch {
	case unit == "":
		return number
	case number == "1":
		unit = One(unit)
	}
	return number + " " + unit
}

// text is the number for people, with its threshold in the same unit. Both are rounded the same way, to as many
// decimals as needed for the shown values to compare like the numbers: 79.96 % is below 80 %, so it is not shown as 80
// %.
func (e *Evidence) text() string {
	name := Words(e.Name)
	u, ok := shownUnits[e.Unit]
	if !ok {
		u.of, u.sign = 1, e.Unit
		if slices.Contains(strings.Fields(name), e.Unit) { // "needed replicas 4"
			u.sign = ""
		}
	}
	said := func(v *big.Int, decimals int) string {
		return name + " " + counted(decimal(v, decimals), u.sign)
	}
	if e.Threshold == nil {
		return said(rounded(e.Value, u.of, u.decimals), u.decimals)
	}
	for d := u.decimals; ; d++ {
		value, threshold := rounded(e.Value, u.of, d), rounded(*e.Threshold, u.of, d)
		if d < mostDecimals && !e.Bound.holds(int64(value.Cmp(threshold))) {
			continue
		}
		return said(value, d) + " (" + string(e.Bound) + " " + counted(decimal(threshold, d), u.sign) + ")"
	}
}

// rounded is v ÷ of in units of the last decimal, rounded half up.
func rounded(v, of int64, decimals int) *big.Int {
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	n.Mul(n, big.NewInt(2*v)).Add(n, big.NewInt(of))
	return n.Div(n, big.NewInt(2*of)) // towards minus infinity
}

// decimal prints v with so many decimals, without zeros at the end.
func decimal(v *big.Int, decimals int) string {
	digits := new(big.Int).Abs(v).String()
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, part := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if part != "" {
		whole += "." + part
	}
	if v.Sign() < 0 {
		return "-" + whole
	}
	return whole
}

// Limits are the thresholds that a policy sets, in seconds.
type Limits struct {
	Minimum     int64 // shorter findings of any kind are dropped
	Checkpoints int64 // a longer interval between two checkpoints is a finding
}

// Lasting keeps the findings that are long enough.
func (l Limits) Lasting(list []Finding) []Finding {
	var out []Finding
	for _, f := range list {
		if int64(f.To-f.From) < l.Minimum {
			continue
		}
		out = append(out, f)
	}
	return out
}
