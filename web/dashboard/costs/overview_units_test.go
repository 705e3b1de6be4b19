package costs

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/dashtest"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const targetsOfUnits = `version: goals
valid_from: 2026-11-05
unit_cost_targets:
  - {measure: cost_per_active_gpu_hour, amount: 7, currency: USD}
  - {measure: cost_per_active_gpu_hour, team: speech, amount: 5, currency: EUR}
  - {measure: cost_per_completed_run, amount: 100, currency: USD}
`

// Tiles are judged by the team's own target, else by the fleet's, in the page's currency, by the policy at the end of
// the period; without a target they have none.
func TestUnitTargetsOfThePage(t *testing.T) {
	reader := dashtest.New()
	reader.Tables["policies"] = []dashtest.Row{{"version": "goals", "status": "holds", "document": targetsOfUnits}}
	rates := []metrics.RateSpan{{From: "EUR", Days: period.Interval{From: dashtest.First}, Rate: money.MustParse("1.2")}}
	for _, c := range []struct {
		team     string
		currency format.Currency
		rates    []metrics.RateSpan
		to       period.Second
		hour     string // cost per active GPU-hour
		want     string
	}{
		{"", "USD", nil, 0, "7", "target of the fleet: $7.000 met; target of the fleet: $100.00 missed"},
		{"", "USD", nil, 0, "7.7", "target of the fleet: $7.000 close; target of the fleet: $100.00 missed"},
		{"", "USD", nil, 0, "", "target of the fleet: $7.000 ; target of the fleet: $100.00 missed"},
		{"vision", "USD", rates, 0, "8", "target of the fleet: $7.000 missed; target of the fleet: $100.00 missed"},
		{"speech", "USD", nil, 0, "6", "target of team speech: n/a, no exchange rate from EUR ; target of the fleet: $100.00 missed"},
		{"speech", "USD", rates, 0, "6", "target of team speech: $6.000 met; target of the fleet: $100.00 missed"},
		{"speech", "EUR", nil, 0, "6", "target of team speech: €5.000 missed; " +
			"target of the fleet: n/a, no exchange rate from USD "},
		{"speech", "USD", rates, dashtest.First + period.Day, "6", "none; none"}, // the policy did not hold yet
	} {
		reader.Rates = map[string][]metrics.RateSpan{"USD": c.rates}
		p := &page.Context{
			Currency: c.currency, Scope: page.Scope{Team: c.team, Span: period.Interval{To: c.to}},
			Extent: metrics.Extent{Data: dashtest.Last},
		}
		targets, err := readUnitTargets(t.Context(), reader, p)
		if err != nil {
			t.Fatal(err)
		}
		if targets, err = targets.In(t.Context(), reader, string(c.currency)); err != nil {
			t.Fatal(err)
		}
		f := overviewFacts{unitTargets: targets, perActive: map[string]*big.Rat{}}
		if c.hour != "" {
			f.perActive[string(c.currency)] = money.MustParse(c.hour).Rat()
		}
		o := views.Overview{Tiles: []views.Tile{{Define: "costs.cost_per_active_gpu_hour"},
			{Define: "runs.cost_per_completed_run"}, {Define: "causes.lost"}}}
		withUnitTargets(p, &o, f, big.NewRat(111, 1))
		var got []string
		for _, tile := range o.Tiles[:2] {
			switch {
			case tile.Goal == nil:
				got = append(got, "none")
			case tile.Goal.Tag == nil:
				got = append(got, tile.Goal.Text+" ")
			default:
				got = append(got, tile.Goal.Text+" "+tile.Goal.Tag.Text)
			}
		}
		if text := strings.Join(got, "; "); text != c.want || len(o.Tiles) != 3 || o.Tiles[2].Goal != nil {
			t.Errorf("%+v: %q", c, text)
		}
	}
	o := views.Overview{}
	withUnitTargets(&page.Context{}, &o, overviewFacts{unitTargetsErr: errors.New("too slow")}, nil)
	if len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "could not be read") {
		t.Errorf("%q does not say that there may be targets", o.Notes)
	}
}

// Unit costs of models are shown where the policy has a target for them, and not under a filter that they do not have.
func TestServedUnitsHaveTargets(t *testing.T) {
	reader := dashtest.New()
	reader.Tables["inference"] = []dashtest.Row{{"currency": "USD", "team": "speech",
		"cost_per_1m_tokens": money.MustParse("0.42"), "cost_per_1k_requests": money.MustParse("3")}}
	target := "version: goals\nunit_cost_targets: [{measure: cost_per_1m_tokens, amount: 0.4, currency: USD}]\n"
	reader.Tables["policies"] = []dashtest.Row{{"version": "goals", "status": "holds", "document": target}}
	for scope, want := range map[[2]string]string{
		{"speech", ""}: "Per 1M tokens close", {"speech", "aws"}: "", {"vision", ""}: "",
	} {
		p := &page.Context{
			Currency: "USD", Scope: page.Scope{Team: scope[0], Provider: scope[1], Basis: "effective"},
			Extent: metrics.Extent{Data: dashtest.Last},
		}
		targets, err := readUnitTargets(t.Context(), reader, p)
		if err != nil {
			t.Fatal(err)
		}
		if targets, err = targets.In(t.Context(), reader, "USD"); err != nil {
			t.Fatal(err)
		}
		f := overviewFacts{unitTargets: targets}
		if f.served, err = readServed(t.Context(), reader, p.Scope, targets); err != nil {
			t.Fatal(err)
		}
		o, got := views.Overview{}, ""
		withUnitTargets(p, &o, f, nil)
		for _, tile := range o.Tiles {
			got += tile.Name + " " + tile.Goal.Tag.Text
		}
		if got != want {
			t.Errorf("%q: %q, want %q", scope, got, want)
		}
	}
}

// What a reader with a scope sees is no fleet: its unit costs have the target of the team that is all of it, or none.
func TestAReaderWithAScopeHasNoTargetOfTheFleet(t *testing.T) {
	reader := dashtest.New()
	reader.Tables["policies"] = []dashtest.Row{{"version": "goals", "status": "holds", "document": targetsOfUnits}}
	p := &page.Context{Currency: "EUR", Extent: metrics.Extent{Data: dashtest.Last}}
	targets, err := readUnitTargets(t.Context(), reader, p)
	if err != nil {
		t.Fatal(err)
	}
	if targets, err = targets.In(t.Context(), reader, "EUR"); err != nil {
		t.Fatal(err)
	}
	for teams, want := range map[string]string{
		"speech": "target of team speech: €5.000", "speech unowned": "target of team speech: €5.000",
		"vision": "", "speech vision": "", "": "",
	} {
		c := &cube{}
		for _, team := range strings.Fields(teams) {
			c.Rows = append(c.Rows, costRow{Team: team})
		}
		got := ""
		if g := goal(p, overviewFacts{unitTargets: targets, inPart: true, cube: c}, "cost_per_active_gpu_hour", nil); g != nil {
			got = g.Text
		}
		if got != want {
			t.Errorf("teams %q: %q, want %q", teams, got, want)
		}
	}
}

// Models that answer in one currency have no tile in another, and a fleet that served nothing says so.
func TestServedUnitsAreOfTheirCurrency(t *testing.T) {
	reader := dashtest.New()
	target := "version: goals\nunit_cost_targets: [{measure: cost_per_1m_tokens, amount: 0.4, currency: USD}]\n"
	reader.Tables["policies"] = []dashtest.Row{{"version": "goals", "status": "holds", "document": target}}
	p := &page.Context{Currency: "EUR", Extent: metrics.Extent{Data: dashtest.Last}}
	targets, err := readUnitTargets(t.Context(), reader, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		served map[string]served
		tiles  int
	}{
		{map[string]served{"USD": {perMillionTokens: big.NewRat(1, 2)}}, 0}, {map[string]served{}, 1},
	} {
		o := views.Overview{}
		withUnitTargets(p, &o, overviewFacts{unitTargets: targets, served: c.served}, nil)
		if len(o.Tiles) != c.tiles {
			t.Errorf("%v: %d tiles in EUR, want %d", c.served, len(o.Tiles), c.tiles)
		}
	}
}
