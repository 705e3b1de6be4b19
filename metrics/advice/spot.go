package advice

import (
	"fmt"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Interruptible is work of one owner on one type of on-demand machine that
// writes checkpoints.
type Interruptible struct {
	Subject      Subject // cluster, "", instance type, team
	GPUModel     string
	InstanceType string
	Window       period.Interval
	There        Presence     // when it ran
	Hours        int64        // instance-hours
	Cost         money.Amount // of them, on demand
	Currency     string
	State        ledger.State

	SpotShare       *big.Rat // spot price ÷ on-demand price; nil: unknown
	SpotSource      string   // where that is from
	Interruptions   int64    // of spot machines of the type
	SpotHours       int64    // instance-hours in which they happened; 0: unknown
	SpotDays        int64    // with any of them
	CheckpointEvery int64    // seconds between checkpoints, median
	RestartSeconds  int64    // until the gang of a further attempt was complete, median
}

// ToSpot advises spot where something is left after what interruptions at the
// measured rate would cost: per interruption half of the time between two
// checkpoints is done again, and the restart comes on top. False where price,
// rate or checkpoints are not known.
func (w *Interruptible) ToSpot() (Recommendation, bool) {
	if w.SpotShare == nil || w.SpotShare.Sign() <= 0 || w.SpotHours <= 0 || w.CheckpointEvery <= 0 || w.Hours <= 0 || w.Cost.Sign() <= 0 {
		return Recommendation{}, false
	}
	perHour := big.NewRat(w.Interruptions, w.SpotHours)
	again := big.NewRat(w.CheckpointEvery+2*w.RestartSeconds, 2*3600) // hours per interruption
	kept := new(big.Rat).Mul(w.SpotShare, new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Mul(perHour, again)))
	left := new(big.Rat).Sub(big.NewRat(1, 1), kept)
	if left.Sign() <= 0 {
		return Recommendation{}, false
	}
	life := w.There.In(w.Window)
	r := Recommendation{Kind: MoveToSpot, Subject: w.Subject, GPUModel: w.GPUModel, Window: w.Window,
		Proposal: fmt.Sprintf("Run on spot %s, with checkpoints at least as often as now.", w.InstanceType),
		Facts: []Fact{
			{"spot price of on demand", new(big.Rat).Mul(w.SpotShare, big.NewRat(100, 1)).FloatString(1), "%", w.SpotSource},
			{"interruptions per spot instance-hour", perHour.FloatString(4), "", fmt.Sprintf("%d in %d h", w.Interruptions, w.SpotHours)},
			{"time between checkpoints, median", fmt.Sprint(w.CheckpointEvery), "s", ""},
			{"restart, median", fmt.Sprint(w.RestartSeconds), "s", ""},
		},
		Cost: w.Cost, Saving: w.Cost.MulRat(left), Currency: w.Currency, State: w.State, Life: life, Confidence: confidence(min(w.SpotDays, life.Days))}
	return r, true
}
