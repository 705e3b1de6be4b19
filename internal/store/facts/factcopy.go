package facts

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/store/pg"
)

var nodeRow = pg.Describe("node_facts", 3, func(c *pg.Columns, n *nodeFact) {
	c.Text("cluster", &n.Cluster)
	c.Text("name", &n.Name)
	c.Derived("instance_id", "text", func(r *pg.Row) { r.Text(instanceID(n.ProviderID)) })
	c.Text("provider_id", &n.ProviderID)
	c.Object("labels", &n.labels.m)
	c.Object("capacity", &n.capacity.m)
	c.Known("created_at", &n.Created)
	c.Known("first_seen", &n.FirstSeen)
	c.Known("last_seen", &n.LastSeen)
	c.Int8("labels_at", &n.labels.at)
	c.Int8("capacity_at", &n.capacity.at)
})

var workloadRow = pg.Describe("workload_facts", 2, func(c *pg.Columns, p *workloadFact) {
	c.Text("cluster", &p.Cluster)
	c.Text("uid", &p.UID)
	c.Text("namespace", &p.Namespace)
	c.Text("name", &p.Name)
	c.Text("node", &p.Node)
	c.Text("owner_kind", &p.OwnerKind)
	c.Text("owner_name", &p.OwnerName)
	c.Object("labels", &p.labels.m)
	c.Object("requests", &p.requests.m)
	c.Known("created_at", &p.Created)
	c.Known("scheduled_at", &p.Scheduled)
	c.Known("started_at", &p.Started)
	c.Known("completed_at", &p.Completed)
	c.Known("deleted_at", &p.Deleted)
	c.Known("terminal_at", &p.TerminalAt)
	c.Text("phase", &p.Phase)
	c.Known("first_seen", &p.FirstSeen)
	c.Known("last_seen", &p.LastSeen)
	c.Text("status_reason", &p.StatusReason)
	c.Text("terminated_reason", &p.TerminatedReason)
	c.Text("disruption_reason", &p.DisruptionReason)
	c.Int8("labels_at", &p.labels.at)
	c.Int8("requests_at", &p.requests.at)
	c.Text("system", (*string)(&p.System))
	c.Known("eligible_at", &p.Eligible)
	c.Text("outcome", (*string)(&p.verdict.outcome))
	c.Text("outcome_reason", &p.verdict.reason)
	c.Int8("outcome_at", &p.verdict.at)
	c.Text("statement", &p.Statement)
	c.Derived("asked_units", "bigint", func(r *pg.Row) {
		if asked := ledger.AskedBy(p.requests.m); asked.Unknown {
			r.Null()
		} else {
			r.Int8(asked.Units)
		}
	})
	c.Derived("asked_replicas", "bigint", func(r *pg.Row) { r.Int8(ledger.AskedBy(p.requests.m).Replicas) })
})

var objectRow = pg.Describe("objects", 5, func(c *pg.Columns, o *objectFact) {
	c.Text("cluster", &o.Cluster)
	c.Text("kind", &o.Kind)
	c.Text("namespace", &o.Namespace)
	c.Text("name", &o.Name)
	c.At("created_at", &o.Created)
	c.Text("owner_kind", &o.OwnerKind)
	c.Text("owner_name", &o.OwnerName)
	c.Object("labels", &o.labels.m)
	c.Object("attrs", &o.attrs.m)
	c.Int8("labels_at", &o.labels.at)
	c.Int8("attrs_at", &o.attrs.at)
}).Reading("kind <> 'PodSelectors'") // one per pod, and the world does not depend on them

var segmentRow = pg.Describe("segment_facts", 6, func(c *pg.Columns, s *segmentFact) {
	c.Text("cluster", &s.Cluster)
	c.Text("namespace", &s.Namespace)
	c.Text("pod", &s.Pod)
	c.Text("run", &s.Run)
	c.Int4("attempt", &s.Attempt)
	c.At("from_at", &s.From)
	c.Known("to_at", &s.To)
	c.Text("name", &s.Name)
	c.Text("kind", &s.Kind)
	c.Text("group_name", &s.Group)
	c.Text("outcome", (*string)(&s.verdict.outcome))
	c.Text("reason", &s.verdict.reason)
	c.Int8("outcome_at", &s.verdict.at)
	c.Object("labels", &s.labels.m)
	c.Int8("labels_at", &s.labels.at)
	c.Text("statement", &s.Statement)
})

func encodePlacement(r *pg.Row, p *ledger.Placement) error {
	r.Col("cluster").Clean(p.Cluster)
	r.Col("workload").Clean(p.Workload)
	r.Col("evidence").Clean(string(p.Evidence))
	r.Col("node").Clean(p.Node)
	r.Col("device").Clean(p.Device)
	r.Col("slice_id").Int4(int(p.SliceID))
	r.Col("from_at").At(p.From)
	r.Col("to_at").Known(p.To)
	r.Col("core_share").Int8(p.CoreShare)
	r.Col("memory_share").Int8(p.MemoryShare)
	return nil
}

func encodeDeviceFact(r *pg.Row, d *ledger.DeviceFact) error {
	r.Col("cluster").Clean(d.Cluster)
	r.Col("node").Clean(d.Node)
	r.Col("device").Clean(d.UUID)
	r.Col("device_index").Int4(int(d.Index))
	r.Col("model").Clean(d.Model)
	r.Col("in_mig").Bool(d.InMIG)
	r.Col("registered").Bool(d.Registered)
	r.Col("first_at").At(d.First)
	r.Col("last_at").At(d.Last)
	return nil
}

func encodeWorkloadEvent(r *pg.Row, e *ledger.WorkloadEvent) error {
	r.Col("cluster").Clean(e.Cluster)
	r.Col("kind").Clean(e.Kind)
	r.Col("namespace").Clean(e.Namespace)
	r.Col("name").Clean(e.Name)
	r.Col("uid").Clean(e.UID)
	r.Col("what").Clean(string(e.What))
	r.Col("at").At(e.At)
	r.Col("reason").Clean(e.Reason)
	return nil
}
