package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// RunFacts is the facts about a run whose work can be lost: what it saved and when, and its retries.
type RunFacts struct {
	Where    Where // including its run id
	Kind     string
	Retries  *int64 // retries that the pods' controller allows after a failure; nil: unknown
	Open     bool
	Advised  bool // advised to move from on demand to spot
	Posted   bool // a checkpoint was posted for it, inside an attempt or not
	Attempts []RunAttempt
	Share    Share // of all held time, host not included
}

// RunAttempt is one attempt.
type RunAttempt struct {
	period.Interval
	Number int64
	Spot   bool            // most of it was on spot
	Last   period.Second   // the newest checkpoint by the ledger; 0: none
	Saved  []period.Second // all of them, ascending, if known
}

// trainingKinds are kinds of runs that should save their work.
var trainingKinds = []string{"training", "fine_tuning"}

// Key identifies the run.
func (r *RunFacts) Key() Key { return Key{OfRun, r.Where.RunID} }

// spotKey identifies the run when it is judged with the advice to move to spot.
func (r *RunFacts) spotKey() Key { return Key{OfSpotAdvice, r.Where.RunID} }

// life sums up the attempts of a run.
type life struct {
	period.Interval
	held, onSpot int64 // seconds
	saved        bool
	again        bool              // it was retried
	tries, spot  []period.Interval // its attempts, and those on spot
}

func (r *RunFacts) life() life {
	l := life{saved: r.Posted}
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if i == 0 || a.From < l.From {
			l.From = a.From
		}
		l.To = max(l.To, a.To)
		l.held += a.Seconds()
		l.tries = append(l.tries, a.Interval)
		l.saved, l.again = l.saved || a.Last != 0, l.again || a.Number > 1
		if a.Spot {
			l.onSpot += a.Seconds()
			l.spot = append(l.spot, a.Interval)
		}
	}
	return l
}

func (r *RunFacts) finding(
	key Key, kind Kind, l *life, when []period.Interval, share Share, numbers ...Number,
) Finding {
	return Finding{Kind: kind, Subject: r.Where.RunID, Key: key, From: l.From, To: l.To, Met: seconds(union(when, 0)),
		Open: r.Open, Share: share, Where: r.Where,
		Quality: ledger.Measured, Evidence: EvidenceOf(kind, numbers...)}
}

// once reports whether an interruption costs all of the run: nothing is saved, and there are no retries. False if the
// limit of retries is unknown.
func (r *RunFacts) once(l *life) bool {
	return !l.saved && !l.again && r.Retries != nil && *r.Retries < FewestRetries
}

// JudgeAdvised makes the finding of an on-demand run that is advised to move to spot, where an interruption would cost
// all of it. Judge covers runs on spot.
func (r *RunFacts) JudgeAdvised() (out []Finding) {
	l := r.life()
	if r.Advised && l.onSpot == 0 && l.held > 0 && r.once(&l) {
		out = append(out, r.finding(r.spotKey(), NotRestartable, &l, l.tries, r.Share,
			Number{"allowed", "retries", *r.Retries}, Number{"advised_for_spot", "seconds", l.held}))
	}
	return out
}

// Judge makes the findings of the run.
func (r *RunFacts) Judge(limits Limits) (out []Finding) {
	l := r.life()
	find := func(kind Kind, when []period.Interval, share Share, numbers ...Number) *Finding {
		out = append(out, r.finding(r.Key(), kind, &l, when, share, numbers...))
		return &out[len(out)-1]
	}
	trains := slices.Contains(trainingKinds, r.Kind)
	if trains && !l.saved && l.held >= CheckpointSeconds {
		find(NoCheckpoint, l.tries, r.Share, Number{"held", "seconds", l.held})
	}
	if l.onSpot > 0 && r.once(&l) {
		find(NotRestartable, l.spot, r.Share, Number{"allowed", "retries", *r.Retries},
			Number{"on_spot", "seconds", l.onSpot})
	}
	if !trains || !l.saved {
		return out
	}
	stretches, known := r.unsaved()
	if interval := typical(stretches); known && interval > limits.Checkpoints {
		beyond := int64(0)
		var long []period.Interval
		for _, s := range stretches {
			if over := s.Seconds() - limits.Checkpoints; over > 0 {
				beyond += over
				long = append(long, s)
			}
		}
		f := find(CheckpointInterval, long, r.Share.scaled(beyond, l.held), Number{"interval", "seconds", interval},
			Number{"beyond", "seconds", beyond},
			Number{"written", "checkpoints", r.checkpoints()})
		f.Evidence[0].against(Above, limits.Checkpoints) // the threshold is the policy's
		f.Evidence[0].Said = f.Evidence[0].text()
	}
	return out
}

// unsaved lists the stretches without a checkpoint: from the start of an attempt to its first checkpoint, between two,
// and from the last to its end. Unknown if the ledger has a checkpoint that is not in Saved.
func (r *RunFacts) unsaved() (stretches []period.Interval, known bool) {
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if a.Last != 0 && !slices.Contains(a.Saved, a.Last) {
			return nil, false
		}
		from := a.From
		for _, at := range append(slices.Clone(a.Saved), a.To) {
			stretches = append(stretches, period.Interval{From: from, To: at})
			from = at
		}
		known = known || len(a.Saved) > 0
	}
	return stretches, known
}

func (r *RunFacts) checkpoints() (n int64) {
	all := map[period.Second]bool{}
	for i := range r.Attempts {
		for _, at := range r.Attempts[i].Saved {
			all[at] = true
		}
	}
	return int64(len(all))
}

// typical is the largest length for which stretches of at least that length make up half of all time. Neither one long
// stretch in a long run nor many short ones after restarts move it.
func typical(stretches []period.Interval) int64 {
	total, so := int64(0), int64(0)
	for _, s := range stretches {
		total += s.Seconds()
	}
	list := slices.SortedFunc(slices.Values(stretches), func(a, b period.Interval) int {
		return cmp.Compare(b.Seconds(), a.Seconds())
	})
	for _, s := range list {
		if so += s.Seconds(); 2*so >= total {
			return s.Seconds()
		}
	}
	return 0
}
