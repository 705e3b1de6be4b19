package attempt

import (
	"cmp"
	"strconv"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// pod is a pod fact with everything that follows from it alone.
type pod struct {
	*ledger.WorkloadFact
	id      ledger.ID
	root    root
	class   ledger.WorkloadClass
	node    Node
	placed  bool
	hold    period.Interval
	outcome ledger.Outcome
	reason  string
	member  string // key of the member or task (rule 6.5)
	runID   string // explicit run id label
	owner   ledger.Owner
	run     string
}

// held reports whether the pod ever held anything.
func (p *pod) held() bool { return p.placed && !p.hold.Empty() }

// bad reports whether the pod ended, and not by success: it ends a gang attempt.
func (p *pod) bad() bool { return p.outcome != ledger.Succeeded && p.outcome != ledger.Running }

// begins is when the pod enters the story: its hold, else its creation.
func (p *pod) begins() period.Second {
	if p.held() {
		return p.hold.From
	}
	return cmp.Or(p.Created, p.FirstSeen)
}

// wantsGPU reports whether the pod asks for any GPU resource.
func (p *pod) wantsGPU() bool { return p.slots() > 0 }

// slots is how many GPU resources the pod requests.
func (p *pod) slots() int64 {
	var n int64
	for resource, count := range p.Requests {
		if resource == ledger.ResourceGPU || resource == ledger.ResourceGPUShared || strings.HasPrefix(resource, ledger.ResourceMIGPrefix) {
			n += count
		}
	}
	return n
}

// hold answers rule 4.1. A scheduled time that no series told falls back to
// the first own sample, since the pod was on its node by then.
func hold(p *ledger.WorkloadFact, node Node, placed bool, pol policy.Policy) period.Interval {
	if !placed {
		return period.Interval{}
	}
	from := cmp.Or(p.Scheduled, p.Started, p.FirstSeen, p.Created)
	to := cmp.Or(p.Completed, p.TerminalAt)
	if to == 0 {
		to = max(p.LastSeen, from) + period.Second(pol.ScrapeStep)
	}
	if !node.Life.Empty() {
		to = min(to, node.Life.To)
	}
	return period.Interval{From: from, To: max(from, to)}
}

// facts of the world that outcomes depend on.
type surroundings struct {
	warnings map[string][]period.Second // per instance: interruption warnings
	observed map[string]period.Second   // per cluster: last observed minute
	pol      policy.Policy
}

func newSurroundings(in Input, pol policy.Policy) surroundings {
	s := surroundings{map[string][]period.Second{}, map[string]period.Second{}, pol}
	for _, e := range in.Events {
		if e.Kind == ledger.EventInterruption {
			s.warnings[e.InstanceID] = append(s.warnings[e.InstanceID], e.At)
		}
	}
	for _, h := range in.Sources {
		s.observed[h.Cluster] = max(s.observed[h.Cluster], h.Last())
	}
	return s
}

// outcome answers rule 6.7: the first that matches.
func (s surroundings) outcome(p *pod) (ledger.Outcome, string) {
	end := p.hold.To
	switch {
	case p.Phase == "Succeeded":
		return ledger.Succeeded, ""
	case p.placed && s.warned(p.node.InstanceID, end):
		return ledger.Preempted, "spot_interruption"
	case p.TerminatedReason == "OOMKilled":
		return ledger.OOM, p.TerminatedReason
	case p.StatusReason == "Evicted":
		return ledger.Evicted, p.StatusReason
	case p.DisruptionReason == "PreemptionByScheduler", p.StatusReason == "Preempting":
		return ledger.Preempted, "scheduler"
	case nodeLost(p.DisruptionReason), nodeLost(p.StatusReason):
		return ledger.NodeFailure, cmp.Or(p.DisruptionReason, p.StatusReason)
	case p.root.job != nil && p.root.job.Attrs["failed_reason"] == "DeadlineExceeded":
		return ledger.Timeout, "DeadlineExceeded"
	case p.Phase == "Failed":
		return ledger.Failed, p.TerminatedReason
	case p.placed && p.node.Gone && distance(p.node.Life.To, end) <= s.pol.NodeEndWindow:
		return ledger.NodeFailure, "node gone"
	case p.Deleted != 0 && p.placed && p.Deleted <= end, p.Deleted != 0 && !p.placed:
		return ledger.Cancelled, "deleted"
	case s.observed[p.Cluster] >= p.LastSeen.Floor(period.Minute)+period.Second(s.pol.UnknownSteps*s.pol.ScrapeStep):
		return ledger.OutcomeUnknown, ""
	}
	return ledger.Running, ""
}

func nodeLost(reason string) bool {
	switch reason {
	case "DeletionByTaintManager", "NodeLost", "DeletionByPodGC":
		return true
	}
	return false
}

func distance(a, b period.Second) int64 { return max(int64(a-b), int64(b-a)) }

func (s surroundings) warned(instance string, end period.Second) bool {
	if instance == "" {
		return false
	}
	for _, at := range s.warnings[instance] {
		if at <= end && int64(end-at) <= s.pol.InterruptionWindow {
			return true
		}
	}
	return false
}

// isGang answers the first half of rule 6.5.
func (p *pod) isGang() bool {
	if gangKinds[p.root.kind] {
		return true
	}
	if p.root.kind != "Job" || p.root.job == nil {
		return false
	}
	n := p.root.job.Attrs["completions"]
	parallel, err := strconv.Atoi(p.root.job.Attrs["parallelism"])
	return err == nil && parallel > 1 && n == p.root.job.Attrs["parallelism"]
}

// memberKey names the pod's place in its gang or its task (rule 6.5).
func (p *pod) memberKey(gang bool) string {
	l := p.Labels
	index := cmp.Or(ledger.Label(l, "batchkubernetesiojobcompletionindex", "jobcompletionindex"), indexInName(p.OwnerName, p.Name, p.OwnerKind))
	if !gang {
		return cmp.Or(index, "0")
	}
	replica := ledger.Label(l, "trainingkubefloworgreplicatype", "replicatype")
	number := ledger.Label(l, "trainingkubefloworgreplicaindex", "replicaindex")
	if replica != "" || number != "" {
		return strings.ToLower(replica) + "/" + number
	}
	if job := ledger.Label(l, "jobsetsigsk8sioreplicatedjobname"); job != "" {
		return job + "/" + ledger.Label(l, "jobsetsigsk8siojobindex") + "/" + index
	}
	return cmp.Or(index, p.Name)
}

// indexInName reads the completion index of an indexed Job's pod,
// <job>-<index>-<five random characters>; empty when the name is another.
func indexInName(job, name, kind string) string {
	rest, ok := strings.CutPrefix(name, job+"-")
	if kind != "Job" || job == "" || !ok {
		return ""
	}
	index, random, ok := strings.Cut(rest, "-")
	if !ok || len(random) != 5 {
		return ""
	}
	if _, err := strconv.Atoi(index); err != nil {
		return ""
	}
	return index
}
