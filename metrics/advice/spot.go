package advice

import (
	"fmt"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Interruptible is work of one team on one type of on-demand machine that writes checkpoints.
type Interruptible struct {
	Subject      Subject // cluster, "", instance type, team
	GPUModel     string
	InstanceType string
	Window       period.Interval
	There        Presence     // when it ran
	Cost         money.Amount // of its time, on demand
	Currency     string
	State        ledger.State

	SpotShare       *big.Rat // spot price ÷ on-demand price; nil: unknown
	SpotSource      string   // source of SpotShare
	CheckpointEvery int64    // seconds between checkpoints, median
	Team, Fleet     SpotRecord
}

// SpotRecord is dataset spot's figures for a team, or for all teams, in the window and in one currency. Without cost
// there was no work on spot.
type SpotRecord struct {
	Cost, Lost                money.Amount // lost: work, and the overhead of starting again
	Days                      int64        // days with any cost
	Interruptions             int64
	Recovered, RecoverSeconds int64 // attempts that continued, and their seconds until then, added up
}

// Add adds another team's record.
func (r *SpotRecord) Add(o SpotRecord) {
	r.Cost, r.Lost, r.Days = r.Cost.Add(o.Cost), r.Lost.Add(o.Lost), max(r.Days, o.Days)
	r.Interruptions, r.Recovered, r.RecoverSeconds = r.Interruptions+o.Interruptions, r.Recovered+o.Recovered,
		r.RecoverSeconds+o.RecoverSeconds
}

// dear is the cost of a unit of kept work on spot, relative to the paid units: cost ÷ (cost − lost). Nil if all of it
// was lost.
func (r *SpotRecord) dear() *big.Rat {
	kept := r.Cost.Sub(r.Lost)
	if kept.Sign() <= 0 {
		return nil
	}
	return new(big.Rat).Quo(r.Cost.Rat(), kept.Rat())
}

// Basis is the source of the measured losses behind a saving.
type Basis string

// Bases.
const (
	ByTeam  Basis = "team"
	ByFleet Basis = "fleet" // the team has not used spot, or the work's team is unknown
	ByNone  Basis = "none"  // no use of spot: the saving is unknown
)

// Bases lists them.
var Bases = []Basis{ByTeam, ByFleet, ByNone}

// record is the team's own record, else that of all teams.
func (w *Interruptible) record() (*SpotRecord, Basis) {
	switch {
	case w.Team.Cost.Sign() > 0:
		return &w.Team, ByTeam
	case w.Fleet.Cost.Sign() > 0:
		return &w.Fleet, ByFleet
	}
	return nil, ByNone
}

// ToSpot advises spot if a saving remains after the interruption losses of the team's own work on spot, else of all
// teams'. Without any work on spot the saving is unknown. False if the price or the checkpoints are unknown, or no
// saving remains.
func (w *Interruptible) ToSpot() (Recommendation, bool) {
	if w.SpotShare == nil || w.SpotShare.Sign() <= 0 || w.SpotShare.Cmp(one) >= 0 || w.CheckpointEvery <= 0 ||
		w.Cost.Sign() <= 0 {
		return Recommendation{}, false
	}
	life := w.There.In(w.Window)
	r := Recommendation{Kind: MoveToSpot, Subject: w.Subject, GPUModel: w.GPUModel, Window: w.Window,
		Cost: w.Cost, Currency: w.Currency, State: w.State, Life: life,
		Facts: []Fact{
			{"spot price as a share of on demand", percentOf(w.SpotShare), "%", w.SpotSource},
			{"time between checkpoints, median", fmt.Sprint(w.CheckpointEvery), "s", ""},
		}}
	measured, basis := w.record()
	r.Basis = basis
	if basis == ByNone {
		r.Confidence = Low
		r.Proposal = fmt.Sprintf("Try one job on spot %s, with checkpoints at least as often as now. There was no work on "+
			"spot yet, so the saving is unknown.", w.InstanceType)
		r.Facts = append(r.Facts, Fact{
			"less than on demand, by price alone", percentOf(new(big.Rat).Sub(one, w.SpotShare)),
			"%", "the largest possible saving, without any interruption",
		})
		return r, true
	}
	dear := measured.dear()
	if dear == nil {
		return Recommendation{}, false
	}
	left := new(big.Rat).Sub(one, dear.Mul(dear, w.SpotShare))
	if left.Sign() <= 0 {
		return Recommendation{}, false
	}
	r.Saving = w.Cost.MulRat(left)
	r.Confidence = confidence(min(measured.Days, life.Days))
	share := percentOf(new(big.Rat).Quo(measured.Lost.Rat(), measured.Cost.Rat()))
	said := fmt.Sprintf("Interruptions took %s %% of the cost of this team's work on spot.", share)
	whose := "by the work of team " + w.Subject.Name + " on spot"
	if basis == ByFleet {
		r.Confidence = r.Confidence.atMost(Medium)
		said = fmt.Sprintf("This team's losses on spot were not measured; interruptions took %s %% of the cost of the "+
			"fleet's work there.", share)
		whose = "by the work of all teams on spot"
	}
	r.Proposal = fmt.Sprintf("Run on spot %s, with checkpoints at least as often as now. %s", w.InstanceType, said)
	r.Facts = append(r.Facts, Fact{"lost to interruptions", share, "%", whose}, Fact{
		"interruptions", fmt.Sprint(measured.Interruptions), "", "",
	})
	if measured.Recovered > 0 {
		r.Facts = append(r.Facts, Fact{
			"recovery, mean", fmt.Sprint(measured.RecoverSeconds / measured.Recovered),
			"s", fmt.Sprintf("recoveries: %d", measured.Recovered),
		})
	}
	return r, true
}

// percentOf prints a part as a percentage with one decimal.
func percentOf(part *big.Rat) string {
	return new(big.Rat).Mul(part, big.NewRat(100, 1)).FloatString(1)
}
