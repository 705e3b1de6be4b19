package store

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/jackc/pgx/v5"

	"gpuledger/ingest"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// telemetryStage is one open transaction with temporary tables of telemetry.
// Nodes, pods and objects are few and are merged in memory; everything that
// grows with time goes to the server at once.
type telemetryStage struct {
	store   *Store
	tx      pgx.Tx
	done    bool
	nodes   map[nodeKey]nodeFact
	pods    map[podKey]workloadFact
	objects map[objectKey]objectFact

	hours       map[string]period.Interval // per partitioned table, hours staged
	rows        int                        // hourly facts staged
	packed      []byte
	anyVectors  bool
	anyInferred bool
}

type nodeKey struct{ cluster, name, instance string }

type podKey struct{ cluster, uid string }

type objectKey struct {
	cluster, kind, namespace, name string
	created                        period.Second
}

// StageTelemetry opens a transaction with empty staging tables. It holds a
// connection until Publish or Discard.
func (s *Store) StageTelemetry(ctx context.Context, _ ledger.ID) (ingest.TelemetryStage, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("stage telemetry: %w", err)
	}
	if _, err := exec(ctx, tx, "telemetry.create_stage"); err != nil {
		rollback(ctx, tx)
		return nil, fmt.Errorf("stage telemetry: %w", err)
	}
	return &telemetryStage{
		store: s, tx: tx,
		nodes: map[nodeKey]nodeFact{}, pods: map[podKey]workloadFact{}, objects: map[objectKey]objectFact{},
		hours: map[string]period.Interval{},
	}, nil
}

// Write stages facts; the same key may come any number of times.
func (t *telemetryStage) Write(ctx context.Context, f *ledger.Telemetry) error {
	for i := range f.Nodes {
		n := newNodeFact(f.Nodes[i])
		k := nodeKey{n.Cluster, n.Name, instanceID(n.ProviderID)}
		if old, ok := t.nodes[k]; ok {
			n = mergeNode(old, n)
		}
		t.nodes[k] = n
	}
	for i := range f.Workloads {
		p := newWorkloadFact(f.Workloads[i])
		k := podKey{p.Cluster, p.UID}
		if old, ok := t.pods[k]; ok {
			p = mergePod(old, p)
		}
		t.pods[k] = p
	}
	for i := range f.Objects {
		o := newObjectFact(f.Objects[i])
		k := objectKey{o.Cluster, o.Kind, o.Namespace, o.Name, o.Created}
		if old, ok := t.objects[k]; ok {
			o = mergeObject(old, o)
		}
		t.objects[k] = o
	}
	if err := t.writeHours(ctx, f); err != nil {
		return fmt.Errorf("stage telemetry: %w", err)
	}
	return nil
}

func (t *telemetryStage) writeHours(ctx context.Context, f *ledger.Telemetry) error {
	t.rows += len(f.Samples) + len(f.Evidence) + len(f.NodeStates)
	for i := range f.Samples {
		t.reach("sample_hours", f.Samples[i].Hour)
	}
	for i := range f.Evidence {
		t.reach("hold_evidence", f.Evidence[i].Hour)
	}
	for i := range f.NodeStates {
		t.reach("node_state_hours", f.NodeStates[i].Hour)
	}
	t.anyInferred = t.anyInferred || len(f.Counters) > 0
	if err := stageRows(ctx, t, "telemetry.copy_samples", f.Samples, t.encodeSample); err != nil {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_inference", f.Counters, t.encodeInference); err != nil {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_evidence", f.Evidence, encodeEvidence); err != nil {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_node_states", f.NodeStates, encodeNodeState); err != nil {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_sources", f.Sources, encodeSource); err != nil {
		return err
	}
	if err := stageRows(ctx, t, "telemetry.copy_pod_states", f.PodStates, encodePodState); err != nil {
		return err
	}
	return stageRows(ctx, t, "telemetry.copy_checkpoints", f.Checkpoints, encodeCheckpoint)
}

func stageRows[T any](ctx context.Context, t *telemetryStage, name string, rows []T, encode func(*row, *T) error) error {
	if _, err := copySlice(ctx, t.tx, statement(name), rows, encode); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// reach remembers which months of a table are needed.
func (t *telemetryStage) reach(table string, hour period.Second) {
	h, ok := t.hours[table]
	if !ok {
		h = period.Interval{From: hour, To: hour}
	}
	t.hours[table] = period.Interval{From: min(h.From, hour), To: max(h.To, hour)}
}

// Settle forgets the requests of a receiver up to a number when Publish commits.
func (t *telemetryStage) Settle(ctx context.Context, receiver ledger.ID, upTo int64) error {
	if _, err := exec(ctx, t.tx, "inbox.settle", tenant, receiver, upTo); err != nil {
		return fmt.Errorf("settle inbox: %w", err)
	}
	return nil
}

// Discard rolls back; after Publish it does nothing.
func (t *telemetryStage) Discard(ctx context.Context) error {
	if !t.done {
		t.done = true
		rollback(ctx, t.tx)
	}
	return nil
}

// extent returns the first and last second of the hour in which a vector has a
// sample; ok is false when none has.
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

func (t *telemetryStage) encodeSample(r *row, h *ledger.SampleHour) (err error) {
	first, last, ok := extent(h.Vectors)
	if !ok {
		return fmt.Errorf("an hour of device %s at %s has no sample", h.Device, h.Hour)
	}
	if t.packed, err = minutes.Encode(t.packed[:0], h.Vectors); err != nil {
		return fmt.Errorf("device %s at %s: %w", h.Device, h.Hour, err)
	}
	t.anyVectors = true
	r.begin(13)
	r.int4(tenant)
	r.text(h.Cluster)
	r.text(h.Device)
	r.at(h.Hour)
	r.int4(int(h.SliceID))
	r.text(h.Profile)
	r.text(h.Node)
	r.int4(int(h.Index))
	r.text(h.Model)
	r.at(h.Hour + period.Second(first))
	r.at(h.Hour + period.Second(last))
	r.int8(h.RowCount)
	r.bytes(t.packed)
	return nil
}

func (t *telemetryStage) encodeInference(r *row, h *ledger.CounterHour) (err error) {
	if t.packed, err = minutes.Encode(t.packed[:0], h.Counters); err != nil {
		return fmt.Errorf("server of pod %s at %s: %w", h.Pod, h.Hour, err)
	}
	r.begin(9)
	r.int4(tenant)
	for _, text := range [...]string{h.Cluster, h.Namespace, h.Pod, h.Server, h.Model, h.Engine} {
		r.text(text)
	}
	r.at(h.Hour)
	r.bytes(t.packed)
	return nil
}

func encodeEvidence(r *row, e *ledger.HoldEvidence) error {
	r.begin(9)
	r.int4(tenant)
	r.text(e.Cluster)
	r.text(e.Device)
	r.int4(int(e.SliceID))
	r.text(e.Namespace)
	r.text(e.Pod)
	r.at(e.Hour)
	r.text(e.Node)
	r.int8(int64(e.Minutes))
	return nil
}

func encodeNodeState(r *row, h *ledger.NodeStateHour) error {
	r.begin(7)
	r.int4(tenant)
	r.text(h.Cluster)
	r.text(h.Name)
	r.text(string(h.State))
	r.at(h.Hour)
	r.int8(int64(h.Minutes))
	r.int8(int64(h.Known))
	return nil
}

func encodeSource(r *row, h *ledger.SourceHour) error {
	r.begin(4)
	r.int4(tenant)
	r.text(h.Cluster)
	r.at(h.Hour)
	r.int8(int64(h.Minutes))
	return nil
}

func encodePodState(r *row, h *ledger.PodStateHour) error {
	r.begin(5)
	r.int4(tenant)
	r.text(h.Cluster)
	r.text(h.UID)
	r.at(h.Hour)
	r.int8(int64(h.Minutes))
	return nil
}

func encodeCheckpoint(r *row, c *ledger.Checkpoint) error {
	r.begin(5)
	r.int4(tenant)
	r.text(c.Cluster)
	r.text(c.Namespace)
	r.text(c.Pod)
	r.at(c.At)
	return nil
}
