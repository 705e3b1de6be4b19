package series

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// suspendSink stores kube_job_status_suspended: the job's attribute, and an event when it
// changes from one minute to the next.
type suspendSink struct {
	*objectSink
}

// suspension holds the minutes in which a job was suspended (1) or not (0). It outlives
// flushes, so that samples may arrive in any order.
type suspension struct {
	hours map[int64]*ledger.Minutes
	told  map[ledger.WorkloadEvent]bool
	age   uint32
}

// keptHours is how far back changes are searched after they were emitted: longer than any
// sender is late.
const keptHours = 48

func bindSuspended(c *Collector, name string, ls Labels) sink {
	s := bindObject(objectMetric{kind: "Job", label: "job_name", field: objectNumber, attr: "suspended"})(c, name, ls)
	if o, ok := s.(*objectSink); ok { // do not retain a request's text beyond a flush
		o.key.namespace, o.key.name = strings.Clone(o.key.namespace), strings.Clone(o.key.name)
		return &suspendSink{o}
	}
	return s
}

func (s *suspendSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if f := s.objectSink.sample(c, ms, d); f != nil {
		return f
	}
	on := int64(1)
	if d.IsZero() {
		on = 0
	}
	have := c.suspended[s.key]
	if have == nil {
		have = &suspension{hours: map[int64]*ledger.Minutes{}, told: map[ledger.WorkloadEvent]bool{}}
		c.suspended[s.key] = have
	}
	have.age = c.age
	v := have.hours[ms/hourMS]
	if v == nil {
		v = new(ledger.Minutes)
		have.hours[ms/hourMS] = v
		c.pending++
	}
	setMinute(v, int(ms%hourMS), on)
	c.changed[s.key] = have
	return nil
}

// takeSuspensions moves new changes into out.
func (c *Collector) takeSuspensions(out *ledger.Telemetry) {
	for _, k := range slices.SortedFunc(maps.Keys(c.changed), func(a, b objectKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
	}) {
		s := c.changed[k]
		state := int64(-1) // unknown before the first sample
		for _, hour := range slices.Sorted(maps.Keys(s.hours)) {
			v := s.hours[hour]
			for left := v.Known; left != 0; left &= left - 1 {
				i := bits.TrailingZeros64(left)
				on, _ := minutes.At(v, i)
				if state >= 0 && on != state {
					s.tell(out, k, hour*hourMS+int64(i)*60_000+int64(v.At[i]), on == 1)
				}
				state = on
			}
		}
		s.trim()
	}
	clear(c.changed)
}

func (s *suspension) tell(out *ledger.Telemetry, k objectKey, ms int64, on bool) {
	e := ledger.WorkloadEvent{
		Cluster: k.cluster, Kind: k.kind, Namespace: k.namespace,
		Name: k.name, What: ledger.WorkloadResumed, At: period.FromMillis(ms),
	}
	if on {
		e.What = ledger.WorkloadSuspended
	}
	if !s.told[e] {
		s.told[e] = true
		out.Events = append(out.Events, e)
	}
}

// trim drops hours that are too old to change. The oldest remaining hour holds the state
// before.
func (s *suspension) trim() {
	newest := slices.Max(slices.Collect(maps.Keys(s.hours)))
	maps.DeleteFunc(s.hours, func(hour int64, _ *ledger.Minutes) bool { return hour < newest-keptHours })
	maps.DeleteFunc(s.told, func(e ledger.WorkloadEvent, _ bool) bool { return int64(e.At)/3600 < newest-keptHours })
}
