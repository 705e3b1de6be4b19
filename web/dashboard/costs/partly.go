package costs

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var hourHeads = views.Heads("Cause: key.cause", "#GPU-h: costs.gpu_hours", "#Share: figure.share")

// partly fills in the overview if the ledger lacks a source or the address matches nothing,
// and reports whether it did. Figures that a missing source could change are omitted, not
// shown as zero.
func partly(p *page.Context, o *views.Overview, c *cube, t *sums, f overviewFacts) bool {
	var unbilled money.Amount
	for _, a := range c.Unbilled {
		page.Add(&unbilled, a)
	}
	switch {
	case p.Extent.Empty():
		o.Sentence, o.Sub = firstSentence(f.imports)
		o.First = firstRun(f.imports, false)
	case len(c.Rows) == 0 && !unbilled.IsZero() && !p.Scope.Filtered():
		o.Sentence = "Telemetry is in, but its hours have no price yet."
		o.Sub = "Import a bill or a price book to price these GPU-hours. Until then their cost is unknown, not zero."
		if len(f.standing.MayCost) > 0 {
			o.Sub += " " + f.standing.Sentence()
		}
		o.First = firstRun(f.imports, true)
		o.Alone = telemetryAlone(p, c, unbilled)
		if f.runsErr == nil {
			slices.SortStableFunc(f.runs, func(a, b work.Run) int { return b.GPUHours.Cmp(a.GPUHours) })
			work.TopRuns(p, o, f.runs)
			o.RunsTitle = "Largest runs"
		}
	case len(c.Rows) == 0 && len(c.Currencies) > 0 && !slices.Contains(c.Currencies, c.Currency):
		o.Sentence = page.NoCost(c.Currency, "in "+format.Days(p.Shown()))
		o.Sub = "Cost is in " + page.Listed(c.Currencies) + "."
		o.Nothing = &views.Nothing{What: "Nothing is in " + c.Currency + ".", Link: views.Link{
			Text: "Show " + c.Currencies[0], Href: p.Scope.With("currency", c.Currencies[0]),
		}}
	case len(c.Rows) == 0:
		o.Sentence, o.Sub = overviewSentence(p, t)
		o.Nothing = nothing(p)
	case t.GPUHours.IsZero() && mostlyUnobserved(t) && !p.Scope.Filtered():
		o.Sentence, o.Sub = overviewSentence(p, t)
		o.First = firstRun(f.imports, true)
		o.Alone = billAlone(p, t)
		p.Blind = true
		teams(p, o, c, t)
		classes(p, o, c, t)
		o.Dollar.Causes = causeTable(p, t)
	default:
		return false
	}
	o.Bar = p.Bar(page.Choices{Currencies: c.Currencies, Sharing: true, Dataset: "costs"})
	return true
}

func mostlyUnobserved(t *sums) bool {
	return t.ByCause[ledger.Unobserved].Rat().Cmp(half(t.Cost).Rat()) > 0
}

// nothing names the filter or period without postings.
func nothing(p *page.Context) *views.Nothing {
	n := &views.Nothing{What: "There are no postings in " + format.Days(p.Shown()) + ".", Link: p.AllStored()}
	switch {
	case p.WithoutData() != "":
		n.What = p.WithoutData()
	case p.Scope.Team != "":
		n.What, n.Link = "There are no postings of team "+p.Scope.Team+" in "+format.Days(p.Shown())+".",
			views.Link{Text: "Clear the team filter", Href: p.Scope.With("team", "")}
	case p.Scope.Provider != "":
		n.What, n.Link = "There are no postings of "+page.ProviderName(p.Scope.Provider)+" in "+format.Days(p.Shown())+".",
			views.Link{Text: "Clear the provider filter", Href: p.Scope.With("provider", "")}
	case p.Scope.Cluster != "":
		n.What, n.Link = "There are no postings of cluster "+p.Scope.Cluster+" in "+format.Days(p.Shown())+".",
			views.Link{Text: "Clear the cluster filter", Href: p.Scope.With("cluster", "")}
	}
	return n
}

// billAlone shows a bill without data about the machines.
func billAlone(p *page.Context, t *sums) *views.Alone {
	state := t.state()
	a := &views.Alone{Title: "Spend from the bill alone", Tag: page.StateTag(state),
		Strip: page.CauseStrip(p.Currency, "head", t.ByCause, nil), Table: causeTable(p, t),
		Head: views.Headline{
			Name: "GPU spend, " + format.ShortDays(p.Shown()), Rule: page.Rule(state),
			Figure: page.Figure(p.Currency, &t.Cost, p.Currency.Whole, p.Scope.Basis+" cost · "+string(state)),
		}}
	a.Notes = []string{page.BasisNames[p.Scope.Basis][0] + " cost, " + p.Sharing() + ", " + string(p.Currency)}
	return a
}

// telemetryAlone shows GPU-hours without a price.
func telemetryAlone(p *page.Context, c *cube, all money.Amount) *views.Alone {
	a := &views.Alone{
		Title: "GPU-hours from telemetry alone",
		Head:  views.Headline{Name: "GPU-hours observed, " + format.ShortDays(p.Shown()), Figure: page.Quantity(all)},
	}
	a.Strip = page.CauseStrip("", "head", c.Unbilled, nil)
	for i := range a.Strip.Segments {
		a.Strip.Segments[i].Amount = "" // its share says it
	}
	a.Table = views.Table{Caption: "GPU-hours by cause", Dense: true, Heads: hourHeads}
	for _, info := range ledger.Causes {
		if q := c.Unbilled[info.Cause]; !q.IsZero() {
			a.Table.Rows = append(a.Table.Rows, views.Row{Cells: []views.Cell{
				{Figure: views.Figure{Text: info.Label, Title: info.Meaning}, Cause: string(info.Cause)},
				{Figure: page.Quantity(q)}, views.Text(format.Share(q, all))}})
		}
	}
	a.Table.Total = []views.Cell{views.Text("All causes"), {Figure: page.Quantity(all)}, views.Text("100\u202f%")}
	a.Notes = []string{"Slices count by their weight.", "Time without a holder is included."}
	return a
}

// firstSentence is for a ledger without postings.
func firstSentence(imports []books.Import) (sentence, sub string) {
	for _, i := range imports {
		if i.Source.Bill && i.State == "published" {
			return "The bill is in. It has not been allocated yet.",
				"Run gpuledger allocate to give each cent a cause and an owner."
		}
	}
	return "Nothing is in the ledger yet.",
		"Start with a bill. Workloads and telemetry then give every dollar a cause."
}

// firstRun lists the first steps, with those done according to the imports.
func firstRun(imports []books.Import, allocated bool) *views.FirstRun {
	steps := []views.FirstStep{
		{
			Number: "1", Name: "Bill", Source: "AWS, Google Cloud, Azure, FOCUS, or a price book for owned hardware",
			Detail: "Nothing received yet", Command: "gpuledger import auto ./bills",
		},
		{
			Number: "2", Name: "Workloads and telemetry", Source: "kube-state-metrics, DCGM exporter",
			Detail: "Nothing received yet", Command: "gpuledger import openmetrics metrics.txt.gz --cluster prod",
		},
		{
			Number: "3", Name: "Interruptions", Source: "EventBridge spot events",
			Detail:  "Optional: separates preempted attempts from failed ones",
			Command: "gpuledger import spot-events events.json",
		},
		{
			Number: "4", Name: "Allocation", Source: "every cent to one owner and one cause",
			Detail: "Waits for a bill or telemetry", Command: "gpuledger allocate",
		},
	}
	rows, deliveries := make([]int64, len(steps)), make([]int, len(steps))
	for _, i := range imports {
		if i.State != "published" {
			continue
		}
		at := 1
		switch {
		case i.Source.Bill:
			at = 0
		case i.Source.Name == "spot-events":
			at = 2
		}
		rows[at] += i.Accepted
		deliveries[at]++
	}
	done := 0
	finish := func(at int, detail string) {
		steps[at].Done, steps[at].Command, steps[at].Detail = true, "", detail
		done++
	}
	for at, n := range deliveries {
		if n > 0 {
			finish(at, format.Plural(int(rows[at]), "row", "rows")+" accepted in "+format.Plural(n, "import", "imports"))
			steps[3].Detail = "Ready to run"
		}
	}
	if allocated {
		finish(3, "Run it again after each import; only changes are recomputed")
	}
	return &views.FirstRun{Done: format.Count(int64(done)) + " of 4 done", Steps: steps}
}
