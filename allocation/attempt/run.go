package attempt

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// group is one run: its pods by (begin, uid).
type group struct {
	id   string
	pods []*pod
	gang bool
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
			g := &group{id: name.label, pods: members}
			if len(teams[name.label]) > 1 { // one label, several teams: their runs stay apart
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
			p.run, p.member = g.id, p.memberKey(g.gang)
		}
	}
	return out
}

func byBegin(a, b *pod) int {
	return cmp.Or(cmp.Compare(a.begins(), b.begins()), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.UID, b.UID))
}

// derivedID is cluster/namespace/kind/name/created.
func derivedID(n runName, pods []*pod) string {
	return strings.Join([]string{n.cluster, n.namespace, n.kind, n.name, strconv.FormatInt(int64(createdAt(pods)), 10)}, "/")
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

// splitRuns cuts the pods of one name where the previous try had succeeded
// before a pod began, or where nothing was held for longer than the policy's
// gap. One Job object is one run however long it pauses: its creation is the
// run's name.
func splitRuns(pods []*pod, pol policy.Policy) [][]*pod {
	var out [][]*pod
	var ends period.Second // of the last hold so far
	begin := 0
	for i, p := range pods {
		if i > begin && !sameJob(pods[i-1], p) {
			gap := ends != 0 && int64(p.begins()-ends) > pol.RunGap
			if gap || succeededBefore(pods[begin:i], p.begins(), pol) {
				out = append(out, pods[begin:i])
				begin, ends = i, 0
			}
		}
		if p.held() {
			ends = max(ends, p.hold.To)
		}
	}
	return append(out, pods[begin:])
}

func sameJob(a, b *pod) bool {
	return a.root.kind == "Job" && b.root.kind == "Job" && a.root.job != nil && b.root.job != nil &&
		a.root.job.Created != 0 && a.root.job.Created == b.root.job.Created
}

// succeededBefore reports whether the previous try had succeeded by an instant
// (rule 6.3): nobody holds any more, and of a gang all members that ended with
// its last one succeeded, of others the newest pod of every task.
func succeededBefore(pods []*pod, at period.Second, pol policy.Policy) bool {
	var ends period.Second
	for _, p := range pods {
		if p.held() {
			ends = max(ends, p.hold.To)
		}
	}
	if ends == 0 || ends > at {
		return false
	}
	newest := map[string]*pod{}
	gang := slices.ContainsFunc(pods, (*pod).isGang)
	for _, p := range pods {
		if gang && p.held() && int64(ends-p.hold.To) < pol.TeardownLimit && p.outcome != ledger.Succeeded {
			return false
		}
		newest[p.memberKey(gang)] = p
	}
	return gang || !slices.ContainsFunc(slices.Collect(maps.Values(newest)), func(p *pod) bool { return p.outcome != ledger.Succeeded })
}

// build makes the run and its attempts.
func (g *group) build(saved map[podKey][]period.Second, pol policy.Policy) (ledger.Run, []ledger.Attempt) {
	first := g.pods[0]
	run := ledger.Run{
		ID: g.id, Cluster: first.Cluster, Namespace: first.Namespace, Name: first.root.name, RootKind: first.root.kind,
		GroupID: g.groupID(), Kind: kindOf(first.root.kind, first.Labels, first.root.labels),
		CreatedAt: createdAt(g.pods), QueueWait: -1, World: g.world(), OwnerID: first.owner.ID,
	}
	run.BudgetText = cmp.Or(ledger.Label(first.Labels, "costbudgetlimit"), ledger.Label(first.root.labels, "costbudgetlimit"))
	if limit, err := money.Parse(run.BudgetText); err == nil {
		run.Budget = &limit
	} // text that is no amount stays readable in BudgetText

	tries := g.attempts(run.World, pol)
	attempts := make([]ledger.Attempt, 0, len(tries))
	for _, t := range tries {
		a := t.finish(run, saved)
		run.Attempts = max(run.Attempts, a.Number)
		if a.Outcome == ledger.Preempted || a.Outcome == ledger.Evicted {
			run.Preempted++
		}
		if run.StartedAt == 0 || a.Span.From < run.StartedAt {
			run.StartedAt = a.Span.From
		}
		run.EndedAt = max(run.EndedAt, a.Span.To)
		attempts = append(attempts, a)
	}
	run.Status = g.status(attempts)
	if run.Status == "running" || run.Status == "queued" {
		run.EndedAt = 0
	}
	if g.creationKnown() && run.StartedAt != 0 {
		run.QueueWait = max(0, int64(run.StartedAt-run.CreatedAt))
	}
	return run, attempts
}

func (g *group) creationKnown() bool {
	return slices.ContainsFunc(g.pods, func(p *pod) bool {
		return p.Created != 0 || p.root.job != nil && p.root.job.Created != 0
	})
}

// groupID names the workflow, pipeline or CronJob that the run is part of.
func (g *group) groupID() string {
	for _, p := range g.pods {
		if id := cmp.Or(ledger.Label(p.Labels, "gpuledgeriogroupid", "workflowsargoprojioworkflow", "pipelinerunid"), p.root.group); id != "" {
			return id
		}
	}
	return ""
}

// world is the number of distinct members of a gang that ever held (rule 6.5),
// 1 for others: pods that never got a node would keep a gang incomplete for
// ever. A gang Job without indices has as many as it wants completed: its
// pods' names say nothing.
func (g *group) world() int {
	if !g.gang {
		return 1
	}
	keys := map[string]bool{}
	for _, p := range g.pods {
		if p.held() {
			keys[p.member] = true
		}
	}
	n := max(len(keys), 1)
	if job := g.pods[0].root.job; g.pods[0].root.kind == "Job" && job != nil {
		if want, err := strconv.Atoi(job.Attrs["completions"]); err == nil && want > 0 {
			n = min(n, want)
		}
	}
	return n
}

// status answers rule 6.8 from the last attempt of every task; a run that
// never held anything is queued while it waits.
func (g *group) status(attempts []ledger.Attempt) string {
	var last []ledger.Outcome
	newest := map[string]ledger.Attempt{}
	for _, a := range attempts {
		if old, ok := newest[a.Task]; !ok || a.Number > old.Number {
			newest[a.Task] = a
		}
	}
	for _, a := range newest {
		last = append(last, a.Outcome)
	}
	if len(attempts) == 0 {
		for _, p := range g.pods {
			if p.outcome == ledger.Running {
				return "queued"
			}
			last = append(last, p.outcome)
		}
	}
	count := func(o ledger.Outcome) (n int) {
		for _, l := range last {
			if l == o {
				n++
			}
		}
		return n
	}
	switch {
	case count(ledger.Succeeded) == len(last):
		return "succeeded"
	case count(ledger.Running) > 0:
		return "running"
	case count(ledger.Cancelled) > 0:
		return "cancelled"
	case count(ledger.OutcomeUnknown) > 0:
		return "unknown"
	}
	return "failed"
}
