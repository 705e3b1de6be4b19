package advice

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/catalog/mig"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Cards is the use of a cluster's MIG cards of one model, and the fewest cards for the same use.
type Cards struct {
	Cluster, GPUModel string
	OwnerID           ledger.ID // owner of unheld time
	Window            period.Interval
	Used, Fewest      int64
	Cut               map[string]int // how many of the fewest cards by layout: profiles with spaces between
	Exact             bool           // the search was exhaustive
	Days              []CardDay
	There             Presence // hours in which a slice of any of them was held
	Currency          string
	State             ledger.State
}

// CardDay is a day's cost of the cards that had instances.
type CardDay struct {
	Day   period.Second
	Cards int64
	Cost  money.Amount
}

// saving is the cost of the cards, and that of the released ones: the same number each day, but never all.
func (c *Cards) saving() (cost, saving money.Amount) {
	for _, d := range c.Days {
		cost = cost.Add(d.Cost)
		if d.Cards > 0 {
			saving = saving.Add(d.Cost.MulRat(big.NewRat(min(c.Used-c.Fewest, d.Cards-1), d.Cards)))
		}
	}
	return cost, saving
}

// ToLayout advises another partitioning of cards if fewer are enough.
func (c *Cards) ToLayout() (Recommendation, bool) {
	cost, saving := c.saving()
	if c.Used <= c.Fewest || c.Fewest < 0 || saving.Sign() <= 0 {
		return Recommendation{}, false
	}
	life := c.life()
	sure := confidence(life.Days)
	if !c.Exact {
		sure = Low
	}
	return Recommendation{Kind: Repartition, Subject: Subject{Cluster: c.Cluster, Kind: "cards", Name: c.GPUModel},
		OwnerID: c.OwnerID, GPUModel: c.GPUModel, Window: c.Window,
		Proposal: fmt.Sprintf("Repartition %s; %d of %d cards become free.", c.layouts(), c.Used-c.Fewest, c.Used),
		Facts: []Fact{
			{"cards in MIG mode", fmt.Sprint(c.Used), "", ""},
			{"fewest cards for the slices held at once in 28 days", fmt.Sprint(c.Fewest), "", ""},
		},
		Cost: cost, Saving: saving, Currency: c.Currency, State: c.State, Life: life, Confidence: sure}, true
}

// life begins when a slice was first held, or on the first day with instances if that is earlier.
func (c *Cards) life() Life {
	life := c.There.In(c.Window)
	for _, d := range c.Days {
		if d.Day+period.Day <= life.From {
			life.From = min(life.From, max(d.Day, c.Window.From))
		}
	}
	life.Days = int64(len(c.Days))
	return life
}

// layouts lists the layouts of the fewest cards, the most frequent first.
func (c *Cards) layouts() string {
	order := slices.SortedFunc(maps.Keys(c.Cut), func(a, b string) int {
		return cmp.Or(c.Cut[b]-c.Cut[a], strings.Compare(a, b))
	})
	for i, profiles := range order {
		unit := "cards"
		if c.Cut[profiles] == 1 {
			unit = "card"
		}
		order[i] = fmt.Sprintf("%d %s into %s", c.Cut[profiles], unit, mig.LayoutWords(profiles))
	}
	return strings.Join(order, ", ")
}
