package policy

import (
	"fmt"
	"strconv"
	"strings"
)

// scaled reads a decimal as a whole number of 10^-digits: 0.9 with three
// digits is 900. It refuses signs, exponents and further digits.
func scaled(text string, digits int) (int64, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	bad := whole == "" || len(whole) > 9 || len(fraction) > digits || strings.HasSuffix(text, ".")
	for _, r := range whole + fraction {
		bad = bad || r < '0' || r > '9'
	}
	if bad {
		return 0, fmt.Errorf("%q is not a number of at most %d decimals", text, digits)
	}
	return strconv.ParseInt(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
}

// unscaled is the decimal that scaled reads.
func unscaled(v int64, digits int) string {
	text := fmt.Sprintf("%0*d", digits+1, v)
	whole, fraction := text[:len(text)-digits], strings.TrimRight(text[len(text)-digits:], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// percent reads "10%" or "2.5%" as ppm.
func percent(text string) (int64, error) {
	number, found := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !found {
		return 0, fmt.Errorf("%q is not a percentage such as 10%%", text)
	}
	return scaled(strings.TrimSpace(number), 4)
}

func showPercent(ppm int64) string { return unscaled(ppm, 4) + "%" }
