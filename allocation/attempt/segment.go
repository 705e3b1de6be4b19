package attempt

import (
	"cmp"
	"fmt"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// segment is the part of a pod's hold in which it worked for a run that a segment fact names (rule 6.6c).
type segment struct {
	*ledger.SegmentFact
	piece
}

// newSegments finds the pods of segment facts. A name that several pods had leads to each of them, as far as it held
// then.
func newSegments(facts []ledger.SegmentFact, pods []*pod) (list []*segment, lost []Finding) {
	if len(facts) == 0 {
		return nil, nil
	}
	byName := map[podKey][]*pod{}
	for _, p := range pods {
		if p.held() {
			byName[podKey{p.Cluster, p.Namespace, p.Name}] = append(byName[podKey{p.Cluster, p.Namespace, p.Name}], p)
			byName[podKey{p.Cluster, "", p.UID}] = append(byName[podKey{p.Cluster, "", p.UID}], p)
			byName[podKey{p.Cluster, anyNamespace, p.Name}] = append(byName[podKey{p.Cluster, anyNamespace, p.Name}], p)
		}
	}
	for i := range facts {
		f := &facts[i]
		found := false
		for _, p := range bearers(byName, f) {
			if s, ok := segmentOf(f, p); ok {
				list, found = append(list, s), true
			}
		}
		if !found {
			lost = append(lost, Finding{"segment_without_workload", fmt.Sprintf(
				"run %q names %s/%s of cluster %q at %s, which held nothing then", f.Run, f.Namespace, f.Pod, f.Cluster, f.From)})
		}
	}
	slices.SortFunc(list, func(a, b *segment) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.from, b.from), cmp.Compare(a.Attempt, b.Attempt),
			cmp.Compare(a.pod.Cluster, b.pod.Cluster), cmp.Compare(a.pod.UID, b.pod.UID),
			cmp.Compare(a.From, b.From), cmp.Compare(a.to, b.to),
			cmp.Compare(a.Outcome, b.Outcome), cmp.Compare(a.Reason, b.Reason))
	})
	loads := map[*pod][]*segment{}
	for _, s := range list {
		loads[s.pod] = append(loads[s.pod], s)
	}
	for p, of := range loads {
		p.load = newLoad(of)
	}
	return list, lost
}

// anyNamespace is the key of a name without its namespace; no namespace can have this name.
const anyNamespace = "*"

// bearers are the pods that a fact names. Run records of trackers often have the name of a pod or the number of a job
// without its namespace or account.
func bearers(byName map[podKey][]*pod, f *ledger.SegmentFact) []*pod {
	pods := byName[podKey{f.Cluster, cmp.Or(f.Namespace, anyNamespace), f.Pod}]
	for _, p := range byName[podKey{f.Cluster, "", f.Pod}] {
		if !slices.Contains(pods, p) {
			pods = append(slices.Clip(pods), p)
		}
	}
	return pods
}

// segmentOf clips a fact to the pod's hold; false if nothing remains.
func segmentOf(f *ledger.SegmentFact, p *pod) (*segment, bool) {
	during := period.Interval{From: f.From, To: f.To}
	if f.To == 0 {
		during.To = p.hold.To
	}
	if during = during.Intersect(p.hold); during.Empty() {
		return nil, false
	}
	s := &segment{f, piece{pod: p, from: during.From, to: during.To, outcome: f.Outcome, reason: f.Reason, shared: true}}
	switch {
	case f.Outcome != "":
	case f.To == 0, during.To == p.hold.To:
		s.outcome, s.reason = p.outcome, p.reason
	default:
		s.outcome = ledger.OutcomeUnknown
	}
	return s, true
}

// joinSegments adds segments to the runs that they name, and makes runs for names that no pod has. If several teams use
// a label, it means the run of the team of the segment's pod.
func joinSegments(runs []*group, segments []*segment) []*group {
	byID := make(map[string]*group, len(runs))
	for _, g := range runs {
		byID[g.id] = g
	}
	for _, s := range segments {
		g := byID[s.Run]
		if g == nil {
			g = byID[s.Run+"@"+s.pod.owner.Team]
		}
		if g == nil {
			g = &group{id: s.Run}
			byID[s.Run] = g
			runs = append(runs, g)
		}
		g.segments = append(g.segments, s)
	}
	return runs
}

// segmentTries makes one try per number; segments without numbers that overlap are one try.
func segmentTries(segments []*segment) []try {
	var out []try
	byNumber := map[int32]int{}
	open := -1 // the try without a number that lasts longest
	for _, s := range segments {
		at, known := byNumber[s.Attempt]
		if s.Attempt <= 0 {
			at, known = open, open >= 0 && s.from < out[open].span.To
		}
		if !known {
			at = len(out)
			out = append(out, try{span: period.Interval{From: s.from, To: s.to}, complete: s.from})
		}
		if s.Attempt <= 0 {
			open = at
		} else {
			byNumber[s.Attempt] = at
		}
		t := &out[at]
		t.span.To = max(t.span.To, s.to)
		t.pieces = append(t.pieces, s.piece)
		t.segments = append(t.segments, s)
	}
	for i := range out {
		t := &out[i]
		span := t.span
		t.takeAll(t.pieces)
		if bad := breakers(t.pieces); len(bad) > 0 && t.outcome != ledger.Running {
			t.outcome, t.reason = t.pieces[bad[0]].outcome, t.pieces[bad[0]].reason
		}
		t.span, t.world = span, podsOf(t.pieces)
	}
	return out
}

// podsOf is the number of distinct pods of pieces.
func podsOf(pieces []piece) int {
	seen := map[*pod]bool{}
	for i := range pieces {
		seen[pieces[i].pod] = true
	}
	return len(seen)
}

// load is how many segments share a pod, by time: each step lasts until the next.
type load []loadStep

type loadStep struct {
	from period.Second
	by   int // segments at once
}

func newLoad(segments []*segment) load {
	var l load
	for _, s := range segments {
		l = append(l, loadStep{s.from, 1}, loadStep{s.to, -1})
	}
	slices.SortFunc(l, func(a, b loadStep) int { return cmp.Compare(a.from, b.from) })
	out := l[:0]
	by := 0
	for _, step := range l {
		by += step.by
		if n := len(out); n > 0 && out[n-1].from == step.from {
			out[n-1].by = by
		} else {
			out = append(out, loadStep{step.from, by})
		}
	}
	return out
}

// cut yields the stretches of [from, to) with the number of segments in each.
func (l load) cut(from, to period.Second, yield func(i period.Interval, by int)) {
	i, found := slices.BinarySearchFunc(l, from, func(s loadStep, t period.Second) int { return cmp.Compare(s.from, t) })
	if !found {
		i--
	}
	for at := from; at < to; i++ {
		by, next := 0, to
		if i >= 0 {
			by = l[i].by
		}
		if i+1 < len(l) {
			next = min(to, l[i+1].from)
		}
		yield(period.Interval{From: at, To: next}, by)
		at = next
	}
}

// withoutSegments subtracts from the tries the time that segments give to other runs; tries with no time left are
// dropped.
func withoutSegments(tries []try) []try {
	out := tries[:0]
	for _, t := range tries {
		var left []piece
		for _, p := range t.pieces {
			p.pod.load.cut(p.from, p.to, func(i period.Interval, by int) {
				if by == 0 {
					rest := p
					rest.from, rest.to = i.From, i.To
					left = append(left, rest)
				}
			})
		}
		if t.pieces = left; len(left) > 0 {
			out = append(out, t)
		}
	}
	return out
}
