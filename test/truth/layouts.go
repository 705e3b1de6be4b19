package truth

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// LayoutKey names a stretch in which a MIG card had one layout.
type LayoutKey struct {
	Device string
	From   int64
}

// Layout is such a stretch.
type Layout struct {
	To                      int64
	Profiles                []string
	Held                    *big.Rat // GPU-hours
	Index                   *big.Rat // of fragmentation
	DeadCompute, DeadMemory *big.Rat // shares of the card
	Placeable, Stranded     *big.Rat

	card  *world.Device
	model string
	parts []world.Slice
}

// Hours is how long it lasted.
func (l *Layout) Hours(from int64) *big.Rat { return big.NewRat(l.To-from, 3600) }

// PackingKey names the GPUs of a model in a cluster on a UTC day.
type PackingKey struct {
	Day            int64
	Cluster, Model string
}

// Packing is how well they were packed.
type Packing struct {
	Cards, Fewest        int
	Needed               int      // for all of Demand; more than there were if a card was repartitioned
	Demand               []string // the most held at once of each profile, ascending
	CardHours, Held      *big.Rat
	Fragmented           *big.Rat // hours × index
	DeadCompute          *big.Rat // hours × share
	DeadMemory, Stranded *big.Rat
	Cost, StrandedCost   map[string]*big.Rat // by currency
	Stuck, Free          *big.Rat            // FGD, once per task
}

// Layouts computes how MIG cards were cut (docs/figures.md, 17.4, 17.5), and packings how well they were packed day by
// day (17.5 to 17.7).
func Layouts(f *fleetsim.Fleet) (map[LayoutKey]*Layout, map[PackingKey]*Packing) {
	layouts, packed := map[LayoutKey]*Layout{}, map[PackingKey]*Packing{}
	for _, t := range truths(f) {
		p := &packingTruth{truth: t, layouts: layouts, packed: packed, rest: map[string]leftover{}}
		for _, n := range t.World.Nodes {
			if nt := t.nodes[n]; nt.appeared != 0 {
				p.cut(nt)
			}
		}
		p.days()
	}
	return layouts, packed
}

type packingTruth struct {
	*truth
	layouts map[LayoutKey]*Layout
	packed  map[PackingKey]*Packing
	rest    map[string]leftover // by profiles
}

// cut lists the layouts of a machine's cards, from its appearance to its end.
func (p *packingTruth) cut(nt *nodeTruth) {
	for _, d := range nt.n.Devices {
		for i, l := range nt.layouts[d] {
			from, to := l.From, nt.gone
			if i == 0 {
				from = nt.appeared
			}
			if i+1 < len(nt.layouts[d]) {
				to = nt.layouts[d][i+1].From
			}
			if from >= to {
				continue
			}
			x := &Layout{To: to, card: d, model: nt.n.Type.Model, parts: l.Slices, Held: new(big.Rat)}
			for _, s := range l.Slices {
				x.Profiles = append(x.Profiles, s.Profile)
			}
			rest := p.leftover(x.Profiles, world.StartsOf(l.Slices))
			x.Index = rest.index()
			x.DeadCompute, x.DeadMemory = big.NewRat(rest.deadCompute, cardCompute), big.NewRat(rest.deadMemory, cardMemory)
			w := p.layoutWeights(l.Slices)
			x.Placeable, x.Stranded = w.placeable.rat(), w.stranded.rat()
			x.Held = p.heldOf(nt, x, from, to)
			p.layouts[LayoutKey{d.UUID, from}] = x
		}
	}
}

func (p *packingTruth) leftover(profiles []string, told []int) leftover {
	key := fmt.Sprint(profiles, told)
	l, ok := p.rest[key]
	if !ok {
		l = leftoverOf(profiles, told)
		p.rest[key] = l
	}
	return l
}

// heldOf are the GPU-hours in [from, to) in which the instances were held.
func (p *packingTruth) heldOf(nt *nodeTruth, l *Layout, from, to int64) *big.Rat {
	sum, w := new(big.Rat), p.layoutWeights(l.parts)
	for i, s := range l.parts {
		var seconds int64
		for _, v := range heldSpans(nt, l.card, s.ID, from, to) {
			seconds += v.To - v.From
		}
		sum.Add(sum, new(big.Rat).Mul(w.slices[i].rat(), big.NewRat(seconds, 3600)))
	}
	return sum
}

// heldSpans are the stretches inside [from, to) in which a slice was held.
func heldSpans(nt *nodeTruth, d *world.Device, id int32, from, to int64) []world.Span {
	var list, out []world.Span
	for _, x := range nt.holds[d][id] {
		if v := (world.Span{From: max(x.pod.from, from, nt.appeared), To: min(x.pod.to, to)}); v.From < v.To {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b world.Span) int { return cmp.Compare(a.From, b.From) })
	for _, v := range list {
		if n := len(out); n > 0 && v.From <= out[n-1].To {
			out[n-1].To = max(out[n-1].To, v.To)
			continue
		}
		out = append(out, v)
	}
	return out
}

func (p *packingTruth) of(day int64, model string) *Packing {
	k := PackingKey{day, p.Config.Cluster, model}
	if p.packed[k] == nil {
		zero := func() *big.Rat { return new(big.Rat) }
		p.packed[k] = &Packing{CardHours: zero(), Held: zero(), Fragmented: zero(), DeadCompute: zero(), DeadMemory: zero(),
			Stranded: zero(),
			Cost:     map[string]*big.Rat{}, StrandedCost: map[string]*big.Rat{}, Stuck: zero(), Free: zero()}
	}
	return p.packed[k]
}

// days sums cards, money and demand by day, and the free parts.
func (p *packingTruth) days() {
	onCards := map[string]bool{} // instance/slot of cards with instances
	cards := map[dayAndModel]map[*world.Device]bool{}
	type step struct {
		at int64
		by int
	}
	held := map[dayAndModel]map[string][]step{}
	for k, l := range p.layouts {
		nt := p.nodes[l.card.Node]
		if nt == nil {
			continue // another cluster's
		}
		onCards[placeOf(nt.n.InstanceID, l.card.Index)] = true
		for day := k.From / aDay * aDay; day < l.To; day += aDay {
			from, to := max(k.From, day), min(l.To, day+aDay)
			g, dm := p.of(day, l.model), dayAndModel{day, l.model}
			hours := big.NewRat(to-from, 3600)
			g.CardHours.Add(g.CardHours, hours)
			g.Fragmented.Add(g.Fragmented, new(big.Rat).Mul(hours, l.Index))
			g.DeadCompute.Add(g.DeadCompute, new(big.Rat).Mul(hours, l.DeadCompute))
			g.DeadMemory.Add(g.DeadMemory, new(big.Rat).Mul(hours, l.DeadMemory))
			g.Held.Add(g.Held, p.heldOf(nt, l, from, to))
			if cards[dm] == nil {
				cards[dm], held[dm] = map[*world.Device]bool{}, map[string][]step{}
			}
			cards[dm][l.card] = true
			for _, s := range l.parts {
				for _, v := range heldSpans(nt, l.card, s.ID, from, to) {
					held[dm][s.Profile] = append(held[dm][s.Profile], step{v.From, 1}, step{v.To, -1})
				}
			}
		}
	}
	for dm, devices := range cards {
		g := p.of(dm.day, dm.model)
		for profile, steps := range held[dm] {
			slices.SortFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
			now, most := 0, 0
			for _, s := range steps {
				now += s.by
				most = max(most, now)
			}
			for range most {
				g.Demand = append(g.Demand, profile)
			}
		}
		slices.Sort(g.Demand)
		g.Cards, g.Needed = len(devices), cardsFor(countOf(g.Demand))
		g.Fewest = min(g.Needed, g.Cards)
	}
	p.money(onCards)
	p.fragmentation()
}

func (p *packingTruth) money(onCards map[string]bool) {
	models := map[string]string{}
	for _, n := range p.World.Nodes {
		models[n.InstanceID] = n.Type.Model
	}
	for i := range p.out.Usage {
		if u := &p.out.Usage[i]; u.Cause == "stranded" && onCards[placeOf(u.Instance, u.Slot)] {
			g := p.of(u.Hour/aDay*aDay, models[u.Instance])
			g.Stranded.Add(g.Stranded, u.CapacityGPUHours)
		}
	}
	for i := range p.out.Postings {
		x := &p.out.Postings[i]
		if x.Slot < 0 || x.Effective == nil || !onCards[placeOf(x.Instance, x.Slot)] {
			continue
		}
		g, currency := p.of(x.Hour/aDay*aDay, models[x.Instance]), cmp.Or(x.Currency, p.Site.Currency)
		add := func(to map[string]*big.Rat) {
			if to[currency] == nil {
				to[currency] = new(big.Rat)
			}
			to[currency].Add(to[currency], x.Effective)
		}
		add(g.Cost)
		if x.Cause == "stranded" {
			add(g.StrandedCost)
		}
	}
}

// weights is rules 3.5 and 3.6 for one layout.
type weights struct {
	slices              []frac
	placeable, stranded frac
	assumed             bool // the positions of the instances are not told
}

func (t *truth) layoutWeights(layout []world.Slice) *weights {
	if w := t.weights[&layout[0]]; w != nil {
		return w
	}
	sum := new(big.Rat)
	var names []string
	for _, s := range layout {
		sum.Add(sum, world.ProfileOf(s.Profile).RawWeight(t.rules.Measure))
		names = append(names, s.Profile)
	}
	starts := world.StartsOf(layout)
	scale := sum
	if sum.Cmp(big.NewRat(1, 1)) < 0 {
		scale = big.NewRat(1, 1)
	}
	w := &weights{placeable: frac{0, 1}, stranded: frac{0, 1}, assumed: starts == nil}
	for _, s := range layout {
		w.slices = append(w.slices, fracOf(new(big.Rat).Quo(world.ProfileOf(s.Profile).RawWeight(t.rules.Measure), scale)))
	}
	if rest := new(big.Rat).Sub(big.NewRat(1, 1), sum); rest.Sign() > 0 {
		fits := world.PlaceableWeight(names, starts, t.rules.Measure)
		if fits.Cmp(rest) > 0 {
			fits = rest
		}
		w.placeable = fracOf(fits)
		w.stranded = fracOf(new(big.Rat).Sub(rest, fits))
	}
	t.weights[&layout[0]] = w
	return w
}
