package store

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func encodeNodeFact(r *row, n *nodeFact) error {
	r.begin(12)
	r.int4(tenant)
	r.text(n.Cluster)
	r.text(n.Name)
	r.text(instanceID(n.ProviderID))
	r.text(n.ProviderID)
	if err := r.object(n.labels.m); err != nil {
		return err
	}
	if err := r.object(n.capacity.m); err != nil {
		return err
	}
	r.known(n.Created)
	r.known(n.FirstSeen)
	r.known(n.LastSeen)
	r.int8(n.labels.at)
	r.int8(n.capacity.at)
	return nil
}

func encodeWorkloadFact(r *row, p *workloadFact) error {
	r.begin(30)
	r.int4(tenant)
	for _, text := range [...]string{p.Cluster, p.UID, p.Namespace, p.Name, p.Node, p.OwnerKind, p.OwnerName} {
		r.text(text)
	}
	if err := r.object(p.labels.m); err != nil {
		return err
	}
	if err := r.object(p.requests.m); err != nil {
		return err
	}
	for _, at := range [...]period.Second{p.Created, p.Scheduled, p.Started, p.Completed, p.Deleted, p.TerminalAt} {
		r.known(at)
	}
	r.text(p.Phase)
	r.known(p.FirstSeen)
	r.known(p.LastSeen)
	r.text(p.StatusReason)
	r.text(p.TerminatedReason)
	r.text(p.DisruptionReason)
	r.int8(p.labels.at)
	r.int8(p.requests.at)
	r.text(string(p.System))
	r.known(p.Eligible)
	r.text(string(p.verdict.outcome))
	r.text(p.verdict.reason)
	r.int8(p.verdict.at)
	r.text(p.Statement)
	return nil
}

func encodeObjectFact(r *row, o *objectFact) error {
	r.begin(12)
	r.int4(tenant)
	for _, text := range [...]string{o.Cluster, o.Kind, o.Namespace, o.Name} {
		r.text(text)
	}
	r.at(o.Created)
	r.text(o.OwnerKind)
	r.text(o.OwnerName)
	if err := r.object(o.labels.m); err != nil {
		return err
	}
	if err := r.object(o.attrs.m); err != nil {
		return err
	}
	r.int8(o.labels.at)
	r.int8(o.attrs.at)
	return nil
}

func encodeSegmentFact(r *row, s *segmentFact) error {
	r.begin(17)
	r.int4(tenant)
	for _, text := range [...]string{s.Cluster, s.Namespace, s.Pod, s.Run} {
		r.text(text)
	}
	r.int4(int(s.Attempt))
	r.at(s.From)
	r.known(s.To)
	for _, text := range [...]string{s.Name, s.Kind, s.Group, string(s.verdict.outcome), s.verdict.reason} {
		r.text(text)
	}
	r.int8(s.verdict.at)
	if err := r.object(s.labels.m); err != nil {
		return err
	}
	r.int8(s.labels.at)
	r.text(s.Statement)
	return nil
}

func encodePlacement(r *row, p *ledger.Placement) error {
	r.begin(11)
	r.int4(tenant)
	for _, text := range [...]string{p.Cluster, p.Workload, string(p.Evidence), p.Node, p.Device} {
		r.text(cleanText(text))
	}
	r.int4(int(p.SliceID))
	r.at(p.From)
	r.known(p.To)
	r.int8(p.CoreShare)
	r.int8(p.MemoryShare)
	return nil
}

func encodeDeviceFact(r *row, d *ledger.DeviceFact) error {
	r.begin(10)
	r.int4(tenant)
	for _, text := range [...]string{d.Cluster, d.Node, d.UUID} {
		r.text(cleanText(text))
	}
	r.int4(int(d.Index))
	r.text(cleanText(d.Model))
	r.bool(d.InMIG)
	r.bool(d.Registered)
	r.at(d.First)
	r.at(d.Last)
	return nil
}

func encodeWorkloadEvent(r *row, e *ledger.WorkloadEvent) error {
	r.begin(9)
	r.int4(tenant)
	for _, text := range [...]string{e.Cluster, e.Kind, e.Namespace, e.Name, e.UID, string(e.What)} {
		r.text(cleanText(text))
	}
	r.at(e.At)
	r.text(cleanText(e.Reason))
	return nil
}
