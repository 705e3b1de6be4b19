package advice

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/catalog"
	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// million is 100 % in parts per million.
const million = 1_000_000

// DefaultHeadroom is added to the need: 20 % (docs/figures.md 19.2).
const DefaultHeadroom = 200_000

// Demand is one root workload's need of the slices of one kind that it held alone.
type Demand struct {
	Subject      Subject
	Class        string // workload class: run, service, interactive
	OwnerID      ledger.ID
	Window       period.Interval
	Device       string // model as the exporter names it, which decides the geometry
	GPUModel     string // short model name
	Profile      string // MIG profile; empty: whole cards
	InstanceType string
	Provider     string
	Region       string
	Isolated     bool     // a label asks for isolation
	CardMemory   int64    // bytes of a whole card; 0: unknown
	CardsEach    int      // most slices that one of its workloads held at once
	Hours        int64    // slice-hours with telemetry
	Days         int64    // days with any of these hours
	There        Presence // when the workload held the model, of whatever size

	MemoryP99   int64 // bytes used of its slice
	ActivityP95 int64 // ppm of its slice

	GPUHours *big.Rat     // held
	Cost     money.Amount // of held time, without the savings of other recommendations
	Currency string
	State    ledger.State
}

// need is the least that a replacement must offer.
func (d *Demand) need(headroom int64) (memory, activity int64) {
	return d.MemoryP99 / 100 * (100 + headroom/10_000), d.ActivityP95 / 100 * (100 + headroom/10_000)
}

// believable reports whether the data are enough: one slice per workload, a day of telemetry and a memory that fits the
// card.
func (d *Demand) believable() bool {
	return d.CardsEach == 1 && d.Hours >= LeastHours && d.CardMemory > 0 && d.MemoryP99 > 0 && d.Cost.Sign() > 0
}

// ToSlice finds the smallest MIG profile of the workload's own model that covers its need; false if there is none
// smaller than the present one.
func (d *Demand) ToSlice(headroom int64) (Recommendation, bool) {
	card := mig.CardOf(d.Device)
	profiles := card.Profiles()
	if !d.believable() || len(profiles) == 0 {
		return Recommendation{}, false
	}
	now := mig.Shape{Compute: card.Compute, Memory: card.Memory}
	if d.Profile != "" {
		now = card.ShapeOf(d.Profile)
	}
	memory, activity := d.need(headroom)
	weight := func(s mig.Shape) *big.Rat {
		c, m := big.NewRat(int64(s.Compute), int64(card.Compute)), big.NewRat(int64(s.Memory), int64(card.Memory))
		if c.Cmp(m) > 0 {
			return c
		}
		return m
	}
	slices.SortStableFunc(profiles, func(a, b string) int { return weight(card.ShapeOf(a)).Cmp(weight(card.ShapeOf(b))) })
	for _, p := range profiles {
		s := card.ShapeOf(p)
		if weight(s).Cmp(weight(now)) >= 0 {
			return Recommendation{}, false
		}
		if d.CardMemory/int64(card.Memory)*int64(s.Memory) < memory ||
			int64(s.Compute)*million < activity*int64(now.Compute) {
			continue
		}
		kept := new(big.Rat).Quo(weight(s), weight(now))
		from := cmp.Or(d.Profile, "whole "+d.GPUModel)
		return d.recommend(SmallerSlice, kept, fmt.Sprintf("Request %s instead of %s.", p, from), headroom,
			Fact{Name: "share of the present slice", Value: kept.RatString()}), true
	}
	return Recommendation{}, false
}

// Offer is a card that could replace the present one.
type Offer struct {
	InstanceType, GPUModel string
	Memory                 int64        // bytes per card
	PerGPUHour             money.Amount // price of one card with its share of the machine
	Currency               string
}

// SlowEnough is the activity (P95 with headroom) up to which a smaller card is advised: the speed of cards is not known
// here.
const SlowEnough = 500_000

// ToCard finds the cheapest card that holds the workload's memory and runs its software, for workloads on whole cards
// that are far from busy. now is the price of the present card, of the same kind as the offers' prices.
func (d *Demand) ToCard(now Offer, offers []Offer, headroom int64) (Recommendation, bool) {
	memory, activity := d.need(headroom)
	if !d.believable() || d.Profile != "" || activity > SlowEnough || now.PerGPUHour.Sign() <= 0 {
		return Recommendation{}, false
	}
	var best *Offer
	for i := range offers {
		o := &offers[i]
		if o.Currency != now.Currency || !catalog.RunsOn(now.GPUModel, o.GPUModel) || o.Memory < memory ||
			o.PerGPUHour.Sign() <= 0 || o.PerGPUHour.Cmp(now.PerGPUHour) >= 0 {
			continue
		}
		if best == nil || cmp.Or(o.PerGPUHour.Cmp(best.PerGPUHour), cmp.Compare(o.InstanceType, best.InstanceType)) < 0 {
			best = o
		}
	}
	if best == nil {
		return Recommendation{}, false
	}
	kept := new(big.Rat).Quo(best.PerGPUHour.Rat(), now.PerGPUHour.Rat())
	r := d.recommend(SmallerCard, kept,
		fmt.Sprintf("Run on %s (%s) instead of %s (%s), after measuring its speed there.", best.GPUModel, best.InstanceType,
			d.GPUModel, d.InstanceType), headroom,
		Fact{Name: "list price per GPU-hour now", Value: now.PerGPUHour.String(), Unit: now.Currency},
		Fact{Name: "list price per GPU-hour after the change", Value: best.PerGPUHour.String(), Unit: best.Currency})
	r.Confidence = Low
	return r, true
}

// recommend fills the parts that all advice on size shares; kept is the part of the cost that stays.
func (d *Demand) recommend(kind string, kept *big.Rat, proposal string, headroom int64, more ...Fact) Recommendation {
	memory, activity := d.need(headroom)
	facts := []Fact{
		{"memory used, P99", gib(d.MemoryP99), "GiB", gib(memory) + " GiB with headroom"},
		{"activity, P95", percent(d.ActivityP95), "%", percent(activity) + " % with headroom"},
		{"hours with telemetry", fmt.Sprint(d.Hours), "h", fmt.Sprintf("at least %d", LeastHours)},
	}
	life := d.There.In(d.Window)
	life.Days = min(life.Days, d.Days) // the need is known only for days with telemetry
	return Recommendation{Kind: kind, Subject: d.Subject, OwnerID: d.OwnerID, GPUModel: d.GPUModel, Window: d.Window,
		Proposal: proposal, Facts: append(facts, more...),
		Cost: d.Cost, Saving: d.Cost.MulRat(new(big.Rat).Sub(big.NewRat(1, 1), kept)),
		Currency: d.Currency, State: d.State, Life: life, Confidence: confidence(d.Days)}
}

// Cuttable reports whether cards of the model support MIG slices.
func (d *Demand) Cuttable() bool { return len(mig.CardOf(d.Device).Profiles()) > 0 }
