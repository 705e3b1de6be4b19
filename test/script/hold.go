package script

import (
	"cmp"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// doHold reads holds and attempts:
//
//	hold NAME on NODE gpus 0-3 from … to … team T
//	attempt RUN NUMBER on NODE[,NODE] gpus 0-7 from … to … outcome preempted
func (w *world) doHold(s *statement) error {
	skip := 1
	if s.text == "attempt" {
		skip = 2
	}
	f, err := w.fields(s, skip, "on", "gpu", "gpus", "slice", "requests", "profile", "share", "memory", "evidence", "from",
		"to", "team", "namespace", "kind", "stage", "run",
		"number", "member", "task", "outcome", "checkpoint", "resumed", "created", "label*", "cpu", "ram")
	if err != nil {
		return err
	}
	if err := f.need("on"); err != nil {
		return err
	}
	nodes := strings.Split(f.text("on", ""), ",")
	for i, node := range nodes {
		h := holding{f: f, name: s.args[0].text}
		if h.m, err = w.machine(f, "on", node); err != nil {
			return err
		}
		if s.text == "attempt" {
			if n, err := strconv.Atoi(s.args[1].text); err != nil || n < 1 || n > 9999 {
				return w.c.fault(s, s.args[1], "%q is not an attempt number (from 1)", s.args[1].text)
			}
			member := cmp.Or(f.text("member", ""), f.text("task", ""))
			if member == "" && len(nodes) > 1 {
				member = strconv.Itoa(i)
			}
			h.run, h.number, h.member = s.args[0].text, s.args[1].text, member
			h.name = strings.TrimSuffix(h.run+"-"+h.number+"-"+member, "-")
		}
		if err := w.hold(&h); err != nil {
			return err
		}
	}
	return nil
}

// holding is one workload that a statement makes.
type holding struct {
	f                         *fields
	m                         *machine
	name, run, number, member string
	span                      period.Interval
}

func (w *world) hold(h *holding) error {
	for i := range w.pods {
		if w.pods[i].UID == h.name {
			return w.c.fault(h.f.s, h.f.s.args[0], "the workload %s exists already", h.name)
		}
	}
	p, err := w.workload(h)
	if err != nil {
		return err
	}
	var slots []int
	if h.f.has("gpu") || h.f.has("gpus") {
		if slots, err = h.f.slots(h.m); err != nil {
			return err
		}
	}
	if err := requests(h, p, slots); err != nil {
		return err
	}
	if err := w.ends(h, p); err != nil {
		return err
	}
	if err := w.evidenceOf(h, p, slots); err != nil {
		return err
	}
	w.pods = append(w.pods, *p)
	return nil
}

func (w *world) workload(h *holding) (*ledger.WorkloadFact, error) {
	f := h.f
	var err error
	if h.span, err = f.span(h.m.life); err != nil {
		return nil, err
	}
	span := h.span
	labels, err := f.pairs("label")
	if err != nil {
		return nil, err
	}
	kind := f.text("kind", "")
	run := cmp.Or(h.run, f.text("run", ""))
	if run != "" && kind == "" {
		kind = "PyTorchJob"
	}
	for key, value := range map[string]string{"team": f.text("team", ""), ledger.LabelRunID: run,
		ledger.LabelAttempt: cmp.Or(h.number, f.text("number", "")),
		ledger.LabelMember:  cmp.Or(f.text("member", ""), h.member),
		ledger.LabelTask:    f.text("task", ""), ledger.LabelKind: f.text("stage", "")} {
		if value != "" {
			labels[key] = value
		}
	}
	if f.has("resumed") {
		at, err := f.time("resumed", 0)
		if err != nil {
			return nil, err
		}
		labels["gpuledger.io/resumed-from"] = strconv.FormatInt(int64(at), 10)
	}
	created, err := f.time("created", span.From)
	if err != nil {
		return nil, err
	}
	p := &ledger.WorkloadFact{Cluster: h.m.Cluster, Namespace: f.text("namespace", "ns"), Name: h.name, UID: h.name,
		Node: h.m.Name, OwnerKind: kind, Labels: labels,
		Created: created, Scheduled: span.From, Started: span.From, FirstSeen: span.From,
		LastSeen: max(span.From, span.To-period.Minute), AttrsAt: int64(span.From) * 1000}
	if kind != "" {
		p.OwnerName = cmp.Or(run, h.name)
	}
	if f.has("checkpoint") {
		at, err := f.time("checkpoint", 0)
		if err != nil {
			return nil, err
		}
		w.checkpoints = append(w.checkpoints, ledger.Checkpoint{
			Cluster: p.Cluster, Namespace: p.Namespace, Pod: p.UID, At: at, Step: -1,
		})
	}
	return p, nil
}

// requests sets the pod's request: as many as it holds, unless the case has another number.
func requests(h *holding, p *ledger.WorkloadFact, slots []int) error {
	resource := ledger.ResourceGPU
	switch {
	case h.f.has("profile"):
		resource = ledger.ResourceMIGPrefix + strings.ReplaceAll(h.f.text("profile", ""), ".", "_")
	case h.m.replicas > 1:
		resource = ledger.ResourceGPUShared
	}
	n, err := h.f.number("requests", int64(len(slots)), 0, 4096)
	if err != nil {
		return err
	}
	p.Requests = map[string]int64{resource: n}
	for key, unit := range map[string]int64{"cpu": 1000, "ram": 1 << 30} {
		count, err := h.f.number(key, 0, 0, 1<<20)
		if err != nil {
			return err
		}
		if count > 0 {
			p.Requests[map[string]string{"cpu": "cpu", "ram": "memory"}[key]] = count * unit
		}
	}
	return nil
}

// ends sets how the workload ended, in the fields that clusters report for such an end.
func (w *world) ends(h *holding, p *ledger.WorkloadFact) error {
	end := h.span.To
	p.Phase, p.Completed = "Failed", end
	switch outcome := h.f.text("outcome", "succeeded"); outcome {
	case "succeeded":
		p.Phase = "Succeeded"
	case "failed":
		p.TerminatedReason = "Error"
	case "oom":
		p.TerminatedReason = "OOMKilled"
	case "evicted":
		p.StatusReason = "Evicted"
	case "preempted":
		p.DisruptionReason = "PreemptionByScheduler"
	case "node_failure":
		p.DisruptionReason = "DeletionByTaintManager"
	case "timeout":
		p.Outcome = ledger.Timeout
	case "spot":
		w.events = append(w.events,
			ledger.InstanceEvent{EventID: "warned " + p.UID, Provider: "aws", InstanceID: h.m.key,
				Kind:   ledger.EventInterruption,
				Detail: "terminate", At: end - 2*period.Minute})
	case "cancelled":
		p.Phase, p.Completed, p.Deleted = "Running", 0, end
	case "running":
		p.Phase, p.Completed = "Running", 0
	default:
		return h.f.fault("outcome",
			"%q is unknown: write succeeded, failed, oom, timeout, preempted, spot, evicted, node_failure, cancelled or running",
			outcome)
	}
	return nil
}

// evidenceOf makes the evidence that ties the workload to its cards.
func (w *world) evidenceOf(h *holding, p *ledger.WorkloadFact, slots []int) error {
	f := h.f
	slice, err := f.number("slice", int64(ledger.WholeDevice), 0, 13)
	if err != nil {
		return err
	}
	core, err := f.ppm("share", -1)
	if err != nil {
		return err
	}
	memory, err := f.ppm("memory", -1)
	if err != nil {
		return err
	}
	fallback := "exporter"
	if core >= 0 || memory >= 0 {
		fallback = "annotation"
	}
	kinds := map[string]ledger.PlacementEvidence{
		"claim": ledger.EvidenceClaim, "annotation": ledger.EvidenceAnnotation,
		"record": ledger.EvidenceIndex, "process": ledger.EvidenceProcess,
	}
	evidence := f.text("evidence", fallback)
	for _, slot := range slots {
		switch {
		case evidence == "none":
		case evidence == "exporter":
			byHour(h.span, func(hour period.Second, minutes uint64) {
				w.evidence = append(w.evidence,
					ledger.HoldEvidence{Cluster: p.Cluster, Node: p.Node, Device: h.m.device(slot), SliceID: int32(slice),
						Namespace: p.Namespace, Pod: p.Name, Hour: hour, Minutes: minutes})
			})
		case kinds[evidence] != "":
			w.placements = append(w.placements,
				ledger.Placement{Cluster: p.Cluster, Node: p.Node, Device: h.m.device(slot), SliceID: int32(slice),
					Workload: p.UID, Evidence: kinds[evidence], CoreShare: core, MemoryShare: memory})
		default:
			return f.fault("evidence", "%q is unknown: write exporter, claim, annotation, record, process or none", evidence)
		}
	}
	return nil
}
