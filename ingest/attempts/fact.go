package attempts

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// order is the rank of a row's attributes: a later state of an attempt takes precedence over an
// earlier one, whichever file came first.
func (a *attempt) order() int64 {
	return ledger.AttrsOrder(ledger.FromStatement, int64(last(a.submitted, a.started, a.ended, a.seen, a.checkpoint))*1000)
}

// facts adds a row's facts.
func (a *attempt) facts(t *ledger.Telemetry) {
	for _, at := range []period.Second{a.checkpoint, a.resumed} {
		if at > 0 {
			t.Checkpoints = append(t.Checkpoints, ledger.Checkpoint{
				Cluster: a.cluster, Namespace: a.namespace, Run: a.run, At: at, Step: -1, Statement: a.statement(),
			})
		}
	}
	if len(a.pods) > 0 {
		a.segments(t)
		return
	}
	w := ledger.WorkloadFact{
		Cluster: a.cluster, System: ledger.SystemAttempts, Namespace: a.namespace, Name: cmp.Or(a.name, a.run),
		OwnerKind: ledger.KindAttempts, OwnerName: a.run, Labels: a.labels,
		Created: a.submitted, Eligible: a.eligible, Scheduled: a.started, Started: a.started, Completed: a.ended,
		FirstSeen: cmp.Or(a.submitted, a.started), LastSeen: last(a.submitted, a.started, a.ended, a.seen, a.checkpoint),
		Outcome: a.outcome, Reason: a.reason, AttrsAt: a.order(), Statement: a.statement(),
	}
	uid := a.uid()
	if len(a.nodes) == 0 {
		w.UID, w.Requests = uid, requests(a.gpus)
		t.Workloads = append(t.Workloads, w)
	}
	for i, node := range a.nodes {
		w.UID, w.Node, w.Labels = uid+node, node, maps.Clone(a.labels)
		w.Labels[ledger.LabelMember] = strconv.Itoa(i)
		w.Requests = requests(share(a.gpus, i, len(a.nodes)))
		a.place(t, &w)
		t.Workloads = append(t.Workloads, w)
	}
	own := maps.Clone(a.labels)
	delete(own, ledger.LabelAttempt)
	delete(own, ledger.LabelTask)
	t.Objects = append(t.Objects, ledger.ObjectFact{
		Cluster: a.cluster, Namespace: a.namespace, Kind: ledger.KindAttempts, Name: a.run, Labels: own,
		Created: cmp.Or(a.submitted, a.started), Attrs: map[string]string{"name": cmp.Or(a.name, a.run)}, AttrsAt: a.order(),
	})
}

// statement identifies the attempt: a later import that states it again replaces all facts of
// this one.
func (a *attempt) statement() string {
	return strings.Join([]string{"attempts", a.cluster, a.namespace, a.run, a.task, a.key()}, "/") + "/"
}

// key distinguishes the attempts of a task: by number, else by the start as written, so that a
// start that was read in another zone is the same.
func (a *attempt) key() string {
	if a.number == 0 && a.clock != "" {
		return "c" + a.clock
	}
	return a.moment()
}

// uid begins the names of an attempt's workloads, which contain an instant if it has no number.
// So the uid is the same in a file whose times have a zone.
func (a *attempt) uid() string {
	return strings.Join([]string{"attempts", a.cluster, a.namespace, a.run, a.task, a.moment()}, "/") + "/"
}

// moment is the number, else the start.
func (a *attempt) moment() string {
	if a.number > 0 {
		return strconv.FormatInt(a.number, 10)
	}
	return "t" + strconv.FormatInt(int64(cmp.Or(a.started, a.submitted)), 10)
}

func requests(gpus int64) map[string]int64 {
	if gpus <= 0 {
		return nil
	}
	return map[string]int64{ledger.ResourceGPU: gpus}
}

// share is the i-th of n shares, larger ones first; -1 stays unknown.
func share(total int64, i, n int) int64 {
	if total < 0 {
		return -1
	}
	q := total / int64(n)
	if int64(i) < total%int64(n) {
		q++
	}
	return q
}

// place links a workload to the devices of a row: GPU-… on any of its nodes, since a device is
// on one machine only, or node/GPU-….
func (a *attempt) place(t *ledger.Telemetry, w *ledger.WorkloadFact) {
	named := int64(0)
	for _, device := range a.devices {
		node, id, qualified := strings.Cut(device, "/")
		if !qualified {
			node, id = w.Node, device
		}
		if node != w.Node || id == "" {
			continue
		}
		if strings.Trim(id, "0123456789") == "" {
			id = "#" + id
		}
		named++
		t.Placements = append(t.Placements, ledger.Placement{
			Cluster: a.cluster, Node: w.Node, Device: id, SliceID: ledger.WholeDevice, Workload: w.UID,
			Evidence: ledger.EvidenceIndex, CoreShare: -1, MemoryShare: -1,
		})
	}
	if a.gpus < 0 && named > 0 && len(a.nodes) == 1 {
		w.Requests = requests(named)
	}
}

// segments records that pods worked for the run.
func (a *attempt) segments(t *ledger.Telemetry) {
	outcome := a.outcome
	for _, pod := range a.pods {
		namespace := a.namespace
		if ns, name, qualified := strings.Cut(pod, "/"); qualified {
			namespace, pod = ns, name
		}
		t.Segments = append(t.Segments, ledger.SegmentFact{
			Cluster: a.cluster, Namespace: namespace, Pod: pod, Run: a.run, Attempt: int32(min(a.number, 1<<30)),
			From: cmp.Or(a.started, a.submitted), To: a.ended, Name: cmp.Or(a.name, a.run), Kind: a.kind, Group: a.group,
			Outcome: outcome, Reason: a.reason, Labels: a.labels, AttrsAt: a.order(), Statement: a.statement(),
		})
	}
}
