package page

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Stored time that begins inside a day is drawn like the dates of its label.
func TestStepsFollowTheDaysOfTheLabel(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     metrics.Granularity
	}{
		{"2026-11-02T09:00:00Z", "2026-11-04T14:05:00Z", metrics.Hour}, {"2026-11-02", "2026-11-05", metrics.Hour},
		{"2026-11-02T09:00:00Z", "2026-11-05T01:00:00Z", metrics.Day}, {"2026-11-02", "2026-11-02", metrics.Day},
		{"2026-10-01", "2026-12-02", metrics.Day}, {"2026-10-01", "2026-12-03", metrics.Week},
		{"2026-01-01", "2027-04-01", metrics.Month},
	} {
		w, err := metrics.ParseWindow(test.from, "", "UTC")
		if err != nil {
			t.Fatal(err)
		}
		end, err := metrics.ParseWindow("", test.to, "UTC")
		if err != nil {
			t.Fatal(err)
		}
		if got := StepOf(period.Interval{From: w.From, To: end.To}); got != test.want {
			t.Errorf("%s to %s is drawn by %s, want %s", test.from, test.to, got, test.want)
		}
	}
}
