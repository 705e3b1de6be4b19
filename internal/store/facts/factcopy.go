package facts

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

func encodeNodeFact(r *pg.Row, n *nodeFact) error {
	r.Begin(12)
	r.Int4(pg.Tenant)
	r.Text(n.Cluster)
	r.Text(n.Name)
	r.Text(instanceID(n.ProviderID))
	r.Text(n.ProviderID)
	if err := r.Object(n.labels.m); err != nil {
		return err
	}
	if err := r.Object(n.capacity.m); err != nil {
		return err
	}
	r.Known(n.Created)
	r.Known(n.FirstSeen)
	r.Known(n.LastSeen)
	r.Int8(n.labels.at)
	r.Int8(n.capacity.at)
	return nil
}

func encodeWorkloadFact(r *pg.Row, p *workloadFact) error {
	r.Begin(32)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{p.Cluster, p.UID, p.Namespace, p.Name, p.Node, p.OwnerKind, p.OwnerName} {
		r.Text(text)
	}
	if err := r.Object(p.labels.m); err != nil {
		return err
	}
	if err := r.Object(p.requests.m); err != nil {
		return err
	}
	for _, at := range [...]period.Second{p.Created, p.Scheduled, p.Started, p.Completed, p.Deleted, p.TerminalAt} {
		r.Known(at)
	}
	r.Text(p.Phase)
	r.Known(p.FirstSeen)
	r.Known(p.LastSeen)
	r.Text(p.StatusReason)
	r.Text(p.TerminatedReason)
	r.Text(p.DisruptionReason)
	r.Int8(p.labels.at)
	r.Int8(p.requests.at)
	r.Text(string(p.System))
	r.Known(p.Eligible)
	r.Text(string(p.verdict.outcome))
	r.Text(p.verdict.reason)
	r.Int8(p.verdict.at)
	r.Text(p.Statement)
	asked := ledger.AskedBy(p.requests.m)
	if asked.Unknown {
		r.Null()
	} else {
		r.Int8(asked.Units)
	}
	r.Int8(asked.Replicas)
	return nil
}

func encodeObjectFact(r *pg.Row, o *objectFact) error {
	r.Begin(12)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{o.Cluster, o.Kind, o.Namespace, o.Name} {
		r.Text(text)
	}
	r.At(o.Created)
	r.Text(o.OwnerKind)
	r.Text(o.OwnerName)
	if err := r.Object(o.labels.m); err != nil {
		return err
	}
	if err := r.Object(o.attrs.m); err != nil {
		return err
	}
	r.Int8(o.labels.at)
	r.Int8(o.attrs.at)
	return nil
}

func encodeSegmentFact(r *pg.Row, s *segmentFact) error {
	r.Begin(17)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{s.Cluster, s.Namespace, s.Pod, s.Run} {
		r.Text(text)
	}
	r.Int4(int(s.Attempt))
	r.At(s.From)
	r.Known(s.To)
	for _, text := range [...]string{s.Name, s.Kind, s.Group, string(s.verdict.outcome), s.verdict.reason} {
		r.Text(text)
	}
	r.Int8(s.verdict.at)
	if err := r.Object(s.labels.m); err != nil {
		return err
	}
	r.Int8(s.labels.at)
	r.Text(s.Statement)
	return nil
}

func encodePlacement(r *pg.Row, p *ledger.Placement) error {
	r.Begin(11)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{p.Cluster, p.Workload, string(p.Evidence), p.Node, p.Device} {
		r.Text(pg.CleanText(text))
	}
	r.Int4(int(p.SliceID))
	r.At(p.From)
	r.Known(p.To)
	r.Int8(p.CoreShare)
	r.Int8(p.MemoryShare)
	return nil
}

func encodeDeviceFact(r *pg.Row, d *ledger.DeviceFact) error {
	r.Begin(10)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{d.Cluster, d.Node, d.UUID} {
		r.Text(pg.CleanText(text))
	}
	r.Int4(int(d.Index))
	r.Text(pg.CleanText(d.Model))
	r.Bool(d.InMIG)
	r.Bool(d.Registered)
	r.At(d.First)
	r.At(d.Last)
	return nil
}

func encodeWorkloadEvent(r *pg.Row, e *ledger.WorkloadEvent) error {
	r.Begin(9)
	r.Int4(pg.Tenant)
	for _, text := range [...]string{e.Cluster, e.Kind, e.Namespace, e.Name, e.UID, string(e.What)} {
		r.Text(pg.CleanText(text))
	}
	r.At(e.At)
	r.Text(pg.CleanText(e.Reason))
	return nil
}
