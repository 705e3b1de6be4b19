package pages

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Jobs whose times were read in another zone fit the activity of their GPUs at an offset; thin evidence, or evidence
// for two offsets, gives no report.
func TestJobsThatFitAtAnotherOffset(t *testing.T) {
	node := ledger.ID{1}
	const h = period.Second(period.Hour)
	start := 1000 * 24 * h
	real := []period.Interval{
		{From: start + 5*h, To: start + 9*h}, {From: start + 15*h, To: start + 17*h},
		{From: start + 30*h, To: start + 38*h}, {From: start + 43*h, To: start + 44*h},
	}
	at := func(by period.Second) (jobs []job) {
		for _, i := range real {
			jobs = append(jobs, job{"", node, period.Interval{From: i.From + by, To: i.To + by}})
		}
		return jobs
	}
	busy := func(in, out int64, hours period.Second) busyHours {
		b := map[period.Second]int64{}
		for x := start - 20*h; x < start+hours; x += h {
			b[x] = out
			for _, i := range real {
				held := period.HourOf(x).Intersect(i).Seconds()
				b[x] += (in - out) * held / int64(h)
			}
		}
		return busyHours{node: b}
	}
	clear := busy(900_000, 10_000, 70*h)
	for _, by := range []period.Second{0, h, 2 * h, -5 * h, -8 * h, 9 * h, 5*h + h/2} {
		if got := clearOffset(at(by), clear); got != -by {
			t.Errorf("jobs %d s late: %d", by, got)
		}
	}
	for what, c := range map[string]struct {
		jobs []job
		busy busyHours
	}{
		"GPUs that are always busy":    {at(h), busy(900_000, 850_000, 70*h)},
		"GPUs that are never busy":     {at(h), busy(20_000, 10_000, 70*h)},
		"a few hours of telemetry":     {at(h), busy(900_000, 10_000, -14*h)},
		"no telemetry":                 {at(h), busyHours{}},
		"no jobs":                      {nil, clear},
		"one job that is always there": {[]job{{"", node, period.Interval{From: start - 30*h, To: start + 90*h}}}, clear},
	} {
		if got := clearOffset(c.jobs, c.busy); got != 0 {
			t.Errorf("%s: %d", what, got)
		}
	}
}
