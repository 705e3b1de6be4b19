package truth

import (
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// Spot is section 20 of docs/figures.md for the spot machines of one group value, in one currency.
type Spot struct {
	Attempts, Interruptions  int
	EndedRuns, CompletedRuns int
	Hours                    *big.Rat // of machines
	Effective                *big.Rat
	OnDemand, Known          *big.Rat // of hours with a known on-demand price; the cost of those
	KnownHours               *big.Rat
	Unknown                  *big.Rat // cost of the others
	Lost                     *big.Rat
	Recoveries               []int64 // seconds, in the order found
	Writings                 []int64 // milliseconds of checkpoint writes, if reported
}

// Interruption is a spot machine that was taken away.
type Interruption struct {
	Instance   string
	At, Warned int64
}

// SpotBy computes the spot machines by a group key: instance_type or zone.
func SpotBy(f *fleetsim.Fleet, key string) (groups map[[2]string]*Spot, interruptions []Interruption) {
	groups = map[[2]string]*Spot{}
	for _, t := range truths(f) {
		s := &spotTruth{
			truth: t, groups: groups, key: key, byUID: map[string]*heldPod{},
			byInstance: map[string]*world.Node{}, reasons: map[string]string{},
		}
		s.work()
		interruptions = append(interruptions, s.found...)
	}
	return groups, interruptions
}

type spotTruth struct {
	*truth
	groups     map[[2]string]*Spot
	key        string
	found      []Interruption
	byUID      map[string]*heldPod
	byInstance map[string]*world.Node
	reasons    map[string]string // attempt → the reason of its end
}

func (s *spotTruth) work() {
	for _, n := range s.World.Nodes {
		s.byInstance[n.InstanceID] = n
	}
	for _, h := range s.held {
		s.byUID[h.p.UID] = h
	}
	gone := map[*world.Node]bool{}
	for _, n := range s.World.Nodes {
		nt := s.nodes[n]
		if !s.isSpot(n) || nt.appeared == 0 || !nt.ended || n.Warned == 0 || n.Warned >= s.World.To || n.Warned > nt.gone ||
			nt.gone-n.Warned > 600 {
			continue
		}
		gone[n] = true
		s.of(n).Interruptions++
		s.found = append(s.found, Interruption{n.InstanceID, nt.gone, n.Warned})
	}
	for i := range s.out.Attempts {
		s.attempt(&s.out.Attempts[i], gone)
	}
	s.runs()
	s.money()
}

func (s *spotTruth) isSpot(n *world.Node) bool { return s.PriceClass(n) == "spot" }

func (s *spotTruth) of(n *world.Node) *Spot {
	value := n.Type.Name
	if s.key == "zone" {
		value = n.Zone
	}
	k := [2]string{value, s.Site.Currency}
	if s.groups[k] == nil {
		s.groups[k] = &Spot{
			Hours: new(big.Rat), Effective: new(big.Rat), OnDemand: new(big.Rat),
			Known: new(big.Rat), KnownHours: new(big.Rat), Unknown: new(big.Rat), Lost: new(big.Rat),
		}
	}
	return s.groups[k]
}

// attempt counts an attempt once per group, and its recovery where it began.
func (s *spotTruth) attempt(a *Attempt, gone map[*world.Node]bool) {
	s.reasons[a.key()] = a.Reason
	counted := map[*Spot]bool{}
	var first *world.Node
	for _, uid := range a.PodUIDs {
		h := s.byUID[uid]
		n := h.p.Node
		if !s.isSpot(n) {
			continue
		}
		if g := s.of(n); !counted[g] {
			counted[g] = true
			g.Attempts++
			g.Writings = append(g.Writings, s.writings(a)...)
		}
		last := h.segments[len(h.segments)-1]
		if gone[n] && a.Reason == "spot_interruption" && last.attempt.key() == a.key() &&
			(first == nil || s.nodes[n].gone < s.nodes[first].gone) {
			first = n
		}
	}
	if first == nil {
		return
	}
	var used int64
	for i := range s.out.Attempts {
		z := &s.out.Attempts[i]
		if at := s.firstUse[z.key()]; z.RunID == a.RunID && z.Task == a.Task && z.Number > a.Number && at != 0 &&
			(used == 0 || at < used) {
			used = at
		}
	}
	if used != 0 {
		s.of(first).Recoveries = append(s.of(first).Recoveries, used-a.EndAt)
	}
}

// writings are the write times of an attempt's checkpoints that a scrape saw.
func (s *spotTruth) writings(a *Attempt) (all []int64) {
	took := map[int64]int64{}
	for _, uid := range a.PodUIDs {
		p := s.byUID[uid].p
		for at := world.CeilTo(max(p.Started, s.World.From), world.CheckpointSecond); at < min(p.End, s.World.To); at += 60 {
			if v := fleetsim.GaugeAt(p, at); v > a.StartedAt && v <= a.EndAt && fleetsim.Writing(p, v) != 0 {
				took[v] = max(took[v], fleetsim.Writing(p, v))
			}
		}
	}
	for _, ms := range took {
		all = append(all, ms)
	}
	return all
}

// runs counts ended runs, once per group of their spot machines.
func (s *spotTruth) runs() {
	for i := range s.out.Runs {
		r := &s.out.Runs[i]
		if r.Status == "running" || r.Status == "queued" {
			continue
		}
		counted := map[*Spot]bool{}
		for _, h := range s.held {
			if h.runID != r.ID || !s.isSpot(h.p.Node) || counted[s.of(h.p.Node)] {
				continue
			}
			g := s.of(h.p.Node)
			counted[g] = true
			g.EndedRuns++
			if r.Status == "succeeded" {
				g.CompletedRuns++
			}
		}
	}
}

func (s *spotTruth) money() {
	prices := s.onDemandPrices()
	for i := range s.out.Postings {
		p := &s.out.Postings[i]
		n := s.byInstance[p.Instance]
		if n == nil || p.Slot < 0 || p.Effective == nil {
			continue
		}
		if s.isSpot(n) {
			g := s.of(n)
			g.Effective.Add(g.Effective, p.Effective)
			hours := new(big.Rat)
			if p.CapacityGPUHours != nil {
				hours.Quo(p.CapacityGPUHours, big.NewRat(int64(len(n.Devices)), 1))
			}
			g.Hours.Add(g.Hours, hours)
			if price := prices.of(p, n, p.CapacityGPUHours); price != nil {
				g.OnDemand.Add(g.OnDemand, price)
				g.Known.Add(g.Known, p.Effective)
				g.KnownHours.Add(g.KnownHours, hours)
			} else {
				g.Unknown.Add(g.Unknown, p.Effective)
			}
		}
		a := Attempt{RunID: p.RunID, Task: p.Task, Number: p.Attempt}
		before := a
		before.Number--
		if p.Cause == "lost" && s.reasons[a.key()] == "spot_interruption" || p.Cause == "overhead" &&
			s.reasons[before.key()] == "spot_interruption" {
			g := s.of(n)
			g.Lost.Add(g.Lost, p.Effective)
		}
	}
}
