package openmetrics

import (
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
)

type nodeKey struct{ cluster, name string }

type nodeStateKey struct {
	nodeKey
	state ledger.NodeState
	hour  int64
}

type nodeState struct {
	seen     span
	provider latest[string]
	labels   latest[map[string]string]
	capacity map[string]*latest[int64]
	created  period.Second
}

// nodeSink stores one kube_node_… series.
type nodeSink struct {
	key   nodeKey
	field nodeField
	text  string // provider id, resource, or the labels' canonical text
	kv    map[string]string

	epoch  uint32
	hour   int64
	node   *nodeState
	source *uint64
	vec    *ledger.Minutes
}

func bindNode(field nodeField) binder {
	return func(p *parser, _ string, ls labels) sink {
		s := &nodeSink{key: nodeKey{p.cluster(ls), ls.own("node")}, field: field}
		if s.key.name == "" {
			return refuse{faultNoName}
		}
		switch field {
		case nodeInfo:
			s.text = ls.get("provider_id")
		case nodeLabels:
			s.kv, s.text = objectLabelsOf(ls)
		case nodeCapacity:
			if s.text = ls.get("resource"); s.text == "" {
				return refuse{faultNoName}
			}
		case nodeReady:
			if ls.get("condition") != "Ready" || ls.get("status") != "true" {
				return refuse{unmapped}
			}
		}
		return s
	}
}

func (s *nodeSink) sample(p *parser, ms int64, d decimal) *fault {
	if s.epoch != p.epoch || s.hour != ms/hourMS {
		s.open(p, ms/hourMS)
	}
	switch s.field {
	case nodeReady, nodeCordoned:
		set, f := truth(d)
		if f != nil {
			return f
		}
		v := int64(0)
		if set {
			v = 1
		}
		in := int(ms % hourMS)
		minutes.Set(s.vec, in/60_000, in%60_000, v)
		return nil
	case nodeCreated:
		t, f := p.instant(d)
		if f != nil {
			return f
		}
		s.node.created = earliestOf(s.node.created, t)
		return nil
	case nodeCapacity:
		n, f := count(d)
		if f != nil {
			return f
		}
		c := s.node.capacity[s.text]
		if c == nil {
			c = new(latest[int64])
			s.node.capacity[s.text] = c
		}
		if ms > c.at || ms == c.at && n > c.value {
			c.at, c.value = ms, n
		}
		return nil
	}
	set, f := truth(d)
	if f != nil || !set {
		return f
	}
	if s.field == nodeLabels {
		s.node.labels.set(ms, s.text, s.kv)
		return nil
	}
	s.node.seen.add(ms)
	if s.text != "" {
		s.node.provider.set(ms, s.text, s.text)
	}
	*s.source |= minuteBit(ms)
	return nil
}

func (s *nodeSink) open(p *parser, hour int64) {
	s.epoch, s.hour = p.epoch, hour
	switch s.field {
	case nodeReady, nodeCordoned:
		k := nodeStateKey{s.key, ledger.NotReady, hour}
		if s.field == nodeCordoned {
			k.state = ledger.Cordoned
		}
		v := p.nodeStates[k]
		p.nodeStates[k] = p.vector(&v)
		s.vec = v
		return
	}
	s.node = p.nodes[s.key]
	if s.node == nil {
		s.node = &nodeState{capacity: map[string]*latest[int64]{}}
		p.nodes[s.key] = s.node
		p.pending += 2
	}
	if s.field == nodeInfo {
		k := hourKey{s.key.cluster, hour}
		if p.sources[k] == nil {
			p.sources[k] = new(uint64)
		}
		s.source = p.sources[k]
	}
}

// empty reports that no sample said anything.
func (n *nodeState) empty() bool {
	return n.seen.first == 0 && n.created == 0 && n.labels.at == 0 && len(n.capacity) == 0
}

// fact is what the node's series said so far.
func (n *nodeState) fact(k nodeKey) ledger.NodeFact {
	f := ledger.NodeFact{
		Cluster: k.cluster, Name: k.name, ProviderID: n.provider.value, Labels: n.labels.value,
		Created: n.created, FirstSeen: n.seen.first, LastSeen: n.seen.last,
		AttrsAt: n.labels.at, // of labels and capacity only: other rows must not outdate them
	}
	if len(n.capacity) > 0 {
		f.Capacity = make(map[string]int64, len(n.capacity))
		for r, c := range n.capacity {
			f.Capacity[r] = c.value
			f.AttrsAt = max(f.AttrsAt, c.at)
		}
	}
	return f
}

// hour turns the samples of a state into its minutes. Ready is the opposite
// of the state that the ledger keeps.
func (k nodeStateKey) minutes(v *ledger.Minutes) ledger.NodeStateHour {
	h := ledger.NodeStateHour{Cluster: k.cluster, Name: k.name, State: k.state, Hour: period.Second(k.hour * 3600), Known: v.Known}
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
