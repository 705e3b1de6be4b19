package series

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

type podField uint8

const (
	podInfo podField = iota
	podOwner
	podLabels
	podPhase
	podReason
	podDisruption
	podTerminated
	podWaiting
	podRequest
	podSidecar
	podCreated
	podScheduled
	podStarted
	podCompleted
	podDeleted
	podTimes = podCreated // fields from here on are times
)

type podKey struct{ cluster, uid string }

type crashKey struct {
	podKey
	hour int64
}

type podState struct {
	namespace, name string
	labels          latest[map[string]string]
	phase           string
	seen            stretch
	times           [podDeleted - podTimes + 1]period.Second
	terminalAt      period.Second // first sample of a terminal phase, and that phase
	terminal        string

	// Attributes that never change, and reasons: of several texts, the largest.
	node                           string
	owner                          [2]string // kind, name
	status, disruption, terminated string
}

// podSink stores one kube_pod_… series.
type podSink struct {
	key             podKey
	namespace, name string
	field           podField
	text            string // phase, reason, resource, node, or canonical labels
	container       string
	request         requestKind
	owner           [2]string
	kv              map[string]string

	epoch uint32
	pod   *podState
}

// crashLoop is the only waiting reason that is stored.
const crashLoop = "CrashLoopBackOff"

func bindPod(field podField, text string) binder {
	return func(c *Collector, name string, ls Labels) sink {
		uid := ls.own("uid")
		if uid == "" {
			return refuse{faultNoUID}
		}
		s := &podSink{
			key: podKey{c.cluster(ls), uid}, namespace: ls.own("namespace"), name: ls.own("pod"), field: field,
		}
		if s.namespace == "" || s.name == "" {
			return refuse{faultNoName}
		}
		if text != "" {
			s.text = ls.Get(text)
		}
		switch field {
		case podInfo:
			s.text = ls.own("node")
			c.exporterOn(s.key.cluster, s.name, s.text)
			c.addressOf(s.key.cluster, ls.Get("host_ip"), s.text)
			s.owner = [2]string{none(ls.Get("created_by_kind")), none(ls.Get("created_by_name"))}
		case podOwner:
			if ls.Get("owner_is_controller") == "false" {
				return refuse{Unmapped}
			}
			s.owner = [2]string{none(ls.Get("owner_kind")), none(ls.Get("owner_name"))}
		case podLabels:
			s.kv, s.text = objectLabelsOf(ls)
		case podWaiting:
			if s.text != crashLoop {
				return refuse{Unmapped}
			}
		case podRequest:
			s.request = requestKind{init: strings.Contains(name, "_init_"), limit: strings.HasSuffix(name, "_limits")}
			if !extended(s.text) && (s.request.limit || !ofHost(s.text)) {
				return refuse{Unmapped}
			}
			s.container = ls.own("container")
		case podSidecar:
			if ls.Get("restart_policy") != "Always" {
				return refuse{Unmapped}
			}
			s.container = ls.own("container")
		default: // the name and text are the whole fact
		}
		return s
	}
}

func (s *podSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if s.field >= podTimes {
		t, f := c.instant(d)
		if f != nil {
			return f
		}
		at := &s.state(c).times[s.field-podTimes]
		*at = earliestOf(*at, t)
		return nil
	}
	if s.field == podRequest {
		n, f := s.requested(d)
		if f != nil {
			return f
		}
		c.request(s, ms, n)
		return nil
	}
	set, f := truth(d)
	if f != nil || !set {
		return f
	}
	if s.field == podSidecar {
		c.sidecar(s)
		return nil
	}
	pod := s.state(c)
	switch s.field {
	case podInfo:
		pod.seen.add(ms)
		pod.node = max(pod.node, s.text)
		pod.setOwner(s.owner)
	case podOwner:
		pod.setOwner(s.owner)
	case podLabels:
		pod.labels.set(ms, s.text, s.kv)
	case podPhase:
		pod.phase = ledger.LaterPhase(pod.phase, s.text)
		if s.text == "Succeeded" || s.text == "Failed" {
			if t := period.FromMillis(ms); pod.terminalAt == 0 || t < pod.terminalAt || t == pod.terminalAt &&
				s.text > pod.terminal {
				pod.terminalAt, pod.terminal = t, s.text
			}
		}
	case podReason:
		pod.status = max(pod.status, s.text)
	case podDisruption:
		pod.disruption = max(pod.disruption, s.text)
	case podTerminated:
		// The largest text is also the most specific: Completed < Error < OOMKilled.
		pod.terminated = max(pod.terminated, s.text)
	case podWaiting:
		k := crashKey{s.key, ms / hourMS}
		m := c.crashes[k]
		if m == nil {
			m = new(uint64)
			c.crashes[k] = m
			c.pending++
		}
		*m |= minuteBit(ms)
	default: // requests and times are handled above
	}
	return nil
}

// state returns the pod of the series, and creates it if missing.
func (s *podSink) state(c *Collector) *podState {
	if s.epoch == c.epoch {
		return s.pod
	}
	s.epoch = c.epoch
	s.pod = c.pods[s.key]
	if s.pod == nil {
		s.pod = &podState{namespace: s.namespace, name: s.name}
		c.pods[s.key] = s.pod
		c.pending += 2
	}
	return s.pod
}

func (pod *podState) setOwner(owner [2]string) {
	if slices.Compare(owner[:], pod.owner[:]) > 0 {
		pod.owner = owner
	}
}

// facts is the pod's fact so far; a second fact if labels and requests come from samples of
// different times.
func (pod *podState) facts(k podKey, r *podRequests) []ledger.WorkloadFact {
	f := ledger.WorkloadFact{
		Cluster: k.cluster, UID: k.uid, Namespace: pod.namespace, Name: pod.name,
		Node: pod.node, OwnerKind: pod.owner[0], OwnerName: pod.owner[1],
		Labels: pod.labels.value, AttrsAt: pod.labels.at,
		Created:   pod.times[podCreated-podTimes],
		Scheduled: pod.times[podScheduled-podTimes],
		Started:   pod.times[podStarted-podTimes],
		Completed: pod.times[podCompleted-podTimes],
		Deleted:   pod.times[podDeleted-podTimes],
		Phase:     pod.phase, TerminalAt: pod.terminalAt,
		StatusReason: pod.status, DisruptionReason: pod.disruption, TerminatedReason: pod.terminated,
	}
	if pod.seen.last != 0 {
		f.FirstSeen, f.LastSeen = period.FromMillis(pod.seen.first), period.FromMillis(pod.seen.last)
	}
	if pod.terminalAt != 0 {
		f.Phase = pod.terminal
	}
	if r == nil || r.at == 0 {
		return []ledger.WorkloadFact{f}
	}
	requests := r.effective()
	if len(f.Labels) == 0 || f.AttrsAt == r.at {
		f.Requests, f.AttrsAt = requests, r.at
		return []ledger.WorkloadFact{f}
	}
	return []ledger.WorkloadFact{f, {
		Cluster: k.cluster, UID: k.uid, Namespace: pod.namespace, Name: pod.name, Requests: requests, AttrsAt: r.at,
	}}
}
