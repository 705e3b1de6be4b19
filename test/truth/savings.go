package truth

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// adviceGroup is a subject of advice that names no workload.
type adviceGroup struct{ cluster, model, currency string }

// together advises to share cards between notebooks (docs/figures.md, 19.5), given the savings of findings already
// found in as many hours.
func together(sizes map[SizeKey]*Size, out map[AdviceKey]*Advice, there presence, until int64) {
	type subject struct{ name, model, currency string }
	costs := map[subject]*big.Rat{}
	for k, x := range sizes {
		s := subject{k.Subject, k.Model, k.Currency}
		costs[s] = sum(costs[s], x.Cost)
	}
	type pool struct {
		held, cost *big.Rat
		fit        int64 // how many of the largest fit on a card
		there      map[int64]bool
	}
	pools := map[adviceGroup]*pool{}
	for k, x := range sizes {
		whole := costs[subject{k.Subject, k.Model, k.Currency}]
		if x.Class != "interactive" || k.Profile != "" || strings.Contains(k.Model, "A100") ||
			strings.Contains(k.Model, "H100") || x.Each != 1 || x.Hours < 24 || len(x.Memory) == 0 || whole.Sign() == 0 {
			continue
		}
		left := big.NewRat(1, 1)
		for _, kind := range []string{"stop_idle", "fewer_replicas"} {
			if a := out[AdviceKey{kind, k.Subject, k.Model, k.Currency}]; a != nil {
				left.Sub(left, new(big.Rat).Quo(a.Monthly, whole))
			}
		}
		if left.Sign() <= 0 {
			continue
		}
		g := adviceGroup{x.Cluster, k.Model, k.Currency}
		p := pools[g]
		if p == nil {
			p = &pool{new(big.Rat), new(big.Rat), 4, map[int64]bool{}}
			pools[g] = p
		}
		p.held.Add(p.held, x.Held)
		for h := range there[thereKey{"workload", k.Subject, k.Model}] {
			p.there[h] = true
		}
		p.cost.Add(p.cost, left.Mul(left, x.Cost))
		p.fit = min(p.fit, x.CardMiB*100/(Rank(x.Memory, 99)*120))
	}
	for g, p := range pools {
		average := new(big.Rat).Quo(p.held, big.NewRat((until-first(p.there))/3600, 1))
		if n := min(p.fit, new(big.Int).Quo(average.Num(), average.Denom()).Int64()); n >= 2 {
			out[AdviceKey{"share_cards", g.cluster + "/notebooks/" + g.model, g.model, g.currency}] = &Advice{
				There: p.there, Cost: p.cost, Monthly: new(big.Rat).Mul(p.cost, big.NewRat(n-1, n)),
			}
		}
	}
}

func sum(a, b *big.Rat) *big.Rat {
	if a == nil {
		a = new(big.Rat)
	}
	return new(big.Rat).Add(a, b)
}

// recut advises another MIG layout (17.7, 19.7): one that holds, of each profile, the most of any day, on as few cards
// as possible.
func recut(packed map[PackingKey]*Packing, out map[AdviceKey]*Advice) {
	for g, r := range Recuts(packed) {
		cost, saving := map[string]*big.Rat{}, map[string]*big.Rat{}
		for k, p := range packed {
			if k.Cluster != g.Cluster || k.Model != g.Model || p.Cards == 0 {
				continue
			}
			for currency, c := range p.Cost {
				cost[currency] = sum(cost[currency], c)
				saving[currency] = sum(saving[currency],
					new(big.Rat).Mul(c, big.NewRat(int64(min(r.Cards-r.Fewest, p.Cards-1)), int64(p.Cards))))
			}
		}
		for currency, c := range cost {
			if saving[currency].Sign() > 0 {
				out[AdviceKey{"repartition", g.Cluster + "/cards/" + g.Model, g.Model, currency}] = &Advice{Cost: c,
					Monthly: saving[currency]}
			}
		}
	}
}

// Recut is a better layout of the cards of a group.
type Recut struct {
	Cards, Fewest int
	Demand        []string // the instances that they hold, ascending
}

// Recuts are the layouts that release cards, as of the newest day, of groups whose day is zero. It is for fleets that
// are younger than 28 days.
func Recuts(packed map[PackingKey]*Packing) map[PackingKey]*Recut {
	newest, most, none := map[PackingKey]int64{}, map[PackingKey]map[string]int{}, map[PackingKey]bool{}
	for k, p := range packed {
		day := k.Day
		if k.Day = 0; p.Cards == 0 {
			continue
		}
		newest[k] = max(newest[k], day)
		none[k] = none[k] || p.Needed > p.Cards
		if most[k] == nil {
			most[k] = map[string]int{}
		}
		times := map[string]int{}
		for _, profile := range p.Demand {
			times[profile]++
			most[k][profile] = max(most[k][profile], times[profile])
		}
	}
	out := map[PackingKey]*Recut{}
	for k, day := range newest {
		r := &Recut{Cards: packed[PackingKey{day, k.Cluster, k.Model}].Cards}
		for profile, n := range most[k] {
			for range n {
				r.Demand = append(r.Demand, profile)
			}
		}
		slices.Sort(r.Demand)
		if r.Fewest = cardsFor(countOf(r.Demand)); !none[k] && r.Fewest < r.Cards {
			out[k] = r
		}
	}
	return out
}

// typeAndClass are the machines of a type with one price class.
type typeAndClass struct{ typ, class string }

// toSpot advises spot machines for jobs that write checkpoints (19.6), based on the teams' losses there.
func (t *truth) toSpot(out map[AdviceKey]*Advice) {
	class, on := map[*world.Node]string{}, map[string]*world.Node{}
	for i, n := range t.World.Nodes {
		class[n], on[n.InstanceID] = t.out.Nodes[i].PriceClass, n
	}
	pods := map[string]*heldPod{}
	for _, h := range t.held {
		pods[h.p.UID] = h
	}
	type work struct{ team, typ, currency string }
	cost := map[work]*big.Rat{}
	spent, seconds := map[typeAndClass]*big.Rat{}, map[typeAndClass]int64{}
	paid := map[nodeHour]bool{}
	for i := range t.out.Postings {
		p := &t.out.Postings[i]
		n := on[p.Instance]
		if n == nil || p.Effective == nil || p.Part != "compute" && p.Part != "provisional" {
			continue
		}
		tc, nh := typeAndClass{n.Type.Name, class[n]}, nodeHour{n, p.Hour}
		spent[tc] = sum(spent[tc], p.Effective)
		if !paid[nh] {
			paid[nh] = true
			if s := t.billedAt[nh]; s > 0 {
				seconds[tc] += s
			} else {
				seconds[tc] += max(0, min(p.Hour+3600, t.nodes[n].gone)-max(p.Hour, t.nodes[n].appeared))
			}
		}
		if h := pods[p.PodUID]; h != nil && classOf(h.p) == "run" && tc.class == "on_demand" {
			k := work{p.Team, tc.typ, cmp.Or(p.Currency, t.Site.Currency)}
			cost[k] = sum(cost[k], p.Effective)
		}
	}
	for k, c := range cost {
		spot, here := typeAndClass{k.typ, "spot"}, typeAndClass{k.typ, "on_demand"}
		dear := t.onSpot.dear(k.team, k.currency)
		if dear == nil || t.checkpointed(k.team, k.typ) == 0 || spent[spot] == nil || seconds[here] == 0 {
			continue
		}
		share := new(big.Rat).Quo(spent[spot], big.NewRat(seconds[spot], 1))
		share.Quo(share, new(big.Rat).Quo(spent[here], big.NewRat(seconds[here], 1)))
		left := new(big.Rat).Sub(big.NewRat(1, 1), share.Mul(share, dear))
		if left.Sign() > 0 {
			out[AdviceKey{"move_to_spot", t.Config.Cluster + "/" + k.typ + "/" + k.team, world.TypeOf(k.typ).Model,
				k.currency}] = &Advice{Cost: c, Monthly: left.Mul(left, c)}
		}
	}
}

// checkpointed is the median of the seconds between two checkpoints that a pod of the team reported on machines of the
// type.
func (t *truth) checkpointed(team, typ string) int64 {
	var gaps []int64
	for _, h := range t.held {
		if h.team != team || h.p.Node.Type.Name != typ {
			continue
		}
		last := int64(0)
		for at := world.CeilTo(max(h.p.Started, t.World.From),
			world.CheckpointSecond); at < min(h.p.End, t.World.To); at += 60 {
			v := fleetsim.GaugeAt(h.p, at)
			if v < h.from || v > h.to || v == last {
				continue
			}
			if last != 0 {
				gaps = append(gaps, v-last)
			}
			last = v
		}
	}
	return median(gaps)
}

// median is by nearest rank, 0 for an empty list.
func median(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return Rank(list, 50)
}
