package work

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/timeline"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

func usd(s string) *money.Amount { a := money.MustParse(s); return &a }

func TestRunSentence(t *testing.T) {
	run := Run{Cost: usd("50482.54")}
	try := func(outcome, cost string) attemptRow { return attemptRow{Outcome: outcome, Cost: usd(cost)} }
	for _, test := range []struct {
		attempts []attemptRow
		want     string
	}{
		{nil, "$50,483. No attempt held a GPU."},
		{[]attemptRow{try("succeeded", "50482.54")}, "$50,483 for one attempt, which succeeded."},
		{[]attemptRow{try("running", "50482.54")}, "$50,483 so far; the first attempt is still running."},
		{[]attemptRow{try("oom", "50482.54")}, "$50,483 for one attempt, which ended oom."},
		{
			[]attemptRow{try("node_failure", "1"), try("succeeded", "2")},
			"$50,483 for two attempts. The one that finished cost $2.00; the other, $1.00.",
		},
		{[]attemptRow{try("failed", "1"), try("failed", "2")}, "$50,483 for two attempts. None of them finished."},
		{
			[]attemptRow{try("failed", "1"), try("preempted", "2"), try("succeeded", "3")},
			"$50,483 for three attempts. The one that finished cost $3.00; the other two, $3.00.",
		},
		{[]attemptRow{try("preempted", "1"), try("running", "2")}, "$50,483 so far for two attempts; one still running."},
	} {
		if got := runSentence("USD", run, test.attempts); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if got := runSentence("USD", Run{}, nil); got != "No bill or rate covers this run yet." {
		t.Errorf("without a price: %q", got)
	}
}

func TestNodeBars(t *testing.T) {
	at := func(from, to period.Second) period.Interval { return period.Interval{From: from, To: to} }
	bound := ledger.NewID("attempt", "1")
	spans := []timeline.Span{
		{Slot: 0, Cause: ledger.Used, Interval: at(0, 100)}, {Slot: 1, Cause: ledger.Used, Interval: at(0, 50)},
		{Slot: 1, Cause: ledger.HeldIdle, Interval: at(50, 100)},
		{Slot: 0, Cause: ledger.Lost, Attempt: bound, Interval: at(120, 150)},
	}
	want := []chart.GanttBar{{Span: at(0, 100), Cause: "used"}, {Span: at(120, 150), Cause: "lost", Bound: true}}
	if d := cmp.Diff(want, nodeBars(spans, map[ledger.ID]bool{bound: true})); d != "" {
		t.Error(d)
	}
}

func TestOthersRowFillsEachStep(t *testing.T) {
	span := period.Interval{From: 0, To: 12000}
	shares := othersRow([]timeline.Span{{Cause: ledger.Used, Interval: span},
		{Cause: ledger.Lost, Interval: period.Interval{From: 6000, To: 12000}}}, span)
	height := map[period.Second]float64{}
	for _, s := range shares {
		height[s.Span.From] += s.To - s.From
	}
	if len(height) != othersBuckets {
		t.Errorf("%d steps, want %d", len(height), othersBuckets)
	}
	for at, h := range height {
		if h < .999 || h > 1.001 {
			t.Errorf("step %d is filled to %v", at, h)
		}
	}
}

// Without both percentiles the figure is n/a, never 0.
func TestHeldActivityOfARun(t *testing.T) {
	f := heldActivity(Run{ActivityP50: usd("0.625"), ActivityP95: usd("0.97")})
	if got, want := f.Value.Text+" "+f.Note,
		format.Percent(big.NewRat(5, 8), page.One)+" p95 "+format.Percent(big.NewRat(97, 100), page.One); got != want {
		t.Errorf("says %q, want %q", got, want)
	}
	if f := heldActivity(Run{}); f.Value.Text != format.NA || f.Note != "" {
		t.Errorf("a run without telemetry: %+v", f)
	}
}
