package attempt

import (
	"cmp"
	"maps"
	"slices"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// try is an attempt under construction.
type try struct {
	number   int
	task     string
	span     period.Interval
	outcome  ledger.Outcome
	reason   string
	complete period.Second
	world    int
	pieces   []piece
	segments []*segment    // if segment facts made it
	resumed  period.Second // the position from which it resumed, 0 unknown
}

// piece is the part of a pod's hold that belongs to one try, and how it ended.
type piece struct {
	pod      *pod
	from, to period.Second
	outcome  ledger.Outcome
	reason   string
	restart  bool // its container started again: the pod continued
	cleaned  bool // it was deleted because others had succeeded
	alone    bool // it was lost, and the others continued without it
	shared   bool // it comes from a segment: others may share the pod
	// For a member that was lost alone: the point from which it loses work, 0 if it loses none.
	lossBasis ledger.LossBasis
	lossFrom  period.Second
}

// bad reports whether the piece ended without success: this ends the attempt of a gang.
func (p *piece) bad() bool {
	return p.outcome != ledger.Succeeded && p.outcome != ledger.Running && !p.cleaned
}

// pieces cuts the pod's hold where its container started again (rule 6.6b).
func (p *pod) pieces() []piece {
	if !p.held() {
		return nil
	}
	var out []piece
	from := p.hold.From
	for i := range p.restarts {
		e := &p.restarts[i]
		outcome, reason := restarted(e)
		out = append(out, piece{pod: p, from: from, to: e.At, outcome: outcome, reason: reason, restart: true})
		from = e.At
	}
	return append(out, piece{pod: p, from: from, to: p.hold.To, outcome: p.outcome, reason: p.reason})
}

// tries makes the attempts of the run's own pods.
func (g *group) tries(pol policy.Policy) []try {
	if g.gang {
		return gangTries(g.pods, g.most(), pol)
	}
	return taskTries(g.pods, pol)
}

// taskTries makes one try per piece, or per number if the pods have numbers, counted per task in order of hold start.
func taskTries(pods []*pod, pol policy.Policy) []try {
	numbers := map[string]int{}
	numbered := map[string]map[int][]piece{}
	var out []try
	for _, p := range pods { // by (begin, uid)
		for _, s := range p.pieces() {
			if p.number != 0 {
				if numbered[p.task] == nil {
					numbered[p.task] = map[int][]piece{}
				}
				numbered[p.task][p.number] = append(numbered[p.task][p.number], s)
				continue
			}
			numbers[p.task]++
			out = append(out, try{
				number: numbers[p.task], task: p.task,
				span: period.Interval{From: s.from, To: s.to}, outcome: s.outcome, reason: s.reason,
				complete: s.from, world: 1, pieces: []piece{s},
			})
		}
	}
	for _, task := range slices.Sorted(maps.Keys(numbered)) {
		for _, n := range sortedKeys(numbered[task]) {
			for _, t := range cutTries(numbered[task][n], true, noLimit, placesOver(numbered[task]), pol) {
				numbers[task]++
				t.task, t.number = task, numbers[task]
				out = append(out, t)
			}
		}
	}
	return out
}

// noLimit is more members than any gang has.
const noLimit = 1 << 30

// gangTries cuts the holds of a gang into tries (rule 6.6). most is the largest number of members that it can have.
func gangTries(pods []*pod, most int, pol policy.Policy) []try {
	byNumber := map[int][]piece{}
	for _, p := range pods {
		byNumber[p.number] = append(byNumber[p.number], p.pieces()...)
	}
	places := placesOver(byNumber)
	var out []try
	for _, n := range sortedKeys(byNumber) {
		cleanedUp(byNumber[n], pol)
		out = append(out, cutTries(byNumber[n], n != 0, most, places, pol)...)
	}
	for i := range out {
		out[i].number = i + 1
	}
	return out
}

// cleanedUp marks members that were deleted soon after another had succeeded: many frameworks keep finished pods and
// delete the rest.
func cleanedUp(pieces []piece, pol policy.Policy) {
	var done []period.Second
	for i := range pieces {
		if pieces[i].outcome == ledger.Succeeded {
			done = append(done, pieces[i].to)
		}
	}
	slices.Sort(done)
	for i := range pieces {
		p := &pieces[i]
		if p.outcome != ledger.Cancelled {
			continue
		}
		at, found := slices.BinarySearch(done, p.to)
		if !found {
			at-- // the latest success before its end
		}
		p.cleaned = at >= 0 && int64(p.to-done[at]) <= pol.TeardownLimit
	}
}

// worldOf is the number of distinct members of a gang that held.
func worldOf(pieces []piece, most int) int {
	keys := map[string]bool{}
	for i := range pieces {
		keys[pieces[i].pod.member] = true
	}
	return min(max(len(keys), 1), most)
}

// cutTries cuts the pieces of a gang where one ended badly. Pieces of one number are one try, unless a container
// started again.
func cutTries(pieces []piece, numbered bool, most int, places placesTaken, pol policy.Policy) []try {
	if len(pieces) == 0 {
		return nil
	}
	world := worldOf(pieces, most)
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.pod.Cluster, b.pod.Cluster),
			cmp.Compare(a.pod.UID, b.pod.UID))
	})
	lostAlone(pieces, places, pol)
	bad := breakers(pieces)
	taken := make([]bool, len(pieces))
	var out []try
	var carried []int // survivors of the tries so far
	for next := 0; next < len(pieces) || len(carried) > 0; {
		for len(bad) > 0 && taken[bad[0]] {
			bad = bad[1:]
		}
		t := try{world: world}
		if len(bad) == 0 || numbered && !pieces[bad[0]].restart {
			for _, i := range carried {
				t.pieces = append(t.pieces, pieces[i])
			}
			t.takeAll(append(t.pieces, pieces[next:]...))
			switch {
			case len(bad) > 0 && t.outcome == ledger.Running: // recreated inside its number
				t.loseAlone()
			case len(bad) > 0:
				t.outcome, t.reason = pieces[bad[0]].outcome, pieces[bad[0]].reason
			}
			carried, next = nil, len(pieces)
		} else {
			carried, next = t.take(pieces, carried, next, &pieces[bad[0]], taken, pol)
		}
		t.complete = gangComplete(t.pieces, world)
		out = append(out, t)
	}
	return out
}

// breakers lists the pieces that end a try, the earliest end first.
func breakers(pieces []piece) []int {
	var bad []int
	for i := range pieces {
		if pieces[i].bad() && !pieces[i].alone {
			bad = append(bad, i)
		}
	}
	slices.SortFunc(bad, func(a, b int) int {
		return cmp.Or(cmp.Compare(pieces[a].to, pieces[b].to), cmp.Compare(pieces[a].pod.UID, pieces[b].pod.UID),
			cmp.Compare(pieces[a].pod.Cluster, pieces[b].pod.Cluster))
	})
	return bad
}

// take takes the pieces that began before the breaker ended: survivors of earlier tries and pieces from next on. It
// returns the survivors and the next piece.
func (t *try) take(
	pieces []piece, carried []int, next int, breaker *piece, taken []bool, pol policy.Policy,
) (survivors []int, after int) {
	end := breaker.to
	t.outcome, t.reason = breaker.outcome, breaker.reason
	t.span = period.Interval{From: end, To: end}
	for ; next < len(pieces) && pieces[next].from < end; next++ {
		carried = append(carried, next)
	}
	for _, i := range carried {
		p := &pieces[i]
		t.span.From = min(t.span.From, p.from)
		if !p.survives(end, pol) {
			taken[i] = true
			t.pieces = append(t.pieces, *p)
			t.span.To = max(t.span.To, p.to)
			continue
		}
		before := *p // survivor: cut here, continues in the next try
		before.to, p.from = end, end
		t.pieces = append(t.pieces, before)
		survivors = append(survivors, i)
	}
	return survivors, next
}

func (t *try) takeAll(rest []piece) {
	start := rest[0].from
	for i := range rest {
		start = min(start, rest[i].from)
	}
	t.pieces = rest
	t.span = period.Interval{From: start, To: start}
	t.outcome = ledger.Succeeded
	for i := range rest {
		t.span.To = max(t.span.To, rest[i].to)
		if rest[i].outcome == ledger.Running {
			t.outcome = ledger.Running
		}
	}
}

// gangComplete is the first instant at which all members hold, 0 if there is none.
func gangComplete(pieces []piece, world int) period.Second {
	type change struct {
		at     period.Second
		by     int
		member string
	}
	changes := make([]change, 0, 2*len(pieces))
	for i := range pieces {
		p := &pieces[i]
		changes = append(changes, change{p.from, 1, p.pod.member}, change{p.to, -1, p.pod.member})
	}
	slices.SortFunc(changes, func(a, b change) int { // ends first: holds are half-open
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by))
	})
	holding := map[string]int{}
	for i, c := range changes {
		if holding[c.member] += c.by; holding[c.member] == 0 {
			delete(holding, c.member)
		}
		if len(holding) >= world && (i+1 == len(changes) || changes[i+1].at > c.at || changes[i+1].by > 0) {
			return c.at
		}
	}
	return 0
}
