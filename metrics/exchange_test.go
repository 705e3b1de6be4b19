package metrics

import (
	"strings"
	"testing"

	"gpuledger/internal/period"
)

func TestMissingRatesAreNamedByPairAndDays(t *testing.T) {
	day := func(n int) period.Second { return period.Second(n) * period.Day }
	rates := []RateSpan{
		{From: "USD", Days: period.Interval{From: day(10), To: day(20)}},
		{From: "USD", Days: period.Interval{From: day(20)}},
		{From: "GBP", Days: period.Interval{From: day(5), To: day(6)}},
	}
	for _, c := range []struct {
		days []CurrencyDay
		want string // "": all convert
	}{
		{nil, ""},
		{
			[]CurrencyDay{
				{"EUR", day(1)}, {"USD", day(10)}, {"USD", day(19)}, {"USD", day(20)}, {"USD", day(9999)}, {"GBP", day(5)},
			}, "",
		},
		{[]CurrencyDay{{"USD", day(9)}}, "from USD to EUR on 1970-01-10;"},
		{
			[]CurrencyDay{{"USD", day(9)}, {"USD", day(7)}, {"USD", day(8)}, {"USD", day(7)}, {"USD", day(3)}},
			"from USD to EUR on 1970-01-04, 1970-01-08 to 1970-01-10;",
		},
		{
			[]CurrencyDay{{"USD", day(1)}, {"GBP", day(6)}, {"CHF", day(10)}},
			"from CHF to EUR on 1970-01-11; from GBP to EUR on 1970-01-07; from USD to EUR on 1970-01-02;",
		},
		{
			[]CurrencyDay{
				{"CHF", 0}, {"CHF", day(2)}, {"CHF", day(4)}, {"CHF", day(6)}, {"CHF", day(8)}, {"CHF", day(10)}, {"CHF", day(12)},
			}, "1970-01-09, 2 more stretches of days;",
		},
	} {
		err := CheckRates("EUR", c.days, rates)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.days, err, c.want)
		}
	}
}
