package dashboard

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/timeline"
	"gpuledger/web/views/chart"
)

func usd(s string) *money.Amount { a := money.MustParse(s); return &a }

func TestRunSentence(t *testing.T) {
	run := runRow{Cost: usd("50482.54")}
	try := func(outcome, cost string) attemptRow { return attemptRow{Outcome: outcome, Cost: usd(cost)} }
	for _, test := range []struct {
		attempts []attemptRow
		want     string
	}{
		{nil, "$50,483. No attempt of it held a GPU."},
		{[]attemptRow{try("succeeded", "50482.54")}, "$50,483 for one attempt, which succeeded."},
		{[]attemptRow{try("running", "50482.54")}, "$50,483 so far; the first attempt is still running."},
		{[]attemptRow{try("oom", "50482.54")}, "$50,483 for one attempt, which ended oom."},
		{[]attemptRow{try("node_failure", "1"), try("succeeded", "2")}, "$50,483 for two attempts. The one that finished cost $2.00; the other, $1.00."},
		{[]attemptRow{try("failed", "1"), try("failed", "2")}, "$50,483 for two attempts. None of them finished."},
		{[]attemptRow{try("failed", "1"), try("preempted", "2"), try("succeeded", "3")}, "$50,483 for three attempts. The one that finished cost $3.00; the other two, $3.00."},
		{[]attemptRow{try("preempted", "1"), try("running", "2")}, "$50,483 so far for two attempts; one still running."},
	} {
		if got := runSentence("USD", run, test.attempts); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
	if got := runSentence("USD", runRow{}, nil); got != "No bill and no rate covers this run yet." {
		t.Errorf("without a price: %q", got)
	}
}

func TestStripIsWholeAndOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amounts := map[ledger.Cause]money.Amount{}
		for _, info := range ledger.Causes {
			if units := rapid.Int64Range(-5, 1_000_000).Draw(t, string(info.Cause)); units != 0 {
				amounts[info.Cause] = money.FromUnits(units * 1_000_000_000)
			}
		}
		least := money.FromUnits(rapid.Int64Range(0, 1_000_000).Draw(t, "least") * 1_000_000_000)
		s := causeStrip("USD", "row", amounts, &least)
		last := -1
		for _, g := range s.Segments {
			order := ledger.Cause(g.Cause).Order()
			if order < last {
				t.Fatalf("%s stands after a later cause", g.Cause)
			}
			last = order
		}
		positive := 0
		for _, a := range amounts {
			if a.Sign() > 0 {
				positive++
			}
		}
		if n := len(s.Segments); n < positive || n > positive+1 {
			t.Fatalf("%d segments for %d causes", n, positive)
		}
		if s.Label == "" {
			t.Fatal("the strip says nothing")
		}
	})
}

func TestLostIsSplitAtItsLowerBound(t *testing.T) {
	s := causeStrip("USD", "head", map[ledger.Cause]money.Amount{ledger.Used: money.MustParse("60"), ledger.Lost: money.MustParse("40")}, usd("10"))
	var got []string
	for _, g := range s.Segments {
		kind := g.Cause
		if g.Bound {
			kind += " bound"
		}
		got = append(got, kind+" "+g.Grow+" "+g.Amount)
	}
	want := []string{"used g600 $60.00", "lost g100 $10.00 – $40.00", "lost bound g300 $10.00 – $40.00"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestNodeBars(t *testing.T) {
	at := func(from, to period.Second) period.Interval { return period.Interval{From: from, To: to} }
	bound := ledger.NewID("attempt", "1")
	spans := []timeline.Span{
		{Slot: 0, Cause: ledger.Used, Interval: at(0, 100)}, {Slot: 1, Cause: ledger.Used, Interval: at(0, 50)}, {Slot: 1, Cause: ledger.HeldIdle, Interval: at(50, 100)},
		{Slot: 0, Cause: ledger.Lost, Attempt: bound, Interval: at(120, 150)},
	}
	want := []chart.GanttBar{{Span: at(0, 100), Cause: "used"}, {Span: at(120, 150), Cause: "lost", Bound: true}}
	if d := cmp.Diff(want, nodeBars(spans, map[ledger.ID]bool{bound: true})); d != "" {
		t.Error(d)
	}
}

func TestOthersRowFillsEachStep(t *testing.T) {
	span := period.Interval{From: 0, To: 12000}
	shares := othersRow([]timeline.Span{{Cause: ledger.Used, Interval: span}, {Cause: ledger.Lost, Interval: period.Interval{From: 6000, To: 12000}}}, span)
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

func TestRunPath(t *testing.T) {
	for id, want := range map[string]string{
		"prod/ml/PyTorchJob/train/1":  "/runs/prod/ml/PyTorchJob/train/1",
		"a b/ü?#%":                    "/runs/a%20b/%C3%BC%3F%23%25",
		"../../secret":                "/runs/?run=..%2F..%2Fsecret",
		"double//slash":               "/runs/?run=double%2F%2Fslash",
		"javascript:alert(1)":         "/runs/javascript:alert%281%29",
		"x\"onmouseover=\"alert(1)\"": "/runs/x%22onmouseover=%22alert%281%29%22",
	} {
		if got := runPath("/runs/", id); got != want {
			t.Errorf("runPath(%q) = %q, want %q", id, got, want)
		}
	}
}

func TestScopeAddresses(t *testing.T) {
	s := scope{path: "/runs", From: "2026-11-01", Basis: "billed", Team: "a&b", Status: "failed", AsTable: true}
	if got := s.with("team", ""); got != "/runs?from=2026-11-01&basis=billed&status=failed&as=table" {
		t.Errorf("with: %s", got)
	}
	if got := s.carried("/"); got != "/?from=2026-11-01&basis=billed&team=a%26b" {
		t.Errorf("carried: %s", got)
	}
	if got := s.with("page", "2", "basis", ""); got != "/runs?from=2026-11-01&team=a%26b&status=failed&as=table&page=2" {
		t.Errorf("page: %s", got)
	}
	if got := quote("it's"); got != "'it''s'" {
		t.Errorf("quote: %s", got)
	}
}

func TestWindowIsClosedByTheExtent(t *testing.T) {
	extent := period.Interval{From: 1793530800, To: 1793790000}
	got := scope{}.within(extent).span
	if got != extent {
		t.Errorf("span %v of extent %v", got, extent)
	}
	if got := (scope{Basis: "effective"}).within(extent).options(metrics.Options{}); got.From != "2026-11-01T11:00:00Z" || got.To != "2026-11-04T11:00:00Z" {
		t.Errorf("asked from %s to %s", got.From, got.To)
	}
	if got := (scope{}).within(period.Interval{}).span; !got.Empty() {
		t.Errorf("span %v of an empty ledger", got)
	}
}

func TestSteps(t *testing.T) {
	november := period.MonthOf(1793530800) // begins on a Sunday
	for step, want := range map[metrics.Granularity]int{metrics.Hour: 720, metrics.Day: 30, metrics.Week: 6, metrics.Month: 1} {
		c := &cube{Span: november, Step: step}
		steps := c.steps()
		if len(steps) != want {
			t.Errorf("%s: %d steps, want %d", step, len(steps), want)
		}
		named := 0
		for _, tick := range c.ticks(steps) {
			if tick {
				named++
			}
		}
		if named == 0 || (step != metrics.Hour && named > 16) {
			t.Errorf("%s: %d names on the axis", step, named)
		}
	}
}

// The name of the first hour and that of a midnight never stand in one another's way.
func TestHoursOnTheAxis(t *testing.T) {
	for from, want := range map[int64][]int{0: {0, 6, 12}, 17: {1, 7, 13}, 18: {6, 12, 18}, 22: {2, 8, 14}, 4: {0, 8, 14}} {
		c := &cube{Step: metrics.Hour}
		begin := period.Second(1793491200) + period.Second(from)*period.Hour // a midnight
		var steps []period.Second
		for i := range 55 {
			steps = append(steps, begin+period.Second(i)*period.Hour)
		}
		var named []int
		for i, tick := range c.ticks(steps) {
			if tick {
				named = append(named, i)
			}
		}
		if !slices.Equal(named[:len(want)], want) {
			t.Errorf("from %d o'clock: %v, want %v", from, named, want)
		}
	}
}

func TestHalf(t *testing.T) {
	if got := half(money.MustParse("3")); got.Rat().Cmp(big.NewRat(3, 2)) != 0 {
		t.Errorf("half of 3 is %s", got)
	}
}
