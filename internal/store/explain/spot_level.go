package explain

import (
	"context"
	"slices"
	"time"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

// spotLevel explains spot savings by day and machine type. It lists postings only if they span a few days (shortSpan).
func (e *explainer) spotLevel(ctx context.Context) error {
	var err error
	if e.out.Figures, err = e.priced(ctx, e.subject.Beside, report.AskAddedUp); err != nil {
		return err
	}
	window, err := e.spotCuts(ctx)
	if err != nil {
		return err
	}
	if e.out.Spot.Count == 0 {
		return &metrics.NotFoundError{Subject: e.out.Subject}
	}
	e.spotAgrees()
	if int64(window.To-window.From) > shortSpan {
		return nil
	}
	q := e.subject.Query
	q.Limit = e.listed
	listed, err := e.spotPostings(ctx, q)
	if err != nil {
		return err
	}
	e.out.Spot.Listed = listed.Listed
	return nil
}

// spotCuts adds postings up once, and returns the span of their days.
func (e *explainer) spotCuts(ctx context.Context) (window period.Interval, err error) {
	out := &metrics.ExplainedSpot{Sums: []metrics.SpotSum{}, Listed: []metrics.SpotPosting{}}
	e.out.Spot = out
	days, types := metrics.SpotCut{By: "day"}, metrics.SpotCut{By: "instance_type"}
	text, args := report.SpotSums(ctx, e.subject.Query)
	type row struct {
		Day          period.Second
		InstanceType *string
		Count        int64
		metrics.SpotSum
	}
	err = eachRow(ctx, e.tx, text, args, func(r row) error {
		day, machine, s := r.Day, r.InstanceType, r.SpotSum
		out.Count += r.Count
		i := slices.IndexFunc(out.Sums, func(x metrics.SpotSum) bool { return x.Currency == s.Currency })
		if i < 0 {
			i, out.Sums = len(out.Sums), append(out.Sums, metrics.SpotSum{})
		}
		out.Sums[i].Add(s)
		at := period.DayOf(day)
		if window.From == 0 || at.From < window.From {
			window.From = at.From
		}
		window.To = max(window.To, at.To)
		add(&days, day.Time().Format(time.DateOnly), e.subject.Narrowed(e.within(at), nil, nil), s)
		keys, values := []string{"instance_type"}, []*string{machine}
		add(&types, pg.OrEmpty(machine), e.subject.Narrowed(period.Interval{}, keys, values), s)
		return nil
	})
	for _, c := range []metrics.SpotCut{types, days} {
		if len(c.Rows) > 1 {
			out.Cuts = append(out.Cuts, c)
		}
	}
	return window, err
}

// within clips a span to the subject's window.
func (e *explainer) within(span period.Interval) period.Interval {
	asked := e.subject.Query.Window
	span.From = max(span.From, asked.From)
	if asked.To != 0 {
		span.To = min(span.To, asked.To)
	}
	return span
}

func add(c *metrics.SpotCut, value, subject string, s metrics.SpotSum) {
	i := slices.IndexFunc(c.Rows, func(r metrics.SpotCutRow) bool { return r.Value == value && r.Currency == s.Currency })
	if i < 0 {
		i, c.Rows = len(c.Rows), append(c.Rows, metrics.SpotCutRow{Value: value, Subject: subject})
	}
	c.Rows[i].Add(s)
}
