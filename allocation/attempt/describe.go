package attempt

import (
	"cmp"
	"slices"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

type ownerFunc func(pod *ledger.WorkloadFact, root map[string]string, node ledger.ID) ledger.Owner

// describe sets the attributes of the run apart from its attempts, from its first pod, else from its first segment.
func (g *group) describe(ownerOf ownerFunc) (ledger.Run, ledger.Owner) {
	if len(g.pods) == 0 {
		return g.describeSegments(ownerOf)
	}
	first := g.pods[0]
	run := ledger.Run{
		ID: g.id, Cluster: first.Cluster, Namespace: first.Namespace, Name: first.root.name, RootKind: first.root.kind,
		GroupID: g.groupID(), Kind: kindOf(first.root.kind, first.labels, first.rootLabels),
		CreatedAt: createdAt(g.pods), EligibleAt: g.eligible(),
		QueueWait: -1, World: 1, OwnerID: first.owner.ID, Labels: first.said,
	}
	if run.RootKind == ledger.KindAttempts {
		run.Name = first.Name // the root is named by its run id
	}
	limit(&run, first.limits(ledger.LabelRunLimit))
	return run, first.owner
}

func (g *group) describeSegments(ownerOf ownerFunc) (ledger.Run, ledger.Owner) {
	first := g.segments[0] // by start, uid
	p := first.pod
	for _, s := range g.segments[1:] {
		if s.AttrsAt > first.AttrsAt {
			first = s // the latest segment has the most complete attributes
		}
	}
	said := folder{}.fold(first.Labels)
	fact := *p.WorkloadFact
	fact.Labels = overlay(p.Labels, first.Labels)
	owner := ownerOf(&fact, p.root.labels, p.node.ID)
	run := ledger.Run{
		ID: g.id, Cluster: p.Cluster, Namespace: p.Namespace, Name: cmp.Or(first.Name, g.id), RootKind: p.root.kind,
		GroupID: cmp.Or(first.Group, groupNamed(said)), Kind: cmp.Or(kindNamed(first.Kind), kindOf(p.root.kind, said)),
		CreatedAt: g.segments[0].from, QueueWait: -1, World: 1, OwnerID: owner.ID,
		Labels: ledger.LabelSet{fact.Labels, p.said[1], p.said[2]},
	}
	limit(&run, cmp.Or(said.get(ledger.LabelRunLimit.Keys()...), p.limits(ledger.LabelRunLimit)))
	run.BudgetText = said.get(ledger.LabelBudget.Keys()...) // that of the pod is the pod's
	return run, owner
}

// limit sets the budget of the run from its label; a text that is no amount is kept to be reported.
func limit(run *ledger.Run, text string) {
	run.LimitText = text
	if amount, ok := ledger.ParseLimit(text); ok {
		run.Budget = &amount
	}
}

func (g *group) creationKnown(start period.Second) bool {
	return slices.ContainsFunc(g.pods, func(p *pod) bool {
		return p.Created != 0 && p.begins() <= start || p.root.job != nil && p.root.job.Created != 0
	})
}

// eligible is the earliest time at which quota and dependencies allowed a pod
// of the run to start.
func (g *group) eligible() period.Second {
	var first period.Second
	for _, p := range g.pods {
		if p.Eligible != 0 && (first == 0 || p.Eligible < first) {
			first = p.Eligible
		}
	}
	return first
}

// groupID names the workflow, pipeline, array or CronJob that the run is part of.
func (g *group) groupID() string {
	for _, p := range g.pods {
		if id := cmp.Or(groupNamed(p.labels), groupNamed(p.rootLabels), p.root.group); id != "" {
			return id
		}
	}
	return ""
}

// most is the largest number of members that a gang can have: a gang Job without indices has as many as its
// completions; the names of its pods do not identify members.
func (g *group) most() int {
	if job := g.pods[0].root.job; g.pods[0].root.kind == "Job" && job != nil {
		if want, err := strconv.Atoi(job.Attrs["completions"]); err == nil && want > 0 {
			return want
		}
	}
	return noLimit
}

// status applies rule 6.8 to the last attempt of every task; a run that never held anything is queued while it waits.
func (g *group) status(attempts []ledger.Attempt) string {
	count := map[ledger.Outcome]int{}
	total := 0
	newest := map[string]*ledger.Attempt{}
	for i := range attempts {
		if a := &attempts[i]; newest[a.Task] == nil || a.Number > newest[a.Task].Number {
			newest[a.Task] = a
		}
	}
	for _, a := range newest {
		count[a.Outcome]++
		total++
	}
	if len(attempts) == 0 {
		for _, p := range g.pods {
			if p.outcome == ledger.Running {
				return "queued"
			}
			count[p.outcome]++
			total++
		}
	}
	switch {
	case count[ledger.Succeeded] == total:
		return "succeeded"
	case count[ledger.Running] > 0:
		return "running"
	case count[ledger.Cancelled] > 0:
		return "cancelled"
	case count[ledger.OutcomeUnknown] > 0:
		return "unknown"
	}
	return "failed"
}
