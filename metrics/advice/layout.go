package advice

import (
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Cards is what a cluster's MIG cards of one model held, and the fewest cards
// that would have held the same.
type Cards struct {
	Cluster, GPUModel string
	OwnerID           ledger.ID // of what nobody held
	Window            period.Interval
	Used, Fewest      int64
	Layouts           string       // of the fewest cards on the newest day, such as "2 × 3g.40gb+3g.40gb"
	Exact             bool         // the search was exhaustive
	Cost, Saving      money.Amount // of the cards, and of those that were not needed, day by day
	Currency          string
	State             ledger.State
}

// ToLayout advises to cut cards differently where fewer would do.
func (c *Cards) ToLayout() (Recommendation, bool) {
	if c.Used <= c.Fewest || c.Fewest < 0 || c.Saving.Sign() <= 0 {
		return Recommendation{}, false
	}
	confidence := confidence(int64(c.Window.To-c.Window.From) / 3600)
	if !c.Exact {
		confidence = Low
	}
	return Recommendation{Kind: Repartition, Subject: Subject{Cluster: c.Cluster, Kind: "cards", Name: c.GPUModel}, OwnerID: c.OwnerID, GPUModel: c.GPUModel, Window: c.Window,
		Proposal: fmt.Sprintf("Cut cards by the demand of the day, last %s; %d of %d cards become free.", c.Layouts, c.Used-c.Fewest, c.Used),
		Facts: []Fact{
			{"cards in MIG mode", fmt.Sprint(c.Used), "", ""},
			{"fewest cards that hold the same slices at once, on the day that needs most", fmt.Sprint(c.Fewest), "", ""},
		},
		Cost: c.Cost, Saving: c.Saving, Currency: c.Currency, State: c.State, Confidence: confidence}, true
}
