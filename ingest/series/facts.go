package series

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// binder resolves a series of a known metric name to its sink.
type binder func(c *Collector, name string, ls Labels) sink

// binders holds every metric name that is read.
var binders = func() map[string]binder {
	m := map[string]binder{}
	for _, table := range [][]deviceMetric{deviceMetrics, agentMetrics, smiMetrics, otelMetrics} {
		for _, d := range table {
			m[d.name] = bindDevice(d)
			if !strings.HasSuffix(d.name, "_total") {
				m[d.name+"_total"] = m[d.name] // for OpenMetrics writers' counters
			}
		}
	}
	for _, h := range hostMetrics {
		m[h.name] = bindHost(h)
	}
	m["nvidia_smi_gpu_info"], m["nvidia_smi_index"] = bindInfo(false), bindInfo(true)
	m["nvidia_smi_mig_info"] = bindMIGInfo
	m["gpuledger_gpu_process_memory_bytes"], m["gpuledger_gpu_process_sm_ratio"] = bindProcess, bindProcess
	m[ambiguousUtil] = bindDevice(deviceMetric{ambiguousUtil, ledger.SignalGPUUtil, 0, true, blankAny, nil})
	addKube(m)
	addInference(m)
	for _, name := range checkpointMetrics {
		m[name] = bindCheckpoint
	}
	for _, name := range checkpointDurationMetrics {
		m[name] = bindWriting
	}
	return m
}()

// vectorBytes is the approximate size of an hour of one signal.
const vectorBytes = 640

// facts holds collected facts until they are emitted.
type facts struct {
	// epoch changes with every flush, which invalidates the state that sinks cache.
	epoch uint32
	// pending is the approximate memory held, in vectors of vectorBytes; bytes is the remainder.
	pending, bytes int
	free           []*ledger.Minutes

	entities []*entity
	holders  []*holder
	cells    *cells
	kube
	// exporters are the nodes of exporter pods; they outlive flushes.
	exporters  map[nodeKey]string
	placements map[ledger.Placement]period.Second // without To → To
	processes  map[podKey]*processSeen

	inference   map[inferenceKey]*inferenceSeries
	checkpoints map[ledger.Checkpoint]int64 // → first sample, milliseconds
	writings    map[trainer][]*writing

	// Identities outlive flushes, since many series share one. All of them are dropped when there
	// are too many.
	devices     map[entityKey]*device
	holding     map[holderKey]*holding
	texts       map[string]string
	identityUse int
	age         uint32 // number of Age calls
}

func newFacts() facts {
	f := facts{}
	f.reset()
	f.exporters = map[nodeKey]string{}
	f.restarted = map[containerKey]*restarts{}
	f.restarts, f.suspended, f.exactRestarts = map[containerKey]*restarts{}, map[objectKey]*suspension{}, map[string]bool{}
	f.changed = map[objectKey]*suspension{}
	f.requests, f.google = map[podKey]*podRequests{}, googleNodes{}
	f.devices, f.holding = map[entityKey]*device{}, map[holderKey]*holding{}
	f.texts = map[string]string{}
	return f
}

// reset drops emitted facts.
func (f *facts) reset() {
	f.epoch++
	f.pending, f.bytes = 0, 0
	f.entities, f.holders, f.cells = nil, nil, &cells{}
	f.kube.reset()
	f.placements, f.processes = map[ledger.Placement]period.Second{}, map[podKey]*processSeen{}
	f.inference = map[inferenceKey]*inferenceSeries{}
	f.checkpoints, f.writings = map[ledger.Checkpoint]int64{}, map[trainer][]*writing{}
}

// vector returns *at, and creates it if missing.
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

// entityKey identifies a slice or whole device on a node.
type entityKey struct {
	cluster, node, device string
	slice                 int32
	profile               string
}

// device is the identity that the series of one slice or whole device share.
type device struct {
	entityKey
	epoch uint32
	now   *entity // of the current epoch
	info  *deviceInfo
}

// entity collects the hours of one slice or whole device in one epoch.
type entity struct {
	*device
	index int32
	model string
	hours []*entityHour // one, or two at the turn of an hour
}

type entityHour struct {
	hour int64
	rows int64
	vec  [len(signals)]cellVec
}

type holderKey struct {
	entityKey
	namespace, pod string
}

// holding is the identity of a pod named by rows of a device.
type holding struct {
	device         *device
	namespace, pod string
	epoch          uint32
	now            *holder // of the current epoch
}

// holder collects the minutes of a holding in one epoch.
type holder struct {
	*holding
	hours []*holderHour
}

type holderHour struct {
	hour int64
	mask uint64
}

// identityBytes bounds the texts of identities that are kept at once.
const identityBytes = 48 << 20

// identity reserves memory for an identity with texts of this length.
func (f *facts) identity(bytes int) {
	if f.identityUse += bytes + 200; f.identityUse > identityBytes {
		clear(f.devices)
		clear(f.holding)
		clear(f.texts)
		f.identityUse = bytes + 200
	}
}

// text keeps one copy of a text that many series share.
func (f *facts) text(s string) string {
	if have, ok := f.texts[s]; ok {
		return have
	}
	f.identity(len(s))
	s = strings.Clone(s)
	f.texts[s] = s
	return s
}

// deviceOf returns the identity of a key. Its texts are copied.
func (f *facts) deviceOf(k entityKey) *device {
	d := f.devices[k]
	if d == nil {
		f.identity(len(k.node) + len(k.device) + len(k.profile))
		k.node, k.device, k.profile = strings.Clone(k.node), strings.Clone(k.device), strings.Clone(k.profile)
		d = &device{entityKey: k}
		f.devices[k] = d
	}
	return d
}

// holdingOf returns the identity of a pod named by rows of d.
func (f *facts) holdingOf(d *device, namespace, pod string) *holding {
	k := holderKey{d.entityKey, namespace, pod}
	h := f.holding[k]
	if h == nil {
		f.identity(len(namespace) + len(pod))
		k.namespace, k.pod = strings.Clone(namespace), strings.Clone(pod)
		h = &holding{device: d, namespace: k.namespace, pod: k.pod}
		f.holding[k] = h
	}
	return h
}

// entity returns the state of a device in this epoch. Conflicting attributes of rows are
// resolved regardless of the rows' order.
func (f *facts) entity(d *device, index int32, model string) *entity {
	if d.epoch != f.epoch {
		d.epoch, d.now = f.epoch, &entity{device: d, index: index, model: model}
		f.entities = append(f.entities, d.now)
		f.bytes += 96
	}
	e := d.now
	e.index, e.model = max(e.index, index), max(e.model, model)
	return e
}

func (f *facts) entityHour(e *entity, hour int64) *entityHour {
	for _, h := range e.hours {
		if h.hour == hour {
			return h
		}
	}
	h := &entityHour{hour: hour}
	e.hours = append(e.hours, h)
	f.bytes += 24 + 16*len(signals)
	return h
}

func (f *facts) holderHour(k *holding, hour int64) *uint64 {
	if k.epoch != f.epoch {
		k.epoch, k.now = f.epoch, &holder{holding: k}
		f.holders = append(f.holders, k.now)
		f.bytes += 64
	}
	for _, h := range k.now.hours {
		if h.hour == hour {
			return &h.mask
		}
	}
	h := &holderHour{hour: hour}
	k.now.hours = append(k.now.hours, h)
	f.bytes += 32
	return &h.mask
}
