package report_test

import (
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
)

// Targets are those of the stored policy at the instant, converted by the stored rate of its day; readers of one team
// have them too.
func TestUnitTargetsAreOfTheStoredPolicy(t *testing.T) {
	s := twoCurrencies(t)
	save(t, s, rates)
	save(t, s, `version: goals
valid_from: 2026-11-02
unit_cost_targets:
  - {measure: cost_per_completed_run, amount: 50, currency: USD}
  - {measure: cost_per_completed_run, team: research, amount: 20, currency: GBP}
`)
	lead := storetest.InPart(t, s, "team = 'research'")
	of := func(day, team, currency string) string {
		t.Helper()
		u, err := metrics.ReadUnitTargets(lead, s, storetest.Second(day+"T12"))
		if err != nil {
			t.Fatal(err)
		}
		if u, err = u.In(lead, s, currency); err != nil {
			t.Fatal(err)
		}
		target, found := u.For(policy.PerCompletedRun, team)
		switch {
		case !found:
			return "none"
		case target.Amount == nil:
			return target.From() + " without a rate from " + target.Currency
		}
		return target.From() + " " + target.Amount.String() + " " + target.Version
	}
	for _, c := range [][4]string{
		{"2026-11-01", "", "USD", "none"},
		{"2026-11-03", "", "USD", "target of the fleet 50 goals"},
		{"2026-11-03", "vision", "USD", "target of the fleet 50 goals"},
		{"2026-11-03", "vision", "EUR", "target of the fleet 46.065 goals"},
		{"2026-11-03", "research", "GBP", "target of team research 20 goals"},
		{"2026-11-03", "research", "USD", "target of team research without a rate from GBP"},
	} {
		if got := of(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%v: %q", c, got)
		}
	}
}
