package attempt

import (
	"cmp"
	"slices"
	"strings"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Reasons of preemptions.
const (
	spotInterruption = "spot_interruption"
	byScheduler      = "scheduler"
)

// surroundings are facts outside the pod that outcomes depend on.
type surroundings struct {
	warnings map[string][]period.Second // per instance key: interruption warnings
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

// outcome applies rule 6.7: the first that matches. happened are the events of the pod and its owners, by time.
func (s surroundings) outcome(p *pod, happened []ledger.WorkloadEvent) (ledger.Outcome, string) {
	end := p.hold.To
	switch {
	case p.Outcome != "":
		return s.stated(p)
	case p.Phase == "Succeeded":
		return ledger.Succeeded, ""
	case p.placed && s.warned(p.node.Keys, end):
		return ledger.Preempted, spotInterruption
	}
	if o, reason := s.ordered(p, happened); o != "" {
		return o, reason
	}
	switch {
	case p.TerminatedReason == "OOMKilled":
		return ledger.OOM, p.TerminatedReason
	case p.StatusReason == "Evicted":
		return ledger.Evicted, p.StatusReason
	case p.DisruptionReason == "PreemptionByScheduler", p.StatusReason == "Preempting":
		return ledger.Preempted, byScheduler
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
	case s.seenWithout(p):
		return ledger.OutcomeUnknown, ""
	}
	return ledger.Running, ""
}

// seenWithout reports whether the cluster was observed after the pod's last
// sample.
func (s surroundings) seenWithout(p *pod) bool {
	return s.observed[p.Cluster] >= p.LastSeen.Floor(period.Minute)+period.Second(s.pol.UnknownSteps*s.pol.ScrapeStep)
}

// ended reports whether the pod really ended, as opposed to the end of the data.
func (s surroundings) ended(p *pod) bool {
	return p.Completed != 0 || p.TerminalAt != 0 || p.Deleted != 0 && p.Deleted <= p.hold.To || s.seenWithout(p)
}

// stated is the outcome that the source itself gives. Only the cloud knows that the machine was taken away.
func (s surroundings) stated(p *pod) (ledger.Outcome, string) {
	switch p.Outcome {
	case ledger.Preempted, ledger.NodeFailure:
		if p.placed && s.warned(p.node.Keys, p.hold.To) {
			return ledger.Preempted, spotInterruption
		}
	}
	if p.Outcome == ledger.Preempted {
		return p.Outcome, cmp.Or(p.Reason, byScheduler)
	}
	return p.Outcome, p.Reason
}

// ordered is the outcome of a pod that ended because it or its owner was suspended, evicted or preempted (rule 6.6b),
// else empty.
func (s surroundings) ordered(p *pod, happened []ledger.WorkloadEvent) (ledger.Outcome, string) {
	rank := map[ledger.WorkloadEventKind]int{
		ledger.WorkloadSuspended: 1, ledger.WorkloadEvicted: 2, ledger.WorkloadPreempted: 3,
	}
	var best *ledger.WorkloadEvent
	for i := range happened {
		e := &happened[i]
		late := p.hold.To - e.At
		if !p.held() || rank[e.What] == 0 || e.At < p.hold.From || late < 0 || int64(late) > s.pol.TeardownLimit {
			continue
		}
		if best == nil || rank[e.What] >= rank[best.What] {
			best = e // on a tie the later one wins: they are ordered
		}
	}
	switch {
	case best == nil || !s.ended(p):
		return "", ""
	case best.What == ledger.WorkloadPreempted:
		return ledger.Preempted, cmp.Or(best.Reason, byScheduler)
	case best.What == ledger.WorkloadEvicted:
		return ledger.Evicted, best.Reason
	}
	return ledger.Suspended, best.Reason
}

// restartsOf are the restarts that cut a hold, by time, without duplicates. A container that ended well and started
// again is the same try.
func restartsOf(happened []ledger.WorkloadEvent, hold period.Interval) []ledger.WorkloadEvent {
	var out []ledger.WorkloadEvent
	for _, e := range happened {
		if e.What == ledger.WorkloadRestarted && e.Reason != "Completed" && hold.From < e.At && e.At < hold.To {
			out = append(out, e)
		}
	}
	return slices.CompactFunc(out, func(a, b ledger.WorkloadEvent) bool { return a.At == b.At })
}

// restarted is the outcome of the part before a restart.
func restarted(e *ledger.WorkloadEvent) (ledger.Outcome, string) {
	if strings.EqualFold(e.Reason, "OOMKilled") {
		return ledger.OOM, e.Reason
	}
	return ledger.Failed, cmp.Or(e.Reason, "container restarted")
}

func nodeLost(reason string) bool {
	switch reason {
	case "DeletionByTaintManager", "NodeLost", "DeletionByPodGC":
		return true
	}
	return false
}

func distance(a, b period.Second) int64 { return max(int64(a-b), int64(b-a)) }

// warned reports whether any key of a machine was warned shortly before an end.
func (s surroundings) warned(keys []string, end period.Second) bool {
	for _, key := range keys {
		for _, at := range s.warnings[key] {
			if at <= end && int64(end-at) <= s.pol.InterruptionWindow {
				return true
			}
		}
	}
	return false
}
