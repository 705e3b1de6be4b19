package costs

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"gpuledger/metrics"
	"gpuledger/metrics/ask"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/panel"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/views"
)

// gpuCost is the condition on the costs that the overview is about.
const gpuCost = "cause != 'non_gpu'"

// question asks costs of the page in its currency.
func question(p *page.Context, o metrics.Options) ask.Question {
	o.Filter = page.Both(o.Filter, gpuCost)
	if p.Scope.Currency == "" { // the page shows the largest; one that is chosen converts all others
		o.Filter = page.Both(o.Filter, page.Equal("currency", string(p.Currency)))
	}
	return ask.Question{Dataset: "costs", Options: p.Scope.For("costs", o)}
}

// spendPanel stacks spend per step by cause.
func spendPanel(p *page.Context, c *cube) *panel.Panel {
	keep := make([]string, len(stackCauses))
	for i, cause := range stackCauses {
		keep[i] = string(cause)
	}
	unit := stepNames[c.Step]
	v := &panel.Panel{
		Name: "spend", Title: "Spend by cause", Note: currencyWord(p.Currency) + " per " + unit, Chart: panel.Bars,
		Measure: p.Scope.Basis + "_cost", Keep: keep, Others: "Other causes", Where: gpuCost, Events: true,
		Ask: question(p, metrics.Options{GroupBy: "cause", Granularity: string(c.Step)}),
		Links: []views.Link{p.Twin(), page.Defined("costs.effective_cost"), {
			Text: "Explore", Href: panel.Explore(p.Scope, "costs", p.Scope.Basis+"_cost", []string{"cause"}, panel.Bars, gpuCost),
		}},
	}
	v.Before = beforeOf(p, metrics.Options{GroupBy: "cause"})
	return v
}

// beforeOf asks about the period before the page's; it is empty if the ledger does not have all of it.
func beforeOf(p *page.Context, o metrics.Options) ask.Question {
	before := p.Scope.Before()
	if before.Empty() || before.From < p.Extent.Stored.From {
		return ask.Question{}
	}
	earlier := *p
	earlier.Scope = p.Scope.During(before)
	return question(&earlier, o)
}

// funnelPanel compares all cost with the cost of held, active and used time.
func funnelPanel(p *page.Context) *panel.Panel {
	return &panel.Panel{
		Name: "funnel", Title: "From paid for to useful", Note: "effective cost", Chart: panel.Funnel,
		Parts:  []string{"effective_cost", "held_cost", "active_cost", "used_cost"},
		Labels: map[string]string{"effective_cost": "Paid for"}, Ask: question(p, metrics.Options{}),
		Href: func(s page.Scope, at panel.At) string {
			return panel.Explore(s, "costs", "effective_cost", []string{"cause"}, panel.Bars, causesOf(at.Part))
		},
		Foot: []string{"Paid for: all GPU cost. Held: somebody had the GPU. Active: it worked. Used: the work counts."},
	}
}

// causesOf is the condition on the causes that a figure of costs adds up.
func causesOf(figure string) string {
	costs, err := metrics.LookupDataset("costs")
	if err != nil {
		return gpuCost
	}
	c, _ := costs.Column(figure)
	if len(c.Formula.Where) == 0 { // of all causes
		return gpuCost
	}
	return "cause in (" + strings.Join(c.Formula.Where[0].Values, ", ") + ")"
}

// startPanels draws the overview's panels and tells what changed, while the rest of the page is written.
func startPanels(ctx context.Context, lane *page.Lane, p *page.Context, o *views.Overview, f overviewFacts) {
	spend := spendPanel(p, f.cube)
	if spend.Lead = views.SpendFacts(o.Spend, o.Facts); !p.Scope.AsTable {
		spend.Place = "w8 fill"
	}
	list := []*panel.Panel{spend, funnelPanel(p), treePanel(p, f.tree)}
	if a := f.against; a != nil {
		s := p.Scope.During(a.Days)
		s.Filter = s.And(gpuCost)
		change := &review.Change{Scope: s, Before: a.Before, Only: string(p.Currency)}
		bridge := change.Bridge()
		bridge.Title, bridge.Links = "What changed, and why", []views.Link{{Text: "All movers", Href: change.Page()}}
		bridge.Place = "w8"
		bridge.Above = func(ctx context.Context) (templ.Component, error) {
			story, err := change.Story(ctx, lane.Reader())
			return views.Sentences(story.Reasons), err
		}
		list = append(list, bridge)
	}
	started := panel.Start(ctx, lane, p, list...)
	o.SpendPanel, o.Funnel, o.Tree = started[0], started[1], started[2]
	if len(started) > 3 {
		o.Change = started[3]
	}
}
