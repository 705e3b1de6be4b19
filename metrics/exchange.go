package metrics

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// CurrencyDay is a UTC day on which there are amounts of a currency.
type CurrencyDay struct {
	Currency string
	Day      period.Second
}

// RateSpan is the days that have a rate from a currency to the requested one.
type RateSpan struct {
	From string
	Days period.Interval // of whole UTC days; To 0: until further notice
	Rate money.Amount    // units of the other currency for one of From
}

// holds reports whether the rate converts amounts of a currency and day.
func (r RateSpan) holds(d CurrencyDay) bool {
	return r.From == d.Currency && r.Days.From <= d.Day && (r.Days.To == 0 || d.Day < r.Days.To)
}

// CurrencyDays is q with a row per currency and UTC day, in the original currencies: the rates that the conversion
// needs. q has a currency.
func (q Query) CurrencyDays() Query {
	q.Currency, q.KeepUnconverted, q.GroupBy, q.Order, q.Only = "", false, nil, nil, nil
	q.Zone, q.Granularity, q.Limit, q.Offset, q.After = "", Day, 0, 0, nil
	q.completeOrder()
	return q
}

// CheckRates refuses the conversion of amounts of days if a rate is missing, and names every pair with its stretches of
// days without a rate. Days may come in any order and more than once.
func CheckRates(to string, days []CurrencyDay, rates []RateSpan) error {
	lacking := map[string][]period.Second{}
	for _, d := range days {
		covered := d.Currency == to || slices.ContainsFunc(rates, func(r RateSpan) bool { return r.holds(d) })
		if !covered {
			lacking[d.Currency] = append(lacking[d.Currency], d.Day)
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	var pairs []string
	for from, days := range lacking {
		pairs = append(pairs, fmt.Sprintf("%s to %s on %s", from, to, stretches(days)))
	}
	slices.Sort(pairs)
	return refuse("currency", to,
		"there is no rate from %s; add rates with `gpuledger policy apply`, or take such amounts in their own currency "+
			"with currency-missing = keep",
		strings.Join(pairs, "; from "))
}

// mostStretches is the number of stretches of days that a message lists.
const mostStretches = 5

// stretches writes days as stretches without a gap: 2026-11-03 to 2026-11-05.
func stretches(days []period.Second) string {
	slices.Sort(days)
	days = slices.Compact(days)
	var list []string
	for len(days) > 0 {
		n := 1
		for n < len(days) && days[n] == days[n-1]+period.Day {
			n++
		}
		text := days[0].Time().Format("2006-01-02")
		if n > 1 {
			text += " to " + days[n-1].Time().Format("2006-01-02")
		}
		list, days = append(list, text), days[n:]
	}
	if more := len(list) - mostStretches; more > 0 {
		list = append(list[:mostStretches], fmt.Sprintf("%d more stretches of days", more))
	}
	return strings.Join(list, ", ")
}
