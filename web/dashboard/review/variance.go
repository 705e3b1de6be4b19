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
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// bridge lists the columns of variance that a bridge goes through.
var bridge = []string{
	"cost_before", "volume", "efficiency", "mix", "price", "exchange", "without_hours", "cost_after",
}

// parts are the bars between the totals.
var parts = bridge[1 : len(bridge)-1]

// Change is the difference between a page's period and an earlier one.
type Change struct {
	Scope  page.Scope
	Before period.Interval
	Only   string         // the currency that is shown; empty: all
	SoFar  []views.Reason // that the data end before the period does, if so, and where equal spans are
}

// compare is the difference that an address asks for. A period without both ends is compared with nothing.
func compare(s page.Scope, extent metrics.Extent) Change {
	open := s.Window.From == 0 || s.Window.To == 0
	c := Change{Scope: s.Shown(extent)}
	if !open {
		c.Before = c.Scope.Before()
	}
	if c.Scope.Span.To >= extent.Data+period.Day {
		c.SoFar = []views.Reason{c.soFar(extent)}
	}
	return c
}

// soFar says that a period lacks data at its end, and leads to equal spans.
func (c *Change) soFar(e metrics.Extent) views.Reason {
	r := views.Reason{Text: "The data end on " + format.Day(e.Data-1) + ", before the period does."}
	if days, before, ok := page.EqualSpans(c.Scope.Span, c.Before, e); ok {
		r.Text = "The data end on " + format.Day(e.Data-1) + ": " + format.Plural(whole(days), "day is", "days are") +
			" compared with " + format.Count(int64(whole(c.Before))) + "."
		r.Link = c.Scope.Alike("/variance", days, before)
	}
	return r
}

func whole(span period.Interval) int { return int(span.Seconds() / int64(period.Day)) }

// monthsPanel offers the months to compare, each with the one before.
func monthsPanel(s page.Scope) *panel.Panel {
	return &panel.Panel{
		Name: "months", Title: "Cost by month", Chart: panel.Bars, Measure: s.Basis + "_cost",
		Ask:  ask.Question{Dataset: "costs", Options: s.For("costs", metrics.Options{Granularity: string(metrics.Month)})},
		None: "No cost has been recorded yet.",
		Href: func(s page.Scope, at panel.At) string {
			return s.At("/variance", "from", at.From, "to", at.To, "against", metrics.AgainstPrevious)
		},
	}
}

// Page is the address of the page about the difference.
func (c *Change) Page(changes ...string) string {
	return c.Scope.At("/variance", append([]string{"against", c.against()}, changes...)...)
}

func (c *Change) against() string {
	return page.Address(c.Before.From) + "/" + page.Address(c.Before.To)
}

// words prints the periods: "1 – 30 Nov against 1 – 31 Oct".
func (c *Change) words() string {
	return format.ShortDays(c.Scope.Span) + " against " + format.ShortDays(c.Before)
}

// question asks for the difference by keys.
func (c *Change) question(by string) ask.Question {
	o := c.Scope.For("variance", metrics.Options{GroupBy: by})
	if c.Scope.Currency == "" {
		o.Filter = page.Both(o.Filter, page.Equal("currency", c.Only))
	}
	o.Sharing = c.Scope.Sharing
	o.Against = c.against()
	return ask.Question{Dataset: "variance", Options: o}
}

// variance answers why a period cost more or less than another.
func (d *room) variance(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadFiltered(r, "variance", func(s page.Scope) string { return s.By })
	if err == nil {
		err = checkPart(s.Pick.Measure)
	}
	if err == nil {
		_, err = metrics.Parse("variance", metrics.Options{GroupBy: s.By})
	}
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	extent, err := d.Reader.Extent(ctx)
	if err != nil {
		d.Broken(w, r, s, "variance", err)
		return
	}
	c := compare(s, extent)
	p := &page.Context{Scope: c.Scope, Extent: extent}
	v := views.Panels{Shell: d.Shell(r, c.Scope, "variance", "Variance"), Sentence: "Choose two periods to compare."}
	v.Shell.Bar = p.Bar(page.Choices{Dataset: "variance", Compared: true, Sharing: true})
	lane, parts := d.Lane(r)
	if c.Before.Empty() {
		v.Sub = "Choose a month below, or a period and a comparison above."
		if now, before, ok := page.NewestMonth(extent); ok {
			v.Above = views.Sentences([]views.Reason{{
				Text: "The newest month has data to " + format.Day(extent.Data-1) + ".", Link: c.Scope.Alike("/variance", now, before),
			}})
		}
		v.Panels = panel.Start(parts, lane, p, monthsPanel(c.Scope))
		lane.Stream(w, r, views.PanelsPage(v))
		return
	}
	v.Intro = lane.Start(parts, c.Scope, page.Part{
		Name: "story", Title: "The reasons", Plain: true, Heading: v.Sentence, Draw: c.told(d.Reader),
	})
	v.Panels = panel.Start(parts, lane, p, c.Bridge(),
		moversPanel(&c, cmp.Or(s.Pick.Measure, "difference"), cmp.Or(s.By, "team")))
	v.Below = lane.Start(parts, c.Scope, page.Part{
		Name: "events", Title: "The events", Plain: true, Draw: c.coinciding(d.Reader),
	})
	lane.Stream(w, r, views.PanelsPage(v))
}

// told says what changed, and why.
func (c *Change) told(reader page.Reader) func(context.Context) (templ.Component, error) {
	return func(ctx context.Context) (templ.Component, error) {
		story, err := c.Story(ctx, reader)
		if err != nil {
			return nil, err
		}
		return views.Told(story.Sentence, c.words()+", "+sharingWords(c.Scope)+".", story.standing(ctx, reader),
			story.Reasons), nil
	}
}

// coinciding lists the events of both periods.
func (c *Change) coinciding(reader page.Reader) func(context.Context) (templ.Component, error) {
	return func(ctx context.Context) (templ.Component, error) {
		var happened []views.Reason
		for _, s := range []page.Scope{c.Scope.During(c.Before), c.Scope} {
			events, err := panel.Coincidences(ctx, reader, s)
			if err != nil {
				return nil, err
			}
			happened = append(happened, events...)
		}
		return views.Coinciding(happened), nil
	}
}

// checkPart refuses a part that variance does not have.
func checkPart(name string) error {
	if name == "" || name == "difference" || slices.Contains(parts, name) {
		return nil
	}
	return &metrics.OptionError{
		Option: "measure", Value: name, Reason: "is not a part of a difference; there are difference, " + strings.Join(parts, ", "),
	}
}

func sharingWords(s page.Scope) string {
	if s.Sharing == string(metrics.AfterSharing) {
		return "after sharing"
	}
	return "before sharing"
}

// Bridge leads from the earlier cost to the later.
func (c *Change) Bridge() *panel.Panel {
	return &panel.Panel{
		Name: "bridge", Title: "From before to after", Note: c.words(), Chart: panel.Bridge, Parts: bridge,
		Ask: c.question(""), None: "No cost in either period.",
		Href: func(_ page.Scope, at panel.At) string {
			if slices.Contains(parts, at.Part) {
				return c.Page("by", cmp.Or(c.Scope.By, "team"), "measure", at.Part) + "#panel-movers"
			}
			span := c.Scope
			if at.Part == "cost_before" {
				span = span.During(c.Before)
			}
			return panel.Explore(span, "costs", c.Scope.Basis+"_cost", []string{"team"}, panel.Bars, "")
		},
		Links: []views.Link{page.Defined("variance.difference")},
		Foot: []string{
			"Volume: more or less useful work. Efficiency: more or fewer GPU-hours for the same work. Mix: other GPU models " +
				"and price classes. Price: other prices of the same. Without hours: fees, shared cost, unused commitments.",
		},
	}
}

// moversPanel shows who moved the difference, or one part of it.
func moversPanel(c *Change, measure, by string) *panel.Panel {
	title := "Who moved it"
	if measure != "difference" {
		title = "Who moved " + metrics.Lower(measure)
	}
	return &panel.Panel{
		Name: "movers", Title: title, Note: "by " + metrics.Lower(by), Measure: measure, Differs: true,
		Chart: panel.Bars, Parts: append([]string{"cost_before", "cost_after"}, parts...), Ask: c.question(by), Most: 10,
		None: "Nothing moved.", Links: c.keyLinks(by),
		Foot: []string{
			"Each row is split by its own work, GPU models and prices. Differences add up to the whole. Parts do not: work that " +
				"moves from one row to another is volume of both, and of the whole it is mix, efficiency or nothing.",
		},
		Href: func(_ page.Scope, at panel.At) string { return c.deeper(by, measure, at) },
	}
}

// keyLinks offer the keys by which the difference can be followed.
func (c *Change) keyLinks(by string) (links []views.Link) {
	for _, key := range usual {
		if key != by && key != "kind" { // how cost came to its owner
			links = append(links, views.Link{Text: metrics.Label(key), Href: c.Page("by", key) + "#panel-movers"})
		}
	}
	return links
}

// deeper follows a mover: to the next key, to its run, or to its bill lines.
func (c *Change) deeper(by, measure string, at panel.At) string {
	filter := at.Filter()
	switch {
	case at.Others:
		return c.Page("by", by, "filter", c.Scope.And(filter), "measure", c.Scope.Pick.Measure)
	case by == "run" && len(at.Values) > 0 && at.Values[0].Valid:
		return page.RunPath("/runs/", at.Values[0].Text)
	case by == "run":
		return panel.Explore(c.Scope, "variance", measure, []string{"cause", "team"}, panel.Pivot, filter)
	}
	return c.Page("by", cmp.Or(panel.Deeper(by), "run"), "filter", c.Scope.And(filter), "measure", c.Scope.Pick.Measure)
}
