package explain

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// spotFigures are net savings, one per currency.
func spotFigures(e *metrics.Explanation) []views.ExplainedFigure {
	var out []views.ExplainedFigure
	for _, f := range e.Figures {
		c := format.Currency(f.Currency)
		net := page.Unknown("no hour has both a cost and an on-demand price")
		for _, o := range f.Others {
			if o.Name == "net_savings" {
				net = costText(c, &o.Value)
			}
		}
		x := views.ExplainedFigure{Headline: views.Headline{Name: "Net savings, " + f.Currency, Rule: page.Rule(ledger.State(f.State)), Figure: net}}
		if f.State != "" {
			x.Tags = append(x.Tags, page.StateTag(ledger.State(f.State)))
		}
		out = append(out, x)
	}
	return out
}

// spotSection shows what spot saved, posting by posting.
func spotSection(s *metrics.ExplainedSpot) views.ExplainedSection {
	var sums []string
	for i := range s.Sums {
		x := &s.Sums[i]
		c := format.Currency(x.Currency)
		text := c.Full(x.Gross) + " gross − " + c.Full(x.Lost) + " destroyed = " + c.Full(x.Net) + " net."
		if !x.Unknown.IsZero() {
			text += " What " + c.Full(x.Unknown) + " would have cost on demand is not known."
		}
		sums = append(sums, text)
	}
	sums = append(sums, map[bool]string{true: "They add up to the figure, digit by digit.", false: "They do NOT add up to the figure: run gpuledger verify."}[s.Agrees])
	t := views.Table{Caption: "Postings of spot machines", Of: "spot_postings", Heads: heads("Posting", "Hour", "Node", "Cause", "#Cost", "#On demand per hour", "Source", "#On demand", "#Destroyed")}
	for i := range s.Listed[:min(len(s.Listed), mostRows)] {
		p := &s.Listed[i]
		c := format.Currency(p.Currency)
		source := strings.ReplaceAll(optional(p.Source), "_", " ")
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{Figure: views.Figure{Text: p.PostingID[:min(10, len(p.PostingID))], Title: p.PostingID}, Mono: true, Href: "/explain/posting/" + p.PostingID},
			views.Text(moment(p.Hour)), {Figure: views.Figure{Text: p.Node}, Name: true}, {Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(p.Cause))}, Cause: p.Cause},
			{Figure: costText(c, p.Effective)}, {Figure: costText(c, p.Rate)}, {Figure: views.Figure{Text: source, Title: optional(p.Detail)}}, {Figure: costText(c, p.OnDemand)}, {Figure: costText(c, p.Lost)}}})
	}
	return views.ExplainedSection{Title: "Spot", Note: format.Count(int64(len(t.Rows))) + " of " + format.Count(s.Count) + " postings, the first", Text: strings.Join(sums, " "), Table: &t}
}
