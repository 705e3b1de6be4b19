package page

import (
	"slices"

	"gpuledger/internal/fiscal"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views/format"
)

// fiscalWords name the periods of a fiscal calendar.
var fiscalWords = map[fiscal.Length]string{
	fiscal.Month: "fiscal month", fiscal.Quarter: "fiscal quarter", fiscal.Year: "fiscal year",
}

// withFiscal adds the fiscal periods around and before an instant, except those that a calendar choice has.
func (p *Context) withFiscal(at period.Second, list []preset) []preset {
	calendar := p.Extent.Fiscal
	if !calendar.Set() {
		return list
	}
	known := slices.Clone(list)
	for _, length := range []fiscal.Length{fiscal.Month, fiscal.Quarter, fiscal.Year} {
		this := calendar.Around(length, at)
		for _, own := range []preset{
			{"This " + fiscalWords[length], this},
			{"Last " + fiscalWords[length], calendar.Around(length, this.From-1)},
		} {
			if !slices.ContainsFunc(known, func(k preset) bool { return k.at == own.at }) {
				list = append(list, own)
			}
		}
	}
	return list
}

// fiscalBefore compares a fiscal period with the one before it; empty if no fiscal period is shown, or if the period
// before is the same.
func (p *Context) fiscalBefore(shown period.Interval) (text, against string) {
	length, ok := p.Extent.Fiscal.Is(shown)
	if !ok {
		return "", ""
	}
	before := p.Extent.Fiscal.Around(length, shown.From-1)
	if previous, err := metrics.AgainstWindow("", shown, "UTC"); err != nil || previous == before {
		return "", ""
	}
	return "The " + fiscalWords[length] + " before", format.ISODay(before.From) + "/" + format.ISODay(before.To)
}
