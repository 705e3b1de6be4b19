package attempt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// group is one run: its pods by (begin, uid), and the segments of any pods that name it.
type group struct {
	id       string
	label    string // the run-id label, if one names the run
	pods     []*pod
	segments []*segment
	gang     bool
}

type runName struct{ label, cluster, namespace, kind, name string }

// runsOf groups the pods of class run (rule 6.3) and names each group.
func runsOf(pods []*pod, pol policy.Policy) []*group {
	byName := map[runName][]*pod{}
	teams := map[string]map[string]bool{} // run-id label → teams that use it
	for _, p := range pods {
		if p.class != ledger.ClassRun {
			continue
		}
		key := runName{cluster: p.Cluster, namespace: p.Namespace, kind: p.root.kind, name: p.root.name}
		if p.runID != "" {
			key = runName{label: p.runID, name: p.owner.Team}
			if teams[p.runID] == nil {
				teams[p.runID] = map[string]bool{}
			}
			teams[p.runID][p.owner.Team] = true
		}
		byName[key] = append(byName[key], p)
	}
	var out []*group
	for name, members := range byName {
		slices.SortFunc(members, byBegin)
		if name.label != "" {
			g := &group{id: name.label, label: name.label, pods: members}
			if len(teams[name.label]) > 1 { // one label in several teams: their runs stay separate
				g.id += "@" + name.name
			}
			out = append(out, g)
			continue
		}
		for _, tries := range splitRuns(members, pol) {
			out = append(out, &group{id: derivedID(name, tries), pods: tries})
		}
	}
	for _, g := range out {
		g.gang = slices.ContainsFunc(g.pods, (*pod).isGang)
		for _, p := range g.pods {
			p.run, p.member = g.id, p.memberKey()
		}
		g.number()
	}
	return out
}

func byBegin(a, b *pod) int {
	return cmp.Or(cmp.Compare(a.begins(), b.begins()), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
}

// derivedID is cluster/namespace/kind/name/created.
func derivedID(n runName, pods []*pod) string {
	return strings.Join([]string{n.cluster, n.namespace, n.kind, n.name, strconv.FormatInt(int64(createdAt(pods)), 10)},
		"/")
}

// createdAt is kube_job_created for a Job, else the earliest creation of a
// pod, else the first hold.
func createdAt(pods []*pod) period.Second {
	if first := pods[0]; first.root.kind == "Job" && first.root.job != nil && first.root.job.Created != 0 {
		return first.root.job.Created
	}
	var created period.Second
	for _, p := range pods {
		if p.Created != 0 && (created == 0 || p.Created < created) {
			created = p.Created
		}
	}
	return cmp.Or(created, pods[0].begins())
}

// splitRuns cuts the pods of one name where the previous try had succeeded before a pod began, or after a time without
// holds that is longer than the policy's gap. One root object is one run however long it pauses.
func splitRuns(pods []*pod, pol policy.Policy) [][]*pod {
	if pods[0].System == ledger.SystemSlurm {
		return splitLives(pods, pol)
	}
	var out [][]*pod
	begin, past := 0, newHistory(pol)
	for i, p := range pods {
		if i > begin && !sameObject(pods[i-1], p) {
			gap := past.ends != 0 && int64(p.begins()-past.ends) > pol.RunGap
			if gap || past.succeeded(p.begins()) {
				out = append(out, pods[begin:i])
				begin, past = i, newHistory(pol)
			}
		}
		past.add(p)
	}
	return append(out, pods[begin:])
}

// sameObject reports whether two pods have the same root object, as opposed to one of the same name.
func sameObject(a, b *pod) bool {
	return a.root.created != 0 && a.root.created == b.root.created && a.root.kind == b.root.kind
}

// history is the outcome of a run's pods so far.
type history struct {
	limit   int64
	ends    period.Second // of the last hold
	badEnds period.Second // of the last hold that ended without success
	gang    bool
	newest  map[string]bool // per task: its newest pod succeeded
	open    int             // tasks whose newest pod has not succeeded
}

func newHistory(pol policy.Policy) *history {
	return &history{limit: pol.TeardownLimit, newest: map[string]bool{}}
}

func (h *history) add(p *pod) {
	ok := p.outcome == ledger.Succeeded
	if p.held() {
		h.ends = max(h.ends, p.hold.To)
		if !ok {
			h.badEnds = max(h.badEnds, p.hold.To)
		}
	}
	h.gang = h.gang || p.isGang()
	if before, known := h.newest[p.task]; known && !before {
		h.open--
	}
	if h.newest[p.task] = ok; !ok {
		h.open++
	}
}

// succeeded reports whether the try had succeeded by an instant (rule 6.3): all holds are over, and in a gang all
// members that ended with its last one succeeded, otherwise the newest pod of every task.
func (h *history) succeeded(at period.Second) bool {
	switch {
	case h.ends == 0 || h.ends > at:
		return false
	case h.gang:
		return h.badEnds == 0 || int64(h.ends-h.badEnds) >= h.limit
	}
	return h.open == 0
}

// splitLives cuts the lives of a Slurm job id where one was submitted too late to be the previous job again: Slurm
// reused the id.
func splitLives(pods []*pod, pol policy.Policy) [][]*pod {
	slices.SortFunc(pods, func(a, b *pod) int {
		return cmp.Or(cmp.Compare(a.submitted(), b.submitted()), byBegin(a, b))
	})
	var out [][]*pod
	var ends period.Second // of the lives so far
	begin, open := 0, false
	for i, p := range pods {
		if i > begin && p.submitted() != pods[i-1].submitted() && !open && int64(p.submitted()-ends) > pol.TeardownLimit {
			out = append(out, pods[begin:i])
			begin, ends, open = i, 0, false
		}
		ends = max(ends, p.hold.To, p.Completed)
		open = open || p.outcome == ledger.Running
	}
	out = append(out, pods[begin:])
	for _, run := range out {
		slices.SortFunc(run, byBegin)
	}
	return out
}

// submitted is when the life of a job was submitted.
func (p *pod) submitted() period.Second { return cmp.Or(p.Created, p.begins()) }
