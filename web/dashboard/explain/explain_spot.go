package explain

import (
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	spotPostingHeads = views.Heads("Posting: spot_postings.posting_id", "Hour: spot_postings.hour", "Node: key.node",
		"Cause: key.cause", "#Cost: costs.effective_cost", "#On demand per hour: spot_postings.on_demand_rate",
		"Source: spot_postings.on_demand_source", "#On demand: spot.on_demand_equivalent", "#Lost: spot.lost_cost")
	spotCutHeads = views.Heads("#Cost: spot.effective_cost", "#On demand: spot.on_demand_equivalent",
		"#Gross savings: spot.gross_savings", "#Lost: spot.lost_cost",
		"#Net savings: spot.net_savings", "Currency: costs.currency")
)

// spotFigures are the net savings per currency.
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
		x := views.ExplainedFigure{
			Headline: views.Headline{Name: "Net savings, " + f.Currency, Rule: page.Rule(ledger.State(f.State)), Figure: net},
		}
		if f.State != "" {
			x.Tags = append(x.Tags, page.Standing(ledger.State(f.State), f.Currency, e.Estimates))
		}
		out = append(out, x)
	}
	return out
}

// spotCutSection shows spot savings by day or machine type.
func spotCutSection(c *metrics.SpotCut) views.ExplainedSection {
	title := "By " + strings.ReplaceAll(c.By, "_", " ")
	t := views.Table{Caption: title,
		Heads: append([]views.SortLink{views.KeyHead(keyName(c.By), c.By)}, spotCutHeads...)}
	for i := range c.Rows {
		r := &c.Rows[i]
		row := views.Row{Cells: []views.Cell{keyCell("", &r.Value)}}
		row.Cells[0].Href = "/explain/" + r.Subject
		for _, a := range []money.Amount{r.Effective, r.OnDemand, r.Gross, r.Lost, r.Net} {
			text := a.String()
			row.Cells = append(row.Cells, views.Cell{Figure: costText(format.Currency(r.Currency), &text)})
		}
		row.Cells = append(row.Cells, views.Text(r.Currency))
		t.Rows = append(t.Rows, row)
	}
	return views.ExplainedSection{Title: title, Note: format.Plural(len(c.Rows), "row", "rows"), Table: &t}
}

// spotSection shows spot savings posting by posting.
func spotSection(s *metrics.ExplainedSpot) views.ExplainedSection {
	var sums []string
	for i := range s.Sums {
		x := &s.Sums[i]
		c := format.Currency(x.Currency)
		text := c.Full(x.Gross) + " gross − " + c.Full(x.Lost) + " lost = " + c.Full(x.Net) + " net."
		if !x.Unknown.IsZero() {
			text += " The on-demand price of another " + c.Full(x.Unknown) + " is not known."
		}
		sums = append(sums, text)
	}
	sums = append(sums, map[bool]string{true: "They add up to the figure, digit by digit.",
		false: "They do NOT add up to the figure: run gpuledger verify."}[s.Agrees])
	if len(s.Listed) == 0 {
		return views.ExplainedSection{Title: "Sums", Note: format.Count(s.Count) + " postings", Text: strings.Join(sums, " ")}
	}
	t := views.Table{Caption: "Postings of spot machines", Heads: spotPostingHeads}
	for i := range s.Listed[:min(len(s.Listed), mostRows)] {
		p := &s.Listed[i]
		c := format.Currency(p.Currency)
		source := strings.ReplaceAll(optional(p.Source), "_", " ")
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{
				Figure: views.Figure{Text: p.PostingID[:min(10, len(p.PostingID))], Title: p.PostingID},
				Mono:   true, Href: "/explain/posting/" + p.PostingID,
			},
			views.Text(moment(p.Hour)), {Figure: views.Figure{Text: p.Node}, Name: true},
			{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(p.Cause))}, Cause: p.Cause},
			{Figure: costText(c, p.Effective)}, {Figure: costText(c, p.Rate)},
			{Figure: views.Figure{Text: source, Title: optional(p.Detail)}},
			{Figure: costText(c, p.OnDemand)}, {Figure: costText(c, p.Lost)}}})
	}
	return views.ExplainedSection{
		Title: "Spot", Note: "first " + format.Count(int64(len(t.Rows))) + " of " + format.Count(s.Count) + " postings",
		Text: strings.Join(sums, " "), Table: &t,
	}
}
