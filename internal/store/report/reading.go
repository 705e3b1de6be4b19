package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// Reading explains how a report is read: stretch by stretch, with the roll-ups that were considered and the rows that
// the server read.
func (s *Reports) Reading(ctx context.Context, q metrics.Query) (*metrics.Reading, error) {
	out := &metrics.Reading{Dataset: q.Dataset.Name}
	if err := q.SeenBy(access.From(ctx)); err != nil {
		return nil, err
	}
	if q.Dataset.Derived != nil {
		return s.derivedReading(ctx, q)
	}
	err := s.Read(ctx, "reading of "+q.Dataset.Name, func(tx pgx.Tx) error {
		plan, err := planned(ctx, tx, q)
		if err != nil {
			return err
		}
		if out.RollUps = considered(q, plan); baseOf(q.Dataset).rolledUp() {
			if out.Stretches, err = stretches(ctx, tx, q, plan); err != nil {
				return err
			}
		}
		out.Statement, _ = compile(ctx, q, plan)
		out.Rows, err = readRows(ctx, tx, q, plan)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

var sourceNames = map[source]string{
	fromNowhere: "nothing", fromLedger: "ledger", fromHours: "hours", fromDays: "days", fromMonths: "months",
}

// stretches are the pieces of a plan; those from the ledger have reasons.
func stretches(ctx context.Context, tx pgx.Tx, q metrics.Query, plan *RollupPlan) ([]metrics.Stretch, error) {
	list := []piece{{fromLedger, q.Window}}
	var clean []CleanDay
	if plan != nil {
		list = plan.Pieces
		var err error
		if clean, err = WindowDays(ctx, tx, metrics.Query{}); err != nil {
			return nil, err
		}
	}
	bound := func(at period.Second) *time.Time {
		if at == 0 {
			return nil
		}
		t := at.Time()
		return &t
	}
	out := make([]metrics.Stretch, len(list))
	for i, p := range list {
		out[i] = metrics.Stretch{From: bound(p.Span.From), To: bound(p.Span.To), Source: sourceNames[p.From], Why: []string{}}
		if p.From == fromLedger && plan != nil {
			out[i].Why = whyLedger(q, plan, p.Span, clean)
		}
	}
	return out, nil
}

// whyLedger explains why roll-ups cannot answer a stretch.
func whyLedger(q metrics.Query, plan *RollupPlan, span period.Interval, clean []CleanDay) []string {
	if span.From == 0 || span.To == 0 {
		return []string{"the window is open-ended, and this stretch has no roll-ups"}
	}
	isClean := func(day period.Second) bool {
		return slices.ContainsFunc(clean, func(d CleanDay) bool { return d.Day == day })
	}
	hours, _ := baseOf(q.Dataset).answers(q, plan.sees)
	var changed []string
	cut, between, fine := 0, 0, 0
	for day := span.From.Floor(period.Day); day < span.To; day += period.Day {
		whole := period.DayOf(day)
		switch {
		case !isClean(day):
			changed = append(changed, day.Time().UTC().Format(time.DateOnly))
		case whole.From < span.From || whole.To > span.To:
			cut++
		case q.Granularity == metrics.Hour && !hours:
			fine++
		default:
			between++
		}
	}
	var why []string
	say := func(n int, text string) {
		switch {
		case n == 1:
			why = append(why, text+": 1 day")
		case n > 0:
			why = append(why, fmt.Sprintf("%s: %d days", text, n))
		}
	}
	if n := len(changed); n > 5 {
		why = append(why, fmt.Sprintf("no current roll-up: %d days, %s to %s", n, changed[0], changed[n-1]))
	} else if n > 0 {
		why = append(why, "no current roll-up: "+strings.Join(changed, ", "))
	}
	say(cut, "cut by the window, and this roll-up is not kept by hour")
	say(fine, "requested by hour, and this roll-up is not kept by hour")
	say(between, "next to such days, or in two buckets of time zone "+q.Zone)
	return why
}

// considered lists the roll-ups that could answer a report, and why each does or does not.
func considered(q metrics.Query, plan *RollupPlan) (out []metrics.RollUp) {
	b := baseOf(q.Dataset)
	var sees shape
	if plan != nil {
		sees = plan.sees
	}
	for _, rd := range b.reads {
		chosen := rd.choose(q, sees)
		for i := range rd.fact.Rollups {
			r := &rd.fact.Rollups[i]
			u := metrics.RollUp{Name: r.Name, Keys: r.Keys}
			switch {
			case !sees.may(rd.fact, r):
				u.Why = "its rows combine owners or places outside the user's scope"
			case !r.Carries(rd.sums) && !slices.Contains(chosen, r):
				u.Why = "lacks some measures"
			case !rd.fine(q, r):
				u.Why = "is not kept by hour"
			default:
				u = verdict(u, q, plan, unknown(rd.fact, r, slices.Concat(rd.by, rd.names(q))), slices.Contains(chosen, r))
			}
			out = append(out, u)
		}
	}
	return out
}

// verdict explains whether a roll-up that has the keys or measures answers.
func verdict(u metrics.RollUp, q metrics.Query, plan *RollupPlan, missing []string, chosen bool) metrics.RollUp {
	switch {
	case q.AsOf != 0 || !q.Statement.IsZero():
		u.Why = "holds the current ledger only"
	case chosen && plan != nil:
		u.Answers, u.Why = true, "the smallest that has all keys"
	case len(missing) > 0:
		u.Why = "does not have " + strings.Join(missing, ", ")
	case !chosen:
		u.Why = "a smaller one answers"
	default:
		u.Why = "stale for every day of the window"
	}
	return u
}
