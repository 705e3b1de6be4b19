package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/metrics/timeline"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// explainedLines is how many bill lines an explanation lists.
const explainedLines = 12

// explainRun shows how a run's cost comes about: as a page, and as the content
// of the drawer when htmx asks.
func (d *Dashboard) explainRun(w http.ResponseWriter, r *http.Request) {
	s, err := readScope(r)
	if err != nil {
		d.refused(w, r, err)
		return
	}
	id := runID(r)
	ctx, cancel := context.WithTimeout(r.Context(), panelTimeout)
	defer cancel()
	var lines timeline.Lines
	var linesErr error
	f := d.readRunPage(ctx, s.Basis, id, func() { lines, linesErr = d.reader.RunLines(ctx, id, explainedLines) })
	v := views.Explain{Shell: d.shell(r, s, "runs", "Explain"), Title: "Explain: cost of a run", Back: views.Link{Text: "Back to the run", Href: s.carried(runPath("/runs/", id))}}
	status := http.StatusOK
	for _, err := range []error{f.runErr, f.attemptErr, linesErr, f.lineErr, f.extErr} {
		if err != nil {
			e := d.panelError(s, err, "The explanation")
			v.Error, status = &e, d.failing(w, err)
			break
		}
	}
	if v.Error == nil && len(f.rows) == 0 {
		v.Error, status = &views.PanelError{What: "This run is not in the ledger."}, http.StatusNotFound
	}
	if v.Error == nil {
		run := pickRun(f.rows, s.Currency)
		p := &pageContext{scope: s, extent: f.extent, currency: format.Currency(run.Currency)}
		p.policy = d.policy(ctx)
		v.Bar = p.bar(choices{})
		v.Bar.Menus[0] = runPeriod(run, f.extent)
		p.explain(&v, run, sameCurrency(f.attempts, run.Currency), lines, f.line.Activity)
	}
	if r.Header.Get("HX-Request") == "true" {
		d.render(w, r, status, views.ExplainDrawer(v))
		return
	}
	d.render(w, r, status, views.ExplainPage(v))
}

func (p *pageContext) explain(v *views.Explain, run runRow, attempts []attemptRow, lines timeline.Lines, activity timeline.Activity) {
	c := p.currency
	v.Figure = views.Headline{Rule: rule(run.State), Figure: figure(c, run.Cost, c.Full, p.scope.Basis+" cost")}
	v.Tags = []views.Tag{stateTag(run.State)}
	if tag := qualityTag(run.Quality); tag != nil {
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
		v.Sentence += " Attempt " + format.Count(last) + " wrote no checkpoint, so its loss lies between nothing and all of it."
	case none > 1:
		v.Sentence += " " + format.Count(int64(none)) + " attempts wrote no checkpoint, so their loss lies between nothing and all of it."
	}
	v.Formula = "run   = Σ node-hours (share × bill lines)\nshare = GPU-seconds of the run\n      ÷ GPU-seconds of the node-hour\nlost  = the part after the last checkpoint\n        of attempts that did not finish"
	v.Inputs = views.Table{Caption: "Attempts with what of them was lost", Of: "attempts", Heads: []views.SortLink{{Text: "Attempt"}, {Text: "Loss from"}, {Text: "Lost", Number: true}, {Text: "Cost", Number: true}}}
	for _, a := range attempts {
		name := format.Count(a.Number)
		if severalTasks(attempts) {
			name = a.Task + ", " + name
		}
		basis, lost := views.Text(string(a.Basis)), views.Cell{Figure: figure(c, &a.Lost, c.Full, "effective cost")}
		switch a.Basis {
		case ledger.LossNone:
			basis = views.Cell{Tag: &views.Tag{Text: "no checkpoint", Tone: "warn"}}
			lost = views.Text("0 – " + c.Full(a.Lost))
		case ledger.LossCheckpoint:
			basis = views.Text(format.Instant(a.Checkpoint))
		case "":
			basis = views.Cell{Figure: views.Figure{Text: "nothing", Zero: true, Title: "no work was lost"}}
		}
		v.Inputs.Rows = append(v.Inputs.Rows, views.Row{Cells: []views.Cell{views.Text(name), basis, lost, {Figure: figure(c, a.Cost, c.Full, p.scope.Basis+" cost")}}})
	}
	v.Inputs.Total = []views.Cell{views.Text("Total"), {}, views.Text(c.Span(run.LostMin, run.Lost)), {Figure: figure(c, run.Cost, c.Full, p.scope.Basis+" cost")}}
	if run.Cost != nil && !run.GPUHours.IsZero() {
		price := format.Ratio(run.Cost.Rat(), run.GPUHours.Rat())
		v.Price = run.Cost.String() + "\n  ÷ " + run.GPUHours.String() + " GPU-hours\n  = " + c.UnitPrice(price)
	}
	v.Lines = views.Table{Caption: "Bill lines", Of: "charges", Heads: []views.SortLink{{Text: "File and line"}, {Text: "Into this run", Number: true}}}
	for _, l := range lines.Top {
		place := ":" + strconv.FormatInt(l.Line, 10)
		name, title, href := fileName(l.File)+place, l.File+place, "/charges?charge="+l.ChargeID.String()
		if l.ChargeID.IsZero() {
			href = ""
			name, title = "rate, "+ledger.SourceOf(l.Source).Label, "no bill yet: charged from a rate of "+l.Source
		}
		v.Lines.Rows = append(v.Lines.Rows, views.Row{Cells: []views.Cell{{Figure: views.Figure{Text: name, Title: title}, Mono: true, Href: href}, {Figure: figure(format.Currency(l.Currency), &l.Effective, format.Currency(l.Currency).Full, "effective cost")}}})
	}
	v.LineMore = &views.Link{Text: "All lines and weights, JSON", Href: runPath("/api/v1/explain/run/", run.ID)}
	v.LineNote = format.Count(int64(len(lines.Top))) + " of " + format.Count(lines.Total) + ", the largest"
	if activity.Held > 0 {
		v.Samples = format.Count(activity.Known) + " device-minutes, " + signalName(activity)
		if missing := activity.Held - activity.Known; missing > 0 && activity.AllIn {
			v.Samples += "; " + format.Count(missing) + " minutes without a sample"
		}
	}
	v.Policy = "none recorded"
	if p.policy != "" {
		v.Policy = p.policy + ", lost: last checkpoint; cancelled attempts excluded"
	}
	v.Script = "gpuledger explain 'run/" + run.ID + "'"
}

// mostFileName is how many letters of a file's name fit beside its amount.
const mostFileName = 29

// fileName is the last part of a path, cut in the middle where it is long: the
// beginning tells the export, the end its part.
func fileName(path string) string {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if r := []rune(name); len(r) > mostFileName {
		return string(r[:9]) + "…" + string(r[len(r)-mostFileName+10:])
	}
	return name
}
