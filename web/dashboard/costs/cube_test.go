package costs

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

func TestPartialSteps(t *testing.T) {
	extent := period.Interval{From: instant("2026-11-02T09:00:00Z"), To: instant("2026-11-05T14:05:00Z")}
	c := &cube{Step: metrics.Day, Span: extent}
	var got []string
	for i := range c.steps() {
		got = append(got, c.partName(i, c.steps(), extent))
	}
	for i, want := range []string{"from 09:00", "", "", "to 14:05"} {
		if got[i] != want || c.partial(i, c.steps(), extent) != (want != "") {
			t.Errorf("step %d: %q, want %q", i, got[i], want)
		}
	}
	one := period.Interval{From: instant("2026-11-02T09:00:00Z"), To: instant("2026-11-02T14:00:00Z")}
	if got := (&cube{Step: metrics.Day, Span: one}).partName(0, []period.Second{instant("2026-11-02")},
		one); got != "from 09:00 to 14:00" {
		t.Errorf("a day that begins and ends inside: %q", got)
	}
	week := &cube{Step: metrics.Week, Span: period.Interval{From: instant("2026-11-03"), To: instant("2026-11-11")}}
	if got := week.partName(0, week.steps(), period.Interval{}); got != "from 3 Nov" {
		t.Errorf("a week that begins on Tuesday: %q", got)
	}
}

func TestQualityIsTheWorstOfAHundredth(t *testing.T) {
	row := func(q ledger.Quality, cause ledger.Cause, cost string) costRow {
		return costRow{Cause: cause, Quality: q, Cost: usd(cost), State: ledger.Open}
	}
	for _, test := range []struct {
		rows []costRow
		want ledger.Quality
		lost string // proven loss
	}{
		{nil, "", "0"},
		{
			[]costRow{row(ledger.Measured, ledger.Used, "99.01"), row(ledger.Assumed, ledger.Lost, "0.99")},
			ledger.Measured, "0",
		},
		{[]costRow{row(ledger.Measured, ledger.Lost, "99"), row(ledger.Assumed, ledger.Lost, "1")}, ledger.Assumed, "99"},
		{[]costRow{row(ledger.Measured, ledger.Used, "98"), row(ledger.Estimated, ledger.Used, "2")}, ledger.Estimated, "0"},
		// credits count like costs, by their absolute value
		{[]costRow{row(ledger.Measured, ledger.Used, "150"), row(ledger.Assumed, ledger.Used, "-2")}, ledger.Assumed, "0"},
	} {
		c := &cube{Rows: test.rows}
		got := c.total()
		if got.quality() != test.want || got.lostAtLeast().String() != test.lost {
			t.Errorf("%v: %s, lost at least %s; want %s, %s", test.rows, got.quality(), got.lostAtLeast(), test.want, test.lost)
		}
	}
	if got := (&cube{}).total().state(); got != "" {
		t.Errorf("the quality of no rows is %q", got)
	}
}

func TestPairsMoveCostBetweenTeamsOnly(t *testing.T) {
	row := func(team, cost string) costRow {
		a := money.MustParse(cost)
		return costRow{Team: team, Cause: ledger.Free, State: ledger.Open, Quality: ledger.Measured, Cost: &a}
	}
	c := &cube{Rows: []costRow{row("a", "10"), row("unowned", "6")}}
	if c.shared() != c {
		t.Error("the cube without pairs has changed")
	}
	c.Pairs = []costRow{row("a", "6"), row("unowned", "-6")}
	teams := by(c.shared(), func(r costRow) string { return r.Team })
	if teams["a"].Cost.String() != "16" || !teams["unowned"].Cost.IsZero() || c.total().Cost.String() != "16" ||
		c.shared().total().Cost.String() != "16" {
		t.Errorf("%+v, before %+v", teams, c.total())
	}
	s := page.Scope{Basis: "effective", Sharing: "after"}
	if strings.Contains(s.With("sharing", ""), "sharing") || !strings.Contains(s.With("team", "x"), "sharing=after") ||
		!strings.Contains(s.Carried("/runs"), "sharing=after") {
		t.Errorf("addresses are %s, %s, %s", s.With("sharing", ""), s.With("team", "x"), s.Carried("/runs"))
	}
}

func TestSteps(t *testing.T) {
	november := period.MonthOf(1793530800) // begins on a Sunday
	for step, want := range map[metrics.Granularity]int{
		metrics.Hour: 720, metrics.Day: 30, metrics.Week: 6, metrics.Month: 1,
	} {
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

// The labels of the first hour and of a midnight never overlap.
func TestHoursOnTheAxis(t *testing.T) {
	for from, want := range map[int64][]int{
		0: {0, 6, 12}, 17: {1, 7, 13}, 18: {6, 12, 18}, 22: {2, 8, 14}, 4: {0, 8, 14},
	} {
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

func usd(s string) *money.Amount { a := money.MustParse(s); return &a }
