package allocation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// request is a pod's request of a node: whole GPUs (or replicas of them) and MIG instances per sanitised profile.
type request struct {
	whole int64
	mig   map[string]int64
	// shares of one card, which others may share, too (rule 4.9).
	shares bool
	// compute slices of GPU instances, by the profile of the GPU instance (rule 4.10).
	compute map[string]int64
}

func (r request) total() int64 {
	sum := r.whole
	for _, q := range r.mig {
		sum += q
	}
	sum += int64(len(r.compute))
	if r.shares {
		sum++
	}
	return sum
}

// request reads the request of workload w. Counts that no node can serve are left out; placeRequests reports them.
func (n *NodeEngine) request(w int) request {
	r := request{mig: make(map[string]int64)}
	for name, q := range n.workloads[w].Requests {
		if q < 0 || q > maxRequest {
			continue
		}
		profile, isMIG := strings.CutPrefix(name, ledger.ResourceMIGPrefix)
		cards, isCard := ledger.Replicas(name, q, n.node.GPUModel, n.node.Replicas)
		switch {
		case name == ledger.ResourceGPUShared && n.ownShares(w):
			r.shares = q > 0
		case isCard && n.single != "" && strings.HasPrefix(name, ledger.ResourceGPU):
			r.addMIG(n.single, q)
		case isCard:
			r.whole += cards
		case isMIG:
			r.addMIG(strings.TrimSuffix(profile, "_shared"), q)
		}
	}
	return r
}

// ownShares reports whether the shares that a workload requests come from its scheduler, not from replicas that the
// node advertises.
func (n *NodeEngine) ownShares(w int) bool {
	return n.workloads[w].System != ledger.SystemKubernetes && n.node.Replicas <= 1
}

// sharing reports whether a workload requests shares of one card and nothing else.
func (n *NodeEngine) sharing(w int) bool {
	r := n.request(w)
	return r.shares && r.whole == 0 && len(r.mig) == 0 && len(r.compute) == 0
}

// sanitised is a profile as it appears in a resource name: 1g_10gb_me.
func sanitised(profile string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '+' || r == '-' {
			return '_'
		}
		return r
	}, strings.ToLower(profile))
}

// placeRequests gives pods with less evidence than they requested the lowest matching places that are free, in order of
// hold start and uid (rule 4.4).
func (n *NodeEngine) placeRequests(seen []SliceSeen, evidence [][]evidenced) {
	order := make([]int, len(n.workloads))
	for w := range order {
		order[w] = w
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(n.workloads[a].Hold.From, n.workloads[b].Hold.From), cmp.Compare(a, b))
	})
	shown := n.shownSlices(seen)
	seated := n.seatedReplicas()
	for _, w := range order {
		pod := &n.workloads[w]
		for name, q := range pod.Requests {
			if (q < 0 || q > maxRequest) && name != ledger.ResourceCPU && name != ledger.ResourceMemory &&
				!ledger.SharingResource(name) {
				n.report(pod.Hold, "request_out_of_range", "%s requests %d of %s: ignored", title(pod), q, name)
			}
		}
		if pod.Hold.Empty() {
			continue
		}
		if resource := n.part(w); resource != "" { // only its scheduler knows the card
			if len(evidence[w]) == 0 {
				n.report(pod.Hold, "request_not_placed",
					"%s requests a part of a GPU (%s), but no annotation or exporter names the card", title(pod), resource)
			}
			continue
		}
		want := n.request(w)
		if n.node.Replicas > 1 && len(evidence[w]) > 0 { // replicas may all sit on one device
			continue
		}
		n.placeRequest(w, want, shown, placesOf(evidence[w]), seated)
	}
}

func (n *NodeEngine) placeRequest(w int, want request, shown []shownSlot, evidence []place, seated []int64) {
	pod, asked := &n.workloads[w], want.total()
	missing := asked - int64(len(evidence))
	if missing <= 0 {
		return
	}
	var whole []place               // slots that are not MIG cards when the hold begins
	mig := make(map[string][]place) // per sanitised profile, by slot and id
	for slot := range shown {
		instances := shown[slot].at(pod.Hold.From)
		if len(instances) == 0 && !shown[slot].hidden {
			whole = append(whole, place{slot, ledger.WholeDevice})
		}
		for _, i := range instances {
			mig[sanitised(i.Profile)] = append(mig[sanitised(i.Profile)], place{slot, i.SliceID})
		}
	}
	for _, p := range evidence {
		want.serve(p, mig)
	}
	take := func(count int64, candidates []place) (left int64) {
		if n.node.Replicas > 1 {
			taken := n.takeReplicas(w, count, candidates, seated)
			missing -= taken
			return count - taken
		}
		for _, p := range candidates {
			if count > 0 && missing > 0 && !n.heldBy(p, pod.Hold, nil) {
				n.addRequested(w, p)
				count, missing = count-1, missing-1
			}
		}
		return count
	}
	if want.shares && len(evidence) == 0 {
		for _, p := range whole {
			if !n.heldBy(p, pod.Hold, n.sharing) {
				n.addRequested(w, p)
				missing--
				break
			}
		}
	}
	missing -= n.placeCompute(w, want.compute, mig)
	take(want.whole, whole)
	for _, profile := range slices.Sorted(maps.Keys(want.mig)) {
		want.mig[profile] = take(want.mig[profile], mig[profile])
	}
	// exporters and resources name attributes (+me) differently
	for _, profile := range slices.Sorted(maps.Keys(want.mig)) {
		for _, other := range slices.Sorted(maps.Keys(mig)) {
			if left := want.mig[profile]; left > 0 && other != profile && profileOf(other) == profileOf(profile) {
				want.mig[profile] = take(left, mig[other])
			}
		}
	}
	maps.DeleteFunc(want.compute, func(parent string, _ int64) bool { return len(mig[parent]) > 0 })
	if missing > 0 {
		missing -= n.placeUnseen(w, want, shown)
	}
	if missing > 0 {
		n.report(pod.Hold, "request_not_placed", "%s needs %d GPUs or slices; no free one matches for %d of them",
			title(pod), asked, missing)
	}
}

// serve subtracts an evidenced place from the rest of the request.
func (r *request) serve(p place, mig map[string][]place) {
	if p.slice == ledger.WholeDevice {
		r.whole--
		return
	}
	for profile, places := range mig {
		if !slices.Contains(places, p) {
			continue
		}
		if _, part := r.compute[profile]; part {
			delete(r.compute, profile)
			return
		}
		r.mig[profile]--
	}
}
