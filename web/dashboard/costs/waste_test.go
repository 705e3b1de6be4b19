package costs

import (
	"strings"
	"testing"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// Idle time without a price has an unknown cost, not zero.
func TestIdleTimeWithoutAPriceIsNotFree(t *testing.T) {
	for _, c := range []struct {
		currency, cost metrics.Value
		want           string
	}{
		{metrics.Null, metrics.Null, "not known"},
		{metrics.Value{Valid: true, Text: "USD"}, metrics.Null, "not known"},
		{metrics.Value{Valid: true, Text: "USD"}, metrics.Value{Valid: true, Text: "12.5"}, "Idle time cost $12.50."},
	} {
		row := page.Record{
			At:     map[string]int{"currency": 0, "idle_cost": 1, "findings": 2},
			Values: []metrics.Value{c.currency, c.cost, {Valid: true, Int: 3}},
		}
		p := &page.Context{}
		p.Currency = p.Printed(c.currency.Text)
		said, sub := wastePage.Say(p, &figures.Reading{Rows: []page.Record{row}, Whole: []page.Record{row}})
		if !strings.Contains(said, c.want) || strings.Contains(said, "0.00") || !strings.HasPrefix(sub, "3 findings") {
			t.Errorf("%v: %q, %q", c.cost, said, sub)
		}
	}
}
