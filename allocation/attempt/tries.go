package attempt

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// try is an attempt in the making.
type try struct {
	number   int
	task     string
	span     period.Interval
	outcome  ledger.Outcome
	reason   string
	complete period.Second
	pieces   []piece
}

// piece is the part of a pod's hold that belongs to one try.
type piece struct {
	pod      *pod
	from, to period.Second
}

func (g *group) attempts(world int, pol policy.Policy) []try {
	if g.gang {
		return gangTries(g.pods, world, pol)
	}
	return taskTries(g.pods)
}

// taskTries makes one try per pod, numbered per task in order of hold start.
func taskTries(pods []*pod) []try {
	numbers := map[string]int{}
	var out []try
	for _, p := range pods { // by (begin, uid)
		if !p.held() {
			continue
		}
		numbers[p.member]++
		out = append(out, try{
			number: numbers[p.member], task: p.member, span: p.hold, outcome: p.outcome, reason: p.reason,
			complete: p.hold.From, pieces: []piece{{p, p.hold.From, p.hold.To}},
		})
	}
	return out
}

// gangTries cuts the holds of a gang into tries (rule 6.6).
func gangTries(pods []*pod, world int, pol policy.Policy) []try {
	var rest []piece // what no try has taken yet; to is the end of the hold
	for _, p := range pods {
		if p.held() {
			rest = append(rest, piece{p, p.hold.From, p.hold.To})
		}
	}
	var out []try
	for len(rest) > 0 {
		t := try{number: len(out) + 1}
		rest = t.take(rest, pol)
		t.complete = gangComplete(t.pieces, world)
		out = append(out, t)
	}
	return out
}

// take moves the pieces of the next try out of rest and returns what remains.
func (t *try) take(rest []piece, pol policy.Policy) []piece {
	start := rest[0].from
	for _, p := range rest {
		start = min(start, p.from)
	}
	var breaker *pod // whose end ends the try
	for _, p := range rest {
		if p.to <= start || !p.pod.bad() {
			continue
		}
		if breaker == nil || cmp.Or(cmp.Compare(p.to, breaker.hold.To), cmp.Compare(p.pod.UID, breaker.UID)) < 0 {
			breaker = p.pod
		}
	}
	if breaker == nil {
		t.takeAll(start, rest)
		return nil
	}
	end := breaker.hold.To
	t.outcome, t.reason = breaker.outcome, breaker.reason
	t.span = period.Interval{From: start, To: end}
	var left []piece
	for _, p := range rest {
		switch {
		case p.from >= end: // of a later try
			left = append(left, p)
		case p.to <= end, p.pod.outcome != ledger.Running && int64(p.to-end) <= pol.TeardownLimit:
			t.pieces = append(t.pieces, p)
			t.span.To = max(t.span.To, p.to)
		default: // survivor: cut here, goes on in the next try
			t.pieces = append(t.pieces, piece{p.pod, p.from, end})
			left = append(left, piece{p.pod, end, p.to})
		}
	}
	return left
}

func (t *try) takeAll(start period.Second, rest []piece) {
	t.pieces = rest
	t.span = period.Interval{From: start, To: start}
	t.outcome = ledger.Succeeded
	for _, p := range rest {
		t.span.To = max(t.span.To, p.to)
		if p.pod.outcome == ledger.Running {
			t.outcome = ledger.Running
		}
	}
}

// gangComplete is the first instant at which all members hold, 0 when there is none.
func gangComplete(pieces []piece, world int) period.Second {
	type change struct {
		at     period.Second
		begin  bool
		member string
	}
	var changes []change
	for _, p := range pieces {
		changes = append(changes, change{p.from, true, p.pod.member}, change{p.to, false, p.pod.member})
	}
	slices.SortFunc(changes, func(a, b change) int { // ends first: holds are half-open
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(boolInt(a.begin), boolInt(b.begin)))
	})
	holding := map[string]int{}
	for i, c := range changes {
		if c.begin {
			holding[c.member]++
		} else if holding[c.member]--; holding[c.member] == 0 {
			delete(holding, c.member)
		}
		if len(holding) >= world && (i+1 == len(changes) || changes[i+1].at > c.at || changes[i+1].begin) {
			return c.at
		}
	}
	return 0
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fullWeight is the weight of a segment that its attempt has to itself, in ppm.
const fullWeight = 1_000_000

// finish makes the ledger's attempt of a try.
func (t *try) finish(run ledger.Run, saved map[podKey][]period.Second) ledger.Attempt {
	a := ledger.Attempt{
		ID: ledger.NewID("attempt", run.ID, t.task, strconv.Itoa(t.number)), RunID: run.ID, Number: t.number, Task: t.task,
		Span: t.span, Running: t.outcome == ledger.Running, Outcome: t.outcome, Reason: t.reason, GangComplete: t.complete,
		Pricing: t.pricing(), Nodes: t.nodes(), GPUs: t.gpus(), LastCheckpoint: t.lastCheckpoint(saved),
	}
	if a.Outcome.Loses() && losing(run.Kind) {
		a.LossBasis, a.LossFrom = ledger.LossNone, t.span.From
		if a.LastCheckpoint != 0 {
			a.LossBasis, a.LossFrom = ledger.LossCheckpoint, a.LastCheckpoint
		}
	}
	for _, p := range t.pieces {
		a.Segments = append(a.Segments, ledger.Segment{Workload: p.pod.id, From: p.from, To: p.to, Weight: fullWeight})
	}
	slices.SortFunc(a.Segments, func(x, y ledger.Segment) int {
		return cmp.Or(cmp.Compare(x.From, y.From), bytes.Compare(x.Workload[:], y.Workload[:]))
	})
	return a
}

// lastCheckpoint answers rule 6.9.
func (t *try) lastCheckpoint(saved map[podKey][]period.Second) period.Second {
	var last period.Second
	for _, p := range t.pieces {
		for _, at := range saved[podKey{p.pod.Cluster, p.pod.Namespace, p.pod.Name}] {
			if t.span.From < at && at <= t.span.To {
				last = max(last, at)
			}
		}
	}
	return last
}

// pricing is the price class of most of the hold seconds; equal classes by name.
func (t *try) pricing() ledger.PriceClass {
	seconds := map[ledger.PriceClass]int64{}
	for _, p := range t.pieces {
		if c := p.pod.node.PriceClass; c != ledger.UnknownRate {
			seconds[c] += int64(p.to - p.from)
		}
	}
	var best ledger.PriceClass
	for c, n := range seconds {
		if best == "" || n > seconds[best] || n == seconds[best] && c < best {
			best = c
		}
	}
	return best
}

func (t *try) nodes() int {
	seen := map[ledger.ID]bool{}
	for _, p := range t.pieces {
		if !p.pod.node.ID.IsZero() {
			seen[p.pod.node.ID] = true
		}
	}
	return len(seen)
}

// gpus is the largest number of requested GPU slots held at once.
func (t *try) gpus() int {
	type change struct {
		at period.Second
		by int64
	}
	var changes []change
	for _, p := range t.pieces {
		n := p.pod.slots()
		changes = append(changes, change{p.from, n}, change{p.to, -n})
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	var now, most int64
	for _, c := range changes {
		now += c.by
		most = max(most, now)
	}
	return int(most)
}
