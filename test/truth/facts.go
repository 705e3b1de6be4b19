package truth

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// nodeTruth is rule 2 for one node.
type nodeTruth struct {
	n              *world.Node
	appeared, gone int64
	inSource       bool
	ended          bool // gone for good, not merely the end of the data
	told           bool // an event says when it ended
	dark           []world.Span
	// The kinds of its reports, and when it and its cluster reported (rule 2.9).
	listed, sampled bool
	own, heard      reports
	layouts         map[*world.Device][]world.Layout
	holds           map[*world.Device]map[int32][]*hold
	acts            map[*world.Device]map[int32]map[int64][]int32
	energy          map[*world.Device]map[int64]drawn
}

// heldPod is rule 4.1 for one pod.
type heldPod struct {
	p               *world.Pod
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
	dev       *world.Device
	slice     int32
	quantity  frac // replicas per device, of shared cards
	estimated bool
	longIdle  map[int64]bool // minutes of idle runs of 15 or more
	first     map[int64]int64
}

// segment ties a pod to an attempt for a time; attempt is nil for pods that are not runs.
type segment struct {
	attempt  *Attempt
	from, to int64
	// For a member that was lost while the others continued (rule 6.6).
	alone    bool
	lossFrom int64 // 0 = nothing lost
	unproven bool  // no checkpoint shows where the loss begins
}

func (t *truth) kubeTicks(from, to int64) (first, last int64) {
	return t.Ticks(world.KSMSecond, from, to, t.KSMGaps)
}

func (t *truth) readFacts() {
	t.nodes, t.observed = map[*world.Node]*nodeTruth{}, map[int64]bool{}
	for _, n := range t.World.Nodes {
		nt := &nodeTruth{
			n: n, layouts: map[*world.Device][]world.Layout{}, holds: map[*world.Device]map[int32][]*hold{},
			acts: map[*world.Device]map[int32]map[int64][]int32{},
		}
		t.nodes[n] = nt
		for _, d := range n.Devices {
			nt.holds[d], nt.acts[d] = map[int32][]*hold{}, map[int32]map[int64][]int32{}
		}
		if n.Joined {
			t.life(nt)
		}
		t.out.Nodes = append(t.out.Nodes, Node{
			n.InstanceID, n.Name, nt.appeared, nt.gone, nt.inSource, len(n.Devices), n.Replicas, t.PriceClass(n),
		})
	}
	for _, n := range t.World.Nodes {
		if n.Joined && !t.Site.Slurm {
			for at := world.CeilTo(max(n.Created, t.World.From),
				world.KSMSecond); at < fleetsim.NodeKubeEnd(t.World, n); at += 60 {
				if !world.In(t.KSMGaps, at) {
					t.observed[at/60*60] = true
					t.lastSeen = max(t.lastSeen, at)
				}
			}
		}
	}
	if t.Site.Slurm {
		t.accounted()
	}
	t.readReports()
	for _, nt := range t.nodes {
		nt.ended = nt.gone != 0 && (nt.n.Told() && nt.n.End < t.World.To || t.lastSeen >= nt.gone+60)
		for _, d := range nt.n.Devices {
			nt.layouts[d] = t.shownLayouts(nt, d)
		}
	}
	for _, p := range t.World.Pods {
		if h := t.podHold(p); h != nil {
			t.held = append(t.held, h)
		}
	}
	slices.SortFunc(t.held, func(a, b *heldPod) int {
		return cmp.Or(cmp.Compare(a.from, b.from), strings.Compare(a.p.UID, b.p.UID))
	})
	for _, nt := range t.nodes {
		t.darkness(nt)
	}
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
	if t.Site.Slurm {
		t.slurmNode(nt)
		return
	}
	firstInfo, lastInfo := t.kubeTicks(n.Created, fleetsim.NodeKubeEnd(t.World, n))
	firstRow, lastRow := t.Ticks(n.Phase, n.ExpFrom, n.Until(t.World), n.ExpGaps)
	nt.inSource = firstInfo != 0
	switch {
	case firstInfo != 0:
		nt.appeared = n.Created
	case firstRow != 0:
		nt.appeared = firstRow
	default:
		return
	}
	nt.gone = max(lastInfo, lastRow) + 60
	if n.Told() && n.End < t.World.To && n.End >= nt.appeared {
		nt.gone, nt.told = n.End, true
	}
}

// shownLayouts is rule 3.3: layouts count from the first minute that shows them.
func (t *truth) shownLayouts(nt *nodeTruth, d *world.Device) []world.Layout {
	var out []world.Layout
	for i, l := range d.Layouts {
		from, to := l.From, t.World.To
		if i == 0 {
			from = t.World.From
		}
		if i+1 < len(d.Layouts) {
			to = d.Layouts[i+1].From
		}
		first, _ := t.Ticks(nt.n.Phase, max(from, nt.n.ExpFrom), min(to, nt.n.Until(t.World)), nt.n.ExpGaps)
		if first != 0 {
			out = append(out, world.Layout{From: first / 60 * 60, Slices: l.Slices})
		}
	}
	return out
}

func layoutOf(list []world.Layout, at int64) []world.Slice {
	var s []world.Slice
	for i := range list {
		if i == 0 || list[i].From <= at {
			s = list[i].Slices
		}
	}
	return s
}

func (t *truth) podHold(p *world.Pod) *heldPod {
	if p.Life != nil {
		return t.lifeHold(p)
	}
	removed := fleetsim.PodRemoved(t.World, p)
	nt := t.nodes[p.Node]
	if seen, _ := t.kubeTicks(p.Scheduled, removed); seen == 0 {
		return nil
	}
	_, last := t.kubeTicks(p.Created, removed)
	h := &heldPod{p: p, nt: nt, from: p.Scheduled, to: last + 60, lastSample: last}
	if t.sawCompletion(p) {
		h.to = p.End
	}
	if h.to = min(h.to, nt.gone); h.to <= h.from {
		return nil
	}
	return h
}

// sawCompletion reports whether a scrape fell between the end of the
// containers and the end of the object.
func (t *truth) sawCompletion(p *world.Pod) bool {
	c := fleetsim.Completion(p)
	if c == 0 {
		return false
	}
	seen, _ := t.kubeTicks(c, fleetsim.PodRemoved(t.World, p))
	return seen != 0
}

// evidence is rule 4.3.
func (t *truth) evidence() {
	byName := map[string][]*heldPod{}
	for _, h := range t.held {
		byName[h.p.Node.Name+"/"+h.p.NS+"/"+h.p.Name] = append(byName[h.p.Node.Name+"/"+h.p.NS+"/"+h.p.Name], h)
	}
	for _, n := range t.World.Nodes {
		for _, d := range n.Devices {
			for _, id := range sortedIDs(d.Occ) {
				for _, o := range d.Occ[id] {
					for _, h := range byName[n.Name+"/"+o.Pod.NS+"/"+o.Pod.Name] {
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
func (t *truth) named(n *world.Node, d *world.Device, id int32, o *world.Occupancy, h *heldPod) bool {
	from, to := max(o.From, n.ExpFrom), min(o.LabelUntil, n.Until(t.World))
	if fleetsim.Nameless(t.World, n) {
		return false
	}
	for at := world.CeilTo(from, n.Phase); at < to; at += 60 {
		if world.In(n.ExpGaps, at) {
			continue
		}
		if _, ok := d.Present(id, at); !ok {
			continue
		}
		if m := at / 60 * 60; m < h.to && m+60 > h.from {
			return true
		}
	}
	return false
}

func (h *heldPod) addHold(d *world.Device, id int32, estimated bool) {
	for _, x := range h.holds {
		if x.dev == d && x.slice == id {
			return
		}
	}
	x := &hold{pod: h, dev: d, slice: id, estimated: estimated, quantity: one}
	h.holds = append(h.holds, x)
	h.nt.holds[d][id] = append(h.nt.holds[d][id], x)
}

// requests is rules 4.4 and 4.5: pods without enough evidence take free places, and replicas become quantities.
func (t *truth) requests() {
	t.shareReplicas()
	for _, h := range t.held { // in order of hold start and uid
		for _, r := range h.p.Requests {
			switch {
			case r.Resource != "nvidia_com_gpu" && r.Resource != "nvidia_com_gpu_shared" &&
				!strings.HasPrefix(r.Resource, "nvidia_com_mig_"):
			case h.p.Node.Replicas <= 1:
				want := int(r.N)
				if r.Resource == "nvidia_com_gpu_shared" {
					want = 1
				}
				t.takeFree(h, r.Resource, want-len(h.holds))
			case len(h.holds) == 0:
				h.takeReplicas(r.N)
			}
		}
	}
}

func (t *truth) takeFree(h *heldPod, resource string, missing int) {
	for _, d := range h.p.Node.Devices {
		ids := []world.Slice{{ID: world.WholeDevice}}
		if l := layoutOf(h.nt.layouts[d], h.from); l != nil {
			ids = slices.Clone(l)
			slices.SortFunc(ids, func(a, b world.Slice) int { return cmp.Compare(a.ID, b.ID) })
		}
		for _, s := range ids {
			if missing <= 0 {
				return
			}
			fits := s.Profile == "" && !strings.HasPrefix(resource, "nvidia_com_mig_")
			if s.Profile != "" {
				fits = world.ProfileOf(s.Profile).Resource() == resource
			}
			if fits && !h.nt.heldDuring(d, s.ID, h) {
				h.addHold(d, s.ID, true)
				missing--
			}
		}
	}
}

// heldDuring reports whether the place, or a part or the whole of it, is held during the hold. Jobs that share cards do
// not exclude each other (4.9).
func (nt *nodeTruth) heldDuring(d *world.Device, id int32, h *heldPod) bool {
	for other, holds := range nt.holds[d] {
		if other != id && other != world.WholeDevice && id != world.WholeDevice {
			continue
		}
		for _, x := range holds {
			sharing := h.p.Life != nil && h.p.Life.Shards > 0 && x.pod.p.Life.Shards > 0
			if x.pod.from < h.to && x.pod.to > h.from && !sharing {
				return true
			}
		}
	}
	return false
}

// outcome is rule 6.7.
func (t *truth) outcome(h *heldPod) (outcome, reason string) {
	p, n := h.p, h.p.Node
	if p.Life != nil {
		return slurmOutcome(p.Life, t.World.To)
	}
	done := t.sawCompletion(p)
	deleted := false
	if p.Deletion != 0 && p.Deletion <= h.to {
		first, _ := t.kubeTicks(p.Deletion, fleetsim.PodRemoved(t.World, p))
		deleted = first != 0
	}
	switch {
	case done && p.Exit == world.ExitSucceeded:
		return "succeeded", ""
	case n.Warned != 0 && n.Warned < t.World.To && n.Warned <= h.to && h.to-n.Warned <= 600:
		return "preempted", "spot_interruption"
	case t.suspended(h):
		return "suspended", ""
	case done && p.Reason == "OOMKilled":
		return "oom", "OOMKilled"
	case done && p.StatusReason == "Evicted":
		return "evicted", "Evicted"
	case done:
		return "failed", p.Reason
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

// teamOf is rule 9.1 below the pod: namespace, node, billing tag.
func (t *truth) teamOf(ns string, n *world.Node) string {
	for _, o := range t.Objects {
		if o.Kind == "Namespace" && o.Name == ns {
			if v := world.FirstLabel(o.Labels, "label_team"); v != "" {
				return v
			}
		}
	}
	if n.Joined {
		if v := world.FirstLabel(n.Labels, "label_team"); v != "" {
			return v
		}
	}
	if n.BillTeam != "" && t.Billed(n) {
		return n.BillTeam
	}
	return "unowned"
}

func (t *truth) podTeam(h *heldPod) string {
	if v := world.FirstLabel(h.p.Labels, "label_team", "label_owner_team", "label_owner"); v != "" {
		return v
	}
	if h.p.Life != nil { // its account
		return h.p.NS
	}
	return t.teamOf(h.p.NS, h.p.Node)
}
