package kubernetes

import (
	corev1 "k8s.io/api/core/v1"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func (c *Converter) pod(t *ledger.Telemetry, o *Object, seenMS int64) error {
	p, err := into[corev1.Pod](o)
	if err != nil {
		return err
	}
	seen := period.FromMillis(seenMS)
	f := ledger.WorkloadFact{
		Cluster: c.cluster, Namespace: p.Namespace, Name: p.Name, UID: string(p.UID), Node: p.Spec.NodeName,
		Labels: labelsOf(p), Requests: allRequestsOf(resized(p)),
		Created: second(p.CreationTimestamp), Started: secondOf(p.Status.StartTime), Deleted: secondOf(p.DeletionTimestamp),
		Phase: string(p.Status.Phase), FirstSeen: seen, LastSeen: seen,
		StatusReason: p.Status.Reason, AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	if f.UID == "" {
		f.UID = "name/" + p.Namespace + "/" + p.Name + "/" + f.Created.String()
	}
	f.OwnerKind, f.OwnerName = controller(p)
	for _, cond := range p.Status.Conditions {
		switch {
		case cond.Type == corev1.PodScheduled && cond.Status == corev1.ConditionTrue:
			f.Scheduled = second(cond.LastTransitionTime)
		case cond.Type == corev1.DisruptionTarget && cond.Status == corev1.ConditionTrue:
			f.DisruptionReason = cond.Reason
		}
	}
	c.containers(t, &f, p, seen)
	if terminal(p.Status.Phase) {
		f.TerminalAt = f.Completed
		if f.TerminalAt == 0 {
			f.TerminalAt = seen
		}
	}
	c.claims.pod(&f, p)
	c.selectors(t, &f, p, seenMS)
	c.shared(t, &f, p)
	t.Workloads = append(t.Workloads, f)
	t.Placements = append(t.Placements, c.claims.placements(c.cluster, f.UID)...)
	t.Segments = append(t.Segments, c.ray.pod(c.cluster, &f)...)
	return nil
}

func terminal(phase corev1.PodPhase) bool {
	return phase == corev1.PodSucceeded || phase == corev1.PodFailed
}

// containers reads ends, restarts and crash loops.
func (c *Converter) containers(t *ledger.Telemetry, f *ledger.WorkloadFact, p *corev1.Pod, seen period.Second) {
	holds := map[string]bool{} // containers whose restart ends the pod's part in an attempt
	for i := range p.Spec.Containers {
		if usesDevices(&p.Spec.Containers[i]) || len(p.Spec.Containers) == 1 {
			holds[p.Spec.Containers[i].Name] = true
		}
	}
	ended := true
	var last period.Second
	for _, s := range p.Status.ContainerStatuses {
		end := s.State.Terminated
		if end != nil {
			last = max(last, second(end.FinishedAt))
			// The largest text is the most specific: Completed < Error < OOMKilled.
			f.TerminatedReason = max(f.TerminatedReason, end.Reason)
		} else {
			ended = false
		}
		if before := s.LastTerminationState.Terminated; before != nil && holds[s.Name] {
			t.Events = append(t.Events, ledger.WorkloadEvent{
				Cluster: c.cluster, Kind: "Pod", Namespace: f.Namespace, Name: f.Name, UID: f.UID,
				What: ledger.WorkloadRestarted, Reason: before.Reason, At: second(before.FinishedAt),
			})
		}
		if s.State.Waiting != nil && s.State.Waiting.Reason == "CrashLoopBackOff" {
			hour := seen - seen%period.Hour
			t.PodStates = append(t.PodStates, ledger.PodStateHour{
				Cluster: c.cluster, UID: f.UID, Hour: hour, Minutes: 1 << uint((seen-hour)/period.Minute),
			})
		}
	}
	if ended && last > 0 && terminal(p.Status.Phase) {
		f.Completed = last
	}
}
