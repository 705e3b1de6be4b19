package truth

import (
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// freePart is free time of one place on a node.
type freePart struct {
	key     Key
	seconds int64
}

// moment is the state of a node in a stretch without changes.
type moment struct {
	held bool // a part of it is held, or in use
	free []freePart
}

// show computes the state in [a, b) of a node, a minute at most.
func (w *wasteTruth) show(nt *nodeTruth, a, b int64) moment {
	var out moment
	for _, d := range nt.n.Devices {
		m := w.showCard(nt, d, a, b)
		out.held = out.held || m.held
		out.free = append(out.free, m.free...)
	}
	return out
}

func (w *wasteTruth) showCard(nt *nodeTruth, d *world.Device, a, b int64) moment {
	var out moment
	minute := a / 60 * 60
	key := func(id int32, ppm int64, known bool) Key {
		return Key{
			Hour: a / 3600 * 3600, Instance: nt.n.InstanceID, Slot: d.Index,
			Slice: id, Cause: "free", Activity: w.activityWord(ppm, known),
		}
	}
	layout := layoutOf(nt.layouts[d], a)
	ids := []int32{world.WholeDevice}
	if layout != nil {
		ids = ids[:0]
		for _, s := range layout {
			ids = append(ids, s.ID)
		}
		if w.layoutWeights(layout).placeable.n > 0 && w.unheld(nt, minute, "free") == "free" {
			out.free = append(out.free, freePart{key(world.WholeDevice, 0, false), b - a})
		}
	}
	for _, id := range ids {
		ppm, known := w.act(nt, d, id, minute)
		claimed, holders := frac{0, 1}, 0
		for _, x := range nt.holds[d][id] {
			if x.pod.from <= a && a < x.pod.to {
				holders++
				claimed = claimed.add(w.claim(nt, x))
			}
		}
		working := known && ppm >= w.rules.IdlePPM
		out.held = out.held || holders > 0 || working
		left := holders == 0 || nt.n.Replicas > 1 && one.over(claimed)
		if left && (holders > 0 || !working) && w.unheld(nt, minute, "free") == "free" {
			out.free = append(out.free, freePart{key(id, ppm, known), b - a})
		}
	}
	return out
}

// eachMoment walks a node's life by minutes and changes.
func (w *wasteTruth) eachMoment(nt *nodeTruth, from, to int64, fn func(a, b int64)) {
	if w.cutsAt[nt] == nil {
		w.cutsAt[nt] = w.cuts(nt)
	}
	cuts := w.cutsAt[nt]
	i, _ := slices.BinarySearch(cuts, from)
	for a := from; a < to; {
		b := min(to, a/60*60+60)
		for i < len(cuts) && cuts[i] <= a {
			i++
		}
		if i < len(cuts) {
			b = min(b, cuts[i])
		}
		fn(a, b)
		a = b
	}
}

// orphaned finds machines that were free for a day, but never unobserved ones.
func (w *wasteTruth) orphaned() {
	for _, n := range w.machines() {
		nt := w.truth.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		var first, last, free int64
		var met []world.Span
		var parts []freePart
		end := func() {
			if first != 0 && free >= aDay {
				f := w.find("orphaned_node", w.machine(n), first, last)
				f.met = met
				for _, p := range parts {
					f.addSeconds(p.key, p.seconds)
					w.orphans[p.key] += p.seconds
				}
			}
			first, free, parts, met = 0, 0, nil, nil
		}
		w.eachMoment(nt, nt.appeared, nt.gone, func(a, b int64) {
			switch m := w.show(nt, a, b); {
			case m.held:
				end()
			case len(m.free) > 0:
				if first == 0 {
					first = a
				}
				last = b
				free += b - a
				met = append(met, world.Span{From: a, To: b})
				parts = append(parts, m.free...)
			}
		})
		end()
	}
}

type typeDay struct {
	typ string // and the team that pays for the free part, if any
	day int64
}

// machines are the cluster's nodes in their order.
func (w *wasteTruth) machines() []*world.Node { return w.truth.World.Nodes }

// freeCapacity is the capacity without demand, per instance type, team and day.
func (w *wasteTruth) freeCapacity() {
	types := map[string]string{}
	for _, n := range w.machines() {
		types[n.InstanceID] = n.Type.Name
		if team := w.nodeTeam(n); team != "unowned" {
			types[n.InstanceID] += "/" + team
		}
	}
	capacity, free := map[typeDay]frac{}, map[typeDay]frac{}
	parts := map[typeDay][]freePart{}
	for k, row := range w.rows {
		at := typeDay{types[k.Instance], k.Hour / aDay * aDay}
		if k.Cause == "unobserved" && k.PodUID == "" { // its use is unknown
			continue
		}
		capacity[at] = zeroIfNone(capacity[at]).add(fracOf(row.hours))
		if k.Cause != "free" {
			continue
		}
		left := row.seconds - w.orphans[k]
		free[at] = zeroIfNone(free[at]).add(fracOf(row.hours).mul(reduce(left, row.seconds)))
		parts[at] = append(parts[at], freePart{k, left})
	}
	for at, hours := range free {
		if !hours.over(capacity[at].mul(frac{1, 5})) {
			continue
		}
		f := w.find("free_capacity", w.Config.Cluster+"/"+at.typ, at.day, min(at.day+aDay, w.truth.World.To))
		for _, p := range parts[at] {
			f.addSeconds(p.key, p.seconds)
		}
	}
}

func zeroIfNone(f frac) frac {
	if f.d == 0 {
		return frac{0, 1}
	}
	return f
}

// want is a pod that waits for 2, 4 or 8 cards.
type want struct {
	world.Span
	cards int64
}

// wants lists pods that wait for several cards, and how long.
func (w *wasteTruth) wants() []want {
	since := map[*world.Pod]int64{}
	for _, h := range w.held {
		since[h.p] = h.from
	}
	var out []want
	for _, p := range w.truth.World.Pods {
		until, ok := since[p]
		if !ok {
			until = min(p.End, fleetsim.PodRemoved(w.truth.World, p))
		}
		for _, r := range p.Requests {
			if r.Resource == "nvidia_com_gpu" && (r.N == 2 || r.N == 4 || r.N == 8) && p.Created < until {
				out = append(out, want{world.Span{From: max(p.Created, w.truth.World.From), To: until}, r.N})
			}
		}
	}
	return out
}

// fragmented finds nodes with odd numbers of free cards while a pod waits for more than any node has.
func (w *wasteTruth) fragmented() {
	wants := w.wants()
	times := []int64{}
	for _, x := range wants {
		for t := x.From; t < x.To; t = t/60*60 + 60 {
			times = append(times, t)
		}
		times = append(times, x.To)
	}
	for _, nt := range w.truth.nodes {
		for _, c := range w.cuts(nt) {
			if slices.ContainsFunc(wants, func(x want) bool { return x.Has(c) }) {
				times = append(times, c)
			}
		}
		times = append(times, nt.appeared, nt.gone)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	type nodeDay struct {
		n   *world.Node
		day int64
	}
	type odd struct {
		from, to, seconds int64
		parts             []freePart
		when              []world.Span
	}
	found := map[nodeDay]*odd{}
	for i := 0; i+1 < len(times); i++ {
		a, b := times[i], times[i+1]
		most := int64(0)
		for _, x := range wants {
			if x.Has(a) {
				most = max(most, x.cards)
			}
		}
		if most == 0 {
			continue
		}
		free := map[*world.Node][]freePart{}
		largest := int64(0)
		for _, n := range w.machines() {
			if nt := w.truth.nodes[n]; nt.appeared != 0 && nt.appeared <= a && a < nt.gone && n.Replicas == 1 {
				for _, d := range n.Devices {
					if m := w.showCard(nt, d, a, b); layoutOf(nt.layouts[d], a) == nil && !m.held && len(m.free) > 0 {
						free[n] = append(free[n], m.free...)
					}
				}
				largest = max(largest, int64(len(free[n])))
			}
		}
		if most <= largest {
			continue
		}
		for n, parts := range free {
			if c := len(parts); c == 1 || c == 3 || c >= 5 && c <= 7 {
				k := nodeDay{n, a / aDay * aDay}
				if found[k] == nil {
					found[k] = &odd{from: a}
				}
				o := found[k]
				o.to, o.seconds = b, o.seconds+b-a
				o.parts = append(o.parts, parts...)
				o.when = append(o.when, world.Span{From: a, To: b})
			}
		}
	}
	for k, o := range found {
		if o.seconds >= 3600 {
			f := w.risk("node_fragmentation", w.machine(k.n), o.from, o.to)
			f.met = o.when
			for _, p := range o.parts {
				f.addSeconds(p.key, p.seconds)
			}
		}
	}
}

// untainted finds nodes that do not keep other pods away, if taints are reported.
func (w *wasteTruth) untainted() {
	if w.Site.Slurm {
		return
	}
	tainted := 0
	for _, n := range w.machines() {
		if w.truth.nodes[n].inSource && n.Tainted {
			tainted++
		}
	}
	for _, n := range w.machines() {
		if nt := w.truth.nodes[n]; nt.inSource && !n.Tainted && tainted > 0 {
			f := w.risk("untainted_gpu_node", w.machine(n), nt.appeared, nt.gone)
			f.beside = map[string]*big.Rat{}
			for _, h := range w.withoutCards() {
				if h.p.Node == n {
					w.addNodeShare(f, h, world.Span{From: f.From, To: f.To})
				}
			}
		}
	}
}

// crowded finds nodes of cards with pods that request none.
func (w *wasteTruth) crowded() {
	by, pods := map[*world.Node][]world.Span{}, map[*world.Node][]*heldPod{}
	for _, h := range w.withoutCards() {
		by[h.p.Node], pods[h.p.Node] = append(by[h.p.Node], world.Span{From: h.from, To: h.to}), append(pods[h.p.Node], h)
	}
	for n, list := range by {
		for _, g := range groups(list, 6*3600) {
			if g.seconds >= 3600 {
				f := w.risk("non_gpu_pods", w.machine(n), g.From, g.To)
				f.beside = map[string]*big.Rat{}
				for _, h := range w.held {
					if h.p.Node == n && slices.Contains(pods[n], h) {
						if from, to := max(h.from, g.From), min(h.to, g.To); from < to {
							f.met = append(f.met, world.Span{From: from, To: to})
						}
						w.addNodeShare(f, h, g.Span)
					}
				}
			}
		}
	}
}

// withoutCards are the pods that request no cards and have none.
func (w *wasteTruth) withoutCards() (out []*heldPod) {
	for _, h := range w.held {
		wantsCards := slices.ContainsFunc(h.p.Requests, func(r world.Request) bool {
			return strings.HasPrefix(r.Resource, "nvidia_com_")
		})
		if !wantsCards && len(h.holds) == 0 && classOf(h.p) != "system" {
			out = append(out, h)
		}
	}
	return out
}

// addNodeShare adds the cost of a pod without cards in a stretch: the larger of its shares of the node's vCPUs and memory,
// times the node's hourly cost.
func (w *wasteTruth) addNodeShare(f *finding, h *heldPod, within world.Span) {
	typ := h.p.Node.Type
	var cpu int64
	for _, r := range h.p.Requests {
		if r.Resource == "cpu" {
			cpu += r.N
		}
	}
	share := big.NewRat(cpu, int64(typ.VCPU))
	if memory := big.NewRat(fleetsim.MemoryRequest(h.p), int64(typ.MemGiB)<<30); memory.Cmp(share) > 0 {
		share = memory
	}
	if share.Sign() == 0 {
		return
	}
	nt := w.truth.nodes[h.p.Node]
	for k, row := range w.rows {
		if k.Instance != h.p.Node.InstanceID || k.Slot < 0 || k.Cause == "host" {
			continue
		}
		up := min(k.Hour+3600, nt.gone) - max(k.Hour, nt.appeared)
		there := min(k.Hour+3600, nt.gone, within.To, h.to) - max(k.Hour, nt.appeared, within.From, h.from)
		if there <= 0 {
			continue
		}
		for currency, cost := range row.cost {
			part := new(big.Rat).Mul(share, big.NewRat(there, up))
			f.beside[currency] = sum(f.beside[currency], part.Mul(part, cost))
		}
	}
}

// group is a number of spans close to each other; seconds counts the time that they cover, once.
type group struct {
	world.Span
	seconds int64
}

// groups joins spans with gaps of at most gap seconds.
func groups(list []world.Span, gap int64) []group {
	slices.SortFunc(list, func(a, b world.Span) int { return int(a.From - b.From) })
	var out []group
	for _, s := range list {
		if len(out) == 0 || s.From-out[len(out)-1].To > gap {
			out = append(out, group{s, s.To - s.From})
			continue
		}
		g := &out[len(out)-1]
		g.seconds += max(0, s.To-max(s.From, g.To))
		g.To = max(g.To, s.To)
	}
	return out
}
