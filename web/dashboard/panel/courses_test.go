package panel

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// The day of a panel is marked where its point is; a day without a row, and no day, have no mark.
func TestTheDayOfAPanelIsMarked(t *testing.T) {
	const day = period.Second(period.Day)
	start := 20_000 * day
	s := &sheet{}
	for i := range 5 {
		at := (start + period.Second(i)*day).Time()
		s.rows = append(s.rows, page.MadeUp(func(string) metrics.Value { return metrics.Value{Valid: true, Time: at} }))
	}
	for on, want := range map[period.Second]float64{start: 0, start + day: .25, start + 4*day: 1, start + 5*day: -1, 0: -1} {
		d := &drawing{Panel: &Panel{Over: "day", Moment: on, MomentText: "breaks on"}, sheet: s}
		switch got := d.moment(); {
		case want < 0 && len(got) > 0, want >= 0 && (len(got) != 1 || got[0].At != want):
			t.Errorf("day %d: %v, want at %v", (on-start)/day, got, want)
		}
	}
}
