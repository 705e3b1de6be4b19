package explain

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	settingHeads = views.Heads("Setting: policies.document", "Value: policies.document")
	costHeads    = views.Heads(
		"#Billed: costs.billed_cost", "#List: costs.list_cost", "#Contracted: costs.contracted_cost",
	)
	sayingHeads = views.Heads("What: figure.fact", "Value: figure.fact")
	partHeads   = views.Heads(
		"Cost: costs.effective_cost", "#Part: figure.weight", "#Share: figure.share", "#Whole units: figure.weight",
		"#Remainder: figure.weight", "#Left over: figure.weight", "#Place: figure.weight",
		"#Posted: postings.effective_cost",
	)
	postingHeads = views.Heads(
		"Posting: postings.posting_id", "Hour: postings.hour", "Node: key.node", "Cause: key.cause",
		"Kind: postings.kind", "#Effective: postings.effective_cost",
	)
	sideHeads = views.Heads(
		"Team: key.team", "Side: postings.kind", "#Weight: figure.weight", "#Effective: postings.effective_cost",
	)
)

const (
	// mostHours and mostRows bound the hours and rows that a page shows; the JSON has
	// all of them.
	mostHours = 24
	mostRows  = 100
)

// explained explains any figure: /explain/posting/ID and every other subject that metrics.ParseSubject accepts. It is a
// page, or for htmx the content of the drawer.
func (d *room) explained(w http.ResponseWriter, r *http.Request) {
	s := page.Passing(r)
	s.Filter = "" // it selects the figure
	subject, first := addressed(r.URL.Path, r.URL.RawQuery)
	address := "/api/v1" + r.URL.EscapedPath()
	if _, query, ok := strings.Cut(subject, "?"); ok {
		address += "?" + query
	}
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	v := views.Explained{Shell: d.Shell(r, s, "", "Explain"), Title: "Explain: " + title(subject),
		Back: views.Link{Text: "Overview", Href: "/"}, Here: r.URL.RequestURI(),
		JSON: views.Link{Text: "Full explanation (JSON)", Href: address},
		Script: "gpuledger explain " + shellQuote(subject) + " --list all > figure.json\npython3 docs/" +
			recomputing(subject) + " < figure.json"}
	e, err := d.Reader.ExplainLevel(ctx, subject, first)
	status := http.StatusOK
	var missing *metrics.NotFoundError
	var option *metrics.OptionError
	switch {
	case errors.As(err, &missing):
		v.Error, status = &views.PanelError{What: "This is not in the ledger."}, http.StatusNotFound
	case errors.As(err, &option):
		v.Error, status = &views.PanelError{What: option.Error()}, http.StatusBadRequest
	case err != nil:
		failure := d.PanelError(s, err, "The explanation")
		v.Error, status = &failure, d.Failing(w, err)
	default:
		if e.Level != nil || strings.HasPrefix(subject, "spot") {
			v.JSON = views.Link{Text: "All postings, with digest (JSON)", Href: wholeList(address)}
		}
		fillExplained(&v, e, !access.From(r.Context()).Bounded())
	}
	if r.Header.Get("HX-Request") == "true" {
		d.Render(w, r, status, views.ExplainedDrawer(v))
		return
	}
	d.Render(w, r, status, views.ExplainedPage(v))
}

// wholeList is the address of all postings of a figure.
func wholeList(address string) string {
	if strings.Contains(address, "?") {
		return address + "&list=all"
	}
	return address + "?list=all"
}

// recomputing is the script that recomputes a subject's figure.
func recomputing(subject string) string {
	if strings.HasPrefix(subject, "spot") {
		return "recompute_spot.py"
	}
	return "recompute.py"
}

// title prints a subject with its options in words and its ids shortened.
func title(subject string) string {
	of, query, _ := strings.Cut(subject, "?")
	if options, err := url.ParseQuery(query); err == nil {
		subject = of
		for _, opt := range metrics.OptionList {
			for _, name := range []string{opt.Name, strings.ReplaceAll(opt.Name, "-", "_")} {
				if text := strings.TrimSuffix(options.Get(name), "T00:00:00Z"); text != "" {
					subject += titled(opt.Name, text)
					options.Del(name)
				}
			}
		}
	}
	if r := []rune(subject); len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return subject
}

func titled(option, text string) string {
	switch option {
	case "from", "to":
		return " " + option + " " + text
	case "filter":
		return " where " + text
	case "group-by":
		return " by " + strings.ReplaceAll(text, "_", " ")
	}
	return ", " + strings.ReplaceAll(option, "-", " ") + " " + text
}

// shellQuote quotes a text as one word for a POSIX shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// fillExplained lays an explanation out; bills means that the viewer may read whole bills.
func fillExplained(v *views.Explained, e *metrics.Explanation, bills bool) {
	if strings.HasPrefix(e.Subject, "spot") {
		v.Figures = spotFigures(e)
	} else {
		for _, f := range largestFirst(e.Figures) {
			v.Figures = append(v.Figures, explainedFigure(&f, e.Estimates))
		}
	}
	v.Formula = e.Formula
	if len(e.Origins) > 0 {
		v.Script = "" // the numbers are on the page
	}
	for i := range e.Origins {
		o := &e.Origins[i]
		v.Figures = append(v.Figures, originFigure(e.Subject, o, e.Estimates))
		v.Sentence, v.Formula = o.Sentence, o.Formula
	}
	if len(e.Policies) > 0 {
		v.Formula += " Policy " + strings.Join(e.Policies, ", ") + "."
	}
	add := func(s views.ExplainedSection) { v.Sections = append(v.Sections, s) }
	for i := range e.Origins {
		originSections(&e.Origins[i], len(e.Origins) > 1, add)
	}
	if p := e.Posting; p != nil {
		v.Sentence = page.CauseLabel(ledger.Cause(p.Cause)) + ": " + p.Why
		add(postingSection(p))
	}
	if len(e.Shares) > 0 {
		add(stepsSection(e.Shares))
	}
	if e.Level != nil {
		levelSections(e.Subject, e.Level, bills, add)
	}
	if e.Spot != nil {
		for i := range e.Spot.Cuts {
			add(spotCutSection(&e.Spot.Cuts[i]))
		}
		add(spotSection(e.Spot))
	}
	if e.Pool != nil {
		poolSections(e.Pool, add)
	}
	if e.Own != nil {
		v.Script = "" // the script needs parts that a scoped user cannot see
		ownSections(e.Own, add)
	}
	for i := range e.NodeHours {
		if i == mostHours {
			add(views.ExplainedSection{
				Title: "More hours", Text: format.Count(int64(len(e.NodeHours)-i)) + " further node-hours are in the JSON.",
			})
			break
		}
		hourSections(&e.NodeHours[i], add)
	}
	if len(e.Whole) > 0 {
		t := partsTable("Parts posted as a whole", e.Whole[:min(len(e.Whole), mostRows)])
		add(views.ExplainedSection{Title: "Whole parts", Note: format.Plural(len(e.Whole), "part", "parts"), Table: &t})
	}
	for _, s := range e.Settings {
		t := views.Table{Caption: "Settings of " + s.Version, Heads: settingHeads}
		for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
			t.Rows = append(t.Rows, textRow(name, s.Settings[name]))
		}
		add(views.ExplainedSection{Title: "Policy", Note: s.Version, Table: &t})
	}
}

func explainedFigure(f *metrics.Figure, estimates metrics.Estimates) views.ExplainedFigure {
	c := format.Currency(f.Currency)
	out := views.ExplainedFigure{
		Headline: views.Headline{
			Name: "Effective cost, " + f.Currency, Rule: page.Rule(ledger.State(f.State)), Figure: withCode(costText(c, f.Effective), f),
		},
	}
	if f.State != "" {
		out.Tags = append(out.Tags, page.Standing(ledger.State(f.State), f.Currency, estimates))
	}
	if tag := page.QualityTag(ledger.Quality(f.Quality)); tag != nil {
		out.Tags = append(out.Tags, *tag)
	}
	out.Costs = views.Table{Caption: "Costs in " + f.Currency, Heads: costHeads, Rows: []views.Row{{Cells: []views.Cell{
		{Figure: costText(c, f.Billed)}, {Figure: costText(c, f.List)}, {Figure: costText(c, f.Contracted)}}}}}
	return out
}

// largestFirst are the figures by the size of their effective cost; those without one come last.
func largestFirst(list []metrics.Figure) []metrics.Figure {
	out := slices.Clone(list)
	size := func(f metrics.Figure) *big.Rat {
		a, err := money.Parse(optional(f.Effective))
		if err != nil {
			return new(big.Rat).SetInt64(-1)
		}
		return new(big.Rat).Abs(a.Rat())
	}
	slices.SortStableFunc(out, func(a, b metrics.Figure) int { return size(b).Cmp(size(a)) })
	return out
}

// withCode adds the currency to a known headline figure.
func withCode(f views.Figure, of *metrics.Figure) views.Figure {
	if of.Effective != nil {
		f.Text += " " + of.Currency
	}
	return f
}

// costText prints all digits of a cost.
func costText(c format.Currency, text *string) views.Figure {
	if text == nil {
		return views.Figure{Text: format.NA, Title: "the bill does not state this cost", Zero: true}
	}
	a, err := money.Parse(*text)
	if err != nil {
		return views.Figure{Text: *text}
	}
	return views.Figure{Text: *text, Title: c.Exact(a), Exact: c.Exact(a), Copy: *text, Zero: a.IsZero()}
}

func textRow(texts ...string) views.Row {
	var r views.Row
	for _, t := range texts {
		r.Cells = append(r.Cells, views.Cell{Figure: views.Figure{Text: t}, Name: true})
	}
	return r
}

func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func moment(t time.Time) string { return format.Instant(period.FromTime(t)) }

func postingSection(p *metrics.ExplainedPosting) views.ExplainedSection {
	t := views.Table{Caption: "Details of the posting", Heads: sayingHeads}
	for _, kv := range [][2]string{{"Hour", moment(p.Hour)}, {"Billing period", optional(p.Period)}, {"Team", p.Team},
		{"Run", optional(p.RunID)}, {"Kind", p.Kind},
		{"Activity", optional(p.Activity)}, {"Method", p.Method}, {"Quality", p.Quality}, {"Policy", p.Policy}} {
		if kv[1] != "" {
			t.Rows = append(t.Rows, textRow(kv[0], kv[1]))
		}
	}
	if p.Adjusts != nil {
		t.Rows = append(t.Rows, views.Row{
			Cells: []views.Cell{
				views.Text("Corrects"), {
					Figure: views.Figure{Text: "a posting of a closed period"}, Href: "/explain/posting/" + *p.Adjusts,
				},
			},
		})
	}
	return views.ExplainedSection{Title: "Posting", Table: &t}
}

func stepsSection(list []metrics.Derivation) views.ExplainedSection {
	t := views.Table{Caption: "From the part to the posting", Wide: true,
		Heads: partHeads}
	for i := range list {
		s := &list[i]
		place := format.Count(int64(s.Place))
		if s.Extra {
			place += " +1"
		}
		t.Rows = append(t.Rows, textRow(strings.TrimSuffix(s.Metric, "_cost"), s.Part, s.Share, s.Whole, s.Remainder, s.Left,
			place, s.Posted))
	}
	return views.ExplainedSection{Title: "Steps", Note: "units of 1e-12, largest remainder", Table: &t}
}

func postingsTable(list []metrics.BehindRow) views.Table {
	t := views.Table{Caption: "Postings", Heads: postingHeads}
	for i := range list[:min(len(list), mostRows)] {
		p := &list[i]
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{
			{
				Figure: views.Figure{Text: p.PostingID[:min(10, len(p.PostingID))], Title: p.PostingID},
				Mono:   true, Href: "/explain/posting/" + p.PostingID,
			},
			views.Text(moment(p.Hour)), {Figure: views.Figure{Text: optional(p.Node)}, Name: true},
			{Figure: views.Figure{Text: page.CauseLabel(ledger.Cause(p.Cause))}, Cause: p.Cause}, views.Text(p.Kind),
			{Figure: costText(format.Currency(p.Amount.Currency), p.Amount.Effective)}}})
	}
	return t
}

func poolSections(p *metrics.ExplainedPool, add func(views.ExplainedSection)) {
	t := views.Table{Caption: "Teams that pass cost on and teams that receive it", Heads: sideHeads}
	c := format.Currency(p.Total.Currency)
	for i := range p.Rows {
		r := &p.Rows[i]
		weight := r.Weight + "/" + r.WeightOf
		if r.TeamWeightOf > 0 {
			weight = format.Count(r.TeamWeight) + "/" + format.Count(r.TeamWeightOf) + " × " + weight
		}
		t.Rows = append(t.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: page.TeamName(r.Team)}, Name: true},
			views.Text(strings.ReplaceAll(r.Kind, "_", " ")),
			views.Text(weight), {Figure: costText(c, r.Amount.Effective), Why: "/explain/posting/" + r.ShareID}}})
	}
	add(views.ExplainedSection{
		Title: "Pool", Note: page.CauseLabel(ledger.Cause(p.Cause)) + " of " + p.Day.Format(time.DateOnly) + " in " +
			p.Cluster + ", " + p.Method + ", rule " + format.Count(int64(p.Rule)) + " of " + p.Policy, Table: &t,
	})
	if len(p.Listed) > 0 {
		list := postingsTable(p.Listed)
		add(views.ExplainedSection{
			Title: "Postings of the pool",
			Note:  format.Count(int64(len(list.Rows))) + " of " + format.Count(int64(p.Postings)), Table: &list,
		})
	}
}
