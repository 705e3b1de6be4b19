package allocation

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/split"
	"gpuledger/internal/ledger"
)

// addMIG adds q instances of a sanitised profile: GPU instances, or compute instances inside one (rule 4.10).
func (r *request) addMIG(profile string, q int64) {
	slices, parent, part := computeInstance(profile)
	switch {
	case !part:
		r.mig[profile] += q
	case q > 0:
		if r.compute == nil {
			r.compute = make(map[string]int64)
		}
		r.compute[parent] += slices * q
	}
}

// computeInstance reads a sanitised profile such as 1c_3g_20gb: one compute slice of a GPU instance 3g_20gb.
func computeInstance(profile string) (slices int64, parent string, ok bool) {
	head, parent, found := strings.Cut(profile, "_")
	if !found || computeSlices(parent) == 0 {
		return 0, "", false
	}
	slices = leading(head, "c")
	return slices, parent, slices > 0
}

// computeSlices is how many compute slices a profile names, 0 if it names none.
func computeSlices(profile string) int64 {
	head, _, _ := strings.Cut(profile, "_")
	return leading(head, "g")
}

// maxComputeSlices is more than any card has.
const maxComputeSlices = 64

func leading(text, unit string) int64 {
	digits, ok := strings.CutSuffix(text, unit)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > maxComputeSlices {
		return 0
	}
	return n
}

// placeCompute gives a workload compute slices of GPU instances: the lowest instances with enough slices free. It
// returns how many profiles it could place.
func (n *NodeEngine) placeCompute(w int, want map[string]int64, instances map[string][]place) (placed int64) {
	for _, parent := range slices.Sorted(maps.Keys(want)) {
		all, left := computeSlices(parent), want[parent]
		for _, p := range instances[parent] {
			need := min(left, all)
			if need > 0 && n.computeLeft(w, p, parent) >= need {
				n.addRequested(w, p)
				left -= need
			}
		}
		if left <= 0 {
			placed++
		}
	}
	return placed
}

// computeLeft is how many compute slices of an instance are free for as long as the workload holds.
func (n *NodeEngine) computeLeft(w int, p place, parent string) int64 {
	left := computeSlices(parent)
	for _, h := range n.holds[p.slot] {
		if !h.Overlaps(n.workloads[w].Hold) || h.slice != p.slice && h.slice != ledger.WholeDevice {
			continue
		}
		taken := n.request(h.workload).compute[parent]
		if h.slice == ledger.WholeDevice || taken == 0 {
			return 0
		}
		left -= taken
	}
	return left
}

// claimCompute sets the share that holders of compute instances have of their GPU instances, if no other rule gave them
// one: compute slices requested ÷ compute slices of the GPU instances held (rule 4.10).
func (n *NodeEngine) claimCompute(seen []SliceSeen) {
	profiles := make(map[place]string)
	for _, s := range seen {
		if slot := n.slotOf(s.Device, s.First); slot != none && s.SliceID != ledger.WholeDevice {
			p := place{slot, s.SliceID}
			profiles[p] = max(profiles[p], sanitised(s.Profile))
		}
	}
	if len(profiles) == 0 {
		return
	}
	type kind struct {
		workload int
		profile  string
	}
	places := make(map[kind][]place)
	var claims []*hold
	for _, holds := range n.holds {
		for _, h := range holds {
			p := place{h.slot, h.slice}
			k := kind{h.workload, profiles[p]}
			if h.given || h.claimed || n.request(h.workload).compute[k.profile] == 0 {
				continue
			}
			claims = append(claims, h)
			if !slices.Contains(places[k], p) {
				places[k] = append(places[k], p)
			}
		}
	}
	for _, h := range claims {
		k := kind{h.workload, profiles[place{h.slot, h.slice}]}
		all := computeSlices(k.profile) * int64(len(places[k]))
		h.share, h.given = split.NewFraction(uint64(min(n.request(h.workload).compute[k.profile], all)), uint64(all)), true
	}
}
