package work

import (
	"testing"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// A running run lasts until the last sample. Bills reach further, and fees are posted to the
// end of the month.
func TestRunningLastsUntilTheLastSample(t *testing.T) {
	const start = period.Second(1793491200) // 1 November 2026
	p := &page.Context{Extent: metrics.Extent{
		Stored: period.Interval{From: start, To: start + 30*period.Day},
		Data:   start + 10*period.Day, Seen: start + 8*period.Day,
	}}
	has := func(what string, cells []views.Cell, want string) {
		for _, c := range cells {
			if c.Figure.Text == want {
				return
			}
		}
		t.Errorf("%s does not last %q: %+v", what, want, cells)
	}
	has("a run", runCells(p, Run{Started: start}), "8.0 days")
	has("an attempt", attemptCells(p, attemptRow{Started: start}, false), "8.0 days")
	var v views.RunDetail
	runFacts(p, &v, Run{Started: start}, nil)
	for _, f := range v.Facts {
		if f.Name == "GPU-hours" && f.Note != "8.0 days" {
			t.Errorf("the run lasted %q", f.Note)
		}
	}
	if m := runPeriod(Run{Started: start}, p.Extent.Seen); m.Value != "1 – 8 Nov 2026, whole run" {
		t.Errorf("the run is shown over %q", m.Value)
	}
}
