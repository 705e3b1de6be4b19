package attempt

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Build derives workloads, runs and attempts. Workloads that neither request a GPU nor run on a machine with GPUs are
// left out, unless another workload of their run does.
func Build(in Input, pol policy.Policy) Result {
	pods := resolvePods(in, pol)
	saved := newCheckpoints(in.Checkpoints)
	segments, lost := newSegments(in.Segments, pods)

	out := Result{Findings: lost}
	owners := map[ledger.ID]ledger.Owner{}
	for _, g := range joinSegments(runsOf(pods, pol), segments) {
		if !g.matters() {
			g.forget()
			continue
		}
		for _, p := range g.pods {
			p.saved = saved.of(p)
		}
		for _, s := range g.segments {
			s.pod.saved = saved.of(s.pod)
		}
		run, attempts, owner := g.build(saved.ofRun(g), in.Owner, pol)
		if run.ID == "" { // all its time belongs to other runs
			g.forget()
			continue
		}
		owners[owner.ID] = owner
		out.Runs = append(out.Runs, run)
		out.Attempts = append(out.Attempts, attempts...)
	}
	for _, p := range pods {
		if p.matters() || p.run != "" || len(p.load) > 0 {
			out.Workloads = append(out.Workloads, p.workload())
			owners[p.owner.ID] = p.owner
		}
	}
	slices.SortFunc(out.Workloads, func(a, b ledger.Workload) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
	})
	slices.SortFunc(out.Runs, func(a, b ledger.Run) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(out.Attempts, func(a, b ledger.Attempt) int {
		return cmp.Or(cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.Task, b.Task), cmp.Compare(a.Number, b.Number))
	})
	slices.SortFunc(out.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Detail, b.Detail))
	})
	out.Owners = slices.SortedFunc(maps.Values(owners), func(a, b ledger.Owner) int {
		return bytes.Compare(a.ID[:], b.ID[:])
	})
	return out
}

// matters reports whether anything in the run involves a GPU.
func (g *group) matters() bool {
	return slices.ContainsFunc(g.pods, (*pod).matters) ||
		slices.ContainsFunc(g.segments, func(s *segment) bool { return s.pod.matters() })
}

// forget removes the run from its pods.
func (g *group) forget() {
	for _, p := range g.pods {
		p.run = ""
	}
}

// all lists the tries of the run, numbered per task from 1; none means that segments of other runs cover all the time
// that its pods held.
func (g *group) all(pol policy.Policy) (tries []try, none bool) {
	shared := slices.ContainsFunc(g.pods, func(p *pod) bool { return len(p.load) > 0 })
	if len(g.pods) > 0 {
		tries = g.tries(pol)
		had := len(tries)
		if shared {
			tries = withoutSegments(tries)
		}
		none = had > 0 && len(tries) == 0 && len(g.segments) == 0
	}
	if !shared && len(g.segments) == 0 {
		return tries, none
	}
	tries = append(tries, segmentTries(g.segments)...)
	slices.SortStableFunc(tries, func(a, b try) int {
		return cmp.Or(cmp.Compare(a.span.From, b.span.From), cmp.Compare(a.span.To, b.span.To))
	})
	numbers := map[string]int{}
	for i := range tries {
		t := &tries[i]
		numbers[t.task]++
		t.number = numbers[t.task]
	}
	return tries, none
}

// build makes the run, its attempts and its owner; a run without an id is not a run.
func (g *group) build(
	saved []period.Second, ownerOf ownerFunc, pol policy.Policy,
) (ledger.Run, []ledger.Attempt, ledger.Owner) {
	tries, none := g.all(pol)
	if none {
		return ledger.Run{}, nil, ledger.Owner{}
	}
	run, owner := g.describe(ownerOf)
	attempts := make([]ledger.Attempt, 0, len(tries))
	for i := range tries {
		t := &tries[i]
		a := t.finish(&run, saved, pol)
		run.Attempts = max(run.Attempts, a.Number)
		run.World = max(run.World, t.world)
		if a.Outcome == ledger.Preempted || a.Outcome == ledger.Evicted {
			run.Preempted++
		}
		if run.StartedAt == 0 || a.Span.From < run.StartedAt {
			run.StartedAt = a.Span.From
		}
		run.EndedAt = max(run.EndedAt, a.Span.To)
		attempts = append(attempts, a)
	}
	resume(tries, attempts)
	run.Status = g.status(attempts)
	if run.Status == "running" || run.Status == "queued" {
		run.EndedAt = 0
	}
	if run.StartedAt != 0 && g.creationKnown(run.StartedAt) {
		run.QueueWait = max(0, int64(run.StartedAt-run.CreatedAt))
	}
	return run, attempts, owner
}
