package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// RunFacts is what is known of a run whose work can be lost: what it saved, when,
// and whether it is tried again.
type RunFacts struct {
	Where    Where // its run names it
	Kind     string
	Retries  *int64 // how often who controls its pods starts one again that failed; nil: not known
	Open     bool
	Posted   bool // a checkpoint was posted for it, in an attempt or not
	Attempts []RunAttempt
	Share    Share // of all that it held, host not included
}

// RunAttempt is one try.
type RunAttempt struct {
	period.Interval
	Number int64
	Spot   bool            // most of it was on spot
	Last   period.Second   // the newest checkpoint by the ledger; 0: none
	Saved  []period.Second // all of them, ascending, where it is known
}

// trainingKinds are kinds of runs that are expected to save what they did.
var trainingKinds = []string{"training", "fine_tuning"}

// Key names the run.
func (r *RunFacts) Key() Key { return Key{OfRun, r.Where.RunID} }

// Judge makes the findings of the run.
func (r *RunFacts) Judge(limits Limits) (out []Finding) {
	var life period.Interval
	held, onSpot, saved, again := int64(0), int64(0), r.Posted, false
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if i == 0 || a.From < life.From {
			life.From = a.From
		}
		life.To = max(life.To, a.To)
		held += a.Seconds()
		saved, again = saved || a.Last != 0, again || a.Number > 1
		if a.Spot {
			onSpot += a.Seconds()
		}
	}
	find := func(kind Kind, share Share, numbers ...Number) *Finding {
		out = append(out, Finding{Kind: kind, Subject: r.Where.RunID, Key: r.Key(), From: life.From, To: life.To, Open: r.Open, Share: share, Where: r.Where,
			Quality: ledger.Measured, Evidence: evidence(kind, numbers...)})
		return &out[len(out)-1]
	}
	trains := slices.Contains(trainingKinds, r.Kind)
	if trains && !saved && held >= CheckpointSeconds {
		find(NoCheckpoint, r.Share, Number{"held", "seconds", held})
	}
	if onSpot > 0 && !saved && !again && r.Retries != nil && *r.Retries < FewestRetries {
		find(NotRestartable, r.Share, Number{"allowed", "retries", *r.Retries}, Number{"on_spot", "seconds", onSpot})
	}
	if !trains || !saved {
		return out
	}
	stretches, known := r.unsaved()
	if interval := typical(stretches); known && interval > limits.Checkpoints {
		beyond := int64(0)
		for _, s := range stretches {
			beyond += max(0, s-limits.Checkpoints)
		}
		f := find(CheckpointInterval, r.Share.scaled(beyond, held), Number{"interval", "seconds", interval}, Number{"beyond", "seconds", beyond},
			Number{"written", "checkpoints", r.checkpoints()})
		f.Evidence[0].against(Above, limits.Checkpoints) // the threshold is the policy's
		f.Evidence[0].Said = f.Evidence[0].text()
	}
	return out
}

// unsaved lists how long the run went without a checkpoint each time: from the
// start of an attempt to its first, between two, and from the last to its end.
// It is not known where the ledger has one that is not among them.
func (r *RunFacts) unsaved() (stretches []int64, known bool) {
	for i := range r.Attempts {
		a := &r.Attempts[i]
		if a.Last != 0 && !slices.Contains(a.Saved, a.Last) {
			return nil, false
		}
		from := a.From
		for _, at := range append(slices.Clone(a.Saved), a.To) {
			stretches = append(stretches, int64(at-from))
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

// typical is the longest length of which it holds that stretches at least as
// long make up half of all time. One long stretch in a long run does not move
// it, nor do many short ones after restarts.
func typical(stretches []int64) int64 {
	total, so := int64(0), int64(0)
	for _, s := range stretches {
		total += s
	}
	list := slices.SortedFunc(slices.Values(stretches), func(a, b int64) int { return cmp.Compare(b, a) })
	for _, s := range list {
		if so += s; 2*so >= total {
			return s
		}
	}
	return 0
}
