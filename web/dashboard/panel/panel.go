package panel

import (
	"cmp"
	"context"
	"slices"

	"github.com/a-h/templ"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Chart is a kind of chart.
type Chart string

// Charts. Bars are stacked over time if the question has steps, else ranked.
const (
	Bars      Chart = "bars"
	Lines     Chart = "lines"
	Treemap   Chart = "treemap"
	Heatmap   Chart = "heatmap"
	Pivot     Chart = "pivot"
	Multiples Chart = "multiples" // a small chart per group, over time
	Bridge    Chart = "bridge"    // from the first of Parts to the last
	Funnel    Chart = "funnel"    // Parts, each a part of the one before
)

// Charts are those of which a reader can choose.
var Charts = []Chart{Bars, Lines, Multiples, Treemap, Heatmap, Pivot}

// Panel declares a panel.
type Panel struct {
	Name        string // data-panel, and the anchor on its page
	Title, Note string
	Ask         ask.Question
	Measure     string   // the column drawn
	Parts       []string // the columns drawn by a bridge or funnel, instead of Measure; else further columns of the table
	Differs     bool     // the measure is a difference, printed with its sign
	Chart       Chart
	Most        int // groups drawn; others are added up; 0: DefaultMost
	// Names are the columns that name a row, of questions without keys; Over is the column of a row's day, which lines
	// of Parts are drawn over.
	Names []string
	Over  string
	// Moment is a day of Over that the chart marks; 0: none.
	Moment     period.Second
	MomentText string
	// Limit is drawn as a tick on ranked bars; Class is the fill of a bar by its first value and figure. Both may be nil.
	Limit *money.Amount
	Class func(name string, a money.Amount) string
	// Keep are the values of the only key that are drawn, in this order; Others names the sum of all others.
	Keep   []string
	Others string
	Labels map[string]string // of Parts, where the column's own name does not say enough
	// Before is the question that it is compared with, for the column "previous"; empty: no such column.
	Before ask.Question
	// Now and Was head the columns of a comparison; empty: the measure and "Previous".
	Now, Was string
	ByChange bool         // groups that changed most come first, not the largest
	Pins     metrics.Expr // groups that match are drawn however small they are
	// Acts are the links at the end of a row of the table; nil: none. drawn says that the chart has the group alone.
	Acts func(at At, drawn bool) []views.Link
	// Where is the part of the question's filter that the page's address lacks.
	Where string
	// Href is where a mark leads; nil: the explorer, narrowed to the mark.
	Href   func(s page.Scope, at At) string
	Events bool   // what happened is drawn on the time axis
	None   string // text without rows
	Links  []views.Link
	Foot   []string
	// Place is the class of its place in the page's grid. Lead precedes its title even if it fails, Above its charts;
	// both may be nil.
	Place string
	Lead  templ.Component
	Above func(ctx context.Context) (templ.Component, error)
	Open  bool // the table is shown, not folded
	// Told hears what the largest group is in words, or why the panel could not be drawn; may be nil.
	Told func(Lead, error)
}

// DefaultMost is how many groups a chart draws.
const DefaultMost = 8

// At is what a mark stands for.
type At struct {
	Keys   []string        // names of the keys
	Values []metrics.Value // a value per key, of the first keys only for a sum
	From   string          // of a step; empty: the panel's period
	To     string
	Part   string // column of a bridge or funnel
	Others bool   // a sum of the groups that are not drawn
	Except string // of a sum of others: the condition that leaves out the groups that are drawn; empty if too long
	Where  string // the panel's own condition
}

// Value is the value of a key.
func (a At) Value(key string) (string, bool) {
	i := slices.Index(a.Keys, key)
	if i < 0 || i >= len(a.Values) {
		return "", false
	}
	return a.Values[i].Text, a.Values[i].Valid
}

// Filter is the condition that selects the mark's rows.
func (a At) Filter() string {
	terms := make([]string, len(a.Values))
	for i, v := range a.Values {
		terms[i] = a.Keys[i] + " is null"
		if v.Valid {
			terms[i] = page.Equal(a.Keys[i], v.Text)
		}
	}
	return page.Both(append(terms, a.Except, a.Where)...)
}

// Draw asks and draws a panel. It returns the panel and, if it could not be read, why.
func (p *Panel) Draw(ctx context.Context, reader page.Reader, c *page.Context) (*views.Panel, error) {
	v, lead, err := p.draw(ctx, reader, c)
	if p.Told != nil {
		p.Told(lead, err)
	}
	return v, err
}

func (p *Panel) draw(ctx context.Context, reader page.Reader, c *page.Context) (*views.Panel, Lead, error) {
	question := p.Ask
	question.Figures = p.drawn()
	v := &views.Panel{
		Name: p.Name, Title: p.Title, Note: p.Note, None: p.None, Links: p.Links, Foot: slices.Clone(p.Foot),
		Asked: page.Asked(question), Class: p.Place, Lead: p.Lead, Open: p.Open, AsTable: c.Scope.AsTable,
	}
	var sheets []*sheet
	var happened []event
	var err, eventsErr, aboveErr error
	page.Parallel(
		func() { sheets, err = p.read(ctx, reader, c.Scope.Span) },
		func() {
			if p.Events {
				happened, eventsErr = readEvents(ctx, reader, c.Scope, eventKinds)
			}
		},
		func() {
			if p.Above != nil {
				v.Above, aboveErr = p.Above(ctx)
			}
		},
	)
	if err = cmp.Or(err, eventsErr, aboveErr); err != nil {
		return v, Lead{}, err
	}
	v.Events = reasonsOf(happened)
	estimates := page.EstimatesFor(ctx, reader, slices.ContainsFunc(sheets, (*sheet).provisional))
	var lead Lead
	blank := 0
	for i, s := range sheets {
		blank += s.blank
		if len(s.groups) == 0 && len(s.rows) > 0 && p.Measure != "" {
			continue // nothing of it is known
		}
		d := drawing{Panel: p, Context: c, sheet: s, several: len(sheets) > 1, happened: happened, estimates: estimates}
		if i == 0 {
			v.Note, lead = cmp.Or(v.Note, d.unitNote()), d.lead()
		}
		v.Drawings = append(v.Drawings, d.draw())
	}
	if blank > 0 {
		v.Foot = append(v.Foot, format.Plural(blank, "group", "groups")+" without this figure "+
			map[bool]string{true: "is", false: "are"}[blank == 1]+" left out.")
	}
	return v, lead, nil
}

// Start draws panels while the rest of the page goes on. Each has its own time limit, and one that fails says so in its
// place.
func Start(ctx context.Context, lane *page.Lane, c *page.Context, list ...*Panel) []templ.Component {
	out := make([]templ.Component, len(list))
	for i, p := range list {
		out[i] = lane.Start(ctx, c.Scope, page.Part{
			Name: p.Name, Title: p.Title, Class: p.Place, Lead: p.Lead,
			Draw: func(ctx context.Context) (templ.Component, error) {
				v, err := p.Draw(ctx, lane.Reader(), c)
				if err != nil {
					return nil, err
				}
				return views.PanelOf(*v), nil
			},
		})
	}
	return out
}

// drawn are the columns that the panel draws.
func (p *Panel) drawn() []string {
	if p.Measure == "" {
		return p.Parts
	}
	return append([]string{p.Measure}, p.Parts...)
}

// drawing is a panel's sheet of one currency on its way to a picture.
type drawing struct {
	*Panel
	*page.Context
	*sheet
	several  bool // each drawing names its currency
	happened []event
	// estimates are how good estimates were, if a step is provisional.
	estimates metrics.Estimates
}

// heading names the currency of one drawing of several.
func (d *drawing) heading() string {
	switch {
	case !d.several:
		return ""
	case d.currency == "":
		return "without a price"
	case d.column.Name != "" && !d.money():
		return "billed in " + d.currency
	}
	return d.currency
}

// caption names the table of a drawing. It differs from the panel's title and from the captions of
// other drawings, so that landmarks have unique names.
func (d *drawing) caption() string {
	if of := d.heading(); of != "" {
		return d.Title + ", table, " + of
	}
	return d.Title + ", table"
}

// draw lays out one sheet.
func (d *drawing) draw() views.Drawing {
	v := views.Drawing{Heading: d.heading()}
	switch {
	case d.Chart == Bridge:
		v.Body = d.bridge()
	case d.Chart == Funnel:
		v.Body = d.funnel()
	case d.Over != "":
		v.Body = d.courses()
		v.Twin = d.daily()
		return v
	case d.Chart == Pivot:
		v.Body = d.pivot()
		return v // it is a table
	case d.Chart == Treemap && adds(d.column):
		v.Body = d.treemap()
	case d.Chart == Heatmap:
		v.Body = d.heatmap()
	case len(d.steps) > 0 && d.Chart == Multiples:
		v.Body = d.multiples()
	case len(d.steps) > 0 && (d.Chart == Lines || !adds(d.column)): // shares cannot be stacked
		v.Body = d.lines()
	case len(d.steps) > 0:
		v.Body = d.stack()
	default:
		v.Body = d.ranked()
	}
	v.Twin = d.twin()
	return v
}
