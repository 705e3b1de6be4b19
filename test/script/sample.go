package script

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// rowKey names a row of minute samples.
type rowKey struct {
	cluster, node, device string
	slice                 int32
	profile               string
	hour                  period.Second
}

func (w *world) row(m *machine, slot int, slice int32, profile string, hour period.Second) *ledger.SampleHour {
	key := rowKey{m.Cluster, m.Name, m.device(slot), slice, profile, hour}
	r := w.rows[key]
	if r == nil {
		r = &ledger.SampleHour{Cluster: m.Cluster, Node: m.Name, Device: key.device, Index: int32(slot), Model: "NVIDIA " +
			m.model, SliceID: slice, Profile: profile,
			Hour: hour, Vectors: map[ledger.Signal]ledger.Minutes{}}
		w.rows[key] = r
	}
	return r
}

// set gives a signal one value in all minutes of an interval.
func (w *world) set(
	m *machine, slot int, slice int32, profile string, signal ledger.Signal, i period.Interval, value int64,
) {
	byHour(i, func(hour period.Second, minutes uint64) {
		r := w.row(m, slot, slice, profile, hour)
		v := r.Vectors[signal]
		v.Known |= minutes
		for k := range v.Value {
			if minutes>>k&1 == 1 {
				v.Value[k] = value
			}
		}
		r.Vectors[signal] = v
	})
}

// signals are the signals of sample, in millionths.
var signals = map[string]ledger.Signal{
	"activity": ledger.SignalGrEngine, "util": ledger.SignalGPUUtil, "sm": ledger.SignalSM, "tensor": ledger.SignalTensor,
}

// doSample reads the activity of GPUs: sample NODE gpus 0-3 from … to … activity 80%.
func (w *world) doSample(s *statement) error {
	f, err := w.fields(s, 1, "gpu", "gpus", "slice", "from", "to", "activity", "util", "sm", "tensor", "watts")
	if err != nil {
		return err
	}
	m := w.machines[s.args[0].text]
	if m == nil {
		return w.c.fault(s, s.args[0], "no gpu statement names the machine %q", s.args[0].text)
	}
	slots, err := f.slots(m)
	if err != nil {
		return err
	}
	span, err := f.span(m.life)
	if err != nil {
		return err
	}
	slice, err := f.number("slice", int64(ledger.WholeDevice), 0, 13)
	if err != nil {
		return err
	}
	said := false
	for _, key := range []string{"activity", "util", "sm", "tensor"} {
		if !f.has(key) {
			continue
		}
		said = true
		for _, slot := range slots {
			if err := w.setSignal(f, m, slot, int32(slice), key, span); err != nil {
				return err
			}
		}
	}
	if f.has("watts") {
		said = true
		watts, err := f.number("watts", 0, 0, 2999)
		if err != nil {
			return err
		}
		for _, slot := range slots {
			w.draw(m, slot, span, watts)
		}
	}
	if !said {
		return w.c.fault(s, s.word, "sample needs activity, util, sm, tensor or watts")
	}
	return nil
}

// setSignal sets one signal; none removes samples: a gap.
func (w *world) setSignal(f *fields, m *machine, slot int, slice int32, key string, span period.Interval) error {
	if f.text(key, "") == "none" {
		w.forget(m, slot, slice, signals[key], span)
		return nil
	}
	ppm, err := f.ppm(key, 0)
	if err != nil {
		return err
	}
	if ppm > 1_000_000 {
		return f.fault(key, "more than 100%%")
	}
	if slice == ledger.WholeDevice {
		w.set(m, slot, slice, "", signals[key], span, ppm)
		return nil
	}
	for minute := span.From.Floor(period.Minute); minute < span.To; minute += period.Minute {
		profile, ok := m.profileAt(slot, slice, minute)
		if !ok {
			return f.fault("slice", "no mig statement defines slice %d of GPU %d at %s", slice, slot, clock(minute, w.day))
		}
		w.set(m, slot, slice, profile, signals[key], period.Interval{From: minute, To: minute + period.Minute}, ppm)
	}
	return nil
}

func (w *world) forget(m *machine, slot int, slice int32, signal ledger.Signal, i period.Interval) {
	minutes := minutesOf(i)
	for key, r := range w.rows {
		if key.cluster != m.Cluster || key.node != m.Name || key.device != m.device(slot) || key.slice != slice {
			continue
		}
		if v, ok := r.Vectors[signal]; ok {
			v.Known &^= minutes[key.hour]
			for k := range v.Value {
				if v.Known>>k&1 == 0 {
					v.Value[k] = 0
				}
			}
			r.Vectors[signal] = v
		}
	}
}

// draw lets the energy counter of a device rise; at the start of the stretch it has its last value.
func (w *world) draw(m *machine, slot int, span period.Interval, watts int64) {
	key := rowKey{cluster: m.Cluster, node: m.Name, device: m.device(slot)}
	start := span.From.Floor(period.Minute)
	for minute := start - period.Minute; minute < span.To; minute += period.Minute {
		if minute >= start {
			w.counters[key] += watts * 1000 * period.Minute // mJ
		}
		w.set(m, slot, ledger.WholeDevice, "", ledger.SignalEnergy, period.Interval{From: minute, To: minute + period.Minute},
			w.counters[key])
	}
}

// samples lists the rows of a machine by hour, device, slice and profile.
func (w *world) samples(m *ledger.Node) []ledger.SampleHour {
	var out []ledger.SampleHour
	for key, r := range w.rows {
		if key.cluster == m.Cluster && key.node == m.Name {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b ledger.SampleHour) int {
		return cmp.Or(cmp.Compare(a.Hour, b.Hour), cmp.Compare(a.Device, b.Device), cmp.Compare(a.SliceID, b.SliceID),
			cmp.Compare(a.Profile, b.Profile))
	})
	return out
}

// around sorts the rows of a machine into a day's input: those inside the window, and per device the last hour before
// and the first one after it.
func around(rows []ledger.SampleHour, window period.Interval) (inside, before, after []ledger.SampleHour) {
	last, first := map[string]period.Second{}, map[string]period.Second{}
	for i := range rows {
		switch r := &rows[i]; {
		case r.Hour < window.From:
			last[r.Device] = r.Hour
		case r.Hour < window.To:
			inside = append(inside, *r)
			first[r.Device] = r.Hour
		default:
			if _, known := first[r.Device]; !known {
				first[r.Device] = r.Hour
			}
		}
	}
	for i := range rows {
		r := &rows[i]
		if hour, ok := last[r.Device]; ok && r.Hour == hour {
			before = append(before, *r)
		}
		if _, known := last[r.Device]; !known && r.Hour >= window.To && first[r.Device] == r.Hour {
			after = append(after, *r)
		}
	}
	return inside, before, after
}

// nodeStates are the event kinds about a machine's minutes.
var nodeStates = map[string]ledger.NodeState{"cordoned": ledger.Cordoned, "notready": ledger.NotReady}

// podEvents are events of workloads.
var podEvents = map[string]ledger.WorkloadEventKind{"restarted": ledger.WorkloadRestarted,
	"suspended": ledger.WorkloadSuspended,
	"evicted":   ledger.WorkloadEvicted, "preempted": ledger.WorkloadPreempted}

// doEvent reads events of machines, sources and workloads.
func (w *world) doEvent(s *statement) error {
	f, err := w.fields(s, 1, "on", "of", "run", "cluster", "at", "from", "to", "reason")
	if err != nil {
		return err
	}
	at, err := f.time("at", 0)
	if err != nil {
		return err
	}
	switch kind := s.args[0].text; {
	case kind == "interruption" || kind == "terminated":
		if err := f.need("on", "at"); err != nil {
			return err
		}
		m, err := w.machine(f, "on", f.text("on", ""))
		if err != nil {
			return err
		}
		e := ledger.InstanceEvent{
			EventID: kind + m.key + at.String(), Provider: "aws", InstanceID: m.key,
			Kind: ledger.EventInterruption, Detail: "terminate", At: at,
		}
		if kind == "terminated" {
			e.Kind, e.Detail = ledger.EventState, kind
		}
		w.events = append(w.events, e)
		return nil
	case nodeStates[kind] != "" || kind == "unobserved" || kind == "accounted" || kind == "silent" || kind == "crashloop":
		return w.doMinutes(f, kind)
	case podEvents[kind] != "":
		if err := f.need("of", "at"); err != nil {
			return err
		}
		p, err := w.pod(f)
		if err != nil {
			return err
		}
		w.happened = append(w.happened,
			ledger.WorkloadEvent{Cluster: p.Cluster, Kind: "Pod", Namespace: p.Namespace, Name: p.Name, UID: p.UID,
				What: podEvents[kind], Reason: f.text("reason", ""), At: at})
		return nil
	case kind == "checkpoint":
		if err := f.need("of", "at"); err != nil {
			return err
		}
		p, err := w.pod(f)
		if err != nil {
			return err
		}
		w.checkpoints = append(w.checkpoints, ledger.Checkpoint{
			Cluster: p.Cluster, Namespace: p.Namespace, Pod: p.UID, At: at, Step: -1,
		})
		return nil
	}
	return w.c.fault(s, s.args[0],
		"%q is not an event: known are interruption, terminated, cordoned, notready, silent, unobserved, accounted, "+
			"crashloop, restarted, suspended, evicted, preempted, checkpoint", s.args[0].text)
}

func (w *world) doMinutes(f *fields, kind string) error {
	if err := f.need("from", "to"); err != nil {
		return err
	}
	span, err := f.span(period.Interval{})
	if err != nil {
		return err
	}
	switch kind {
	case "unobserved":
		cluster := f.text("cluster", theCluster)
		w.unobserved[cluster] = append(w.unobserved[cluster], span)
		return nil
	case "accounted":
		cluster := f.text("cluster", theCluster)
		w.accounted[cluster] = append(w.accounted[cluster], span)
		return nil
	case "crashloop":
		if err := f.need("of"); err != nil {
			return err
		}
		p, err := w.pod(f)
		if err != nil {
			return err
		}
		byHour(span, func(hour period.Second, minutes uint64) {
			w.podStates = append(w.podStates, ledger.PodStateHour{Cluster: p.Cluster, UID: p.UID, Hour: hour, Minutes: minutes})
		})
		return nil
	}
	if err := f.need("on"); err != nil {
		return err
	}
	m, err := w.machine(f, "on", f.text("on", ""))
	if err != nil {
		return err
	}
	if kind == "silent" {
		m.silent = append(m.silent, span)
		return nil
	}
	byHour(span, func(hour period.Second, minutes uint64) {
		w.nodeStates = append(w.nodeStates, ledger.NodeStateHour{
			Cluster: m.Cluster, Name: m.Name, State: nodeStates[kind], Hour: hour, Minutes: minutes, Known: minutes,
		})
	})
	return nil
}

// pod is the workload in "of".
func (w *world) pod(f *fields) (*ledger.WorkloadFact, error) {
	for i := range w.pods {
		if w.pods[i].UID == f.text("of", "") {
			return &w.pods[i], nil
		}
	}
	var known []string
	for i := range w.pods {
		known = append(known, w.pods[i].UID)
	}
	return nil, f.fault("of", "no hold or attempt names the workload %q: known are %q", f.text("of", ""), known)
}

// seenSlices are the MIG instances that sample rows showed.
func seenSlices(rows []ledger.SampleHour) []allocation.SliceSeen {
	seen := map[rowKey]*allocation.SliceSeen{}
	for i := range rows {
		r := &rows[i]
		if r.SliceID == ledger.WholeDevice {
			continue
		}
		key := rowKey{device: r.Device, slice: r.SliceID, profile: r.Profile}
		if seen[key] == nil {
			seen[key] = &allocation.SliceSeen{Device: r.Device, SliceID: r.SliceID, Profile: r.Profile, First: r.Hour}
		}
		seen[key].Last = r.Hour
	}
	var out []allocation.SliceSeen
	for _, s := range slices.Collect(maps.Values(seen)) {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b allocation.SliceSeen) int {
		return cmp.Or(cmp.Compare(a.Device, b.Device), cmp.Compare(a.SliceID, b.SliceID), cmp.Compare(a.Profile, b.Profile))
	})
	return out
}
