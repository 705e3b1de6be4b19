package series

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

type nodeField uint8

const (
	nodeInfo nodeField = iota
	nodeLabels
	nodeCreated
	nodeCapacity
	nodeReady
	nodeCordoned
	nodeInstance
	nodeRegister
)

type nodeKey struct{ cluster, name string }

type nodeStateKey struct {
	nodeKey
	state ledger.NodeState
	hour  int64
}

// nodeState holds the samples for one node name. A name may pass to another machine; provider
// ids distinguish the machines' lives.
type nodeState struct {
	said map[nodeWord]*nodeValue
}

// nodeWord is one stated fact about a node.
type nodeWord struct {
	field  nodeField
	text   string // provider id, resource, number of the instance, register, or the labels' canonical text
	number int64  // created, or the resource's count
}

type nodeValue struct {
	stretch
	labels map[string]string
}

// nodeSink stores one kube_node_… series.
type nodeSink struct {
	key  nodeKey
	word nodeWord
	kv   map[string]string

	epoch  uint32
	hour   int64
	node   *nodeState
	value  *nodeValue // of word
	listed *uint64
	vec    *ledger.Minutes
}

func bindNode(field nodeField) binder {
	return func(c *Collector, _ string, ls Labels) sink {
		s := &nodeSink{key: nodeKey{c.cluster(ls), ls.own("node")}, word: nodeWord{field: field}}
		if s.key.name == "" {
			return refuse{faultNoName}
		}
		switch field {
		case nodeInfo:
			s.word.text = ls.Get("provider_id")
			c.addressOf(s.key.cluster, ls.Get("internal_ip"), s.key.name)
		case nodeLabels:
			s.kv, s.word.text = objectLabelsOf(ls)
		case nodeCapacity:
			if s.word.text = ls.Get("resource"); s.word.text == "" {
				return refuse{faultNoName}
			}
		case nodeInstance:
			return bindAnnotations(s, ls)
		case nodeReady:
			if ls.Get("condition") != "Ready" || ls.Get("status") != "true" {
				return refuse{Unmapped}
			}
		default: // the name is the whole fact
		}
		return s
	}
}

// bindAnnotations finds the annotations that are read: the number of a Google machine, the
// scheduler's register of cards, or both.
func bindAnnotations(s *nodeSink, ls Labels) sink {
	var found sinks
	if s.word.text = ls.Get("annotation_container_googleapis_com_instance_id"); digits(s.word.text) {
		found = append(found, s)
	}
	for _, key := range Registers {
		if text := ls.Get(annotationLabel(key)); text != "" {
			found = append(found, &nodeSink{key: s.key, word: nodeWord{field: nodeRegister, text: text}})
		}
	}
	switch len(found) {
	case 0:
		return refuse{Unmapped}
	case 1:
		return found[0]
	}
	return found
}

// sinks are several facts from one series.
type sinks []sink

func (s sinks) sample(c *Collector, ms int64, d Decimal) *Fault {
	for _, one := range s {
		if f := one.sample(c, ms, d); f != nil {
			return f
		}
	}
	return nil
}

func (s *nodeSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if s.epoch != c.epoch || s.hour != ms/hourMS {
		s.open(c, ms/hourMS)
	}
	number := int64(0)
	switch s.word.field {
	case nodeCreated:
		t, f := c.instant(d)
		if f != nil {
			return f
		}
		number = int64(t)
	case nodeCapacity:
		n, f := count(d)
		if f != nil {
			return f
		}
		number = n
	default:
		set, f := truth(d)
		if f != nil {
			return f
		}
		if s.vec != nil {
			v := int64(0)
			if set {
				v = 1
			}
			setMinute(s.vec, int(ms%hourMS), v)
			return nil
		}
		if !set {
			return nil
		}
	}
	if s.value == nil || s.word.number != number {
		s.word.number = number
		s.value = s.node.say(c, s.word, s.kv)
	}
	s.value.add(ms)
	switch s.word.field {
	case nodeInfo, nodeInstance:
		c.google.see(s.key, s.word, ms, c.age)
	default: // it does not identify the machine
	}
	if s.listed != nil {
		*s.listed |= minuteBit(ms)
	}
	return nil
}

// open finds the vectors for the samples of an hour.
func (s *nodeSink) open(c *Collector, hour int64) {
	s.epoch, s.hour, s.value = c.epoch, hour, nil
	switch s.word.field {
	case nodeReady, nodeCordoned:
		k := nodeStateKey{s.key, ledger.NotReady, hour}
		if s.word.field == nodeCordoned {
			k.state = ledger.Cordoned
		}
		v := c.nodeStates[k]
		c.nodeStates[k] = c.vector(&v)
		s.vec = v
		return
	case nodeInfo:
		k := nodeHour{s.key, hour}
		if c.listed[k] == nil {
			c.listed[k] = new(uint64)
			c.pending++
		}
		s.listed = c.listed[k]
	default: // only these are kept by the hour
	}
	s.node = c.nodes[s.key]
	if s.node == nil {
		s.node = &nodeState{said: map[nodeWord]*nodeValue{}}
		c.nodes[s.key] = s.node
	}
}

func (n *nodeState) say(c *Collector, w nodeWord, kv map[string]string) *nodeValue {
	v := n.said[w]
	if v == nil {
		v = &nodeValue{labels: kv}
		n.said[w] = v
		c.pending++
	}
	return v
}

// facts returns one fact per machine, and a second one if its labels and its capacity come from
// samples of different times.
func (n *nodeState) facts(k nodeKey, google *googleNode) []ledger.NodeFact {
	var machines []machine
	numbered, words := false, 0
	for w, v := range n.said {
		switch w.field {
		case nodeInfo:
			machines = append(machines, google.split(machine{w.text, v.stretch})...)
		case nodeInstance:
			numbered = true
		case nodeRegister: // it does not describe the machine itself
			continue
		default: // its attributes are emitted below
		}
		words++
	}
	if len(machines) == 0 && numbered {
		machines = google.numbered(n)
	}
	slices.SortFunc(machines, func(a, b machine) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.providerID, b.providerID))
	})
	if len(machines) == 0 {
		if words == 0 || numbered && words == 1 { // a number is remembered until kube_node_info names its machine
			return nil
		}
		return n.life(ledger.NodeFact{Cluster: k.cluster, Name: k.name}, 0, forever)
	}
	var out []ledger.NodeFact
	for i, m := range machines {
		f := ledger.NodeFact{
			Cluster: k.cluster, Name: k.name, ProviderID: m.providerID,
			FirstSeen: period.FromMillis(m.first), LastSeen: period.FromMillis(m.last),
		}
		from, to := m.first, int64(forever)
		if i == 0 {
			from = 0
		}
		if i+1 < len(machines) {
			to = machines[i+1].first
		}
		out = append(out, n.life(f, from, to)...)
	}
	return out
}

// cards are the devices that the scheduler registered, from each register seen.
func (n *nodeState) cards(k nodeKey) []ledger.DeviceFact {
	var out []ledger.DeviceFact
	for w, v := range n.said {
		if w.field != nodeRegister {
			continue
		}
		for _, card := range RegisteredCards(w.text) {
			out = append(out, card.Fact(k.cluster, k.name, period.FromMillis(v.first), period.FromMillis(v.last)))
		}
	}
	slices.SortFunc(out, func(a, b ledger.DeviceFact) int {
		return cmp.Or(cmp.Compare(a.UUID, b.UUID), cmp.Compare(a.First, b.First), cmp.Compare(a.Index, b.Index))
	})
	return out
}

// forever is later than every sample, in milliseconds.
const forever = 1 << 62

// staleness is how long a resource of a node counts without a new sample, ms.
const staleness = 5 * 60_000

// life completes f from the samples in [from, to) milliseconds.
func (n *nodeState) life(f ledger.NodeFact, from, to int64) []ledger.NodeFact {
	var lab latest[map[string]string]
	capacity := map[string]*latest[int64]{}
	capacityAt := int64(0)
	for w, v := range n.said {
		if v.first >= to || v.last < from {
			continue
		}
		at := min(v.last, to-1)
		switch w.field {
		case nodeCreated:
			f.Created = earliestOf(f.Created, period.Second(w.number))
		case nodeLabels:
			lab.set(at, w.text, v.labels)
		case nodeCapacity:
			c := capacity[w.text]
			if c == nil {
				c = new(latest[int64])
				capacity[w.text] = c
			}
			if at > c.at || at == c.at && w.number > c.value {
				c.at, c.value = at, w.number
			}
			capacityAt = max(capacityAt, at)
		default: // machines are distinguished above, states are kept by the hour
		}
	}
	maps.DeleteFunc(capacity, func(_ string, c *latest[int64]) bool { return c.at < capacityAt-staleness })
	f.Labels, f.AttrsAt = lab.value, lab.at
	if len(capacity) == 0 {
		return []ledger.NodeFact{f}
	}
	values := make(map[string]int64, len(capacity))
	for r, c := range capacity {
		values[r] = c.value
	}
	if len(f.Labels) == 0 || f.AttrsAt == capacityAt {
		f.Capacity, f.AttrsAt = values, capacityAt
		return []ledger.NodeFact{f}
	}
	return []ledger.NodeFact{
		f, {Cluster: f.Cluster, Name: f.Name, ProviderID: f.ProviderID, Capacity: values, AttrsAt: capacityAt},
	}
}

// minutes turns the samples of a state into its minutes. Ready is stored as its opposite.
func (k nodeStateKey) minutes(v *ledger.Minutes) ledger.NodeStateHour {
	h := ledger.NodeStateHour{
		Cluster: k.cluster, Name: k.name, State: k.state, Hour: period.Second(k.hour * 3600), Known: v.Known,
	}
	in := int64(1)
	if k.state == ledger.NotReady {
		in = 0
	}
	for i := range 60 {
		if x, ok := minutes.At(v, i); ok && x == in {
			h.Minutes |= 1 << uint(i)
		}
	}
	return h
}
