package fleetsim

import (
	"cmp"
	"slices"
	"strings"
)

// nodeTruth is rule 2 for one node.
type nodeTruth struct {
	n              *node
	appeared, gone int64
	inSource       bool
	ended          bool // gone for good, not merely the end of the data
	layouts        map[*device][]layout
	holds          map[*device]map[int32][]*hold
	acts           map[*device]map[int32]map[int64][]int32
	energy         map[*device]map[int64]drawn
}

// heldPod is rule 4.1 for one pod.
type heldPod struct {
	p               *pod
	nt              *nodeTruth
	from, to        int64
	lastSample      int64
	outcome, reason string
	holds           []*hold
	segments        []segment
	team            string
	runID           string
}

// hold is a pod on one slot.
type hold struct {
	pod       *heldPod
	dev       *device
	slice     int32
	quantity  frac // replicas per device, of shared cards
	estimated bool
	longIdle  map[int64]bool // minutes of idle runs of 15 or more
	first     map[int64]int64
}

// segment ties a pod to an attempt for a time; attempt is nil for pods that
// are no runs.
type segment struct {
	attempt  *TruthAttempt
	from, to int64
	// Of a member that was lost while the others went on (rule 6.6).
	alone    bool
	lossFrom int64 // 0 = nothing lost
	unproven bool  // no checkpoint says where the loss begins
}

func (t *truth) kubeTicks(from, to int64) (first, last int64) {
	return t.ticks(ksmSecond, from, to, t.ksmGaps)
}

func (t *truth) readFacts() {
	t.nodes, t.observed = map[*node]*nodeTruth{}, map[int64]bool{}
	for _, n := range t.world.nodes {
		nt := &nodeTruth{n: n, layouts: map[*device][]layout{}, holds: map[*device]map[int32][]*hold{}, acts: map[*device]map[int32]map[int64][]int32{}}
		t.nodes[n] = nt
		for _, d := range n.devices {
			nt.holds[d], nt.acts[d] = map[int32][]*hold{}, map[int32]map[int64][]int32{}
		}
		if n.joined {
			t.life(nt)
		}
		t.out.Nodes = append(t.out.Nodes, TruthNode{n.instanceID, n.name, nt.appeared, nt.gone, nt.inSource, len(n.devices), n.replicas, t.priceClass(n)})
	}
	for _, n := range t.world.nodes {
		if n.joined && !t.site.slurm {
			for at := ceilTo(max(n.created, t.world.from), ksmSecond); at < t.nodeKubeEnd(n); at += 60 {
				if !in(t.ksmGaps, at) {
					t.observed[at/60*60] = true
					t.lastSeen = max(t.lastSeen, at)
				}
			}
		}
	}
	if t.site.slurm {
		t.accounted()
	}
	for _, nt := range t.nodes {
		nt.ended = nt.gone != 0 && (nt.n.told() && nt.n.end < t.world.to || t.lastSeen >= nt.gone+60)
		for _, d := range nt.n.devices {
			nt.layouts[d] = t.shownLayouts(nt, d)
		}
	}
	for _, p := range t.world.pods {
		if h := t.podHold(p); h != nil {
			t.held = append(t.held, h)
		}
	}
	slices.SortFunc(t.held, func(a, b *heldPod) int { return cmp.Or(cmp.Compare(a.from, b.from), strings.Compare(a.p.uid, b.p.uid)) })
	t.evidence()
	t.requests()
	for _, h := range t.held {
		h.outcome, h.reason = t.outcome(h)
		h.team = t.podTeam(h)
	}
}

// life is rules 2.2 and 2.3.
func (t *truth) life(nt *nodeTruth) {
	n := nt.n
	if t.site.slurm {
		t.slurmNode(nt)
		return
	}
	firstInfo, lastInfo := t.kubeTicks(n.created, t.nodeKubeEnd(n))
	firstRow, lastRow := t.ticks(n.phase, n.expFrom, n.until(t.world), n.expGaps)
	nt.inSource = firstInfo != 0
	switch {
	case firstInfo != 0:
		nt.appeared = n.created
	case firstRow != 0:
		nt.appeared = firstRow
	default:
		return
	}
	nt.gone = max(lastInfo, lastRow) + 60
	if n.told() && n.end < t.world.to && n.end >= nt.appeared {
		nt.gone = n.end
	}
}

// shownLayouts is rule 3.3: layouts count from the first minute that shows them.
func (t *truth) shownLayouts(nt *nodeTruth, d *device) []layout {
	var out []layout
	for i, l := range d.layouts {
		from, to := l.from, t.world.to
		if i == 0 {
			from = t.world.from
		}
		if i+1 < len(d.layouts) {
			to = d.layouts[i+1].from
		}
		first, _ := t.ticks(nt.n.phase, max(from, nt.n.expFrom), min(to, nt.n.until(t.world)), nt.n.expGaps)
		if first != 0 {
			out = append(out, layout{first / 60 * 60, l.slices})
		}
	}
	return out
}

func layoutOf(list []layout, at int64) []slice {
	var s []slice
	for i := range list {
		if i == 0 || list[i].from <= at {
			s = list[i].slices
		}
	}
	return s
}

func (t *truth) podHold(p *pod) *heldPod {
	if p.life != nil {
		return t.lifeHold(p)
	}
	removed := t.podRemoved(p)
	nt := t.nodes[p.node]
	if seen, _ := t.kubeTicks(p.scheduled, removed); seen == 0 {
		return nil
	}
	_, last := t.kubeTicks(p.created, removed)
	h := &heldPod{p: p, nt: nt, from: p.scheduled, to: last + 60, lastSample: last}
	if t.sawCompletion(p) {
		h.to = p.end
	}
	if h.to = min(h.to, nt.gone); h.to <= h.from {
		return nil
	}
	return h
}

// sawCompletion reports whether a scrape fell between the end of the
// containers and the end of the object.
func (t *truth) sawCompletion(p *pod) bool {
	c := p.completion()
	if c == 0 {
		return false
	}
	seen, _ := t.kubeTicks(c, t.podRemoved(p))
	return seen != 0
}

// evidence is rule 4.3.
func (t *truth) evidence() {
	byName := map[string][]*heldPod{}
	for _, h := range t.held {
		byName[h.p.node.name+"/"+h.p.ns+"/"+h.p.name] = append(byName[h.p.node.name+"/"+h.p.ns+"/"+h.p.name], h)
	}
	for _, n := range t.world.nodes {
		for _, d := range n.devices {
			for _, id := range sortedIDs(d.occ) {
				for _, o := range d.occ[id] {
					for _, h := range byName[n.name+"/"+o.pod.ns+"/"+o.pod.name] {
						if t.named(n, d, id, o, h) {
							h.addHold(d, id, false)
						}
					}
				}
			}
		}
	}
}

func sortedIDs[T any](m map[int32]T) []int32 {
	var ids []int32
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// named reports whether a row named the pod in a minute that overlaps its hold.
func (t *truth) named(n *node, d *device, id int32, o *occupancy, h *heldPod) bool {
	from, to := max(o.from, n.expFrom), min(o.labelUntil, n.until(t.world))
	if t.world.nameless(n) {
		return false
	}
	for at := ceilTo(from, n.phase); at < to; at += 60 {
		if in(n.expGaps, at) {
			continue
		}
		if _, ok := d.present(id, at); !ok {
			continue
		}
		if m := at / 60 * 60; m < h.to && m+60 > h.from {
			return true
		}
	}
	return false
}

func (h *heldPod) addHold(d *device, id int32, estimated bool) {
	for _, x := range h.holds {
		if x.dev == d && x.slice == id {
			return
		}
	}
	x := &hold{pod: h, dev: d, slice: id, estimated: estimated, quantity: one}
	h.holds = append(h.holds, x)
	h.nt.holds[d][id] = append(h.nt.holds[d][id], x)
}

// requests is rules 4.4 and 4.5: pods without enough evidence take what nobody
// holds, and replicas become quantities.
func (t *truth) requests() {
	t.shareReplicas()
	for _, h := range t.held { // in order of hold start and uid
		for _, r := range h.p.requests {
			switch {
			case r.resource != "nvidia_com_gpu" && r.resource != "nvidia_com_gpu_shared" && !strings.HasPrefix(r.resource, "nvidia_com_mig_"):
			case h.p.node.replicas <= 1:
				want := int(r.n)
				if r.resource == "nvidia_com_gpu_shared" {
					want = 1
				}
				t.takeFree(h, r.resource, want-len(h.holds))
			case len(h.holds) == 0:
				h.takeReplicas(r.n)
			}
		}
	}
}

func (t *truth) takeFree(h *heldPod, resource string, missing int) {
	for _, d := range h.p.node.devices {
		ids := []slice{{id: wholeDevice}}
		if l := layoutOf(h.nt.layouts[d], h.from); l != nil {
			ids = slices.Clone(l)
			slices.SortFunc(ids, func(a, b slice) int { return cmp.Compare(a.id, b.id) })
		}
		for _, s := range ids {
			if missing <= 0 {
				return
			}
			fits := s.profile == "" && !strings.HasPrefix(resource, "nvidia_com_mig_")
			if s.profile != "" {
				fits = profileOf(s.profile).resource() == resource
			}
			if fits && !h.nt.heldDuring(d, s.id, h) {
				h.addHold(d, s.id, true)
				missing--
			}
		}
	}
}

// heldDuring reports whether anybody holds the place, or a part or the whole of
// it, during the hold. Jobs that share cards do not mind each other (4.9).
func (nt *nodeTruth) heldDuring(d *device, id int32, h *heldPod) bool {
	for other, holds := range nt.holds[d] {
		if other != id && other != wholeDevice && id != wholeDevice {
			continue
		}
		for _, x := range holds {
			sharing := h.p.life != nil && h.p.life.shards > 0 && x.pod.p.life.shards > 0
			if x.pod.from < h.to && x.pod.to > h.from && !sharing {
				return true
			}
		}
	}
	return false
}

// outcome is rule 6.7.
func (t *truth) outcome(h *heldPod) (outcome, reason string) {
	p, n := h.p, h.p.node
	if p.life != nil {
		return p.life.outcome(t.world.to)
	}
	done := t.sawCompletion(p)
	deleted := false
	if p.deletion != 0 && p.deletion <= h.to {
		first, _ := t.kubeTicks(p.deletion, t.podRemoved(p))
		deleted = first != 0
	}
	switch {
	case done && p.exit == exitSucceeded:
		return "succeeded", ""
	case n.warned != 0 && n.warned < t.world.to && n.warned <= h.to && h.to-n.warned <= 600:
		return "preempted", "spot_interruption"
	case t.suspended(h):
		return "suspended", ""
	case done && p.reason == "OOMKilled":
		return "oom", "OOMKilled"
	case done && p.statusReason == "Evicted":
		return "evicted", "Evicted"
	case done:
		return "failed", p.reason
	case h.nt.ended && h.nt.gone-h.to <= 60:
		return "node_failure", ""
	case deleted:
		return "cancelled", ""
	case t.observedAfter(h.lastSample + 120):
		return "unknown", ""
	}
	return "running", ""
}

// observedAfter reports whether the cluster was observed at or after at.
func (t *truth) observedAfter(at int64) bool { return t.lastSeen >= at }

func first(labels []label, keys ...string) string {
	for _, k := range keys {
		for _, l := range labels {
			if l.key == k && l.value != "" {
				return l.value
			}
		}
	}
	return ""
}

// teamOf is rule 9.1 below the pod: namespace, node, billing tag.
func (t *truth) teamOf(ns string, n *node) string {
	for _, o := range t.objects {
		if o.kind == "Namespace" && o.name == ns {
			if v := first(o.labels, "label_team"); v != "" {
				return v
			}
		}
	}
	if n.joined {
		if v := first(n.labels, "label_team"); v != "" {
			return v
		}
	}
	if n.billTeam != "" && t.billed(n) {
		return n.billTeam
	}
	return "unowned"
}

func (t *truth) podTeam(h *heldPod) string {
	if v := first(h.p.labels, "label_team", "label_owner_team", "label_owner"); v != "" {
		return v
	}
	if h.p.life != nil { // its account
		return h.p.ns
	}
	return t.teamOf(h.p.ns, h.p.node)
}
