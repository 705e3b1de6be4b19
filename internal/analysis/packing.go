package analysis

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/metrics/packing"
)

// Group are the GPUs of one model in one cluster.
type Group struct{ Cluster, Model string }

// PackingDay is how well the cards of a group were packed on a day.
type PackingDay struct {
	Group
	Cards, Fewest int32 // in MIG mode: used, and enough for the same
	Exact         bool
	packing.Measure
}

// PackingCard is the better layout of one card; no profiles: it is released.
type PackingCard struct {
	Group
	Card          int32
	NodeID        ledger.ID
	Slot          int32
	Device        string
	Had, Profiles []string
	Starts        []int32
}

// group collects one group.
type group struct {
	model  string // as named by its exporter
	cards  []card
	byHeld map[string][]period.Interval // by profile: when an instance was held
	fgd    packing.Measure
}

// card is one card that had instances on the day.
type card struct {
	nodeID ledger.ID
	node   string
	slot   int32
	device string
	had    []string // of its last layout with instances
	held   int64    // seconds × slices
}

func (w *LayoutDay) group(g Group) *group {
	if w.groups[g] == nil {
		w.groups[g] = &group{byHeld: map[string][]period.Interval{}}
	}
	return w.groups[g]
}

// take notes the holders of the cards of a machine.
func (w *LayoutDay) take(n *SlicedNode, all []CardLayout) {
	node := &n.Input.Node
	g := w.group(Group{node.Cluster, node.GPUModel})
	for i := range all {
		l := &all[i]
		if len(l.SliceIDs) == 0 || l.Empty() {
			continue
		}
		g.model = l.Model
		at := slices.IndexFunc(g.cards, func(c card) bool {
			return c.nodeID == node.ID && c.slot == l.Slot && c.device == l.Device
		})
		if at < 0 {
			at = len(g.cards)
			g.cards = append(g.cards, card{nodeID: node.ID, node: node.Name, slot: l.Slot, device: l.Device})
		}
		c := &g.cards[at]
		c.had = l.Profiles
		for k, id := range l.SliceIDs {
			c.held += l.Held[k]
			g.byHeld[l.Profiles[k]] = append(g.byHeld[l.Profiles[k]], heldDuring(n.Spans, l.Slot, id, l.Interval)...)
		}
	}
}

// Free notes the free capacity of a group at one instant, and the workloads that held GPUs on that day.
func (w *LayoutDay) Free(of Group, nodes []packing.Node, tasks []packing.Task) {
	m := packing.FGD(nodes, tasks)
	g := w.group(of)
	g.fgd.Stuck += m.Stuck
	g.fgd.Free += m.Free
}

// Finish packs everything held onto the fewest cards, ordered by group.
func (w *LayoutDay) Finish() (days []PackingDay, cards []PackingCard) {
	groups := slices.SortedFunc(maps.Keys(w.groups), func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Model, b.Model))
	})
	for _, of := range groups {
		g := w.groups[of]
		plan := packing.Fewest(g.model, g.demand())
		day := PackingDay{
			Group: of, Cards: int32(len(g.cards)), Fewest: int32(len(plan.Cards)), Exact: plan.Exact, Measure: g.fgd,
		}
		if len(plan.Cards) > len(g.cards) { // first-fit found nothing better, or not everything was needed at once
			plan.Cards, day.Fewest = nil, day.Cards
		} else {
			for i, c := range g.propose(plan) {
				c.Group, c.Card = of, int32(i)+1
				cards = append(cards, c)
			}
		}
		days = append(days, day)
	}
	return days, cards
}

// demand is, per profile, the most instances held at one instant.
func (g *group) demand() []packing.Demand {
	var out []packing.Demand
	for _, profile := range sortedKeys(g.byHeld) {
		if n := mostAtOnce(g.byHeld[profile]); n > 0 {
			out = append(out, packing.Demand{Profile: profile, Count: n})
		}
	}
	return out
}

// mostAtOnce is the largest number of intervals that share an instant.
func mostAtOnce(list []period.Interval) int {
	type edge struct {
		at   period.Second
		step int
	}
	var edges []edge
	for _, i := range list {
		edges = append(edges, edge{i.From, 1}, edge{i.To, -1})
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.step, b.step)) })
	now, most := 0, 0
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}

// propose gives each layout of a plan to the card most similar to it, and releases the rest (rule 17.7).
func (g *group) propose(plan packing.Plan) []PackingCard {
	left := slices.Clone(g.cards)
	slices.SortFunc(left, func(a, b card) int {
		return cmp.Or(cmp.Compare(b.held, a.held), cmp.Compare(a.node, b.node), cmp.Compare(a.slot, b.slot),
			cmp.Compare(a.device, b.device))
	})
	var cards []packing.Card
	for _, c := range left {
		cards = append(cards, packing.Card{Had: c.had})
	}
	var out []PackingCard
	used := packing.Alike(plan.Cards, cards)
	for i, at := range used {
		var profiles []string
		var starts []int32
		for _, p := range plan.Cards[i] {
			profiles, starts = append(profiles, p.Profile), append(starts, int32(p.Start))
		}
		out = append(out, left[at].proposal(profiles, starts))
	}
	for i := range left {
		if !slices.Contains(used, i) {
			out = append(out, left[i].proposal([]string{}, []int32{}))
		}
	}
	return out
}

func (c *card) proposal(profiles []string, starts []int32) PackingCard {
	return PackingCard{NodeID: c.nodeID, Slot: c.slot, Device: c.device, Had: c.had, Profiles: profiles, Starts: starts}
}
