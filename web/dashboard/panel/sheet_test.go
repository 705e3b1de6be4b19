package panel

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// The largest currency comes first, also where its differences cancel out.
func TestTheLargestCurrencyComesFirst(t *testing.T) {
	difference := metrics.Column{Name: "difference", Kind: metrics.Money}
	b := builder{measure: difference, parts: []metrics.Column{{Name: "cost_after", Kind: metrics.Money}}, priced: true,
		by: map[string]*sheet{}, groups: map[string]*group{}, places: map[string]int{}}
	for _, row := range [][3]string{{"EUR", "10", "20"}, {"USD", "500", "900"}, {"USD", "-499", "800"}} {
		r := page.Record{At: map[string]int{"currency": 0, "difference": 1, "cost_after": 2}}
		for _, text := range row {
			r.Values = append(r.Values, metrics.Value{Valid: true, Text: text})
		}
		b.add(r)
	}
	sheets := b.finish(nil, period.Interval{})
	if len(sheets) != 2 || sheets[0].currency != "USD" || sheets[0].total.Cmp(money.MustParse("1")) != 0 {
		t.Errorf("%d sheets, first %+v", len(sheets), sheets[0])
	}
}
