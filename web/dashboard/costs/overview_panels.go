package costs

import (
	"context"

	"gpuledger/internal/ledger"
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
		Measure: p.Scope.Basis + "_cost", Keep: keep, Others: "Other causes", Where: gpuCost,
		Ask: question(p, metrics.Options{GroupBy: "cause", Granularity: string(c.Step)}),
		Links: []views.Link{p.Twin(), page.Defined("costs.effective_cost"), {
			Text: "Explore", Href: panel.Explore(p.Scope, "costs", p.Scope.Basis+"_cost", []string{"cause"}, panel.Bars, gpuCost),
		}},
	}
	if before := p.Scope.Before(); !before.Empty() && before.From >= p.Extent.Stored.From {
		earlier := *p
		earlier.Scope = p.Scope.During(before)
		v.Before = question(&earlier, metrics.Options{GroupBy: "cause"})
	}
	return v
}

// funnelPanel compares all cost with the cost of held, active and used time.
func funnelPanel(p *page.Context) *panel.Panel {
	causes := map[string][]ledger.Cause{
		"held_cost":   {ledger.Used, ledger.Overhead, ledger.HeldIdle, ledger.Lost},
		"active_cost": {ledger.Used, ledger.Lost}, "used_cost": {ledger.Used},
	}
	return &panel.Panel{
		Name: "funnel", Title: "From paid for to useful", Note: "effective cost", Chart: panel.Funnel,
		Parts:  []string{"effective_cost", "held_cost", "active_cost", "used_cost"},
		Labels: map[string]string{"effective_cost": "Paid for"}, Ask: question(p, metrics.Options{}),
		Href: func(s page.Scope, at panel.At) string {
			filter := gpuCost
			if list := causes[at.Part]; list != nil {
				filter = "cause in ("
				for i, cause := range list {
					if i > 0 {
						filter += ", "
					}
					filter += string(cause)
				}
				filter += ")"
			}
			return panel.Explore(s, "costs", "effective_cost", []string{"cause"}, panel.Bars, filter)
		},
		Foot: []string{"Paid for: all GPU cost. Held: somebody had the GPU. Active: it worked. Used: the work counts."},
	}
}

// drawPanels draws the overview's panels and tells what changed.
func (d *room) drawPanels(ctx context.Context, p *page.Context, o *views.Overview, f overviewFacts) {
	list := []*panel.Panel{spendPanel(p, f.cube), funnelPanel(p)}
	var change *review.Change
	if a := f.against; a != nil {
		s := p.Scope.During(a.Days)
		s.Filter = s.And(gpuCost)
		change = &review.Change{Scope: s, Before: a.Before, Only: string(p.Currency)}
		list = append(list, change.Bridge())
	}
	drawn := make([]views.Panel, len(list))
	var story review.Story
	var storyErr error
	work := []func(){func() {
		if change != nil {
			story, storyErr = change.Story(ctx, d.Reader)
		}
	}}
	for i, l := range list {
		work = append(work, func() {
			v, err := l.Draw(ctx, d.Reader, p)
			if drawn[i] = *v; err != nil {
				e := d.PanelError(p.Scope, err, l.Title)
				drawn[i].Error = &e
			}
		})
	}
	page.Parallel(work...)
	o.SpendPanel, o.Funnel = &drawn[0], &drawn[1]
	for i := range drawn {
		drawn[i].AsTable = p.Scope.AsTable
	}
	if change == nil {
		return
	}
	o.Change = &drawn[2]
	o.Change.Title, o.Change.Links = "What changed, and why", []views.Link{{Text: "All movers", Href: change.Page()}}
	if storyErr != nil {
		e := d.PanelError(p.Scope, storyErr, "The reasons")
		o.Change.Error = &e
		return
	}
	o.Change.Above = views.Sentences(story.Reasons)
}
