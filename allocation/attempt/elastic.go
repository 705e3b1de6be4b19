package attempt

import (
	"cmp"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// survives reports whether a piece continues after the end of another: it holds for longer than teardown takes, or
// still runs.
func (p *piece) survives(end period.Second, pol policy.Policy) bool {
	return p.to > end && (p.outcome == ledger.Running || int64(p.to-end) > pol.TeardownLimit)
}

// lostAlone marks members that were lost while the rest of their gang continued without them (rule 6.6): other members
// of their attempt survive the end, and the place is not taken again while they do. If all the others end badly, too,
// the place must never be taken again.
func lostAlone(pieces []piece, places placesTaken, pol policy.Policy) {
	for i := range pieces {
		p := &pieces[i]
		if !p.bad() {
			continue
		}
		until := lastSurvivor(pieces, p, pol)
		p.alone = until != 0 && !places.takenAgain(p, until)
	}
}

// ever is later than any instant.
const ever = period.Second(1 << 62)

// lastSurvivor is the last end of the members that began before the end of gone and survive it, ever if none of them
// ended well or still runs, 0 if none survives.
func lastSurvivor(pieces []piece, gone *piece, pol policy.Policy) period.Second {
	var last period.Second
	well := false
	for i := range pieces { // by start
		p := &pieces[i]
		if p.from >= gone.to {
			break
		}
		if p.pod.member != gone.pod.member && p.survives(gone.to, pol) {
			last, well = max(last, p.to), well || !p.bad()
		}
	}
	if last != 0 && !well {
		return ever
	}
	return last
}

// placesTaken is when the places of a gang were taken, in all its attempts.
type placesTaken struct {
	byMember map[string][]period.Second
	unnamed  []period.Second // by pods whose place has no name except the pod's
}

func placesOver(byNumber map[int][]piece) placesTaken {
	t := placesTaken{byMember: map[string][]period.Second{}}
	for _, n := range sortedKeys(byNumber) {
		t.add(byNumber[n])
	}
	return t
}

func (t *placesTaken) add(pieces []piece) {
	for i := range pieces {
		p := &pieces[i]
		t.byMember[p.pod.member] = append(t.byMember[p.pod.member], p.from)
		if p.pod.unnamed() {
			t.unnamed = append(t.unnamed, p.from)
		}
	}
}

// takenAgain reports whether the place of a piece was taken again from its end on and before an instant. If the place
// has no separate name, any such pod takes it.
func (t placesTaken) takenAgain(gone *piece, until period.Second) bool {
	starts := t.byMember[gone.pod.member]
	if gone.pod.unnamed() {
		starts = t.unnamed
	}
	for _, at := range starts {
		if gone.to <= at && at < until {
			return true
		}
	}
	return false
}

// unnamed reports whether the pod's place in its gang has only the pod's name.
func (p *pod) unnamed() bool { return p.member == p.Name }

// loseAlone marks all bad pieces of a try that still runs.
func (t *try) loseAlone() {
	for i := range t.pieces {
		t.pieces[i].alone = t.pieces[i].bad()
	}
}

// loseMembers sets the point from which lost members lose their work (rule 6.10): the last checkpoint of the attempt in
// their time, else they lose all of it.
func (t *try) loseMembers(a *ledger.Attempt, run *ledger.Run, saved []period.Second, pol policy.Policy) {
	if !losing(run.Kind) {
		return
	}
	for i := range t.pieces {
		p := &t.pieces[i]
		if !p.alone || p.shared || !loses(p.outcome, pol) {
			continue
		}
		whole := t.aloneFor(p.pod)
		p.lossBasis, p.lossFrom = ledger.LossNone, p.from
		if at := t.savedWithin(whole, saved); at >= p.to {
			p.lossBasis, p.lossFrom = "", 0 // saved before it served another run
			continue
		} else if at != 0 {
			p.lossBasis, p.lossFrom = ledger.LossCheckpoint, max(at, p.from)
		}
		if a.LossBasis == "" || p.lossBasis == ledger.LossNone {
			a.LossBasis = p.lossBasis
		}
	}
}

// aloneFor is the time of a lost member in the try, including gaps in which segments of other runs lie.
func (t *try) aloneFor(pod *pod) period.Interval {
	var whole period.Interval
	for i := range t.pieces {
		if p := &t.pieces[i]; p.alone && p.pod == pod {
			if whole.Empty() {
				whole = period.Interval{From: p.from, To: p.to}
			}
			whole.From, whole.To = min(whole.From, p.from), max(whole.To, p.to)
		}
	}
	return whole
}

// savedWithin is the last checkpoint of the run or of any member, 0 if there is none.
func (t *try) savedWithin(span period.Interval, saved []period.Second) period.Second {
	last := lastWithin(saved, span)
	for i := range t.pieces {
		last = max(last, lastWithin(t.pieces[i].pod.saved, span))
	}
	return last
}

// lastLost is the reason why the last member was lost, for attempts that continued and so have no reason.
func (t *try) lastLost() string {
	var last *piece
	for i := range t.pieces {
		p := &t.pieces[i]
		if p.alone && (last == nil || cmp.Or(cmp.Compare(p.to, last.to), cmp.Compare(p.pod.UID, last.pod.UID)) > 0) {
			last = p
		}
	}
	if last == nil {
		return ""
	}
	return last.reason
}
