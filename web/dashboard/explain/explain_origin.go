package explain

import (
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/chart"
	"gpuledger/web/views/format"
)

var (
	termHeads   = views.Heads("Number: figure.fact", "#Value: figure.fact", "Unit")
	originHeads = views.Heads("Part: figure.fact", "#Value: figure.fact", "Unit")
	noteHeads   = views.Heads("Note")
	followHeads = views.Heads("Follow")
)

// mostBars bounds the bars of a waterfall; the table has all parts.
const mostBars = 8

// originSections lay out a figure that follows from others: its formula with its numbers, the waterfall and the table
// of its parts, and what leads on.
func originSections(o *metrics.Origin, several bool, add func(views.ExplainedSection)) {
	title := ""
	if several {
		title = ", " + o.Name + " " + o.Of
	}
	if len(o.Terms) > 0 {
		t := termTable("Numbers of the formula", termHeads, o.Terms)
		add(views.ExplainedSection{Title: "Numbers" + title, Table: &t})
	}
	if len(o.Parts) > 0 {
		add(partsSection(o, title))
	}
	if len(o.Terms)+len(o.Parts) > 0 && o.Agrees != nil && !*o.Agrees {
		add(views.ExplainedSection{Title: "Check" + title, Text: "These do NOT give the figure: run gpuledger verify."})
	}
	if len(o.Leads) > 0 {
		s := views.ExplainedSection{Title: "Behind it" + title}
		for _, l := range o.Leads {
			s.Links = append(s.Links, views.Link{Text: capital(l.Text), Href: explainPath(l.Subject)})
		}
		add(s)
	}
}

// explainPath is the page of a subject.
func explainPath(subject string) string {
	of, query, ok := strings.Cut(subject, "?")
	if id, found := strings.CutPrefix(of, "run/"); found && !ok {
		return page.RunPath("/explain/run/", id)
	}
	if ok {
		of += "?" + query
	}
	return "/explain/" + of
}

// termTable lists numbers, each with its explanation. Columns that no row needs are left out.
func termTable(caption string, heads []views.SortLink, list []metrics.Term) views.Table {
	t := views.Table{Caption: caption, Heads: slices.Clone(heads)}
	noted := slices.ContainsFunc(list, func(n metrics.Term) bool { return n.Note != "" })
	followed := slices.ContainsFunc(list, func(n metrics.Term) bool { return len(n.Leads) > 1 })
	if noted {
		t.Heads = append(t.Heads, noteHeads...)
	}
	if followed {
		t.Heads = append(t.Heads, followHeads...)
	}
	for i := range list {
		n := &list[i]
		value := views.Cell{Figure: exact(n)}
		if len(n.Leads) == 1 {
			value.Why = explainPath(n.Leads[0].Subject)
		}
		cells := []views.Cell{
			{Figure: views.Figure{Text: strings.TrimSpace(n.Symbol + " " + n.Name)}, Name: true}, value, views.Text(n.Unit),
		}
		if noted {
			cells = append(cells, views.Cell{Figure: views.Figure{Text: n.Note}, Name: true})
		}
		if followed {
			var links []views.Link
			for _, l := range n.Leads {
				links = append(links, views.Link{Text: capital(l.Text), Href: explainPath(l.Subject)})
			}
			cells = append(cells, views.Cell{Form: views.RowLinks(n.Name, links)})
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells})
	}
	return t
}

// partsSection is the waterfall and the table of the parts.
func partsSection(o *metrics.Origin, title string) views.ExplainedSection {
	t := termTable("Parts", originHeads, o.Parts)
	s := views.ExplainedSection{Title: "Parts" + title, Note: format.Plural(len(o.Parts), "part", "parts"), Table: &t}
	if o.PartsBy != "" {
		s.Note += " by " + o.PartsBy
	}
	if o.Agrees != nil && *o.Agrees {
		s.Text = "The parts add up to the figure, digit by digit."
	}
	if len(o.Parts) > 1 {
		s.Chart = chart.Bridged(waterfall(o).Draw())
	}
	return s
}

// waterfall leads from 0 over the parts to the figure. The largest parts are drawn, the others as one.
func waterfall(o *metrics.Origin) chart.Bridge {
	b := chart.Bridge{Label: "Parts of " + metrics.Lower(o.Name), Axis: axis(o.Unit)}
	var rest money.Amount
	others := 0
	drawn := largest(o.Parts)
	for i := range o.Parts {
		p := &o.Parts[i]
		a := amountOf(p.Value)
		switch {
		case a == nil || a.IsZero():
		case !drawn[i]:
			rest = rest.Add(*a)
			others++
		default:
			b.Bars = append(b.Bars, bar(p.Name, *a, p.Unit, lead(p)))
		}
	}
	if others > 0 {
		b.Bars = append(b.Bars, bar(format.Count(int64(others))+" others", rest, o.Unit, ""))
	}
	if a := amountOf(o.Value); a != nil {
		total := bar(o.Name, *a, o.Unit, "")
		total.Total, total.Class = true, "s1"
		b.Bars = append(b.Bars, total)
	}
	return b
}

// largest marks the parts that are drawn.
func largest(parts []metrics.Term) map[int]bool {
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := amountOf(parts[a].Value), amountOf(parts[b].Value)
		return page.Size(y).Cmp(page.Size(x))
	})
	drawn := map[int]bool{}
	for _, i := range order[:min(mostBars, len(order))] {
		drawn[i] = true
	}
	return drawn
}

// capital starts a text in upper case.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func lead(t *metrics.Term) string {
	if len(t.Leads) == 0 {
		return ""
	}
	return explainPath(t.Leads[0].Subject)
}

func bar(name string, a money.Amount, unit, href string) chart.BridgeBar {
	b := chart.BridgeBar{Name: name, Figure: shortly(a, unit), Size: page.Pixels(a), Class: "s5",
		Mark: chart.Mark{Kind: "part", Unit: unit, Value: a.String(), Title: name + ": " + a.String() + " " + unit, Href: href,
			First: true}}
	if a.Sign() > 0 {
		b.Class = "s3"
	}
	return b
}

// shortly prints a figure for narrow places.
func shortly(a money.Amount, unit string) string {
	if ledger.CurrencyCode(unit) {
		return format.Currency(unit).Compact(a)
	}
	return format.Decimal(a.Rat())
}

func axis(unit string) func(value, step float64) string {
	if ledger.CurrencyCode(unit) {
		return figures.Axis(metrics.Column{Kind: metrics.Money}, format.Currency(unit))
	}
	return figures.Axis(metrics.Column{Kind: metrics.Quantity}, "")
}

// exact prints all digits of a term.
func exact(t *metrics.Term) views.Figure { return exactly(t.Value, t.Unit) }

func exactly(value *string, unit string) views.Figure {
	if value == nil {
		return views.Figure{}
	}
	if ledger.CurrencyCode(unit) {
		return costText(format.Currency(unit), value)
	}
	r, ok := new(big.Rat).SetString(*value)
	return views.Figure{Text: *value, Copy: *value, Zero: ok && r.Sign() == 0}
}

func amountOf(text *string) *money.Amount {
	if text == nil {
		return nil
	}
	a, err := money.Parse(*text)
	if err != nil {
		return nil
	}
	return &a
}

// definitionOf is the anchor of the definition of a subject's column. A side of a formula has no definition.
func definitionOf(subject string) string {
	anchor, _, _ := strings.Cut(subject, "?")
	if _, ok := metrics.Define(anchor); ok {
		return anchor
	}
	return metrics.ChapterFigures + ".fact"
}

// originFigure is the figure of a subject that an origin explains.
func originFigure(subject string, o *metrics.Origin, estimates metrics.Estimates) views.ExplainedFigure {
	name := o.Name
	if o.Of != "" {
		name += ", " + o.Of
	}
	f := page.Unknown("the ledger does not know it")
	if a := amountOf(o.Value); a != nil {
		f = exactly(o.Value, o.Unit)
		if coin := format.Currency(o.Unit); ledger.CurrencyCode(o.Unit) {
			f.Text = coin.Full(*a)
		} else {
			f.Text = strings.TrimSpace(format.Decimal(a.Rat()) + " " + o.Unit)
			f.Title = *o.Value
		}
	}
	out := views.ExplainedFigure{Headline: views.Headline{
		Name: name, Figure: f, Rule: page.Rule(ledger.State(o.State)), Define: definitionOf(subject),
	}}
	if o.State != "" {
		out.Tags = append(out.Tags, page.Standing(ledger.State(o.State), o.Unit, estimates))
	}
	return out
}
