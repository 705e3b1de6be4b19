package advice

import (
	"fmt"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Use is what a team has of one family of machines, by how steady it is.
type Use struct {
	Subject      Subject // "", "", family, team
	Region       string
	Window       period.Interval
	Class        string       // always_on, baseline, bursty (docs/figures.md 22.2)
	OnDemandCost money.Amount // that a commitment of the family would have covered
	Discount     *big.Rat     // of commitments of the family, measured; nil: unknown
	Currency     string
	State        ledger.State
}

// ToCommitment advises a commitment for use that was always on, at the discount
// that commitments of the same family have here. Never for anything else.
func (u *Use) ToCommitment() (Recommendation, bool) {
	if u.Class != "always_on" || u.Discount == nil || u.Discount.Sign() <= 0 || u.OnDemandCost.Sign() <= 0 {
		return Recommendation{}, false
	}
	place := u.Subject.Kind
	if u.Region != "" {
		place += " in " + u.Region
	}
	hours := int64(u.Window.To-u.Window.From) / 3600
	return Recommendation{Kind: Commit, Subject: u.Subject, Region: u.Region, Window: u.Window,
		Proposal: fmt.Sprintf("Cover the always-on use of %s with a commitment.", place),
		Facts: []Fact{{"discount of commitments of the family", new(big.Rat).Mul(u.Discount, big.NewRat(100, 1)).FloatString(1), "%", ""},
			{"hours looked at", fmt.Sprint(hours), "h", ""}},
		Cost: u.OnDemandCost, Saving: u.OnDemandCost.MulRat(u.Discount), Currency: u.Currency, State: u.State, Confidence: confidence(hours)}, true
}
