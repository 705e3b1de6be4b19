package truth

import (
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// thereKey names a holder: a root workload on a model (empty: on any); slices of cards, by cluster and model; jobs on
// demand, by cluster, type and team.
type thereKey struct{ kind, name, model string }

// presence is the hours in which subjects of advice existed (docs/figures.md, 19.1): holders while they held, machines
// and their cards while they were up.
type presence map[thereKey]map[int64]bool

func (p presence) add(k thereKey, hour int64) {
	if p[k] == nil {
		p[k] = map[int64]bool{}
	}
	p[k][hour] = true
}

// presenceOf collects all holds, and the up-time of machines.
func presenceOf(f *fleetsim.Fleet) presence {
	out := presence{}
	for _, t := range truths(f) {
		w := &wasteTruth{truth: t}
		pods, machines := map[string]*heldPod{}, map[string]*world.Node{}
		for _, h := range t.held {
			pods[h.p.UID] = h
		}
		for _, n := range t.World.Nodes {
			machines[n.InstanceID] = n
			nt := t.nodes[n]
			for h := nt.appeared / 3600 * 3600; nt.appeared != 0 && h < nt.gone; h += 3600 {
				out.add(thereKey{"up", w.machine(n), ""}, h)
				out.add(thereKey{"up", n.InstanceID, ""}, h)
				for _, d := range n.Devices {
					out.add(thereKey{"up", w.card(d), ""}, h)
				}
			}
		}
		for i := range t.out.Usage {
			u := &t.out.Usage[i]
			if u.PodUID == "" {
				continue
			}
			h, n := pods[u.PodUID], machines[u.Instance]
			out.add(thereKey{"workload", w.workload(h.p), n.Type.Model}, u.Hour)
			out.add(thereKey{"workload", w.workload(h.p), ""}, u.Hour)
			if u.Slice != world.WholeDevice {
				out.add(thereKey{"cards", t.Config.Cluster, n.Type.Model}, u.Hour)
			}
			if classOf(h.p) == "run" && t.PriceClass(n) == "on_demand" {
				out.add(thereKey{"jobs", t.Config.Cluster + "/" + n.Type.Name + "/" + h.team, ""}, u.Hour)
			}
		}
	}
	return out
}

// of are the hours of the subject of a recommendation.
func (p presence) of(k AdviceKey) map[int64]bool {
	switch k.Kind {
	case "repartition":
		return p[thereKey{"cards", strings.Split(k.Subject, "/")[0], k.Model}]
	case "move_to_spot":
		return p[thereKey{"jobs", k.Subject, ""}]
	}
	if hours := p[thereKey{"workload", k.Subject, k.Model}]; hours != nil {
		return hours
	}
	return p[thereKey{"up", k.Subject, ""}]
}

// first is the earliest of hours.
func first(hours map[int64]bool) int64 {
	var at int64
	for h := range hours {
		if at == 0 || h < at {
			at = h
		}
	}
	return at
}
