package series

import (
	"slices"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

type objectField uint8

const (
	objectOwner objectField = iota
	objectCreated
	objectLabels
	objectNumber
	objectText
)

type objectKey struct{ cluster, kind, namespace, name string }

// objectState holds the samples for one name. A later object may use a name again; creation
// times distinguish the lives.
type objectState struct {
	created []period.Second // ascending
	said    map[objectWord]*objectValue
}

// objectWord is one stated fact about an object.
type objectWord struct {
	field objectField
	attr  string
	text  string // canonical text of the value
}

type objectValue struct {
	stretch
	owner  [2]string
	labels map[string]string
}

// objectSink stores one series of an object.
type objectSink struct {
	key   objectKey
	m     objectMetric
	text  string
	owner [2]string
	kv    map[string]string

	epoch uint32
	state *objectState
}

func bindObject(m objectMetric) binder {
	return func(c *Collector, _ string, ls Labels) sink {
		s := &objectSink{m: m, key: objectKey{c.cluster(ls), m.kind, ls.own("namespace"), ls.own(m.label)}}
		if s.key.name == "" || s.key.namespace == "" {
			return refuse{faultNoName}
		}
		if m.kind == "Namespace" {
			s.key.namespace = ""
		}
		switch m.field {
		case objectOwner:
			s.owner = [2]string{none(ls.Get("owner_kind")), none(ls.Get("owner_name"))}
			if ls.Get("owner_is_controller") == "false" {
				return refuse{Unmapped}
			}
			s.text = s.owner[0] + "\x00" + s.owner[1]
		case objectLabels:
			s.kv, s.text = objectLabelsOf(ls)
		case objectText:
			if s.text = ls.Get(m.by); s.text == "" || m.by == "condition" && s.text != "true" {
				return refuse{Unmapped}
			}
		default: // the name is the whole fact
		}
		return s
	}
}

func (s *objectSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if s.epoch != c.epoch {
		s.epoch = c.epoch
		s.state = c.object(s.key)
	}
	text := s.text
	switch s.m.field {
	case objectCreated:
		t, f := c.instant(d)
		if f != nil {
			return f
		}
		if i, ok := slices.BinarySearch(s.state.created, t); !ok {
			s.state.created = slices.Insert(s.state.created, i, t)
			c.pending++
		}
		return nil
	case objectNumber:
		n, f := count(d)
		if f != nil {
			return f
		}
		text = strconv.FormatInt(n, 10)
	default:
		set, f := truth(d)
		if f != nil || !set {
			return f
		}
	}
	w := objectWord{s.m.field, s.m.attr, text}
	v := s.state.said[w]
	if v == nil {
		v = &objectValue{owner: s.owner, labels: s.kv}
		s.state.said[w] = v
		c.pending++
	}
	v.add(ms)
	return nil
}

func (f *facts) object(k objectKey) *objectState {
	o := f.objects[k]
	if o == nil {
		o = &objectState{said: map[objectWord]*objectValue{}}
		f.objects[k] = o
		f.pending++
	}
	return o
}

// facts returns one fact per creation time, or one without it if no series has it. A sample
// belongs to the life at its time.
func (o *objectState) facts(k objectKey) []ledger.ObjectFact {
	if len(o.created) == 0 {
		return o.life(k, 0, 0, forever)
	}
	var out []ledger.ObjectFact
	for i, c := range o.created {
		from, to := int64(c)*1000, int64(forever)
		if i == 0 {
			from = 0 // clocks differ: earlier samples belong to the first life
		}
		if i+1 < len(o.created) {
			to = int64(o.created[i+1]) * 1000
		}
		out = append(out, o.life(k, c, from, to)...)
	}
	return out
}

// life is the object created at c, from samples in [from, to) milliseconds; a second fact if
// labels and attributes come from samples of different times.
func (o *objectState) life(k objectKey, c period.Second, from, to int64) []ledger.ObjectFact {
	f := ledger.ObjectFact{Cluster: k.cluster, Kind: k.kind, Namespace: k.namespace, Name: k.name, Created: c}
	g := f
	var lab latest[map[string]string]
	owner := ""
	attrs := map[string]*latest[string]{}
	for w, v := range o.said {
		if v.first >= to || v.last < from {
			continue
		}
		at := min(v.last, to-1)
		switch w.field {
		case objectOwner:
			if w.text >= owner {
				owner, f.OwnerKind, f.OwnerName = w.text, v.owner[0], v.owner[1]
			}
		case objectLabels:
			lab.set(at, w.text, v.labels)
		default:
			if attrs[w.attr] == nil {
				attrs[w.attr] = new(latest[string])
			}
			attrs[w.attr].set(at, w.text, w.text)
			g.AttrsAt = max(g.AttrsAt, at)
		}
	}
	f.Labels, f.AttrsAt = lab.value, lab.at
	if len(attrs) == 0 {
		return []ledger.ObjectFact{f}
	}
	g.Attrs = make(map[string]string, len(attrs))
	for a, v := range attrs {
		g.Attrs[a] = v.value
	}
	if len(f.Labels) == 0 || f.AttrsAt == g.AttrsAt {
		f.Attrs, f.AttrsAt = g.Attrs, g.AttrsAt
		return []ledger.ObjectFact{f}
	}
	return []ledger.ObjectFact{f, g}
}
