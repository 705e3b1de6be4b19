package advice

import (
	"math/big"
	"strings"
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// interruptible costs $1,000 on demand and 40 % of that on spot. On spot its team lost a fifth of its work, and the
// fleet half.
func interruptible() Interruptible {
	return Interruptible{InstanceType: "p4d.24xlarge", Subject: Subject{Name: "vision"}, Window: week(), There: always(),
		Cost: money.MustParse("1000"), Currency: "USD",
		SpotShare: big.NewRat(4, 10), CheckpointEvery: 3600,
		Team: SpotRecord{
			Cost: money.MustParse("500"), Lost: money.MustParse("100"),
			Days: 7, Interruptions: 3, Recovered: 2, RecoverSeconds: 1200,
		},
		Fleet: SpotRecord{Cost: money.MustParse("900"), Lost: money.MustParse("450"), Days: 28}}
}

// $400 of $500 on spot were useful: kept work costs 0.4 × 5/4 of on demand.
func TestSpotSavingUsesTheTeamsOwnLosses(t *testing.T) {
	w := interruptible()
	r, ok := w.ToSpot()
	if !ok || r.Saving.String() != "500" || r.Basis != ByTeam || r.Confidence != Medium ||
		!strings.Contains(r.Proposal, "20.0 %") {
		t.Errorf("%v, saves %s by %s, %s: %s; want 500 by team", ok, r.Saving, r.Basis, r.Confidence, r.Proposal)
	}
	w.Team = SpotRecord{} // half of the fleet's was lost: 0.4 × 2
	r, ok = w.ToSpot()
	if !ok || r.Saving.String() != "200" || r.Basis != ByFleet ||
		!strings.Contains(r.Proposal, "50.0 % of the cost of the fleet") {
		t.Errorf("%v, saves %s by %s: %s; want 200 by fleet", ok, r.Saving, r.Basis, r.Proposal)
	}
	w.Window.From = w.Window.To - 28*period.Day
	w.There = there(w.Window)
	if r, _ := w.ToSpot(); r.Confidence != Medium {
		t.Errorf("the fleet's losses are not the team's: %s confidence", r.Confidence)
	}
}

// Without any work on spot the price is known, but not the saving.
func TestNoSavingOnSpotIsInvented(t *testing.T) {
	w := interruptible()
	w.Team, w.Fleet = SpotRecord{}, SpotRecord{}
	r, ok := w.ToSpot()
	cost, saving := r.Money()
	if !ok || r.Basis != ByNone || cost == nil || saving != nil || r.PerMonth() != nil || r.Confidence != Low ||
		!strings.Contains(r.Proposal, "unknown") {
		t.Errorf("%v, %+v", ok, r)
	}
	if f := r.Facts[len(r.Facts)-1]; f.Value != "60.0" || !strings.Contains(f.Limit, "largest possible saving") {
		t.Errorf("by price alone: %+v", f)
	}
}

func TestSpotThatIsNotAdvised(t *testing.T) {
	for name, change := range map[string]func(*Interruptible){
		"no price":       func(w *Interruptible) { w.SpotShare = nil },
		"no checkpoints": func(w *Interruptible) { w.CheckpointEvery = 0 },
		"as dear by price": func(w *Interruptible) {
			w.SpotShare, w.Team, w.Fleet = big.NewRat(1, 1), SpotRecord{}, SpotRecord{}
		},
		"more was lost than spot saves": func(w *Interruptible) { w.Team.Lost = money.MustParse("300") },
		"all of it was lost":            func(w *Interruptible) { w.Team.Lost = money.MustParse("501") },
	} {
		w := interruptible()
		change(&w)
		if r, ok := w.ToSpot(); ok {
			t.Errorf("%s: advised, %+v", name, r)
		}
	}
}
