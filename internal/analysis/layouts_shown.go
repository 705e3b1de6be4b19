package analysis

import (
	"context"
	"strconv"

	"gpuledger/internal/period"
	"gpuledger/metrics/packing"
)

// PackedDay is a day of the cards of a group that had instances.
type PackedDay struct {
	Day   period.Second
	Cards int32
	// the day's cards in the packing for the day alone; none: all of them are needed
	Packed []PackingCard
}

// ShownCard is the better layout of a card on a day.
type ShownCard struct {
	Day period.Second
	PackingCard
	Action string
}

// showLayouts chooses the better layouts from all stored days (docs/figures.md, 17.7).
func showLayouts(ctx context.Context, a *Analyst) (int64, error) {
	return a.Store.ShowLayouts(ctx, shownCards)
}

// shownCards are the better layouts for the days of a group, which come in order.
func shownCards(group Group, days []PackedDay) []ShownCard {
	facts := make([]packing.Day, len(days))
	for i, d := range days {
		facts[i].Number = int64(d.Day) / int64(period.Day)
		if len(d.Packed) == 0 && d.Cards > 0 { // all cards of the day are needed
			facts[i].Cards = make([]packing.Card, d.Cards)
			continue
		}
		facts[i].Demand = map[string]int{}
		for _, c := range d.Packed {
			facts[i].Cards = append(facts[i].Cards, packing.Card{
				ID: c.NodeID.String() + "/" + strconv.Itoa(int(c.Slot)) + "/" + c.Device, Had: c.Had,
			})
			for _, profile := range c.Profiles {
				facts[i].Demand[profile]++
			}
		}
	}
	var out []ShownCard
	for i, list := range packing.Shown(group.Model, facts) {
		for j, l := range list {
			c := days[i].Packed[j]
			c.Group, c.Card, c.Profiles, c.Starts = group, int32(j)+1, nil, nil
			for _, p := range l.Placed {
				c.Profiles, c.Starts = append(c.Profiles, p.Profile), append(c.Starts, int32(p.Start))
			}
			out = append(out, ShownCard{days[i].Day, c, l.Action()})
		}
	}
	return out
}
