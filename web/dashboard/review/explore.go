package review

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
)

// mostKeys is how many keys the explorer groups by at once.
const mostKeys = 3

// question is what the address of the explorer asks.
type question struct {
	dataset *metrics.Dataset
	measure metrics.Column
	by      []string
	chart   panel.Chart
}

// readQuestion reads the explorer's parameters. What it cannot draw is an *metrics.OptionError.
func readQuestion(s page.Scope) (question, error) {
	q := question{chart: panel.Chart(cmp.Or(s.Pick.Chart, string(panel.Bars)))}
	var err error
	if q.dataset, err = metrics.LookupDataset(cmp.Or(s.Pick.Dataset, "costs")); err != nil {
		return q, &metrics.OptionError{Option: "dataset", Value: s.Pick.Dataset, Reason: err.Error()}
	}
	if !slices.Contains(panel.Charts, q.chart) {
		return q, &metrics.OptionError{
			Option: "chart", Value: s.Pick.Chart, Reason: "is not a chart; there are bars, lines, treemap, heatmap and pivot",
		}
	}
	if s.By != "" {
		q.by = strings.Split(s.By, ",")
	}
	if len(q.by) > mostKeys {
		return q, &metrics.OptionError{Option: "by", Value: s.By, Reason: "names more than three keys"}
	}
	parsed, err := metrics.Parse(q.dataset.Name, metrics.Options{GroupBy: s.By})
	if err != nil {
		if option, ok := err.(*metrics.OptionError); ok {
			option.Option = "by"
		}
		return q, err
	}
	drawable := panel.Measures(parsed)
	name := cmp.Or(s.Pick.Measure, s.Basis+"_cost")
	i := slices.IndexFunc(drawable, func(c metrics.Column) bool { return c.Name == name })
	if i < 0 && s.Pick.Measure == "" && len(drawable) > 0 {
		i = 0
	}
	if i < 0 {
		return q, &metrics.OptionError{Option: "measure", Value: name, Reason: "is not a figure of " + q.dataset.Name}
	}
	q.measure = drawable[i]
	return q, nil
}

// panel declares the explorer's panel.
func (q question) panel(s page.Scope) panel.Panel {
	o := metrics.Options{GroupBy: strings.Join(q.by, ","), Filter: s.Figures()}
	if q.dataset.Shared {
		o.Sharing = s.Sharing
	}
	if q.dataset.SplitsByTime() && (q.chart == panel.Bars || q.chart == panel.Lines) {
		o.Granularity = string(stepOf(s.Span))
	}
	return panel.Panel{
		Name: "explore", Title: ask.Label(q.measure.Name), Note: q.measure.Unit, Measure: q.measure.Name, Chart: q.chart,
		Ask:  ask.Question{Dataset: q.dataset.Name, Options: s.For(q.dataset.Name, o)},
		None: "Nothing matches.",
	}
}

// stepOf is the length of steps that a period is drawn in.
func stepOf(span period.Interval) metrics.Granularity {
	switch days := int64(span.To-span.From) / int64(period.Day); {
	case days <= 2:
		return metrics.Hour
	case days <= 62:
		return metrics.Day
	case days <= 370:
		return metrics.Week
	}
	return metrics.Month
}

// explore draws any question.
func (d *room) explore(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadFiltered(r, cmp.Or(r.URL.Query().Get("dataset"), "costs"), func(s page.Scope) string { return s.By })
	var q question
	if err == nil {
		q, err = readQuestion(s)
	}
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	if err != nil {
		d.Broken(w, r, s, "explore", err)
		return
	}
	c := &page.Context{Scope: s.Shown(extent), Extent: extent}
	p := q.panel(c.Scope)
	drawn, err := p.Draw(ctx, d.Reader, c)
	if err != nil {
		e := d.PanelError(s, err, p.Title)
		drawn.Error = &e
	}
	shell := d.Shell(r, s, "explore", "Explore")
	shell.Bar = c.Bar(page.Choices{Dataset: q.dataset.Name, Compared: q.dataset.Compared})
	d.Render(w, r, http.StatusOK, views.PanelsPage(views.Panels{
		Shell: shell, Sentence: ask.Label(q.measure.Name) + " of " + q.dataset.Name + ".", Sub: q.measure.Doc,
		Panels: []views.Panel{*drawn},
	}))
}
