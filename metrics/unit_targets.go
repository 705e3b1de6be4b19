package metrics

import (
	"context"
	"math/big"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// closeTo is how far above its target a unit cost is still close to it (docs/figures.md 23.3).
var closeTo = big.NewRat(11, 10)

// UnitTarget is the most that a unit may cost, as it counts for a team or for the fleet.
type UnitTarget struct {
	Team     string        // empty: of the whole fleet
	Amount   *money.Amount // in the reader's currency; nil: no stored rate converts it
	Stated   money.Amount  // as the policy says it
	Currency string        // of Stated
	Version  string        // of the policy
}

// From names whose target it is.
func (t UnitTarget) From() string {
	if t.Team == "" {
		return "target of the fleet"
	}
	return "target of team " + t.Team
}

// Of judges a unit cost: good up to the target, watch up to 10 % above it, else act. It is unknown without a cost, and
// without a rate for the target.
func (t UnitTarget) Of(cost *big.Rat) Status {
	switch {
	case cost == nil || t.Amount == nil:
		return StatusUnknown
	case cost.Cmp(t.Amount.Rat()) <= 0:
		return StatusGood
	case cost.Cmp(new(big.Rat).Mul(t.Amount.Rat(), closeTo)) <= 0:
		return StatusWatch
	}
	return StatusAct
}

// UnitTargets are the targets of unit costs at the end of a period, for a reader's currency.
type UnitTargets struct {
	rules    policy.Version
	day      period.Second
	currency string
	rates    []RateSpan
}

// ReadUnitTargets reads the targets of the policy in force at an instant. Everyone may know them, also readers who may
// not read the policy.
func ReadUnitTargets(ctx context.Context, from Querier, at period.Second) (UnitTargets, error) {
	rules, err := readRules(ctx, from)
	return UnitTargets{rules: rules.At(at), day: at.Floor(period.Day)}, err
}

// In are the targets for a reader's currency, with the rates that they need.
func (u UnitTargets) In(ctx context.Context, from Source, currency string) (UnitTargets, error) {
	var err error
	u.currency, u.rates = currency, nil
	if slices.ContainsFunc(u.rules.UnitCostTargets, func(t policy.UnitCostTarget) bool { return t.Currency != currency }) {
		u.rates, err = from.ExchangeRates(ctx, currency)
	}
	return u, err
}

// Has reports whether a measure has a target for a team, or for the whole fleet if team is empty.
func (u UnitTargets) Has(measure, team string) bool {
	return len(u.rules.UnitTargets(measure, team)) > 0
}

// For is the target of a measure for a team, or for the whole fleet if team is empty: the team's own, else the fleet's;
// of several, the one in the reader's currency, else the first that a stored rate converts. It is false without one.
func (u UnitTargets) For(measure, team string) (UnitTarget, bool) {
	var found []UnitTarget
	for _, t := range u.rules.UnitTargets(measure, team) {
		target := UnitTarget{Team: t.Team, Stated: t.Amount, Currency: t.Currency, Version: u.rules.Settings.Version}
		if t.Currency == u.currency {
			target.Amount = &t.Amount
			return target, true
		}
		target.Amount = u.converted(t)
		found = append(found, target)
	}
	if len(found) == 0 {
		return UnitTarget{}, false
	}
	if i := slices.IndexFunc(found, func(t UnitTarget) bool { return t.Amount != nil }); i >= 0 {
		return found[i], true
	}
	return found[0], true
}

// Own is For without the fleet's target: that of a team whose members see no more than its part.
func (u UnitTargets) Own(measure, team string) (UnitTarget, bool) {
	t, found := u.For(measure, team)
	return t, found && team != "" && t.Team == team
}

// converted is the amount of a target in the reader's currency; nil without a rate for the day.
func (u UnitTargets) converted(t policy.UnitCostTarget) *money.Amount {
	for _, r := range u.rates {
		if r.holds(CurrencyDay{Currency: t.Currency, Day: u.day}) {
			amount := t.Amount.MulRat(r.Rate.Rat())
			return &amount
		}
	}
	return nil
}
