package series

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// Held is a Collector's facts on their way to be emitted. It no longer changes, so it can be
// emitted while the collector goes on, and again after an error.
type Held struct {
	entities  []*entity
	holders   []*holder
	cells     *cells
	ready     ledger.Telemetry // small compared with samples
	inference map[inferenceKey]*inferenceSeries
	size      int
}

// Take takes all held facts; the collector goes on empty.
func (c *Collector) Take() *Held {
	h := &Held{entities: c.entities, holders: c.holders, cells: c.cells, inference: c.inference, size: c.Pending()}
	c.inform()
	c.takeProcesses(&h.ready)
	c.takeKube(&h.ready)
	c.takeRestarts(&h.ready)
	c.takeSuspensions(&h.ready)
	c.takeRest(&h.ready)
	c.reset()
	return h
}

// Size is Collector.Pending at the time of Take.
func (h *Held) Size() int { return h.size }

// Emit passes all facts to emit, ordered by key, in batches that emit may retain. After an
// error, no emitted fact may be published.
func (h *Held) Emit(emit func(*ledger.Telemetry) error) error {
	b := &batch{emit: emit, out: &ledger.Telemetry{}}
	h.emitSamples(b)
	h.emitReady(b)
	h.emitInference(b)
	b.send()
	return b.err
}

// batchWeight bounds one emitted batch, in vectors of vectorBytes.
const batchWeight = 4096

// batch collects facts and emits them when it is full.
type batch struct {
	emit   func(*ledger.Telemetry) error
	out    *ledger.Telemetry
	weight int
	err    error
}

// added counts weight and emits a full batch. The first error stops all further emits.
func (b *batch) added(weight int) bool {
	if b.weight += weight; b.weight >= batchWeight {
		b.send()
	}
	return b.err == nil
}

func (b *batch) send() {
	if b.err == nil && b.weight > 0 {
		b.err = b.emit(b.out)
	}
	b.out, b.weight = &ledger.Telemetry{}, 0
}

// addAll adds facts of weight 1 to the list that field picks.
func addAll[T any](b *batch, rows []T, field func(*ledger.Telemetry) *[]T) {
	for i := range rows {
		if b.err != nil {
			return
		}
		list := field(b.out)
		*list = append(*list, rows[i])
		b.added(1)
	}
}

func compareDevices(a, b *device) int {
	return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.node, b.node), cmp.Compare(a.device, b.device),
		cmp.Compare(a.slice, b.slice), cmp.Compare(a.profile, b.profile))
}

func (h *Held) emitSamples(b *batch) {
	slices.SortFunc(h.entities, func(x, y *entity) int { return compareDevices(x.device, y.device) })
	sampled := map[hourKey]uint64{}
	for _, e := range h.entities {
		slices.SortFunc(e.hours, func(x, y *entityHour) int { return cmp.Compare(x.hour, y.hour) })
		for _, hour := range e.hours {
			s := ledger.SampleHour{
				Cluster: e.cluster, Node: e.node, Device: e.device.device, Index: e.index, Model: e.model,
				SliceID: e.slice, Profile: e.profile, Hour: period.Second(hour.hour * 3600),
				Vectors: map[ledger.Signal]ledger.Minutes{}, RowCount: hour.rows,
			}
			for i := range hour.vec {
				if hour.vec[i].known == 0 {
					continue
				}
				var m ledger.Minutes
				h.cells.unpack(&hour.vec[i], &m)
				s.Vectors[signals[i]] = m
				sampled[hourKey{e.cluster, hour.hour}] |= m.Known
			}
			if len(s.Vectors) == 0 {
				continue
			}
			b.out.Samples = append(b.out.Samples, s)
			if mode := s.Vectors[ledger.SignalMIGMode]; slices.Contains(mode.Value[:], 1) {
				b.out.Devices = append(b.out.Devices,
					ledger.DeviceFact{Cluster: s.Cluster, Node: s.Node, UUID: s.Device, Index: s.Index, Model: s.Model,
						InMIG: true, First: s.Hour, Last: s.Hour})
			}
			if !b.added(len(s.Vectors)) {
				return
			}
		}
	}
	addAll(b, sourceHours(ledger.SourceExporter, sampled),
		func(t *ledger.Telemetry) *[]ledger.SourceHour { return &t.Sources })
	slices.SortFunc(h.holders, func(x, y *holder) int {
		return cmp.Or(compareDevices(x.device, y.device), cmp.Compare(x.namespace, y.namespace), cmp.Compare(x.pod, y.pod))
	})
	for _, k := range h.holders {
		slices.SortFunc(k.hours, func(x, y *holderHour) int { return cmp.Compare(x.hour, y.hour) })
		for _, hour := range k.hours {
			b.out.Evidence = append(b.out.Evidence, ledger.HoldEvidence{
				Cluster: k.device.cluster, Node: k.device.node, Device: k.device.device, SliceID: k.device.slice,
				Namespace: k.namespace, Pod: k.pod, Hour: period.Second(hour.hour * 3600), Minutes: hour.mask,
			})
			if !b.added(1) {
				return
			}
		}
	}
}

func (h *Held) emitReady(b *batch) {
	addAll(b, h.ready.Nodes, func(t *ledger.Telemetry) *[]ledger.NodeFact { return &t.Nodes })
	addAll(b, h.ready.Devices, func(t *ledger.Telemetry) *[]ledger.DeviceFact { return &t.Devices })
	addAll(b, h.ready.NodeStates, func(t *ledger.Telemetry) *[]ledger.NodeStateHour { return &t.NodeStates })
	addAll(b, h.ready.Sources, func(t *ledger.Telemetry) *[]ledger.SourceHour { return &t.Sources })
	addAll(b, h.ready.Workloads, func(t *ledger.Telemetry) *[]ledger.WorkloadFact { return &t.Workloads })
	addAll(b, h.ready.PodStates, func(t *ledger.Telemetry) *[]ledger.PodStateHour { return &t.PodStates })
	addAll(b, h.ready.Objects, func(t *ledger.Telemetry) *[]ledger.ObjectFact { return &t.Objects })
	addAll(b, h.ready.Placements, func(t *ledger.Telemetry) *[]ledger.Placement { return &t.Placements })
	addAll(b, h.ready.Segments, func(t *ledger.Telemetry) *[]ledger.SegmentFact { return &t.Segments })
	addAll(b, h.ready.Events, func(t *ledger.Telemetry) *[]ledger.WorkloadEvent { return &t.Events })
	addAll(b, h.ready.Checkpoints, func(t *ledger.Telemetry) *[]ledger.Checkpoint { return &t.Checkpoints })
}

func (h *Held) emitInference(b *batch) {
	text := func(k inferenceKey) string {
		return strings.Join([]string{k.cluster, k.namespace, k.pod, k.server, k.model, k.engine}, "\x00")
	}
	for _, k := range slices.SortedFunc(maps.Keys(h.inference),
		func(a, b inferenceKey) int { return cmp.Compare(text(a), text(b)) }) {
		for _, hour := range h.inference[k].facts(h.cells, k) {
			b.out.Counters = append(b.out.Counters, hour)
			if !b.added(len(hour.Counters)) {
				return
			}
		}
	}
}

// takeKube moves the facts from kube-state-metrics into out.
func (c *Collector) takeKube(out *ledger.Telemetry) {
	byNode := func(a, b nodeKey) int { return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.name, b.name)) }
	for _, k := range slices.SortedFunc(maps.Keys(c.nodes), byNode) {
		out.Nodes = append(out.Nodes, c.nodes[k].facts(k, c.google[k])...)
		out.Devices = append(out.Devices, c.nodes[k].cards(k)...)
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.nodeStates), func(a, b nodeStateKey) int {
		return cmp.Or(byNode(a.nodeKey, b.nodeKey), cmp.Compare(a.state, b.state), cmp.Compare(a.hour, b.hour))
	}) {
		v := c.nodeStates[k]
		if v.Known != 0 {
			out.NodeStates = append(out.NodeStates, k.minutes(v))
		}
		c.release(v)
	}
	listed := map[hourKey]uint64{}
	for k, m := range c.listed {
		listed[hourKey{k.cluster, k.hour}] |= *m
	}
	out.Sources = append(out.Sources, sourceHours(ledger.SourceKubernetes, listed)...)
	for _, k := range slices.SortedFunc(maps.Keys(c.listed), func(a, b nodeHour) int {
		return cmp.Or(byNode(a.nodeKey, b.nodeKey), cmp.Compare(a.hour, b.hour))
	}) {
		if m := *c.listed[k]; m != 0 {
			out.NodeStates = append(out.NodeStates, ledger.NodeStateHour{
				Cluster: k.cluster, Name: k.name, State: ledger.Listed, Hour: period.Second(k.hour * 3600), Minutes: m, Known: m})
		}
	}
	byPod := func(a, b podKey) int { return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.uid, b.uid)) }
	for _, k := range slices.SortedFunc(maps.Keys(c.pods), byPod) {
		out.Workloads = append(out.Workloads, c.pods[k].facts(k, c.requests[k])...)
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.crashes), func(a, b crashKey) int {
		return cmp.Or(byPod(a.podKey, b.podKey), cmp.Compare(a.hour, b.hour))
	}) {
		out.PodStates = append(out.PodStates, ledger.PodStateHour{
			Cluster: k.cluster, UID: k.uid, Hour: period.Second(k.hour * 3600), Minutes: *c.crashes[k],
		})
	}
}

// sourceHours are the minutes with samples of a kind of source, by cluster and hour.
func sourceHours(kind ledger.SourceKind, heard map[hourKey]uint64) []ledger.SourceHour {
	var out []ledger.SourceHour
	for k, m := range heard {
		if m != 0 {
			out = append(out, ledger.SourceHour{
				Cluster: k.cluster, Source: kind, Hour: period.Second(k.hour * 3600), Minutes: m,
			})
		}
	}
	slices.SortFunc(out, func(a, b ledger.SourceHour) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Hour, b.Hour))
	})
	return out
}

// takeRest moves objects and checkpoints into out.
func (c *Collector) takeRest(out *ledger.Telemetry) {
	for _, k := range slices.SortedFunc(maps.Keys(c.objects), func(a, b objectKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.kind, b.kind), cmp.Compare(a.namespace, b.namespace),
			cmp.Compare(a.name, b.name))
	}) {
		o := c.objects[k]
		if len(o.created) == 0 && len(o.said) == 0 {
			continue
		}
		out.Objects = append(out.Objects, o.facts(k)...)
	}
	out.Checkpoints = c.takeCheckpoints()
}

// setMinute records a sample at a time within the hour, in milliseconds.
func setMinute(v *ledger.Minutes, in int, value int64) {
	minutes.Set(v, in/60_000, in%60_000, value)
}
