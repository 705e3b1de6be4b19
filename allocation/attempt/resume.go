package attempt

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// resumedFrom are the labels with the position from which an attempt resumed.
var resumedFrom = []string{"gpuledgerioresumedfrom", "resumedfrom"}

// resume sets the point from which work was lost, or may have been, if the next attempt of the task names the position
// from which it resumed (rule 6.10). tries and attempts correspond.
func resume(tries []try, attempts []ledger.Attempt) {
	order := make([]int, len(tries))
	said := false
	for i := range order {
		order[i] = i
		tries[i].resumed = tries[i].resumedFrom()
		said = said || tries[i].resumed != 0
	}
	if !said {
		return
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(tries[a].task, tries[b].task), cmp.Compare(tries[a].number, tries[b].number))
	})
	for i := 1; i < len(order); i++ {
		next, a := &tries[order[i]], &attempts[order[i-1]]
		if next.task != a.Task || next.resumed == 0 {
			continue
		}
		from := min(max(next.resumed, a.Span.From), a.Span.To)
		if a.LossFrom != 0 {
			a.LossBasis, a.LossFrom = ledger.LossResume, from
		}
		if a.MayLoseFrom != 0 {
			a.MayLoseFrom = from
		}
	}
}

// resumedFrom is the earliest position from which a member of the try resumed, 0 if no member names one. A label on a
// pod that survived from an earlier try describes the earlier one.
func (t *try) resumedFrom() period.Second {
	var first period.Second
	note := func(text string) {
		if at, ok := instant(text); ok && (first == 0 || at < first) {
			first = at
		}
	}
	for i := range t.pieces {
		if p := &t.pieces[i]; p.from == p.pod.hold.From && !p.shared {
			note(p.pod.labels.get(resumedFrom...))
		}
	}
	for _, s := range t.segments {
		note(ledger.Label(s.Labels, resumedFrom...))
	}
	return first
}

// instant reads unix seconds or RFC 3339.
func instant(text string) (period.Second, bool) {
	if text == "" {
		return 0, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return period.Second(n), n > 0
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime} {
		if at, err := time.Parse(layout, text); err == nil {
			return period.FromTime(at), at.Unix() > 0
		}
	}
	return 0, false // a path or a step: it is not a time
}
