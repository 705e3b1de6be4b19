package explain

import (
	"context"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/internal/store/report"
	"gpuledger/metrics"
)

const (
	// levelRows is how many rows a page has.
	levelRows = 100
	// mostDays is how many days are shown as days; more are shown as months.
	mostDays = 92
	// lineSpan bounds the window for which the bill lines of a narrowed figure are read, if it has at most lineRows
	// postings; shortSpan that of a figure of everything, and of windows that are cut into hours if they have more.
	lineSpan  = 31 * period.Day
	shortSpan = 3 * period.Day
	lineRows  = 500_000
)

const formulaLevel = "The figure is the sum of postings of bill lines. Each table breaks it down by a different key, " +
	"and the rows of each table add up to it. Follow a row down to its bill lines."

// level breaks the figure of a report down by one step. Tables of days and keys come from roll-ups, bill lines from
// the postings of a few days.
func (e *explainer) level(ctx context.Context) error {
	whole, err := e.asked(metrics.Options{Order: "currency"})
	if err != nil {
		return err
	}
	e.out.Formula = formulaLevel
	if e.out.Figures, err = e.costs(ctx, whole, report.AskAddedUp); err != nil {
		return err
	}
	e.out.Level = &metrics.Level{Cuts: []metrics.Cut{}}
	if given := e.subject.Given; given.GroupBy != "" || e.subject.Query.Granularity != metrics.Total {
		by := metrics.Options{GroupBy: given.GroupBy, Granularity: given.Granularity, Order: given.Order}
		if err := e.cut(ctx, by, e.first); err != nil || !e.undivided() {
			return err
		}
	}
	given := len(e.out.Level.Cuts)
	cuts := []string{"cause", "provider,billing_account,billing_period"}
	if e.subject.Query.AsOf != 0 { // an earlier state has no bills
		cuts = cuts[:1]
	}
	for _, keys := range cuts {
		by := metrics.Options{GroupBy: keys, Order: "currency,-effective_cost"}
		q, err := e.asked(by)
		if err != nil {
			return err
		}
		if !report.AddsUp(q) { // with a filter by pod or tag: the table would read all postings of the window
			continue
		}
		if err := e.cut(ctx, by, 0); err != nil {
			return err
		}
	}
	window, err := e.days(ctx)
	if err != nil {
		return err
	}
	telling := slices.DeleteFunc(e.out.Level.Cuts[given:], func(c metrics.Cut) bool { return len(c.Rows) < 2 })
	e.out.Level.Cuts = append(e.out.Level.Cuts[:given], telling...)
	return e.lines(ctx, window)
}

// undivided reports whether the given keys cut nothing: the only row of each currency is the figure itself.
func (e *explainer) undivided() bool {
	c := e.out.Level.Cuts[0]
	return c.First == 0 && c.Next == 0 && len(c.Rows) == len(e.out.Figures)
}

// asked is the subject's query with other groups.
func (e *explainer) asked(by metrics.Options) (metrics.Query, error) {
	o := e.subject.Given
	o.GroupBy, o.Granularity, o.Order, o.Limit = by.GroupBy, by.Granularity, by.Order, ""
	return metrics.Parse("costs", o)
}

// days breaks the figure down by time, and returns its window.
func (e *explainer) days(ctx context.Context) (period.Interval, error) {
	window := e.subject.Query.Window
	if window.From != 0 && window.To != 0 && int64(window.To-window.From) <= period.Day {
		return window, nil
	}
	var spans []period.Interval
	for _, step := range []metrics.Granularity{metrics.Day, metrics.Month} {
		rows, at, err := e.cutRows(ctx, metrics.Options{Granularity: string(step)}, 0, 0)
		if err != nil {
			return window, err
		}
		if step == metrics.Day {
			spans = at
		}
		if len(rows) > mostDays && step == metrics.Day {
			continue
		}
		if len(rows) > 0 {
			c := metrics.Cut{By: []string{string(step)}, Rows: rows, Agrees: e.agree(rows)}
			e.out.Level.Cuts = append(e.out.Level.Cuts, c)
		}
		break
	}
	if len(spans) == 0 {
		return period.Interval{}, nil
	}
	return period.Interval{From: spans[0].From, To: spans[len(spans)-1].To}, nil
}

// cut adds a page of the figure's rows grouped by some keys.
func (e *explainer) cut(ctx context.Context, by metrics.Options, first int) error {
	rows, _, err := e.cutRows(ctx, by, first, levelRows+1)
	if err != nil {
		return err
	}
	c := metrics.Cut{First: first}
	if len(rows) > levelRows {
		rows, c.Next = rows[:levelRows], first+levelRows
	}
	if c.Rows = rows; first == 0 && c.Next == 0 {
		c.Agrees = e.agree(rows)
	}
	q, err := e.asked(by)
	if err != nil {
		return err
	}
	if q.Granularity != metrics.Total {
		c.By = []string{string(q.Granularity)}
	}
	for _, k := range q.GroupBy {
		c.By = append(c.By, k.Name)
	}
	e.out.Level.Cuts = append(e.out.Level.Cuts, c)
	return nil
}

// cutRows are the rows with a cost, and the time that each covers within the window.
func (e *explainer) cutRows(
	ctx context.Context, by metrics.Options, first, limit int,
) (list []metrics.CutRow, at []period.Interval, err error) {
	q, err := e.asked(by)
	if err != nil {
		return nil, nil, err
	}
	q.Limit, q.Offset = limit, first
	rows, err := report.AskAddedUp(ctx, e.tx, q)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		f, cell := e.figureOf(rows)
		if f.Currency == "" {
			continue // usage that no bill charges for
		}
		var window period.Interval
		row := metrics.CutRow{Amount: f}
		if q.Granularity != metrics.Total {
			if window, err = e.spanOf(cell, q.Window); err != nil {
				return nil, nil, err
			}
			row.Keys = append(row.Keys, cell["period_start"])
		}
		var keys []string
		var values []*string
		for _, k := range q.GroupBy {
			keys, values = append(keys, k.Name), append(values, cell[k.Name])
		}
		row.Keys = append(row.Keys, values...)
		row.Subject = e.subject.Narrowed(window, keys, values)
		list, at = append(list, row), append(at, window)
	}
	return list, at, rows.Err()
}

// spanOf is the time that a row covers within the window.
func (e *explainer) spanOf(cell map[string]*string, window period.Interval) (span period.Interval, err error) {
	if span.From, err = metrics.ParseTime("period_start", pg.OrEmpty(cell["period_start"]), "UTC"); err != nil {
		return span, err
	}
	if span.To, err = metrics.ParseTime("period_end", pg.OrEmpty(cell["period_end"]), "UTC"); err != nil {
		return span, err
	}
	span.From = max(span.From, window.From)
	if window.To != 0 {
		span.To = min(span.To, window.To)
	}
	return span, nil
}

// agree reports whether the rows add up to the figures, for all four costs.
func (e *explainer) agree(rows []metrics.CutRow) *bool {
	sums := map[string]*figureSum{}
	for i := range rows {
		f := &rows[i].Amount
		if sums[f.Currency] == nil {
			sums[f.Currency] = &figureSum{}
		}
		sums[f.Currency].addFigure(f)
	}
	ok := len(sums) == len(e.out.Figures) && !slices.ContainsFunc(e.out.Figures, func(f metrics.Figure) bool {
		return sums[f.Currency] == nil || !sameCosts(f, sums[f.Currency].figure(f.Currency))
	})
	return &ok
}

func sameCosts(x, y metrics.Figure) bool {
	differ := func(m ledger.Metric) bool { return !sameText(x.Get(m), y.Get(m)) }
	return x.Currency == y.Currency && !slices.ContainsFunc(ledger.Metrics, differ)
}
