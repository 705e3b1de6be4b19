package series

import (
	"gpuledger/internal/ledger"
)

// binder resolves a series of a known metric name to its sink.
type binder func(c *Collector, name string, ls Labels) sink

// binders holds every metric name that means anything.
var binders = func() map[string]binder {
	m := map[string]binder{}
	for _, d := range deviceMetrics {
		m[d.name] = bindDevice(d)
		m[d.name+"_total"] = m[d.name] // counters under OpenMetrics writers
	}
	m[ambiguousUtil] = bindDevice(deviceMetric{ambiguousUtil, ledger.SignalGPUUtil, 0, true, blankAny})
	addKube(m)
	addInference(m)
	for _, name := range checkpointMetrics {
		m[name] = bindCheckpoint
	}
	return m
}()

// vectorBytes is about the size of an hour of one signal.
const vectorBytes = 640

// facts is what was read and not yet emitted.
type facts struct {
	// epoch changes with every flush: what sinks remember is void then.
	epoch uint32
	// pending is about the memory held, in vectors of vectorBytes.
	pending int
	free    []*ledger.Minutes

	entities map[entityKey]*entity
	holders  map[holderKey]*holder
	kube
	inference   map[inferenceKey]*inferenceSeries
	checkpoints map[ledger.Checkpoint]struct{}
}

func newFacts() facts {
	f := facts{}
	f.reset()
	f.requests, f.google = map[podKey]*podRequests{}, googleNodes{}
	return f
}

// reset forgets what was emitted.
func (f *facts) reset() {
	f.epoch++
	f.pending = 0
	f.entities = map[entityKey]*entity{}
	f.holders = map[holderKey]*holder{}
	f.kube.reset()
	f.inference = map[inferenceKey]*inferenceSeries{}
	f.checkpoints = map[ledger.Checkpoint]struct{}{}
}

// vector returns *at, made when missing.
func (f *facts) vector(at **ledger.Minutes) *ledger.Minutes {
	if *at == nil {
		f.pending++
		if n := len(f.free); n > 0 {
			*at = f.free[n-1]
			f.free = f.free[:n-1]
		} else {
			*at = new(ledger.Minutes)
		}
	}
	return *at
}

// maxFree bounds the vectors kept for reuse.
const maxFree = 4096

// release takes a vector back after its content was copied.
func (f *facts) release(m *ledger.Minutes) {
	if len(f.free) < maxFree {
		*m = ledger.Minutes{}
		f.free = append(f.free, m)
	}
}

// entity returns the collected hours of a device or slice. Attributes that
// rows give differently are settled without regard to their order.
func (f *facts) entity(k entityKey, index int32, model string) *entity {
	e := f.entities[k]
	if e == nil {
		e = &entity{entityKey: k, index: index, model: model, hours: map[int64]*entityHour{}}
		f.entities[k] = e
		f.pending++
	}
	e.index, e.model = max(e.index, index), max(e.model, model)
	return e
}

func (f *facts) entityHour(e *entity, hour int64) *entityHour {
	h := e.hours[hour]
	if h == nil {
		h = new(entityHour)
		e.hours[hour] = h
	}
	return h
}

func (f *facts) holderHour(e *entity, k holderKey, hour int64) *uint64 {
	h := f.holders[k]
	if h == nil {
		h = &holder{entity: e, namespace: k.namespace, pod: k.pod, hours: map[int64]*uint64{}}
		f.holders[k] = h
		f.pending++
	}
	m := h.hours[hour]
	if m == nil {
		m = new(uint64)
		h.hours[hour] = m
		f.pending++
	}
	return m
}
