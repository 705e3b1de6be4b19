package dashboard

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/views"
)

func instant(s string) period.Second {
	t, err := metrics.Parse("costs", metrics.Options{From: s})
	if err != nil {
		panic(err)
	}
	return t.Window.From
}

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
	if got := (&cube{Step: metrics.Day, Span: one}).partName(0, []period.Second{instant("2026-11-02")}, one); got != "from 09:00 to 14:00" {
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
		lost string // for certain
	}{
		{nil, "", "0"},
		{[]costRow{row(ledger.Measured, ledger.Used, "99.01"), row(ledger.Assumed, ledger.Lost, "0.99")}, ledger.Measured, "0"},
		{[]costRow{row(ledger.Measured, ledger.Lost, "99"), row(ledger.Assumed, ledger.Lost, "1")}, ledger.Assumed, "99"},
		{[]costRow{row(ledger.Measured, ledger.Used, "98"), row(ledger.Estimated, ledger.Used, "2")}, ledger.Estimated, "0"},
		{[]costRow{row(ledger.Measured, ledger.Used, "150"), row(ledger.Assumed, ledger.Used, "-2")}, ledger.Assumed, "0"}, // credits weigh as much as costs
	} {
		c := &cube{Rows: test.rows}
		got := c.total()
		if got.quality() != test.want || got.lostAtLeast().String() != test.lost {
			t.Errorf("%v: %s, lost at least %s; want %s, %s", test.rows, got.quality(), got.lostAtLeast(), test.want, test.lost)
		}
	}
	if got := (&cube{}).total().state(); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestNetSpotSaving(t *testing.T) {
	p := &pageContext{currency: "USD"}
	lost := func(reason string, basis ledger.LossBasis) []attemptRow {
		return []attemptRow{{Reason: reason, Basis: basis, Lost: money.MustParse("9")}}
	}
	for _, test := range []struct {
		net, gross *money.Amount
		attempts   []attemptRow
		text, note string
	}{
		{usd("59.5"), usd("100"), nil, "$59.50", "gross $100.00"},
		{usd("59.5"), nil, nil, "$59.50", ""},
		{usd("-30"), usd("100"), lost("spot_interruption", ledger.LossNone), "−$30.00", "gross $100.00, at least "},
		{usd("59.5"), usd("100"), lost("spot_interruption", ledger.LossCheckpoint), "$59.50", "gross $100.00"},
		{usd("59.5"), usd("100"), lost("scheduler", ledger.LossNone), "$59.50", "gross $100.00"},
		{nil, usd("100"), nil, "n/a", "no on-demand price"},
	} {
		f, ok := p.netSpot(runRow{SpotSavings: test.gross, runPace: runPace{NetSpot: test.net}}, test.attempts)
		if !ok || f.Value.Text != test.text || f.Note != test.note {
			t.Errorf("%+v, want %s, %s", f, test.text, test.note)
		}
	}
	if _, ok := p.netSpot(runRow{SpotSavings: usd("0"), runPace: runPace{NetSpot: usd("0")}}, nil); ok {
		t.Error("a run without spot has a spot saving")
	}
}

func TestBudgetOfARun(t *testing.T) {
	p := &pageContext{currency: "USD"}
	p.scope.Basis = "effective"
	for _, test := range []struct {
		name           string
		run            runRow
		text, sub, tag string
		facts          []string // name: value, note
	}{
		{"none", runRow{Status: "succeeded"}, "n/a", "", "", nil},
		{"ended within", runRow{Status: "succeeded", Cost: usd("40"), runPace: runPace{Budget: usd("100"), Ratio: usd("0.4")}}, "40.0 %", "", "",
			[]string{"Budget: 40.0 %, $60.00 left of $100.00"}},
		{"all of it", runRow{Status: "succeeded", Cost: usd("100"), runPace: runPace{Budget: usd("100"), Ratio: usd("1")}}, "100.0 %", "", "", []string{"Budget: 100.0 %, $0.00 left of $100.00"}},
		{"over", runRow{Status: "running", Cost: usd("112"), runPace: runPace{Budget: usd("100"), Ratio: usd("1.12"), Burn: usd("2"), RunsOut: 3600, Projected: usd("130")}}, "112.0 %", "", "over budget",
			[]string{"Budget: 112.0 %, $12.00 over $100.00 ", "Burn rate: $2.000/h, in its last 6 hours", "Budget runs out: 1 Jan 01:00, it was used up then", "Projected cost: $130.00, if it lasts as others did"}},
		{"running out", runRow{Status: "running", Cost: usd("40"), runPace: runPace{Budget: usd("100"), Ratio: usd("0.4"), Burn: usd("2"), RunsOut: 3600, Projected: usd("130")}}, "40.0 %", "runs out 1 Jan 01:00", "",
			[]string{"Budget: 40.0 %, $60.00 left of $100.00", "Burn rate: $2.000/h, in its last 6 hours", "Budget runs out: 1 Jan 01:00, at this burn rate", "Projected cost: $130.00, if it lasts as others did "}},
		{"without pace", runRow{Status: "running", Cost: usd("40"), runPace: runPace{Burn: usd("2")}}, "n/a", "", "",
			[]string{"Budget: n/a, no label names one", "Burn rate: $2.000/h, in its last 6 hours", "Budget runs out: n/a, no budget", "Projected cost: n/a, none like it completed"}},
		{"without cost", runRow{Status: "running", runPace: runPace{Budget: usd("100")}}, "n/a", "", "",
			[]string{"Budget: n/a, of $100.00", "Burn rate: n/a, no cost of late", "Budget runs out: n/a, no burn rate", "Projected cost: n/a, no burn rate"}},
	} {
		cell := p.budgetCell("USD", test.run)
		tag := ""
		if cell.Figure.Tag != nil {
			tag = cell.Figure.Tag.Text
		}
		if cell.Figure.Text != test.text || cell.Sub != test.sub || tag != test.tag || (test.text == "n/a" && cell.Figure.Title == "") {
			t.Errorf("%s: cell %+v, tag %q", test.name, cell, tag)
		}
		facts := p.paceFacts(test.run)
		for i, want := range test.facts {
			if i >= len(facts) || facts[i].Name+": "+facts[i].Value.Text+", "+facts[i].Note != want {
				t.Errorf("%s: facts %+v, want %s", test.name, facts, want)
				break
			}
		}
		if n := len(facts); n != len(test.facts)+2 || facts[n-1].Name != "Gang wait" || facts[n-2].Value.Text != "n/a" {
			t.Errorf("%s: %d facts, want the two parts of overhead last, unknown: %+v", test.name, n, facts)
		}
	}
}

func TestLegendNamesACauseOnce(t *testing.T) {
	amounts := map[ledger.Cause]money.Amount{ledger.Used: money.MustParse("60"), ledger.Lost: money.MustParse("40")}
	for _, least := range []string{"0", "10", "40"} {
		named := 0
		for _, g := range causeStrip("USD", "head", amounts, usd(least)).Segments {
			if g.Named && g.Cause == "lost" {
				named++
			}
		}
		if named != 1 {
			t.Errorf("lost at least %s: %d entries", least, named)
		}
	}
}

func TestFileName(t *testing.T) {
	for path, want := range map[string]string{
		"a/b/c.parquet": "c.parquet", "c.csv": "c.csv",
		"aws-cur/data/BILLING_PERIOD=2026-11/acme-cur2-hourly-00001.snappy.parquet": "acme-cur2…0001.snappy.parquet",
	} {
		if got := fileName(path); got != want || len([]rune(got)) > mostFileName {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	extent := period.Interval{From: instant("2026-10-20"), To: instant("2026-11-20")}
	for _, test := range []struct{ from, to, earlier, later string }{
		{"", "", "", ""},
		{"2026-11-10", "2026-11-12", "/?from=2026-11-08&to=2026-11-10", "/?from=2026-11-12&to=2026-11-14"},
		{"2026-11-01", "2026-12-01", "/?from=2026-10-01&to=2026-11-01", ""},
		{"2026-10-20", "2026-10-27", "", "/?from=2026-10-27&to=2026-11-03"},
	} {
		s := scope{path: "/", From: test.from, To: test.to, Basis: "effective"}
		if test.from != "" {
			s.window = period.Interval{From: instant(test.from), To: instant(test.to)}
		}
		earlier, later := (&pageContext{scope: s, extent: extent}).neighbours()
		if earlier != test.earlier || later != test.later {
			t.Errorf("%s to %s: %q and %q", test.from, test.to, earlier, later)
		}
	}
}

func TestFirstStepsCountWhatWasPublished(t *testing.T) {
	imports := []importRow{
		{Source: ledger.SourceOf("aws-cur"), State: "published", Accepted: 400}, {Source: ledger.SourceOf("aws-cur"), State: "published", Accepted: 20},
		{Source: ledger.SourceOf("aws-cur"), State: "unchanged", Accepted: 400}, {Source: ledger.SourceOf("openmetrics"), State: "refused", Accepted: 9},
	}
	f := firstRun(imports, false)
	if f.Done != "1 of 4 done" || f.Steps[0].Detail != "420 rows accepted in 2 imports" || f.Steps[1].Done || f.Steps[3].Detail != "Ready to run" {
		t.Errorf("%+v", f)
	}
	if f = firstRun(imports, true); f.Done != "2 of 4 done" || !f.Steps[3].Done {
		t.Errorf("%+v", f)
	}
}

func TestAttentionNamesARunOnce(t *testing.T) {
	run := func(id, lost, least, cost string) runRow {
		return runRow{ID: id, Name: id, Currency: "USD", Attempts: 2, Cost: usd(cost), Lost: money.MustParse(lost), LostMin: money.MustParse(least)}
	}
	p := &pageContext{currency: "USD", scope: scope{Basis: "effective"}}
	alerts := func(runs ...runRow) []views.Alert {
		var o views.Overview
		p.attention(&o, overviewFacts{runs: runs}, &sums{})
		return o.Attention.Alerts
	}
	if got := alerts(run("a", "30", "0", "100"), run("b", "20", "20", "90")); len(got) != 1 || got[0].Detail != "most in a: up to $30.00 of its $100.00" {
		t.Errorf("the run that lost most stands twice or nowhere: %+v", got)
	}
	if got := alerts(run("a", "30", "0", "100"), run("b", "40", "40", "90")); len(got) != 2 || got[1].What != "b lost $40.00" {
		t.Errorf("%+v", got)
	}
}

func TestThePeriodBeforeIsAsLong(t *testing.T) {
	extent := period.Interval{From: instant("2026-09-15"), To: instant("2026-11-19T14:05:00Z")}
	for _, test := range []struct{ from, to, want string }{
		{"2026-11-10", "2026-11-12", "2026-11-08T00:00:00Z/2026-11-10T00:00:00Z"},
		{"2026-10-01", "2026-11-01", ""},
		{"2026-11-01", "2026-12-01", "2026-10-01T00:00:00Z/2026-10-19T14:05:00Z"}, // November is not over
		{"2026-11-18", "2026-11-20", "2026-11-16T00:00:00Z/2026-11-17T14:05:00Z"},
		{"2026-12-01", "2026-12-02", ""},
	} {
		s := scope{From: test.from, To: test.to, window: period.Interval{From: instant(test.from), To: instant(test.to)}}
		got := ""
		if before, ok := s.before(extent); ok {
			got = before.span.String()
		}
		if got != test.want {
			t.Errorf("before %s to %s: %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

func TestPairsMoveCostBetweenTeamsOnly(t *testing.T) {
	row := func(team, cost string) costRow {
		a := money.MustParse(cost)
		return costRow{Team: team, Cause: ledger.Free, State: ledger.Open, Quality: ledger.Measured, Cost: &a}
	}
	c := &cube{Rows: []costRow{row("a", "10"), row("unowned", "6")}}
	if c.shared() != c {
		t.Error("without pairs nothing is shared")
	}
	c.Pairs = []costRow{row("a", "6"), row("unowned", "-6")}
	teams := by(c.shared(), func(r costRow) string { return r.Team })
	if teams["a"].Cost.String() != "16" || !teams["unowned"].Cost.IsZero() || c.total().Cost.String() != "16" || c.shared().total().Cost.String() != "16" {
		t.Errorf("%+v, before %+v", teams, c.total())
	}
	s := scope{Basis: "effective", Sharing: "after"}
	if strings.Contains(s.with("sharing", ""), "sharing") || !strings.Contains(s.with("team", "x"), "sharing=after") || strings.Contains(s.carried("/runs"), "sharing") {
		t.Errorf("addresses are %s, %s, %s", s.with("sharing", ""), s.with("team", "x"), s.carried("/runs"))
	}
}
