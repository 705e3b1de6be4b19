package work

import (
	"context"
	"net/http"
	"strconv"

	"gpuledger/internal/ledger"
	"gpuledger/metrics/timeline"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	lossHeads = views.Heads(
		"Attempt: attempts.attempt", "Loss from: attempts.loss_basis", "#Lost: figure.lost_span",
		"#Cost: attempts.effective_cost",
	)
	lineHeads = views.Heads("File and line: charges.source_file", "#Into this run: postings.effective_cost")
)

// explainedLines limits the bill lines of an explanation.
const explainedLines = 12

// explainRun explains a run's cost: as a page, or for htmx as the content of the drawer.
func (d *room) explainRun(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	id := runID(r)
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	var lines timeline.Lines
	var linesErr error
	f := d.readRunPage(ctx, s.Basis, id, func() { lines, linesErr = d.Reader.RunLines(ctx, id, explainedLines) })
	v := views.Explain{
		Shell: d.Shell(r, s, "runs", "Explain"), Title: "Explain: cost of a run",
		Back: views.Link{Text: "Back to the run", Href: s.Carried(page.RunPath("/runs/", id))},
	}
	status := http.StatusOK
	for _, err := range []error{f.runErr, f.attemptErr, linesErr, f.lineErr, f.extErr} {
		if err != nil {
			e := d.PanelError(s, err, "The explanation")
			v.Error, status = &e, d.Failing(w, err)
			break
		}
	}
	if v.Error == nil && len(f.rows) == 0 {
		v.Error, status = &views.PanelError{What: "This run is not in the ledger."}, http.StatusNotFound
	}
	if v.Error == nil {
		run := pickRun(f.rows, s.Currency)
		p := &page.Context{Scope: s, Extent: f.extent, Currency: format.Currency(run.Currency)}
		p.Policy = d.Policy(ctx)
		p.Estimates = page.EstimatesFor(ctx, d.Reader, run.State == ledger.Provisional)
		v.Bar = p.Bar(page.Choices{})
		v.Bar.Menus[0] = runPeriod(run, f.extent.Seen)
		explain(p, &v, run, sameCurrency(f.attempts, run.Currency), lines, f.line.Activity)
	}
	if r.Header.Get("HX-Request") == "true" {
		d.Render(w, r, status, views.ExplainDrawer(v))
		return
	}
	d.Render(w, r, status, views.ExplainPage(v))
}

func explain(
	p *page.Context, v *views.Explain, run Run, attempts []attemptRow, lines timeline.Lines, activity timeline.Activity,
) {
	c := p.Currency
	v.Figure = views.Headline{Rule: page.Rule(run.State), Figure: page.Figure(c, run.Cost, c.Full, p.Scope.Basis+" cost")}
	v.Tags = []views.Tag{page.Standing(run.State, run.Currency, p.Estimates)}
	if tag := page.QualityTag(run.Quality); tag != nil {
		v.Tags = append(v.Tags, *tag)
	}
	v.Title = "Explain: cost of " + run.Name
	v.Sentence = runSentence(c, run, attempts)
	none, last := 0, int64(0)
	for _, a := range attempts {
		if a.Basis == ledger.LossNone {
			none++
			last = a.Number
		}
	}
	switch {
	case none == 1:
		v.Sentence += " Attempt " + format.Count(last) +
			" wrote no checkpoint, so its loss is between zero and its full cost."
	case none > 1:
		v.Sentence += " " + format.Count(int64(none)) +
			" attempts wrote no checkpoint, so their loss is between zero and their full cost."
	}
	v.Formula = "run   = Σ node-hours (share × bill lines)\nshare = GPU-seconds of the run\n      ÷ GPU-seconds of " +
		"the node-hour\nlost  = the part after the last checkpoint\n        of attempts that did not finish"
	v.Inputs = views.Table{Caption: "Attempts with their lost cost", Heads: lossHeads}
	for _, a := range attempts {
		name := format.Count(a.Number)
		if severalTasks(attempts) {
			name = a.Task + ", " + name
		}
		basis, lost := views.Text(string(a.Basis)), views.Cell{Figure: page.Figure(c, &a.Lost, c.Full, "effective cost")}
		switch a.Basis {
		case ledger.LossNone:
			basis = views.Cell{Tag: &views.Tag{Text: "no checkpoint", Tone: "warn"}}
			lost = views.Text("0 – " + c.Full(a.Lost))
		case ledger.LossCheckpoint:
			basis = views.Text(format.Instant(a.Checkpoint))
		case "":
			basis = views.Cell{Figure: views.Figure{Text: "nothing", Zero: true, Title: "no work was lost"}}
		}
		v.Inputs.Rows = append(v.Inputs.Rows, views.Row{
			Cells: []views.Cell{views.Text(name), basis, lost, {Figure: page.Figure(c, a.Cost, c.Full, p.Scope.Basis+" cost")}},
		})
	}
	v.Inputs.Total = []views.Cell{
		views.Text("Total"), {}, views.Text(c.Span(run.LostMin, run.Lost)),
		{Figure: page.Figure(c, run.Cost, c.Full, p.Scope.Basis+" cost")},
	}
	if run.Cost != nil && !run.GPUHours.IsZero() {
		price := format.Ratio(run.Cost.Rat(), run.GPUHours.Rat())
		v.Price = run.Cost.String() + "\n  ÷ " + run.GPUHours.String() + " GPU-hours\n  = " + c.UnitPrice(price)
	}
	v.Lines = views.Table{Caption: "Bill lines", Heads: lineHeads}
	for _, l := range lines.Top {
		place := ":" + strconv.FormatInt(l.Line, 10)
		name, title := page.FileName(l.File)+place, l.File+place
		href := p.Scope.Carried("/charges", "from", "", "to", "", "charge", l.ChargeID.String())
		if l.ChargeID.IsZero() {
			href = ""
			name, title = "rate, "+ledger.SourceOf(l.Source).Label, "no bill yet: priced from a rate of "+l.Source
		}
		v.Lines.Rows = append(v.Lines.Rows, views.Row{
			Cells: []views.Cell{
				{Figure: views.Figure{Text: name, Title: title}, Mono: true, Href: href},
				{
					Figure: page.Figure(format.Currency(l.Currency), &l.Effective, format.Currency(l.Currency).Full, "effective cost"),
				},
			},
		})
	}
	v.LineMore = &views.Link{Text: "All lines and weights (JSON)", Href: page.RunPath("/api/v1/explain/run/", run.ID)}
	v.LineNote = format.Count(int64(len(lines.Top))) + " of " + format.Count(lines.Total) + ", the largest"
	if activity.Held > 0 {
		v.Samples = format.Count(activity.Known) + " device-minutes, " + signalName(activity)
		if missing := activity.Held - activity.Known; missing > 0 && activity.AllIn {
			v.Samples += "; " + format.Count(missing) + " minutes without a sample"
		}
	}
	v.Policy = "none recorded"
	if p.Policy != "" {
		v.Policy = p.Policy + ", lost: last checkpoint; cancelled attempts excluded"
	}
	v.Script = "gpuledger explain 'run/" + run.ID + "'"
}
