package truth

import (
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// otherRisks is the second table of 18.3.
func (w *wasteTruth) otherRisks() {
	w.crowded()
	w.withoutCheckpoint()
	w.seldomSaved()
	w.onlyOnce()
	w.fragmented()
	w.sharedInProduction()
	w.sharedAcross("timeslicing_across_tenants", func(h *heldPod) string { return h.team }, "unowned")
	w.sharedAcross("mixed_on_shared_card", func(h *heldPod) string { return classOf(h.p) }, "interactive", "system")
	w.partsForPlay()
	w.untainted()
	w.unpicked()
}

// allOf adds all holds of a pod.
func (w *wasteTruth) allOf(f *finding, h *heldPod) {
	for _, x := range h.holds {
		for _, s := range w.lives[x] {
			f.addSeconds(s.key, s.to-s.from)
		}
	}
}

func (w *wasteTruth) withoutCheckpoint() {
	for _, r := range w.out.Runs {
		if r.Kind != "training" && r.Kind != "fine_tuning" {
			continue
		}
		var from, to, sum int64
		var tries []world.Span
		saved := false
		for _, a := range w.out.Attempts {
			if a.RunID != r.ID {
				continue
			}
			if from == 0 || a.StartedAt < from {
				from = a.StartedAt
			}
			to, sum, saved = max(to, a.EndAt), sum+a.EndAt-a.StartedAt, saved || a.LastCheckpoint != 0
			tries = append(tries, world.Span{From: a.StartedAt, To: a.EndAt})
		}
		if saved || sum < 4*3600 {
			continue
		}
		f := w.risk("no_checkpoint", r.ID, from, to)
		f.met = tries
		for _, h := range w.held {
			if h.runID == r.ID {
				w.allOf(f, h)
			}
		}
	}
}

func (w *wasteTruth) sharedInProduction() {
	by := map[string][]*heldPod{}
	for _, h := range w.held {
		if env := w.environment(h); len(h.holds) > 0 && h.p.Node.Replicas > 1 && (env == "production" || env == "prod") {
			by[w.workload(h.p)] = append(by[w.workload(h.p)], h)
		}
	}
	for name, holders := range by {
		var list []world.Span
		for _, h := range holders {
			list = append(list, world.Span{From: h.from, To: h.to})
		}
		for _, g := range groups(list, 6*3600) {
			if g.seconds < 3600 {
				continue
			}
			f := w.risk("timeslicing_production", name, g.From, g.To)
			for _, h := range holders {
				if h.from >= g.From && h.to <= g.To {
					w.allOf(f, h)
					f.met = append(f.met, world.Span{From: h.from, To: h.to})
				}
			}
		}
	}
}

// sharedAcross finds cards that two sides hold at once; none lists values that are not a side.
func (w *wasteTruth) sharedAcross(kind string, side func(*heldPod) string, none ...string) {
	for _, n := range w.machines() {
		nt := w.truth.nodes[n]
		for _, d := range n.Devices {
			holds := nt.holds[d][world.WholeDevice]
			if len(d.Layouts) > 0 || len(holds) < 2 {
				continue
			}
			together, when := map[int64]*group{}, map[int64][]world.Span{} // by day
			w.eachMoment(nt, nt.appeared, nt.gone, func(a, b int64) {
				sides := map[string]bool{}
				for _, x := range holds {
					if v := side(x.pod); x.pod.from <= a && a < x.pod.to && !slices.Contains(none, v) {
						sides[v] = true
					}
				}
				if len(sides) < 2 {
					return
				}
				g := together[a/aDay*aDay]
				if g == nil {
					g = &group{Span: world.Span{From: a}}
					together[a/aDay*aDay] = g
				}
				g.To, g.seconds = b, g.seconds+b-a
				when[a/aDay*aDay] = append(when[a/aDay*aDay], world.Span{From: a, To: b})
			})
			var f *finding
			for day := w.truth.World.From; day < w.truth.World.To; day += aDay {
				g := together[day]
				if g == nil || g.seconds < 3600 {
					f = nil
					continue
				}
				if f == nil {
					f = w.risk(kind, w.card(d), g.From, g.To)
				}
				f.To = g.To
				f.met = append(f.met, when[day]...)
				w.dayOf(f, holds, day)
			}
		}
	}
}

// dayOf adds the holders' part of a UTC day.
func (w *wasteTruth) dayOf(f *finding, holds []*hold, day int64) {
	for _, x := range holds {
		for _, s := range w.lives[x] {
			if s.from/aDay*aDay == day {
				f.addSeconds(s.key, s.to-s.from)
			}
		}
	}
}

var playgrounds = []string{"dev", "development", "test", "sandbox"}

// partsForPlay finds MIG cards that only playgrounds use.
func (w *wasteTruth) partsForPlay() {
	for _, n := range w.machines() {
		nt := w.truth.nodes[n]
		for _, d := range n.Devices {
			if d.Layouts == nil {
				continue
			}
			var holds []*hold
			for _, id := range sortedIDs(nt.holds[d]) {
				holds = append(holds, nt.holds[d][id]...)
			}
			var f *finding
			var list []world.Span
			end := func() {
				if f == nil {
					return
				}
				if g := groups(list, 365*aDay); len(g) == 1 && g[0].seconds >= aDay {
					f.From, f.To, f.Overlaps, f.met = g[0].From, g[0].To, true, list
					w.found = append(w.found, f)
				}
				f, list = nil, nil
			}
			for day := w.truth.World.From; day < w.truth.World.To; day += aDay {
				var today []*hold
				for _, x := range holds {
					if x.pod.from < day+aDay && x.pod.to > day {
						today = append(today, x)
					}
				}
				serious := slices.ContainsFunc(today, func(x *hold) bool {
					return !slices.Contains(playgrounds, w.environment(x.pod))
				})
				if len(today) == 0 || serious {
					end()
					continue
				}
				if f == nil {
					f = w.find("mig_in_dev", w.card(d), 0, 0)
					w.found = w.found[:len(w.found)-1] // not long enough yet
				}
				for _, x := range today {
					list = append(list, world.Span{From: max(x.pod.from, day), To: min(x.pod.to, day+aDay)})
				}
				w.dayOf(f, today, day)
			}
			end()
		}
	}
}
