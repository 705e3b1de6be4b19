package costs

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Fees posted over a month don't stretch the axis; lines end with the data.
func TestTheAxisEndsWhereBarsDo(t *testing.T) {
	stored := period.Interval{From: instant("2026-11-01"), To: instant("2026-12-01")}
	days := func(costs ...string) *cube {
		c := &cube{Step: metrics.Day, Span: stored}
		for i, text := range costs {
			cost := money.MustParse(text)
			c.Rows = append(c.Rows, costRow{Step: stored.From + period.Second(i)*period.Day, Cost: &cost})
		}
		return c
	}
	for _, test := range []struct {
		c             *cube
		data          string
		bars, courses stretch
	}{
		{days("1", "1", "1000", "0", "-200", "9.99", "9.99"), "2026-11-05", stretch{2, 5}, stretch{2, 4}},
		{days("100", "1000", "10"), "2026-11-03T14:05:00Z", stretch{0, 3}, stretch{0, 3}},
		{days("5", "5", "5"), "2026-10-20", stretch{0, 3}, stretch{0, 3}}, // only fees
		{days(), "2026-12-01", stretch{0, 30}, stretch{0, 30}},
	} {
		steps := test.c.steps()
		if bars := test.c.drawn(steps); bars != test.bars {
			t.Errorf("%v: bars %v, want %v", test.c.Rows, bars, test.bars)
		}
		if course := test.c.course(steps, metrics.Extent{Stored: stored, Data: instant(test.data)}); course != test.courses {
			t.Errorf("data to %s: %v, want %v", test.data, course, test.courses)
		}
	}
}
