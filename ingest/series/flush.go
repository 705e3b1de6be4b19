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

// batchWeight bounds one emitted batch, in vectors of vectorBytes.
const batchWeight = 4096

// batch collects facts and emits them when enough came together.
type batch struct {
	emit   func(*ledger.Telemetry) error
	out    *ledger.Telemetry
	weight int
	err    error
}

// added counts weight and emits a full batch. The first error stops it all.
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

// flush emits everything that is held, in the order of the keys, and forgets it.
func (c *Collector) flush(emit func(*ledger.Telemetry) error) error {
	b := &batch{emit: emit, out: &ledger.Telemetry{}}
	if c.flushSamples(b) && c.flushKube(b) {
		c.flushRest(b)
	}
	b.send()
	c.reset()
	return b.err
}

func compareEntities(a, b *entity) int {
	return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.node, b.node), cmp.Compare(a.device, b.device),
		cmp.Compare(a.slice, b.slice), cmp.Compare(a.profile, b.profile))
}

func (c *Collector) flushSamples(b *batch) bool {
	for _, e := range slices.SortedFunc(maps.Values(c.entities), compareEntities) {
		for _, hour := range slices.Sorted(maps.Keys(e.hours)) {
			s := ledger.SampleHour{
				Cluster: e.cluster, Node: e.node, Device: e.device, Index: e.index, Model: e.model,
				SliceID: e.slice, Profile: e.profile, Hour: period.Second(hour * 3600),
				Vectors: map[ledger.Signal]ledger.Minutes{}, RowCount: e.hours[hour].rows,
			}
			for i, v := range e.hours[hour].vec {
				if v == nil {
					continue
				}
				if v.Known != 0 {
					s.Vectors[signals[i]] = *v
				}
				c.release(v)
			}
			delete(e.hours, hour)
			if len(s.Vectors) == 0 {
				continue
			}
			b.out.Samples = append(b.out.Samples, s)
			if !b.added(len(s.Vectors)) {
				return false
			}
		}
	}
	byKey := func(a, b *holder) int {
		return cmp.Or(compareEntities(a.entity, b.entity), cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.pod, b.pod))
	}
	for _, h := range slices.SortedFunc(maps.Values(c.holders), byKey) {
		for _, hour := range slices.Sorted(maps.Keys(h.hours)) {
			b.out.Evidence = append(b.out.Evidence, ledger.HoldEvidence{
				Cluster: h.cluster, Node: h.node, Device: h.device, SliceID: h.slice,
				Namespace: h.namespace, Pod: h.pod, Hour: period.Second(hour * 3600), Minutes: *h.hours[hour],
			})
			if !b.added(1) {
				return false
			}
		}
	}
	return true
}

func (c *Collector) flushKube(b *batch) bool {
	byNode := func(a, b nodeKey) int { return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.name, b.name)) }
	for _, k := range slices.SortedFunc(maps.Keys(c.nodes), byNode) {
		b.out.Nodes = append(b.out.Nodes, c.nodes[k].facts(k, c.google[k])...)
		if !b.added(1) {
			return false
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.nodeStates), func(a, b nodeStateKey) int {
		return cmp.Or(byNode(a.nodeKey, b.nodeKey), cmp.Compare(a.state, b.state), cmp.Compare(a.hour, b.hour))
	}) {
		v := c.nodeStates[k]
		if v.Known != 0 {
			b.out.NodeStates = append(b.out.NodeStates, k.minutes(v))
		}
		c.release(v)
		if !b.added(1) {
			return false
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.sources), func(a, b hourKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.hour, b.hour))
	}) {
		if m := *c.sources[k]; m != 0 {
			b.out.Sources = append(b.out.Sources, ledger.SourceHour{Cluster: k.cluster, Hour: period.Second(k.hour * 3600), Minutes: m})
		}
		if !b.added(1) {
			return false
		}
	}
	byPod := func(a, b podKey) int { return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.uid, b.uid)) }
	for _, k := range slices.SortedFunc(maps.Keys(c.pods), byPod) {
		b.out.Workloads = append(b.out.Workloads, c.pods[k].facts(k, c.requests[k])...)
		if !b.added(1) {
			return false
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.crashes), func(a, b crashKey) int {
		return cmp.Or(byPod(a.podKey, b.podKey), cmp.Compare(a.hour, b.hour))
	}) {
		b.out.PodStates = append(b.out.PodStates, ledger.PodStateHour{
			Cluster: k.cluster, UID: k.uid, Hour: period.Second(k.hour * 3600), Minutes: *c.crashes[k],
		})
		if !b.added(1) {
			return false
		}
	}
	return true
}

func (c *Collector) flushRest(b *batch) {
	for _, k := range slices.SortedFunc(maps.Keys(c.objects), func(a, b objectKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.kind, b.kind), cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	}) {
		o := c.objects[k]
		if len(o.created) == 0 && len(o.said) == 0 {
			continue
		}
		for _, f := range o.facts(k) {
			b.out.Objects = append(b.out.Objects, f)
			if !b.added(1) {
				return
			}
		}
	}
	for _, c := range slices.SortedFunc(maps.Keys(c.checkpoints), func(a, b ledger.Checkpoint) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Pod, b.Pod), cmp.Compare(a.At, b.At))
	}) {
		b.out.Checkpoints = append(b.out.Checkpoints, c)
		if !b.added(1) {
			return
		}
	}
	text := func(k inferenceKey) string {
		return strings.Join([]string{k.cluster, k.namespace, k.pod, k.server, k.model, k.engine}, "\x00")
	}
	for _, k := range slices.SortedFunc(maps.Keys(c.inference), func(a, b inferenceKey) int { return cmp.Compare(text(a), text(b)) }) {
		for _, h := range c.inference[k].facts(&c.facts, k) {
			b.out.Counters = append(b.out.Counters, h)
			if !b.added(len(h.Counters)) {
				return
			}
		}
	}
}

// setMinute records a sample at in milliseconds of the hour.
func setMinute(v *ledger.Minutes, in int, value int64) {
	minutes.Set(v, in/60_000, in%60_000, value)
}
