package policy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Measures that may have a target: columns of the datasets costs, runs and inference.
const (
	PerActiveGPUHour = "cost_per_active_gpu_hour"
	PerCompletedRun  = "cost_per_completed_run"
	PerMillionTokens = "cost_per_1m_tokens"
	PerThousandCalls = "cost_per_1k_requests"
)

// UnitCosts are the measures that may have a target.
var UnitCosts = []string{PerActiveGPUHour, PerCompletedRun, PerMillionTokens, PerThousandCalls}

// mostUnitTargets is the most targets that a document may have.
const mostUnitTargets = 500

// UnitCostTarget is the most that a unit may cost, for one team or for the whole fleet.
type UnitCostTarget struct {
	Measure  string // one of UnitCosts
	Team     string // empty: the whole fleet
	Amount   money.Amount
	Currency string // ISO 4217
}

// unitCostTarget is a target as written in a document.
type unitCostTarget struct {
	Measure  string `yaml:"measure"`
	Team     string `yaml:"team"`
	Amount   string `yaml:"amount"`
	Currency string `yaml:"currency"`
}

var targetPattern = regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,12})?$`)

// unitCostTargets checks a list of targets. A measure may have one per team and currency.
func unitCostTargets(list []unitCostTarget) ([]UnitCostTarget, error) {
	if len(list) > mostUnitTargets {
		return nil, fmt.Errorf("unit_cost_targets: %d targets: at most %d are possible", len(list), mostUnitTargets)
	}
	type place struct{ measure, team, currency string }
	seen := map[place]bool{}
	var out []UnitCostTarget
	for i, t := range list {
		fault := func(format string, args ...any) error {
			return fmt.Errorf("unit_cost_targets: target %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		if !slices.Contains(UnitCosts, t.Measure) {
			return nil, fault("measure is %q: write one of %s", t.Measure, strings.Join(UnitCosts, ", "))
		}
		if word := ledger.Spell("team", t.Team); word != t.Team {
			return nil, fault("team %s is always written as %s: use that", t.Team, word)
		}
		if !targetPattern.MatchString(t.Amount) {
			return nil, fault("amount is %q: write a decimal above 0, such as 4.50, without a currency", t.Amount)
		}
		amount, err := money.Parse(t.Amount)
		if err != nil {
			return nil, fault("amount: %s", err)
		}
		if amount.Sign() == 0 {
			return nil, fault("amount is 0: write a decimal above 0, or leave the target out")
		}
		if !currencyCode.MatchString(t.Currency) {
			return nil, fault("%q is not a currency: write an ISO 4217 code such as EUR", t.Currency)
		}
		k := place{t.Measure, t.Team, t.Currency}
		if seen[k] {
			return nil, fault("%s of %s in %s is given twice", t.Measure, ownerOfTarget(t.Team), t.Currency)
		}
		seen[k] = true
		out = append(out, UnitCostTarget{t.Measure, t.Team, amount, t.Currency})
	}
	return out, nil
}

func ownerOfTarget(team string) string {
	if team == "" {
		return "the fleet"
	}
	return "team " + team
}

// UnitTargets are the targets of a measure that count for a team, or for the whole fleet if team is empty: the team's
// own, else the fleet's. There may be one per currency.
func (v Version) UnitTargets(measure, team string) []UnitCostTarget {
	of := func(team string) (out []UnitCostTarget) {
		for _, t := range v.UnitCostTargets {
			if t.Measure == measure && t.Team == team {
				out = append(out, t)
			}
		}
		return out
	}
	if own := of(team); len(own) > 0 {
		return own
	}
	return of("")
}
