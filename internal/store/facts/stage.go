package facts

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// telemetryStage is an open transaction with temporary tables of telemetry. Nodes, workloads, objects and segments are
// few and merge in memory; facts that grow with time go to the server at once.
type telemetryStage struct {
	store     *Facts
	tx        pgx.Tx
	done      bool
	nodes     map[nodeKey]nodeFact
	workloads map[workloadKey]workloadFact
	objects   map[objectKey]objectFact
	segments  map[segmentKey]segmentFact
	lost      map[lostValue]struct{}

	staged map[string]bool       // temporary tables created so far
	months map[string]*pg.Months // staged months of partitioned tables
	added  int64                 // new hours of samples
	packed []byte
}

type nodeKey struct{ cluster, name, instance string }

type workloadKey struct{ cluster, uid string }

type objectKey struct {
	cluster, kind, namespace, name string
	created                        period.Second
}

// StageTelemetry opens a transaction with empty staging tables. It holds a
// connection until Publish or Discard.
func (s *Facts) StageTelemetry(ctx context.Context, _ ledger.ID) (ingest.TelemetryStage, error) {
	tx, err := s.Pool.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage telemetry: %w", err)
	}
	return &telemetryStage{
		store: s, tx: tx,
		nodes: map[nodeKey]nodeFact{}, workloads: map[workloadKey]workloadFact{}, objects: map[objectKey]objectFact{},
		segments: map[segmentKey]segmentFact{}, lost: map[lostValue]struct{}{},
		staged: map[string]bool{}, months: map[string]*pg.Months{},
	}, nil
}

// Write stages facts; a key may come any number of times.
func (t *telemetryStage) Write(ctx context.Context, f *ledger.Telemetry) error {
	for i := range f.Nodes {
		n := newNodeFact(f.Nodes[i])
		stageFact(t.nodes, nodeKey{n.Cluster, n.Name, instanceID(n.ProviderID)}, n, mergeNode)
	}
	for i := range f.Workloads {
		w := newWorkloadFact(f.Workloads[i])
		stageFact(t.workloads, workloadKey{w.Cluster, w.UID}, w, t.mergeWorkload)
	}
	for i := range f.Objects {
		o := newObjectFact(f.Objects[i])
		stageFact(t.objects, objectKey{o.Cluster, o.Kind, o.Namespace, o.Name, o.Created}, o, mergeObject)
	}
	for i := range f.Segments {
		s := newSegmentFact(f.Segments[i])
		stageFact(t.segments, s.key(), s, mergeSegment)
	}
	if err := t.writeHours(ctx, f); err != nil {
		return fmt.Errorf("stage telemetry: %w", err)
	}
	return nil
}

func stageFact[K comparable, F any](staged map[K]F, k K, f F, merge func(a, b F) F) {
	if old, ok := staged[k]; ok {
		f = merge(old, f)
	}
	staged[k] = f
}

func (t *telemetryStage) writeHours(ctx context.Context, f *ledger.Telemetry) error {
	for i := range f.Samples {
		t.reach("sample_hours", f.Samples[i].Hour)
	}
	for i := range f.Evidence {
		t.reach("hold_evidence", f.Evidence[i].Hour)
	}
	for i := range f.NodeStates {
		t.reach("node_state_hours", f.NodeStates[i].Hour)
	}
	for i := range f.Counters {
		t.reach("counter_hours", f.Counters[i].Hour)
	}
	for _, stage := range []func() error{
		func() error {
			return stageRows(ctx, t, "samples", "sample_hours", f.Samples, t.encodeSample)
		},
		func() error {
			return stageRows(ctx, t, "counters", "counter_hours", f.Counters, t.encodeCounters)
		},
		func() error {
			return stageRows(ctx, t, "evidence", "hold_evidence", f.Evidence, encodeEvidence)
		},
		func() error {
			return stageRows(ctx, t, "node_states", "node_state_hours", f.NodeStates, encodeNodeState)
		},
		func() error {
			return stageRows(ctx, t, "sources", "source_hours", f.Sources, encodeSource)
		},
		func() error {
			return stageRows(ctx, t, "pod_states", "pod_state_hours", f.PodStates, encodePodState)
		},
		func() error {
			return stageRows(ctx, t, "placements", "placements", f.Placements, encodePlacement)
		},
		func() error {
			return stageRows(ctx, t, "devices", "device_facts", f.Devices, encodeDeviceFact)
		},
		func() error {
			return stageRows(ctx, t, "events", "workload_events", f.Events, encodeWorkloadEvent)
		},
		func() error {
			return stageRows(ctx, t, "checkpoints", "checkpoint_facts", f.Checkpoints, encodeCheckpoint)
		},
	} {
		if err := stage(); err != nil {
			return err
		}
	}
	return nil
}

// stageRows copies rows into a temporary table, which it creates like table before the first row.
func stageRows[T any](
	ctx context.Context, t *telemetryStage, name, table string, rows []T, encode func(*pg.Row, *T) error,
) error {
	if len(rows) == 0 {
		return nil
	}
	next := "next_" + name
	if err := t.makeNext(ctx, next, table); err != nil {
		return err
	}
	if _, err := pg.CopyInto(ctx, t.tx, next, rows, encode); err != nil {
		return fmt.Errorf("%s: %w", next, err)
	}
	return nil
}

// makeNext creates a temporary table like table, unless it exists.
func (t *telemetryStage) makeNext(ctx context.Context, next, table string) error {
	if t.staged[next] {
		return nil
	}
	create := strings.NewReplacer(":next", next, ":table", table).Replace(pg.Statement("telemetry.create_next"))
	if _, err := t.tx.Exec(ctx, create); err != nil {
		return fmt.Errorf("telemetry.create_next of %s: %w", table, err)
	}
	t.staged[next] = true
	return nil
}

// reach records that a month of a table is needed.
func (t *telemetryStage) reach(table string, hour period.Second) {
	m, ok := t.months[table]
	if !ok {
		m = pg.MonthsOf()
		t.months[table] = m
	}
	m.Add(hour)
}

// Settle deletes a receiver's requests up to a number when Publish commits.
func (t *telemetryStage) Settle(ctx context.Context, receiver ledger.ID, upTo int64) error {
	if _, err := pg.Exec(ctx, t.tx, "inbox.settle", pg.Tenant, receiver, upTo); err != nil {
		return fmt.Errorf("settle inbox: %w", err)
	}
	return nil
}

// Discard rolls back; after Publish it does nothing.
func (t *telemetryStage) Discard(ctx context.Context) error {
	if !t.done {
		t.done = true
		pg.Rollback(ctx, t.tx)
	}
	return nil
}

// extent returns the first and last second of the hour in which a vector has a sample; ok is false if there is no
// sample.
func extent[K ~string](vectors map[K]ledger.Minutes) (first, last int, ok bool) {
	first = period.Hour
	for _, v := range vectors {
		known := v.Known & minutes.AllKnown
		if known == 0 {
			continue
		}
		ok = true
		lo, hi := bits.TrailingZeros64(known), 63-bits.LeadingZeros64(known)
		first = min(first, lo*60+int(v.At[lo])/1000)
		last = max(last, hi*60+int(v.At[hi])/1000)
	}
	return first, last, ok
}

// hostPrefix begins the device of samples about the machine itself. Sample keys have the device but not the node, so
// that a card keeps its key on any node; for a machine's own samples, the device has the machine's name.
const hostPrefix = ledger.HostDevice + "/"

func storedDevice(device, node string) string {
	if device == ledger.HostDevice {
		return hostPrefix + node
	}
	return device
}

func (t *telemetryStage) encodeSample(r *pg.Row, h *ledger.SampleHour) (err error) {
	first, last, ok := extent(h.Vectors)
	if !ok {
		return fmt.Errorf("an hour of device %s at %s has no sample", h.Device, h.Hour)
	}
	if t.packed, err = minutes.Encode(t.packed[:0], h.Vectors); err != nil {
		return fmt.Errorf("device %s at %s: %w", h.Device, h.Hour, err)
	}
	r.Col("cluster").Text(h.Cluster)
	r.Col("device").Text(storedDevice(h.Device, h.Node))
	r.Col("hour").At(h.Hour)
	r.Col("slice_id").Int4(int(h.SliceID))
	r.Col("profile").Text(h.Profile)
	r.Col("node").Text(h.Node)
	r.Col("device_index").Int4(int(h.Index))
	r.Col("model").Text(h.Model)
	r.Col("first_at").At(h.Hour + period.Second(first))
	r.Col("last_at").At(h.Hour + period.Second(last))
	r.Col("row_count").Int8(h.RowCount)
	r.Col("vectors").Bytes(t.packed)
	return nil
}

func (t *telemetryStage) encodeCounters(r *pg.Row, h *ledger.CounterHour) (err error) {
	if t.packed, err = minutes.Encode(t.packed[:0], h.Counters); err != nil {
		return fmt.Errorf("counters of %s/%s at %s: %w", h.Namespace, h.Pod, h.Hour, err)
	}
	r.Col("cluster").Text(h.Cluster)
	r.Col("namespace").Text(h.Namespace)
	r.Col("pod").Text(h.Pod)
	r.Col("server").Text(h.Server)
	r.Col("model").Text(h.Model)
	r.Col("engine").Text(h.Engine)
	r.Col("hour").At(h.Hour)
	r.Col("vectors").Bytes(t.packed)
	return nil
}

func encodeEvidence(r *pg.Row, e *ledger.HoldEvidence) error {
	r.Col("cluster").Text(e.Cluster)
	r.Col("device").Text(e.Device)
	r.Col("slice_id").Int4(int(e.SliceID))
	r.Col("namespace").Text(e.Namespace)
	r.Col("pod").Text(e.Pod)
	r.Col("hour").At(e.Hour)
	r.Col("node").Text(e.Node)
	r.Col("minutes").Int8(int64(e.Minutes))
	return nil
}

func encodeNodeState(r *pg.Row, h *ledger.NodeStateHour) error {
	r.Col("cluster").Text(h.Cluster)
	r.Col("name").Text(h.Name)
	r.Col("state").Text(string(h.State))
	r.Col("hour").At(h.Hour)
	r.Col("minutes").Int8(int64(h.Minutes))
	r.Col("known").Int8(int64(h.Known))
	return nil
}

func encodeSource(r *pg.Row, h *ledger.SourceHour) error {
	r.Col("cluster").Text(h.Cluster)
	r.Col("source").Text(string(h.Source))
	r.Col("hour").At(h.Hour)
	r.Col("minutes").Int8(int64(h.Minutes))
	return nil
}

func encodePodState(r *pg.Row, h *ledger.PodStateHour) error {
	r.Col("cluster").Text(h.Cluster)
	r.Col("uid").Text(h.UID)
	r.Col("hour").At(h.Hour)
	r.Col("minutes").Int8(int64(h.Minutes))
	return nil
}

func encodeCheckpoint(r *pg.Row, c *ledger.Checkpoint) error {
	r.Col("cluster").Clean(c.Cluster)
	r.Col("namespace").Clean(c.Namespace)
	r.Col("pod").Clean(c.Pod)
	r.Col("run").Clean(c.Run)
	r.Col("at").At(c.At)
	r.Col("step").Int8(c.Step)
	r.Col("took").Int8(c.Took)
	r.Col("statement").Clean(c.Statement)
	return nil
}
