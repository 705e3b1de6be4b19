package metrics

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Every measure that a policy may judge is a column of money of a dataset.
func TestUnitCostsAreColumns(t *testing.T) {
	for _, measure := range policy.UnitCosts {
		if !slices.ContainsFunc(Datasets, func(d *Dataset) bool {
			c, ok := d.Column(measure)
			return ok && c.Kind == Ratio
		}) {
			t.Errorf("%s is no column", measure)
		}
	}
}

// The team's own target counts before the fleet's, in whatever currency; of one owner's, the one in the reader's
// currency, and then one that a rate converts.
func TestUnitTargetsFollowTeamAndCurrency(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 5)) //nolint:gosec // a test
	teams, coins := []string{"", "speech", "vision"}, []string{"USD", "EUR", "GBP"}
	const day = 1000 * period.Day
	for range 3000 {
		u := UnitTargets{currency: "USD", day: day}
		has, rates := map[[2]string]money.Amount{}, map[string]money.Amount{"USD": money.MustParse("1")}
		for _, team := range teams {
			for _, coin := range coins {
				if random.IntN(3) == 0 {
					amount := money.MustParse(fmt.Sprintf("%d.5", random.IntN(50)))
					has[[2]string{team, coin}] = amount
					u.rules.UnitCostTargets = append(u.rules.UnitCostTargets, policy.UnitCostTarget{
						Measure: policy.PerCompletedRun, Team: team, Amount: amount, Currency: coin,
					})
				}
			}
		}
		for _, coin := range coins[1:] {
			switch rate := money.MustParse(fmt.Sprintf("1.%d", 1+random.IntN(8))); random.IntN(3) {
			case 0:
				rates[coin] = rate
				u.rates = append(u.rates, RateSpan{coin, period.Interval{From: day}, rate})
			case 1: // it ended the day before
				u.rates = append(u.rates, RateSpan{coin, period.Interval{From: 1, To: day}, rate})
			}
		}
		if _, found := u.For(policy.PerMillionTokens, "speech"); found {
			t.Fatal("a target of another measure")
		}
		for _, team := range append(teams, "none") {
			got, found := u.For(policy.PerCompletedRun, team)
			owner := ""
			for _, coin := range coins {
				if _, own := has[[2]string{team, coin}]; own {
					owner = team
				}
			}
			given, convertible := false, false
			for _, coin := range coins {
				_, there := has[[2]string{owner, coin}]
				_, rate := rates[coin]
				given, convertible = given || there, convertible || there && rate
			}
			if found != given || found && (got.Team != owner || (got.Amount != nil) != convertible) {
				t.Fatalf("%+v: team %q has %+v, %v", u, team, got, found)
			}
			if !found || got.Amount == nil {
				continue
			}
			if _, exact := has[[2]string{owner, "USD"}]; exact && got.Currency != "USD" {
				t.Fatalf("%+v is not in the reader's currency", got)
			}
			want := new(big.Rat).Mul(has[[2]string{owner, got.Currency}].Rat(), rates[got.Currency].Rat())
			if got.Stated != has[[2]string{owner, got.Currency}] || got.Amount.Rat().Cmp(want) != 0 {
				t.Fatalf("%+v, want %s", got, want)
			}
		}
	}
}

// A unit cost is met up to its target, close up to 10 % above it, and missed beyond; a higher cost is never better.
func TestUnitTargetJudges(t *testing.T) {
	amount := money.MustParse("40")
	target := UnitTarget{Amount: &amount}
	for cost, want := range map[string]Status{
		"0": StatusGood, "40": StatusGood, "40.000000000001": StatusWatch, "44": StatusWatch, "44.000000000001": StatusAct,
	} {
		if got := target.Of(money.MustParse(cost).Rat()); got != want {
			t.Errorf("%s is %s, want %s", cost, got, want)
		}
	}
	if target.Of(nil) != StatusUnknown || (UnitTarget{}).Of(big.NewRat(1, 1)) != StatusUnknown {
		t.Error("a verdict on nothing")
	}
	order := []Status{StatusGood, StatusWatch, StatusAct}
	worst := 0
	for cents := int64(0); cents < 6000; cents++ {
		at := slices.Index(order, target.Of(big.NewRat(cents, 100)))
		if at < worst {
			t.Fatalf("%d cents are better than less", cents)
		}
		worst = at
	}
}
