package waste

import (
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// try is an attempt of these minutes with checkpoints at the given ones.
func try(from, to int64, saved ...int64) RunAttempt {
	a := RunAttempt{Interval: period.Interval{From: minute(from), To: minute(to)}}
	for _, m := range saved {
		a.Last = minute(m)
		a.Saved = append(a.Saved, a.Last)
	}
	return a
}

func trained(attempts ...RunAttempt) RunFacts {
	return RunFacts{Kind: "training", Where: Where{Cluster: "c", RunID: "c/ns/Job/train"}, Attempts: attempts,
		Share: Share{money.MustParse("80"), Money{"USD": {money.MustParse("100"), ledger.Open}}}}
}

func TestRunsByTheirCheckpoints(t *testing.T) {
	unknown := try(0, 600, 300)
	unknown.Last = minute(400)
	posted := trained(try(0, 600))
	posted.Posted = true
	limits := Limits{Checkpoints: 2 * period.Hour}
	for name, c := range map[string]struct {
		run      RunFacts
		limits   Limits
		kind     Kind
		interval int64 // minutes
		cost     string
	}{
		"never saved":               {trained(try(0, 240)), limits, NoCheckpoint, 0, "100"},
		"never saved, and short":    {trained(try(0, 239)), limits, "", 0, ""},
		"several short tries":       {trained(try(0, 120), try(130, 250)), limits, NoCheckpoint, 0, "100"},
		"posted, nobody knows when": {posted, limits, "", 0, ""},
		"every two hours":           {trained(try(0, 600, 120, 240, 360, 480)), limits, "", 0, ""},
		"every two and a half":      {trained(try(0, 600, 150, 300, 450)), limits, CheckpointInterval, 150, "20"},
		"which the policy allows": {
			trained(try(0, 600, 150, 300, 450)), Limits{Checkpoints: 3 * period.Hour}, "", 0, "",
		},
		"every hour, which it does not": {
			trained(try(0, 240, 60, 120, 180)), Limits{Checkpoints: period.Hour / 2}, CheckpointInterval, 60, "50",
		},
		"once, and soon": {trained(try(0, 500, 20)), limits, CheckpointInterval, 480, "72"},
		"one long stretch among many": {
			trained(try(0, 900, 60, 120, 180, 240, 300, 360, 420, 720, 780, 840)), limits, "", 0, "",
		},
		"many short ones after restarts": {
			trained(try(0, 400, 200), try(400, 410), try(410, 420), try(420, 430), try(430, 440)),
			limits, CheckpointInterval, 200, "36.363636363636",
		},
		"a try that saved nothing": {
			trained(try(0, 300, 60, 120, 180, 240), try(300, 700)), limits, CheckpointInterval, 400, "40",
		},
		"the newest is not among them":       {trained(unknown), limits, "", 0, ""},
		"the newest of one try is not known": {trained(try(0, 600, 150, 300, 450), unknown), limits, "", 0, ""},
	} {
		found := c.run.Judge(c.limits)
		if c.kind == "" {
			if len(found) != 0 {
				t.Errorf("%s: %+v", name, found)
			}
			continue
		}
		if len(found) != 1 || found[0].Kind != c.kind {
			t.Errorf("%s: %+v, want %s", name, found, c.kind)
			continue
		}
		f := found[0]
		if got := f.Share.Cost["USD"].Amount.String(); got != c.cost {
			t.Errorf("%s: costs %s, want %s", name, got, c.cost)
		}
		if e := f.Evidence[0]; c.kind == CheckpointInterval &&
			(e.Name != "interval" || e.Value != c.interval*60 || *e.Threshold != c.limits.Checkpoints) {
			t.Errorf("%s: %+v, want %d min", name, e, c.interval)
		}
		if f.From != c.run.Attempts[0].From || f.To != c.run.Attempts[len(c.run.Attempts)-1].To {
			t.Errorf("%s: from %s to %s", name, f.From, f.To)
		}
	}
}

// Any run: it is a finding exactly if half of its time or more lies in stretches beyond the policy's, it costs no more
// than the run, and one more checkpoint in the middle of a stretch never makes the interval longer.
func TestCheckpointIntervalOfMostTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		limit := rapid.Int64Range(1, 300).Draw(r, "limit")
		run, at, all, beyond := trained(), int64(0), int64(0), int64(0)
		for range rapid.IntRange(1, 4).Draw(r, "tries") {
			a, from := try(at, at), at
			for i, n := 0, rapid.IntRange(0, 5).Draw(r, "checkpoints"); i <= n; i++ {
				d := rapid.Int64Range(1, 600).Draw(r, "minutes")
				if from += d; i < n {
					a.Last = minute(from)
					a.Saved = append(a.Saved, a.Last)
				}
				if all += d; d > limit {
					beyond += d
				}
			}
			a.To, at = minute(from), from+rapid.Int64Range(0, 90).Draw(r, "pause")
			run.Attempts = append(run.Attempts, a)
		}
		interval := func(x RunFacts) int64 { s, _ := x.unsaved(); return typical(s) }
		saved := run.checkpoints() > 0
		found := run.Judge(Limits{Checkpoints: limit * 60})
		if got := len(found) == 1 && found[0].Kind == CheckpointInterval; got != (saved && 2*beyond >= all) {
			r.Fatalf("found %+v; %d of %d min lie beyond %d", found, beyond, all, limit)
		}
		for _, f := range found {
			if f.Kind == CheckpointInterval && f.Met != beyond*60 {
				r.Fatalf("met for %d s, %d min lie beyond", f.Met, beyond)
			}
			if f.Share.Cost["USD"].Amount.Cmp(run.Share.Cost["USD"].Amount) > 0 {
				r.Fatalf("costs %s", f.Share.Cost["USD"].Amount)
			}
		}
		before := interval(run)
		k := rapid.IntRange(0, len(run.Attempts)-1).Draw(r, "more in")
		a := &run.Attempts[k]
		from := a.From
		if n := len(a.Saved); n > 0 {
			from = a.Saved[n-1]
		}
		if mid := (from + a.To) / 2; mid > from {
			a.Saved = append(a.Saved, mid)
			a.Last = mid
		}
		if after := interval(run); after > before {
			r.Fatalf("saving once more makes %d s of %d s", after, before)
		}
	})
}

// A job on spot without retries that saved nothing is a finding, if all of that is known.
func TestSpotJobsWithoutRetries(t *testing.T) {
	spot := func(r RunFacts, retries int64) RunFacts {
		for i := range r.Attempts {
			r.Attempts[i].Number, r.Attempts[i].Spot = int64(i+1), true
		}
		r.Kind, r.Retries = "batch", &retries
		return r
	}
	but := func(r RunFacts, change func(*RunFacts)) RunFacts { change(&r); return r }
	once := func() RunFacts { return spot(trained(try(0, 90)), 0) }
	for name, c := range map[string]struct {
		run  RunFacts
		want bool
	}{
		"no retry":              {once(), true},
		"training is work, too": {but(once(), func(r *RunFacts) { r.Kind = "training" }), true},
		"retries are allowed":   {spot(trained(try(0, 90)), 1), false},
		"nobody says":           {but(once(), func(r *RunFacts) { r.Retries = nil }), false},
		"on demand":             {but(once(), func(r *RunFacts) { r.Attempts[0].Spot = false }), false},
		"it was tried again":    {spot(trained(try(0, 90), try(95, 200)), 0), false},
		"it saved":              {spot(trained(try(0, 90, 30)), 0), false},
		"something was posted":  {but(once(), func(r *RunFacts) { r.Posted = true }), false},
		"one of its tasks on it": {
			but(spot(trained(try(0, 90), try(0, 80)), 0), func(r *RunFacts) {
				r.Attempts[1].Number, r.Attempts[0].Spot = 1, false
			}), true,
		},
		"saved, and seldom": {
			but(spot(trained(try(0, 900, 300)), 0), func(r *RunFacts) { r.Kind = "evaluation" }), false,
		},
	} {
		found := c.run.Judge(Limits{Checkpoints: 2 * period.Hour})
		if len(found) > 1 || (len(found) == 1) != c.want || c.want &&
			(found[0].Kind != NotRestartable || found[0].Share.Cost["USD"].Amount.String() != "100") {
			t.Errorf("%s: %+v, want one: %t", name, found, c.want)
		}
	}
}

// A job advised to move to spot is judged like one on spot, once: a run that was on spot already is judged by Judge.
func TestJobsWithoutRetriesAdvisedToSpot(t *testing.T) {
	zero, one := int64(0), int64(1)
	advised := func(change func(*RunFacts)) RunFacts {
		r := trained(try(0, 90), try(0, 30))
		r.Kind, r.Retries, r.Advised = "batch", &zero, true
		r.Attempts[0].Number, r.Attempts[1].Number = 1, 1
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		run  RunFacts
		want int
	}{
		"on demand":              {advised(func(*RunFacts) {}), 1},
		"nobody advises it":      {advised(func(r *RunFacts) { r.Advised = false }), 0},
		"a part was on spot":     {advised(func(r *RunFacts) { r.Attempts[1].Spot = true }), 0},
		"retries are allowed":    {advised(func(r *RunFacts) { r.Retries = &one }), 0},
		"nobody says":            {advised(func(r *RunFacts) { r.Retries = nil }), 0},
		"it was tried again":     {advised(func(r *RunFacts) { r.Attempts[1].Number = 2 }), 0},
		"it saved":               {advised(func(r *RunFacts) { r.Attempts[1].Last = minute(20) }), 0},
		"something was posted":   {advised(func(r *RunFacts) { r.Posted = true }), 0},
		"it has held nothing":    {advised(func(r *RunFacts) { r.Attempts = nil }), 0},
		"training is work, too":  {advised(func(r *RunFacts) { r.Kind = "training" }), 1},
		"long, without a saving": {advised(func(r *RunFacts) { r.Attempts[0].To = minute(9000) }), 1},
	} {
		found := c.run.JudgeAdvised()
		if len(found) != c.want {
			t.Errorf("%s: %+v, want %d", name, found, c.want)
			continue
		}
		for _, f := range found {
			if f.Kind != NotRestartable || f.Key.Scope != OfSpotAdvice || f.Share.Cost["USD"].Amount.String() != "100" ||
				f.From != minute(0) || f.Met != int64(f.To-f.From) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		for _, f := range c.run.Judge(Limits{Checkpoints: 2 * period.Hour}) {
			if f.Kind == NotRestartable && c.want > 0 {
				t.Errorf("%s: said twice", name)
			}
		}
	}
}
