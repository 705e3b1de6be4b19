package review

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// explore draws any question.
func (d *room) explore(w http.ResponseWriter, r *http.Request) {
	dataset, err := readDataset(r.URL.Query().Get("dataset"))
	var s page.Scope
	if err == nil {
		s, err = page.ReadFiltered(r, dataset.Name, func(s page.Scope) string { return s.By })
	}
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
	e := explorer{q: q, Context: &page.Context{Scope: s.Shown(extent), Extent: extent}}
	p, err := e.panel()
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	v := views.Panels{Shell: d.Shell(r, s, "explore", "Explore"), Above: e.chooser()}
	v.Shell.Bar = e.Bar(page.Choices{
		Dataset: q.dataset.Name, Timeless: !q.dataset.Windowed, Compared: q.dataset.Windowed, Sharing: q.dataset.Shared,
		Where: "team = nlp",
	})
	lane, parts := d.Lane(r)
	otherwise := views.Told(p.Title+".", q.measure.Doc, nil, nil)
	told := make(chan templ.Component, 1)
	p.Open, p.Told = true, func(lead panel.Lead, err error) {
		if err != nil {
			told <- otherwise
			return
		}
		told <- views.Told(e.sentence(lead), q.measure.Doc, nil, nil)
	}
	v.Panels = panel.Start(parts, lane, e.Context, append([]*panel.Panel{p}, e.changePanels()...)...)
	v.Intro = lane.Await(p.Name, told, otherwise)
	lane.Stream(w, r, views.PanelsPage(v))
}

// explorer is the page in one scope.
type explorer struct {
	*page.Context
	q question
}

// panel declares the explorer's panel.
func (e *explorer) panel() (*panel.Panel, error) {
	q, s := &e.q, e.Scope
	step, err := q.granularity(s.Span)
	if err != nil {
		return nil, err
	}
	p := &panel.Panel{
		Name: "explore", Title: e.title(), Measure: q.measure.Name, Chart: q.chart, ByChange: q.change, Pins: q.pins,
		Ask: q.ask(s, step, ""), Most: q.groups, None: "No rows match.",
		Href: func(_ page.Scope, at panel.At) string { return e.drill(at) }, Acts: e.acts,
	}
	switch before := e.before(); {
	case q.pair.both():
		one, other := q.pair.term(0), q.pair.term(1)
		p.Ask, p.Before, p.Where = q.ask(s, step, one), q.ask(s, metrics.Total, other), one
		p.Now, p.Was = figures.Word(q.pair.key, text(q.pair.values[0])), figures.Word(q.pair.key, text(q.pair.values[1]))
	case q.dataset.Compared:
		before = s.Before()
		p.Ask = q.ask(s.Closed(), step, "")
		p.Ask.Options.Against = page.Address(before.From) + "/" + page.Address(before.To)
		p.Differs = !strings.HasPrefix(q.measure.Name, "cost_") && q.measure.Kind == metrics.Money
	case !before.Empty():
		p.Before = q.ask(s.During(before), metrics.Total, "")
		p.Was = format.ShortDays(before)
	}
	if !q.dataset.SplitsByTime() {
		p.Before.Options.Granularity = ""
	}
	if q.pair != nil && !q.pair.both() {
		p.Foot = []string{"Choose a second group in the table to compare with " + q.pair.values[0] + "."}
	}
	if step != "" && step != metrics.Total {
		p.Events = true
		most := panel.DefaultMost
		if q.chart == panel.Multiples {
			most = panel.MostMultiples
		}
		p.Most = min(cmp.Or(p.Most, most), max(mostMarks/stepsOf(s.Span, step), 3))
	}
	for _, f := range [][2]string{{"Excel", "xlsx"}, {"CSV", "csv"}, {"Parquet", "parquet"}, {"JSON", "json"}} {
		p.Links = append(p.Links, views.Link{Text: f[0], Href: p.Ask.As(f[1])})
	}
	return p, nil
}

// text is a text as a value.
func text(s string) metrics.Value { return metrics.Value{Valid: s != "", Text: s} }

// before is the period that the page's is compared with, empty if the ledger has no rows there.
func (e *explorer) before() period.Interval {
	b := e.Scope.Before()
	if !e.q.dataset.Windowed || !b.Overlaps(e.Extent.Stored) {
		return period.Interval{}
	}
	return b
}

// compares reports whether what changed can be explained: variance is about costs.
func (e *explorer) compares() bool {
	return e.q.dataset.Name == "costs" && e.q.measure.Kind == metrics.Money && e.q.pair == nil && !e.before().Empty()
}

// title names the figure and the keys.
func (e *explorer) title() string {
	labels := make([]string, len(e.q.by))
	for i, k := range e.q.by {
		labels[i] = metrics.Lower(k)
	}
	title := metrics.Label(e.q.measure.Name)
	if len(labels) > 0 {
		title += " by " + strings.Join(labels, ", ")
	}
	return title
}

// spenders are keys whose values spend money.
var spenders = []string{"team", "project", "user", "business_unit", "cost_center", "environment", "tenant"}

// sentence says what the largest group is.
func (e *explorer) sentence(l panel.Lead) string {
	when := format.Days(e.Shown())
	if !e.q.dataset.Windowed || e.Shown().Empty() {
		when = ""
	} else if m := period.MonthOf(e.Shown().From); m == e.Shown() {
		when = " in " + format.Month(m.From)
	} else {
		when = ", " + when
	}
	measure, small := metrics.Label(e.q.measure.Name), metrics.Lower(e.q.measure.Name)
	cost := e.q.measure.Kind == metrics.Money && strings.HasSuffix(e.q.measure.Name, "_cost")
	switch {
	case e.q.pair.both() && l.All != "":
		return measure + " of " + phrase(e.q.pair.term(0)) + ": " + l.All + "; of " + phrase(e.q.pair.term(1)) + ": " +
			l.Before + when + "."
	case l.Name == "" && e.Scope.Currency != "":
		return "No " + small + " in " + e.Scope.Currency + when + "."
	case l.Name == "":
		return "No " + small + when + "."
	case l.Groups == 1 && len(e.q.by) == 0:
		return measure + ": " + l.Figure + when + "."
	case l.Total == "":
		return "Highest " + small + ": " + l.Name + ", " + l.Figure + when + "."
	case strings.HasPrefix(l.Name, "no "):
		return measure + " with " + l.Name + ": " + l.Figure + " of " + l.Total + when + ", " + l.Share + "."
	case cost && slices.Contains(spenders, e.q.by[len(e.q.by)-1]):
		return l.Name + " spent " + l.Figure + " of " + l.Total + when + ": " + l.Share + "."
	case cost:
		return l.Name + " cost " + l.Figure + " of " + l.Total + when + ": " + l.Share + "."
	}
	return measure + ": " + l.Name + " has " + l.Figure + " of " + l.Total + when + ", " + l.Share + "."
}

// changePanels explain what changed in the row that the address names: usage against price, and who.
func (e *explorer) changePanels() []*panel.Panel {
	if e.Scope.Pick.Change == "" || !e.compares() {
		return nil
	}
	s := e.Scope.Closed()
	s.Filter, s.By = s.And(e.Scope.Pick.Change), e.next(conditionKeys(e.Scope.Pick.Change))
	s.Pick, s.Order = page.Picked{}, "" // of the explorer
	c := &Change{Scope: s, Before: e.before()}
	how, who := c.Bridge(), moversPanel(c, "difference", cmp.Or(s.By, "cause"))
	how.Title = "What changed: " + phrase(e.Scope.Pick.Change)
	how.Links = append(how.Links, views.Link{Text: "Close", Href: e.Scope.With("change", "") + "#panel-explore"})
	return []*panel.Panel{how, who}
}

// conditionKeys are the keys of a condition.
func conditionKeys(text string) []string {
	e, err := metrics.ParseFilter(text)
	if err != nil { // readGroups has refused it
		return nil
	}
	return metrics.FilterKeys(e)
}
