package allocation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// evidenced is a place that a workload held for a time, by evidence.
type evidenced struct {
	period.Interval
	place
	share   split.Fraction // given; else zero
	claimed bool           // by a resource claim
}

// noShare is the share without evidence of one.
var noShare = split.Fraction{Num: 0, Den: 1}

// evidence returns, per workload, the places that evidence gives it, in order (rules 4.3 and 4.7): by claim, annotation
// or job record, else by exporter rows, else by processes.
func (n *NodeEngine) evidence(in NodeInput) [][]evidenced {
	strong, weak := make([][]evidenced, len(n.workloads)), make([][]evidenced, len(n.workloads))
	for i := range in.Placements {
		p := &in.Placements[i]
		w, known := n.byUID[p.Workload]
		if !known {
			continue
		}
		e, ok := n.placed(p, n.workloads[w].Hold)
		switch {
		case !ok:
		case p.Evidence == ledger.EvidenceProcess:
			weak[w] = append(weak[w], e)
		default:
			strong[w] = append(strong[w], e)
		}
	}
	named := n.named(in.Evidence)
	for w := range strong {
		switch {
		case len(strong[w]) > 0:
			strong[w] = joinPlaces(strong[w])
		case len(named[w]) > 0:
			for _, p := range named[w] {
				strong[w] = append(strong[w], evidenced{Interval: n.workloads[w].Hold, place: p, share: noShare})
			}
		default:
			strong[w] = joinPlaces(weak[w])
		}
	}
	return strong
}

// placed finds the slot and the time of a placement.
func (n *NodeEngine) placed(p *ledger.Placement, hold period.Interval) (evidenced, bool) {
	during := period.Interval{From: cmp.Or(p.From, hold.From), To: cmp.Or(p.To, hold.To)}
	during = during.Intersect(hold)
	slot := n.slotNamed(p.Device, during.From)
	switch {
	case slot == none:
		n.report(hold, "device_without_slot", "device %s is not in a slot of the node: its holds are ignored", p.Device)
		return evidenced{}, false
	case during.Empty():
		n.report(hold, "placement_outside_hold", "%s places %s at a time outside the hold of its workload",
			p.Evidence, p.Device)
		return evidenced{}, false
	}
	e := evidenced{
		Interval: during, place: place{slot, p.SliceID}, share: noShare, claimed: p.Evidence == ledger.EvidenceClaim,
	}
	if share := cmp.Or(max(p.CoreShare, 0), max(p.MemoryShare, 0)); share > 0 {
		e.share = split.NewFraction(uint64(min(share, fullShare)), fullShare)
	}
	return e, true
}

// fullShare is a whole device in ppm.
const fullShare = 1_000_000

// slotNamed is the slot of a device by UUID, or by index if the UUID is unknown.
func (n *NodeEngine) slotNamed(device string, at period.Second) int {
	if index, numbered := strings.CutPrefix(device, "#"); numbered {
		slot, err := strconv.Atoi(index)
		if err != nil || slot < 0 || slot >= n.node.GPUs {
			return none
		}
		return slot
	}
	return n.slotOf(device, at.Floor(period.Hour))
}

// joinPlaces merges placements of the same place, in order of place and time. Where they overlap, the larger share
// counts.
func joinPlaces(list []evidenced) []evidenced {
	slices.SortFunc(list, func(a, b evidenced) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.slice, b.slice), cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To))
	})
	var out []evidenced
	for len(list) > 0 {
		end, span := 1, list[0].To
		for end < len(list) && list[end].place == list[0].place && list[end].From <= span {
			span = max(span, list[end].To)
			end++
		}
		out = append(out, joinOne(list[:end])...)
		list = list[end:]
	}
	return out
}

// joinOne merges placements of one place that touch.
func joinOne(list []evidenced) []evidenced {
	if len(list) == 1 {
		return list
	}
	var cuts []period.Second
	for _, e := range list {
		cuts = append(cuts, e.From, e.To)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []evidenced
	for i := 1; i < len(cuts); i++ {
		next := evidenced{Interval: period.Interval{From: cuts[i-1], To: cuts[i]}, place: list[0].place, share: noShare}
		for _, e := range list {
			if e.Contains(next.From) {
				next.claimed = next.claimed || e.claimed
				if e.share.Num*next.share.Den > next.share.Num*e.share.Den { // both at most a million
					next.share = e.share
				}
			}
		}
		if n := len(out); n > 0 && out[n-1].share == next.share && out[n-1].claimed == next.claimed {
			out[n-1].To = next.To
		} else {
			out = append(out, next)
		}
	}
	return out
}

// placesOf lists the distinct places of a workload's evidence.
func placesOf(list []evidenced) []place {
	var out []place
	for _, e := range list {
		if !slices.Contains(out, e.place) {
			out = append(out, e.place)
		}
	}
	return out
}
