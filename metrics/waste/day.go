package waste

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Day gathers the facts of a UTC day about all subjects, machine by machine.
type Day struct {
	Day     period.Second
	Holders map[ledger.ID]*Holder // all that may be named
	Waiting map[string]bool       // clusters with workloads that wait for GPUs

	traces map[Key]*Trace
	free   []freeSlots // of machines in clusters with waiting workloads

	prices   map[poolHour]prices
	unpicked []unpicked
}

// Add takes a machine's day.
func (d *Day) Add(n *NodeDay) {
	if d.traces == nil {
		d.traces = map[Key]*Trace{}
	}
	at := &nodeDay{
		NodeDay: n, day: d, cut: newCutter(n), devices: map[int32]string{}, signal: make(map[signalKey]*Hour, len(n.Hours)),
	}
	for i := range n.Rows {
		if r := &n.Rows[i]; r.Device != "" {
			at.devices[r.Slot] = r.Device
		}
	}
	for i := range n.Hours {
		h := &n.Hours[i]
		at.signal[signalKey{h.Hour, h.Device, h.Slice}] = h
	}
	at.held, at.shares = at.heldSeconds(), at.heldShares()
	at.machine() // before the holders: both use separate rows
	at.slices()
	at.hours()
	at.sharing()
	at.models()
	if n.Node.Replicas < 2 && d.Waiting[n.Node.Cluster] {
		d.free = append(d.free, at.freeOf())
	}
}

// Traces lists the gathered traces, in order of scope and subject.
func (d *Day) Traces() []*Trace {
	list := slices.Collect(maps.Values(d.traces))
	slices.SortFunc(list, func(a, b *Trace) int {
		return cmp.Or(cmp.Compare(a.Key.Scope, b.Key.Scope), cmp.Compare(a.Key.Subject, b.Key.Subject))
	})
	for _, t := range list {
		slices.SortFunc(t.Holders, func(a, b HolderDay) int {
			return cmp.Or(cmp.Compare(a.Hold.From, b.Hold.From), slices.Compare(a.ID[:], b.ID[:]))
		})
		slices.SortStableFunc(t.Marks, func(a, b Mark) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.From, b.From))
		})
	}
	return list
}

func (d *Day) trace(scope Scope, subject string) *Trace {
	k := Key{scope, subject}
	t := d.traces[k]
	if t == nil {
		t = &Trace{Key: k, Day: d.Day}
		d.traces[k] = t
	}
	return t
}

// nodeDay is a machine's day while it is processed.
type nodeDay struct {
	*NodeDay
	day     *Day
	cut     *cutter
	devices map[int32]string // by slot
	signal  map[signalKey]*Hour
	held    map[heldKey]int64 // seconds
	shares  map[heldKey]Share // of all held time
}

// place is the machine's part of Where.
func (n *nodeDay) place() Where {
	return Where{Cluster: n.Node.Cluster, NodeID: n.Node.ID, InstanceType: n.Node.InstanceType, GPUModel: n.Node.GPUModel}
}

// of is place with the holder.
func (n *nodeDay) of(h *Holder) Where {
	w := n.place()
	w.WorkloadID, w.Namespace, w.Kind, w.Workload, w.Pod, w.RunID, w.OwnerID = h.ID, h.Namespace, h.Kind, h.Root, h.Name,
		h.RunID, h.OwnerID
	if h.Class == ledger.ClassService {
		w.Service = h.Root
	}
	return w
}

// on is place with a device or slice.
func (w Where) on(device string, slice int32) Where {
	w.Device = device
	if w.Slice = 0; slice != ledger.WholeDevice {
		w.Slice = slice + 1
	}
	return w
}

// mark adds a mark to a trace; marks of one kind and time on several slices
// are one.
func (t *Trace) mark(m Mark) {
	for i := range t.Marks {
		o := &t.Marks[i]
		if o.Kind == m.Kind && o.From == m.From && o.To == m.To {
			o.Share.add(m.Share)
			o.Seconds = max(o.Seconds, m.Seconds)
			o.Where = o.Where.join(m.Where)
			o.Quality = o.Quality.Worse(m.Quality)
			return
		}
	}
	t.Marks = append(t.Marks, m)
}
