package facts

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// Facts about one thing merge to the same result in any order and packing. Fixed times take the smallest known value,
// lifetimes the extremes, and fixed texts the larger, so that known beats unknown. A changing map belongs to the sample
// that set it: the later one wins (ledger.AttrsOrder), and at equal orders the larger text. Each map has its own order,
// because labels and requests come from different series.

// stamped is a map with the order (ledger.AttrsOrder) of the sample that set it; an empty map was not set.
type stamped[V cmp.Ordered] struct {
	m  map[string]V
	at int64
}

func stamp[V cmp.Ordered](m map[string]V, at int64) stamped[V] {
	if len(m) == 0 {
		return stamped[V]{}
	}
	return stamped[V]{m, at}
}

func (a stamped[V]) merge(b stamped[V]) stamped[V] {
	if cmp.Or(cmp.Compare(a.at, b.at), compareText(a.m, b.m)) < 0 {
		return b
	}
	return a
}

func (a stamped[V]) equal(b stamped[V]) bool { return a.at == b.at && maps.Equal(a.m, b.m) }

// compareText compares maps by their canonical text.
func compareText[V cmp.Ordered](a, b map[string]V) int {
	ka, kb := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
	for i := range min(len(ka), len(kb)) {
		if c := cmp.Or(cmp.Compare(ka[i], kb[i]), cmp.Compare(a[ka[i]], b[kb[i]])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(ka), len(kb))
}

// earliest is the smaller known time; 0 is unknown.
func earliest(a, b period.Second) period.Second {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

type nodeFact struct {
	ledger.NodeFact
	labels   stamped[string]
	capacity stamped[int64]
}

func newNodeFact(n ledger.NodeFact) nodeFact {
	return nodeFact{n, stamp(pg.CleanMap(n.Labels), n.AttrsAt), stamp(n.Capacity, n.AttrsAt)}
}

func (n nodeFact) fact() ledger.NodeFact {
	n.Labels, n.Capacity, n.AttrsAt = n.labels.m, n.capacity.m, max(n.labels.at, n.capacity.at)
	return n.NodeFact
}

func mergeNode(a, b nodeFact) nodeFact {
	a.labels, a.capacity = a.labels.merge(b.labels), a.capacity.merge(b.capacity)
	a.ProviderID = max(a.ProviderID, b.ProviderID)
	a.Created = earliest(a.Created, b.Created)
	a.FirstSeen = earliest(a.FirstSeen, b.FirstSeen)
	a.LastSeen = max(a.LastSeen, b.LastSeen)
	return a
}

func (n nodeFact) equal(o nodeFact) bool {
	return n.ProviderID == o.ProviderID && n.Created == o.Created && n.FirstSeen == o.FirstSeen &&
		n.LastSeen == o.LastSeen &&
		n.labels.equal(o.labels) && n.capacity.equal(o.capacity)
}

// verdict is the outcome that a source states, with the order of the statement.
type verdict struct {
	outcome ledger.Outcome
	reason  string
	at      int64
}

func newVerdict(outcome ledger.Outcome, reason string, at int64) verdict {
	if outcome == "" {
		return verdict{}
	}
	return verdict{outcome, reason, at}
}

// merge: an outcome beats a running or unknown one, which beats none. Then the later one wins, and at equal orders the
// larger text.
func (v verdict) merge(o verdict) verdict {
	rank := func(v verdict) int {
		switch v.outcome {
		case "":
			return 0
		case ledger.Running, ledger.OutcomeUnknown:
			return 1
		}
		return 2
	}
	if cmp.Or(cmp.Compare(rank(v), rank(o)), cmp.Compare(v.at, o.at), cmp.Compare(v.outcome, o.outcome),
		cmp.Compare(v.reason, o.reason)) < 0 {
		return o
	}
	return v
}

type workloadFact struct {
	ledger.WorkloadFact
	labels   stamped[string]
	requests stamped[int64]
	verdict  verdict
}

func newWorkloadFact(p ledger.WorkloadFact) workloadFact {
	for _, text := range [...]*string{&p.UID, &p.Namespace, &p.Name, &p.Node, &p.OwnerKind, &p.OwnerName, &p.Statement,
		&p.StatusReason, &p.TerminatedReason, &p.DisruptionReason} {
		*text = pg.CleanText(*text)
	}
	return workloadFact{
		p, stamp(pg.CleanMap(p.Labels), p.AttrsAt), stamp(p.Requests, p.AttrsAt),
		newVerdict(p.Outcome, pg.CleanText(p.Reason), p.AttrsAt),
	}
}

func (p workloadFact) Fact() ledger.WorkloadFact {
	p.Labels, p.Requests, p.AttrsAt = p.labels.m, p.requests.m, max(p.labels.at, p.requests.at)
	p.Outcome, p.Reason = p.verdict.outcome, p.verdict.reason
	return p.WorkloadFact
}

func mergeWorkload(a, b workloadFact) workloadFact {
	a.Phase = mergePhase(&a.WorkloadFact, &b.WorkloadFact)
	a.labels, a.requests = a.labels.merge(b.labels), a.requests.merge(b.requests)
	a.verdict = a.verdict.merge(b.verdict)
	a.System, a.Namespace, a.Name, a.Node = max(a.System, b.System), max(a.Namespace, b.Namespace), max(a.Name, b.Name),
		max(a.Node, b.Node)
	if cmp.Or(cmp.Compare(a.OwnerKind, b.OwnerKind), cmp.Compare(a.OwnerName, b.OwnerName)) < 0 {
		a.OwnerKind, a.OwnerName = b.OwnerKind, b.OwnerName
	}
	for _, t := range []struct{ a, b *period.Second }{
		{&a.Created, &b.Created}, {&a.Eligible, &b.Eligible}, {&a.Scheduled, &b.Scheduled},
		{&a.Started, &b.Started}, {&a.Completed, &b.Completed},
		{&a.Deleted, &b.Deleted}, {&a.TerminalAt, &b.TerminalAt}, {&a.FirstSeen, &b.FirstSeen},
	} {
		*t.a = earliest(*t.a, *t.b)
	}
	a.LastSeen = max(a.LastSeen, b.LastSeen)
	a.Statement = max(a.Statement, b.Statement)
	a.StatusReason = max(a.StatusReason, b.StatusReason)
	a.TerminatedReason = max(a.TerminatedReason, b.TerminatedReason)
	a.DisruptionReason = max(a.DisruptionReason, b.DisruptionReason)
	return a
}

// mergePhase: a terminal phase beats others. Of two terminal ones, the one with the earlier first sample wins, then the
// larger text; of two others, the one later in a pod's life.
func mergePhase(a, b *ledger.WorkloadFact) string {
	terminal := func(p *ledger.WorkloadFact) bool { return p.Phase == "Succeeded" || p.Phase == "Failed" }
	if !terminal(a) || !terminal(b) {
		return ledger.LaterPhase(a.Phase, b.Phase)
	}
	at := func(p *ledger.WorkloadFact) period.Second {
		if p.TerminalAt == 0 {
			return 1 << 62 // never seen
		}
		return p.TerminalAt
	}
	if cmp.Or(cmp.Compare(at(a), at(b)), cmp.Compare(b.Phase, a.Phase)) <= 0 {
		return a.Phase
	}
	return b.Phase
}

func (p workloadFact) equal(o workloadFact) bool {
	a, b := p.WorkloadFact, o.WorkloadFact
	return p.labels.equal(o.labels) && p.requests.equal(o.requests) && p.verdict == o.verdict && sameWorkload(&a, &b)
}

// sameWorkload compares all fields without an order.
func sameWorkload(a, b *ledger.WorkloadFact) bool {
	return a.Statement == b.Statement && a.System == b.System && a.Eligible == b.Eligible && a.Namespace == b.Namespace &&
		a.Name == b.Name && a.Node == b.Node && a.OwnerKind == b.OwnerKind && a.OwnerName == b.OwnerName &&
		a.Created == b.Created && a.Scheduled == b.Scheduled && a.Started == b.Started && a.Completed == b.Completed &&
		a.Deleted == b.Deleted && a.TerminalAt == b.TerminalAt && a.Phase == b.Phase && a.FirstSeen == b.FirstSeen &&
		a.LastSeen == b.LastSeen &&
		a.StatusReason == b.StatusReason && a.TerminatedReason == b.TerminatedReason &&
		a.DisruptionReason == b.DisruptionReason
}

type objectFact struct {
	ledger.ObjectFact
	labels, attrs stamped[string]
}

func newObjectFact(o ledger.ObjectFact) objectFact {
	return objectFact{o, stamp(pg.CleanMap(o.Labels), o.AttrsAt), stamp(pg.CleanMap(o.Attrs), o.AttrsAt)}
}

func (o objectFact) Fact() ledger.ObjectFact {
	o.Labels, o.Attrs, o.AttrsAt = o.labels.m, o.attrs.m, max(o.labels.at, o.attrs.at)
	return o.ObjectFact
}

func mergeObject(a, b objectFact) objectFact {
	a.labels, a.attrs = a.labels.merge(b.labels), a.attrs.merge(b.attrs)
	if cmp.Or(cmp.Compare(a.OwnerKind, b.OwnerKind), cmp.Compare(a.OwnerName, b.OwnerName)) < 0 {
		a.OwnerKind, a.OwnerName = b.OwnerKind, b.OwnerName
	}
	return a
}

func (o objectFact) equal(b objectFact) bool {
	return o.OwnerKind == b.OwnerKind && o.OwnerName == b.OwnerName && o.labels.equal(b.labels) && o.attrs.equal(b.attrs)
}
