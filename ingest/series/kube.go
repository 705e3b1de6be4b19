package series

import (
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// kube holds facts from kube-state-metrics since the last flush.
type kube struct {
	nodes      map[nodeKey]*nodeState
	nodeStates map[nodeStateKey]*ledger.Minutes // value 1: in the state
	listed     map[nodeHour]*uint64             // minutes in which the cluster listed the node
	pods       map[podKey]*podState
	crashes    map[crashKey]*uint64
	objects    map[objectKey]*objectState

	// google outlives flushes: a node's name and its number arrive in different series.
	google googleNodes

	// restarted are the entries of restarts that may have unreported events.
	restarted map[containerKey]*restarts

	// restarts, suspended and exactRestarts (clusters that report when containers ended) outlive
	// flushes.
	restarts      map[containerKey]*restarts
	suspended     map[objectKey]*suspension
	changed       map[objectKey]*suspension // of suspended, since the last flush
	exactRestarts map[string]bool

	// requests outlives flushes: a pod's request is a sum over containers whose samples may arrive
	// before and after one.
	requests map[podKey]*podRequests
}

type hourKey struct {
	cluster string
	hour    int64
}

// nodeHour is an hour of a node.
type nodeHour struct {
	nodeKey
	hour int64
}

func (k *kube) reset() {
	k.nodes = map[nodeKey]*nodeState{}
	k.nodeStates = map[nodeStateKey]*ledger.Minutes{}
	k.listed = map[nodeHour]*uint64{}
	k.pods = map[podKey]*podState{}
	k.crashes = map[crashKey]*uint64{}
	k.objects = map[objectKey]*objectState{}
}

// latest is an attribute that changes: the newest value counts, at equal times the larger text.
type latest[T any] struct {
	at    int64 // ms, 0 = never set
	text  string
	value T
}

func (l *latest[T]) set(at int64, text string, value T) {
	if at > l.at || at == l.at && text > l.text {
		l.at, l.text, l.value = at, text, value
	}
}

// stretch is the time of the first and last sample of something, ms.
type stretch struct{ first, last int64 }

func (s *stretch) add(ms int64) {
	if s.last == 0 {
		s.first = ms
	}
	s.first, s.last = min(s.first, ms), max(s.last, ms)
}

// earliestOf returns the smaller of two times; 0 is unknown.
func earliestOf(have, t period.Second) period.Second {
	if have == 0 || t != 0 && t < have {
		return t
	}
	return have
}

// objectLabelsOf returns the labels that kube-state-metrics exposes as label_…, and their
// canonical text. Labels that would get the same name become _conflict1, _conflict2, …; the
// first one also gets the name.
func objectLabelsOf(ls Labels) (m map[string]string, text string) {
	m = map[string]string{}
	conflicts := map[string]int{}
	for _, l := range ls {
		k, ok := strings.CutPrefix(l.Name, "label_")
		if !ok || k == "" || l.Value == "" {
			continue
		}
		if i := strings.LastIndex(k, "_conflict"); i > 0 {
			if n, err := strconv.Atoi(k[i+len("_conflict"):]); err == nil && n > 0 {
				if have := conflicts[k[:i]]; have == 0 || n < have {
					conflicts[k[:i]] = n
				}
			}
		}
		m[k] = l.Value
	}
	for k, n := range conflicts {
		if m[k] == "" {
			m[k] = m[k+"_conflict"+strconv.Itoa(n)]
		}
	}
	pairs := make([]string, 0, len(m))
	for k, v := range m {
		pairs = append(pairs, k+"\x00"+v)
	}
	slices.Sort(pairs)
	return m, strings.Join(pairs, "\x01")
}

// truth reads a value of 0 or 1 (any other number counts as set).
func truth(d Decimal) (set bool, f *Fault) {
	switch d.kind {
	case nan:
		return false, Absent
	case infinite:
		return false, faultInfinite
	default:
		return d.mant != 0, nil
	}
}

// instant reads a value in unix seconds, rounded down; 0 means never.
func (c *Collector) instant(d Decimal) (period.Second, *Fault) {
	switch {
	case d.kind == nan || d.IsZero():
		return 0, Absent
	case d.kind == infinite:
		return 0, faultInfinite
	}
	s, ok := d.floor(0)
	if !ok || s < int64(c.opt.NotBefore) || s >= int64(c.opt.NotAfter) {
		return 0, faultInstant
	}
	return period.Second(s), nil
}

// count reads a number of things.
func count(d Decimal) (int64, *Fault) {
	switch {
	case d.kind == nan:
		return 0, Absent
	case d.kind == infinite:
		return 0, faultInfinite
	case d.neg && d.mant != 0:
		return 0, faultNegative
	}
	n, ok := d.scaled(1)
	if !ok {
		return 0, faultRange
	}
	return n, nil
}

// none turns kube-state-metrics' text for a missing owner into an empty text.
func none(s string) string {
	if s == "<none>" {
		return ""
	}
	return s
}

func minuteBit(ms int64) uint64 { return 1 << uint(ms%hourMS/60_000) }
