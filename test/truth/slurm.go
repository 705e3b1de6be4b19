package truth

import (
	"cmp"
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// slurmOutcomes is rule 6.7 for Slurm.
var slurmOutcomes = map[string][2]string{
	"COMPLETED": {"succeeded", ""}, "FAILED": {"failed", "exit code 1"},
	"OUT_OF_MEMORY": {"oom", "OUT_OF_MEMORY"}, "TIMEOUT": {"timeout", "TIMEOUT"},
	"NODE_FAIL": {"node_failure", "NODE_FAIL"}, "PREEMPTED": {"preempted", "scheduler"}, "RUNNING": {"running", ""},
}

func slurmOutcome(l *world.SlurmLife, now int64) (outcome, reason string) {
	if o, known := slurmOutcomes[l.At(now)]; known {
		return o[0], o[1]
	}
	return "cancelled", "CANCELLED"
}

// accounted is rule 2.6 for Slurm: the coverage of each accounting file.
func (t *truth) accounted() {
	w, now := t.World, t.World.To
	for _, m := range fleetsim.Months(w) {
		var firstEnd, last int64
		end := func(at int64) {
			if firstEnd == 0 || at < firstEnd {
				firstEnd = at
			}
			last = max(last, at)
		}
		for _, l := range fleetsim.Listed(w, m.From, m.To, now) {
			last = max(last, l.Submit)
			switch l.At(now) {
			case "PENDING":
			case "RUNNING":
				last = max(last, now)
			default:
				end(l.End)
			}
		}
		if begin := m.From + 5400; begin+3600 < min(m.To, now) {
			end(begin + 1800)
		}
		for at := firstEnd / 60 * 60; firstEnd != 0 && at <= last; at += 60 {
			t.observed[at] = true
			t.lastSeen = max(t.lastSeen, at)
		}
	}
}

// slurmNode is rules 2.2 and 2.3 for a machine that Slurm runs.
func (t *truth) slurmNode(nt *nodeTruth) {
	n, now := nt.n, t.World.To
	first, last := t.Ticks(n.Phase, n.ExpFrom, n.Until(t.World), n.ExpGaps)
	for _, p := range t.World.Pods {
		if p.Node != n || p.Scheduled >= now {
			continue
		}
		nt.inSource = true
		if first == 0 || p.Scheduled < first {
			first = p.Scheduled
		}
		last = max(last, min(p.Life.End, now))
	}
	if first != 0 {
		nt.appeared, nt.gone = first, last+60
	}
}

// lifeHold is rule 4.9.
func (t *truth) lifeHold(p *world.Pod) *heldPod {
	now, nt := t.World.To, t.nodes[p.Node]
	if p.Scheduled >= now {
		return nil
	}
	h := &heldPod{p: p, nt: nt, from: p.Scheduled, to: p.Life.End, lastSample: min(p.Life.End, now)}
	if p.Life.End > now { // still running, as far as the data show
		h.to = now + 60
	}
	if h.to = min(h.to, nt.gone); h.to <= h.from {
		return nil
	}
	return h
}

// numbered is rule 6.6 for workloads that have an attempt number: a life of a requeued job is one.
func (t *truth) numbered(r *Run, pods []*heldPod) {
	byLife := map[int][]*heldPod{}
	var numbers []int
	for _, h := range pods {
		k := h.p.Life.Number
		if byLife[k] == nil {
			numbers = append(numbers, k)
		}
		byLife[k] = append(byLife[k], h)
	}
	slices.Sort(numbers)
	r.World = 0
	for i, k := range numbers {
		members := byLife[k]
		a := &Attempt{RunID: r.ID, Number: i + 1, StartedAt: members[0].from}
		r.World = max(r.World, t.worldSize(members))
		slices.SortStableFunc(members, func(x, y *heldPod) int { return cmp.Compare(x.from, y.from) })
		for _, h := range members {
			a.EndAt = max(a.EndAt, h.to)
			a.Outcome, a.Reason = h.outcome, h.reason // all have the same end
			a.PodUIDs = append(a.PodUIDs, h.p.UID)
			a.GangComplete = max(a.GangComplete, h.from)
			h.segments = []segment{{attempt: a, from: h.from, to: h.to}}
		}
		a.overheadA = a.GangComplete
		t.out.Attempts = append(t.out.Attempts, *a)
	}
}
