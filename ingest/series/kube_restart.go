package series

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// A container that starts again in the same pod is an event at the end of its previous life.
// kube_pod_container_status_last_terminated_timestamp gives that time: each value is one
// restart, however often and by whichever source it is reported. For clusters whose
// kube-state-metrics lacks that series, the restart count is used: the first sample with a
// higher count than an earlier one.

type containerKey struct {
	podKey
	container string
}

// restarts is the state of one container's restarts. It outlives flushes, since counts have a
// meaning only compared with earlier ones.
type restarts struct {
	namespace, pod string
	ends           map[period.Second]int64 // end of a life → first sample that reports it, ms
	counts         map[int64]int64         // restart count → first sample, ms
	reasons        map[string]*stretch
	told           map[period.Second]bool
	lowest         int64 // smallest count seen
	last           int64 // newest sample of any series, ms
	age            uint32
}

type restartField uint8

const (
	restartEnd restartField = iota
	restartCount
	restartReason
)

// restartSink stores one series of a container's restarts.
type restartSink struct {
	key            containerKey
	namespace, pod string
	field          restartField
	reason         string

	epoch uint32
	state *restarts
}

func bindRestart(field restartField) binder {
	return func(c *Collector, _ string, ls Labels) sink {
		s := &restartSink{
			key:       containerKey{podKey{c.cluster(ls), strings.Clone(ls.own("uid"))}, strings.Clone(ls.own("container"))},
			field:     field,
			namespace: strings.Clone(ls.own("namespace")),
			pod:       strings.Clone(ls.own("pod")), reason: strings.Clone(ls.Get("reason")),
		}
		switch {
		case s.key.uid == "":
			return refuse{faultNoUID}
		case s.namespace == "" || s.pod == "":
			return refuse{faultNoName}
		}
		if field == restartEnd {
			c.exactRestarts[s.key.cluster] = true
		}
		return s
	}
}

func (s *restartSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	switch s.field {
	case restartEnd:
		t, f := c.instant(d)
		if f != nil {
			return f
		}
		r := s.open(c, ms)
		if at, ok := r.ends[t]; !ok || ms < at {
			if len(r.ends) < maxRestarts {
				r.ends[t] = ms
				c.restarted[s.key] = r
			}
		}
	case restartCount:
		n, f := count(d)
		if f != nil {
			return f
		}
		r := s.open(c, ms)
		if at, ok := r.counts[n]; !ok || ms < at {
			if len(r.counts) < maxRestarts {
				r.counts[n] = ms
				if len(r.counts) > 1 {
					c.restarted[s.key] = r
				}
			}
		}
		if r.lowest < 0 || n < r.lowest {
			r.lowest = n
		}
	default:
		set, f := truth(d)
		if f != nil || !set {
			return f
		}
		r := s.open(c, ms)
		if r.reasons[s.reason] == nil {
			r.reasons[s.reason] = &stretch{}
		}
		r.reasons[s.reason].add(ms)
	}
	return nil
}

// maxRestarts bounds the state of one container.
const maxRestarts = 4096

// open returns the container's state, and creates it if missing.
func (s *restartSink) open(c *Collector, ms int64) *restarts {
	if s.epoch != c.epoch || s.state == nil {
		s.epoch = c.epoch
		s.state = c.restarts[s.key]
		if s.state == nil {
			s.state = &restarts{
				namespace: s.namespace, pod: s.pod, ends: map[period.Second]int64{}, counts: map[int64]int64{},
				reasons: map[string]*stretch{}, told: map[period.Second]bool{}, lowest: -1,
			}
			c.restarts[s.key] = s.state
		}
	}
	s.state.last, s.state.age = max(s.state.last, ms), c.age
	return s.state
}

// takeRestarts moves new restarts into out, of containers that are known to request devices.
func (c *Collector) takeRestarts(out *ledger.Telemetry) {
	for _, k := range slices.SortedFunc(maps.Keys(c.restarted), func(a, b containerKey) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.uid, b.uid), cmp.Compare(a.container, b.container))
	}) {
		r := c.restarted[k]
		if !c.requests[k.podKey].asksIn(k.container) {
			continue
		}
		at, waits := r.ends, false
		if len(at) == 0 && !c.exactRestarts[k.cluster] {
			at, waits = r.counted()
		}
		if !waits {
			delete(c.restarted, k)
		}
		for _, t := range slices.Sorted(maps.Keys(at)) {
			if r.told[t] {
				continue
			}
			r.told[t] = true
			out.Events = append(out.Events, ledger.WorkloadEvent{
				Cluster: k.cluster, Kind: "Pod", Namespace: r.namespace, Name: r.pod, UID: k.uid,
				What: ledger.WorkloadRestarted, Reason: r.reasonAt(at[t]), At: t,
			})
		}
	}
}

// counted are the restarts known only from counts. The newest sample waits for the next one,
// since the exact series may arrive with it.
func (r *restarts) counted() (at map[period.Second]int64, waits bool) {
	at = map[period.Second]int64{}
	for n, ms := range r.counts {
		switch {
		case n == r.lowest:
		case ms < r.last:
			at[period.FromMillis(ms)] = ms
		default:
			waits = true
		}
	}
	return at, waits
}

// reasonAt is the reason at a time, else the newest earlier one.
func (r *restarts) reasonAt(ms int64) string {
	best, found := "", int64(-1)
	for reason, s := range r.reasons {
		if s.first <= ms && (s.first > found || s.first == found && reason > best) {
			best, found = reason, s.first
		}
	}
	if found < 0 {
		for reason := range r.reasons {
			best = max(best, reason)
		}
	}
	return best
}
