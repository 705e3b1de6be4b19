package work

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// runID reads the id from the rest of the path, else from ?run=.
func runID(r *http.Request) string {
	raw := chi.URLParam(r, "*")
	if raw == "" {
		return r.URL.Query().Get("run")
	}
	// chi matches on the escaped path when it differs from the plain one.
	if r.URL.RawPath == "" {
		return raw
	}
	if id, err := url.PathUnescape(raw); err == nil {
		return id
	}
	return raw
}

func (d *room) runDetail(w http.ResponseWriter, r *http.Request) {
	s, err := page.ReadScope(r)
	if err != nil {
		d.Refused(w, r, err)
		return
	}
	id := runID(r)
	ctx, cancel := context.WithTimeout(r.Context(), page.PanelTimeout)
	defer cancel()
	var at []string
	f := d.readRunPage(ctx, s.Basis, id, func() {
		// The page works without it.
		if list, err := runProviders(ctx, d.Reader, id); err == nil {
			at = list
		}
	})
	for _, err := range []error{f.runErr, f.attemptErr, f.extErr} {
		if err != nil {
			d.Broken(w, r, s, "runs", err)
			return
		}
	}
	if len(f.rows) == 0 {
		d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
			Shell: d.Shell(r, s, "runs", "Run not found"), Sentence: "This run is not in the ledger.", Sub: page.Clip(id),
			Link: views.Link{Text: "All runs", Href: s.Carried("/runs")},
		}))
		return
	}
	run := pickRun(f.rows, s.Currency)
	p := &page.Context{Scope: s, Extent: f.extent, Currency: format.Currency(run.Currency)}
	p.Policy = d.Policy(ctx)
	p.Estimates = page.EstimatesFor(ctx, d.Reader, run.State == ledger.Provisional)
	for _, s := range f.line.Spans {
		p.Slices = p.Slices || s.SliceID != ledger.WholeDevice
	}
	v := runView(p, d.Shell(r, s, "runs", run.Name), run, sameCurrency(f.attempts, run.Currency))
	runMoney(p, &v, run, f.rows)
	runEvidence(p, &v, run, at)
	if f.lineErr != nil {
		v.NoChart = d.PanelError(s, f.lineErr, "The time line").What
	} else {
		runChart(p, &v, run, sameCurrency(f.attempts, run.Currency), f.line)
	}
	d.Render(w, r, http.StatusOK, views.RunPage(v))
}

// sameCurrency keeps the attempts in one currency, and those without cost.
func sameCurrency(attempts []attemptRow, currency string) []attemptRow {
	var out []attemptRow
	for _, a := range attempts {
		if a.Currency == currency || a.Currency == "" {
			out = append(out, a)
		}
	}
	return out
}

// runView lays out the run page, except for the time line.
func runView(p *page.Context, shell views.Shell, run Run, attempts []attemptRow) views.RunDetail {
	c := p.Currency
	v := views.RunDetail{
		Shell: shell, Name: run.Name, Status: statusTag(run.Status),
		AsTable: p.Scope.AsTable, NoChart: "The placement of this run is not known.",
	}
	v.Crumbs = []views.Link{
		{Text: "Runs", Href: p.Scope.Carried("/runs")},
		{Text: page.TeamName(run.Team), Href: p.Scope.Carried("/runs", "team", run.Team)},
		{Text: run.Cluster + "/" + run.Namespace},
	}
	v.Sentence = runSentence(c, run, attempts)
	v.Bar = p.Bar(page.Choices{})
	v.Bar.Menus[0] = runPeriod(run, p.Extent.Seen)
	v.Bar.Tags = []views.Tag{page.Standing(run.State, run.Currency, p.Estimates)}
	v.Cost = views.Headline{
		Name: "Cost of the run", Rule: page.Rule(run.State),
		Figure: page.Figure(c, run.Cost, c.Whole, p.Scope.Basis+" cost · "+string(run.State)),
		Tag:    page.QualityTag(run.Quality),
	}
	if run.Effective != nil {
		v.Cost.Effective = run.Effective.String()
	}
	v.Explain = views.Link{Text: "Explain", Href: p.Scope.Carried(page.RunPath("/explain/run/", run.ID)), Drawer: true}
	runFacts(p, &v, run, attempts)
	v.Strip = page.CauseStrip(c, "head", run.Causes, &run.LostMin)
	v.Attempts = attemptsTable(p, run, attempts)
	v.Links = []views.Link{
		p.Twin(), page.Defined("figure.slot_hours"), v.Explain,
		{Text: "CSV", Href: "/api/v1/attempts?filter=" + url.QueryEscape("run_id = "+page.Quote(run.ID)) + "&format=csv&for_excel=true"},
	}
	v.Notes = []string{
		page.BasisNames[p.Scope.Basis][0] + " cost, before sharing, " + string(c), "Causes and lost work are effective cost.",
	}
	if p.Policy != "" {
		v.Notes = append(v.Notes, "Policy "+p.Policy)
	}
	return v
}

// runPeriod shows the run's own time, since a run is always shown over its whole life.
func runPeriod(run Run, seen period.Second) views.Menu {
	span := period.Interval{From: run.Started, To: run.Ended}
	if span.To == 0 {
		span.To = seen
	}
	text := "whole run"
	if !span.Empty() && run.Started != 0 {
		text = format.Days(span) + ", whole run"
	}
	return views.Menu{Label: "Period", Value: text, Items: []views.MenuItem{{Text: "A run is shown over its whole life"}}}
}

func runFacts(p *page.Context, v *views.RunDetail, run Run, attempts []attemptRow) {
	c := p.Currency
	lost := views.Fact{Name: "Lost work", Define: "figure.lost_span", Value: p.Lost(c, run.LostMin, run.Lost, "effective")}
	switch {
	case run.Effective == nil:
		lost.Value, lost.Note = views.Figure{Text: format.NA, Title: "no bill or rate covers this run yet", Zero: true},
			"no price yet"
	case run.Effective.IsZero():
	case run.Lost.IsZero():
		lost.Note = "no attempt died"
		switch {
		case anyDied(attempts):
			lost.Note = "every attempt that died had just written a checkpoint"
		case run.MayBeLost.Sign() > 0:
			lost.Note = "no attempt is known to have died"
		}
	default:
		lost.Note = format.ShareSpan(run.LostMin, run.Lost, *run.Effective)
		if run.Lost.Cmp(run.LostMin) > 0 {
			lost.Note += " "
			lost.Tag = page.AssumedLost
		}
	}
	v.Facts = append(v.Facts, lost)
	if run.MayBeLost.Sign() > 0 {
		v.Facts = append(v.Facts,
			views.Fact{Name: "May be lost", Value: p.Lost(c, money.Amount{}, run.MayBeLost, "effective"),
				Note: "the end of an attempt is not known: its work may be kept or lost", Tag: page.UnknownEnd})
	}
	if f, ok := netSpot(p, run, attempts); ok {
		v.Facts = append(v.Facts, f)
	}
	gpus, note := int64(0), ""
	for _, a := range attempts {
		gpus = max(gpus, a.GPUs)
	}
	if gpus > 0 {
		note = format.Count(gpus) + " " + slotWord(p, gpus)
	}
	end := run.Ended
	if end == 0 {
		end = p.Extent.Seen
	}
	if run.Started != 0 && end > run.Started {
		if note != "" {
			note += ", "
		}
		note += format.Duration(int64(end - run.Started))
	}
	v.Facts = append(v.Facts, views.Fact{
		Name: "GPU-hours", Define: "costs.gpu_hours", Value: page.Quantity(run.GPUHours), Note: note,
	})
	v.Facts = append(v.Facts, perActive(p, run), heldActivity(run))
	v.Pace = paceFacts(p, run)
}

// severalTasks reports whether attempts are of more than one task.
func severalTasks(attempts []attemptRow) bool {
	for _, a := range attempts {
		if a.Task != attempts[0].Task {
			return true
		}
	}
	return false
}

// slotWord names the slots of the run: GPUs or MIG slices.
func slotWord(p *page.Context, n int64) string {
	word := "GPU"
	if p.Slices {
		word = "MIG slice"
	}
	if n != 1 {
		word += "s"
	}
	return word
}

// anyDied reports whether an attempt ended in a way that can lose work.
func anyDied(attempts []attemptRow) bool {
	for _, a := range attempts {
		if outcomeTones[a.Outcome] == "bad" {
			return true
		}
	}
	return false
}

var outcomeTones = map[string]string{
	"succeeded": "good", "failed": "bad", "oom": "bad", "timeout": "bad",
	"preempted": "bad", "evicted": "bad", "node_failure": "bad",
}

func outcomeWords(o string) string { return strings.ReplaceAll(o, "_", " ") }

var attemptHeads = views.Heads(
	"Attempt: attempts.attempt", "Price class: attempts.pricing wide-only", "Outcome: attempts.outcome",
	"Reason: attempts.reason wide-only", "Started: attempts.started_at wide-only", "#Lasted: figure.lasted wide-only",
	"#GPUs: attempts.gpus wide-only", "#GPU-h: attempts.gpu_hours wide-only", "#Lost: figure.lost_span",
	"#Cost: attempts.effective_cost",
)

func attemptsTable(p *page.Context, run Run, attempts []attemptRow) views.Table {
	tasks := severalTasks(attempts)
	t := views.Table{Caption: "Attempts", Heads: slices.Clone(attemptHeads)}
	t.Heads[6].Text = slotWord(p, 2)
	if tasks {
		t.Heads[0].Text = "Task, try"
	}
	var hours money.Amount
	for _, a := range attempts {
		page.Add(&hours, a.GPUHours)
		t.Rows = append(t.Rows, views.Row{Cells: attemptCells(p, a, tasks)})
	}
	name := views.Text("All attempts")
	lost := views.Cell{Figure: p.Lost(p.Currency, run.LostMin, run.Lost, "effective")}
	t.Total = []views.Cell{
		name, {}, {}, {}, {}, {}, {}, {Figure: page.Quantity(hours)}, lost,
		{Figure: page.Figure(p.Currency, run.Cost, p.Currency.Money, p.Scope.Basis+" cost")},
	}
	return t
}

func attemptCells(p *page.Context, a attemptRow, tasks bool) []views.Cell {
	c := p.Currency
	name := format.Count(a.Number)
	if tasks {
		name = a.Task + ", " + name
	}
	outcome := views.Tag{Text: outcomeWords(a.Outcome), Tone: outcomeTones[a.Outcome]}
	reason := views.Cell{Figure: views.Figure{Text: outcomeWords(a.Reason)}, Name: true}
	if a.Reason == "" {
		reason = views.Cell{Figure: views.Figure{Text: "none given", Title: "no source gave a reason", Zero: true}}
		if a.Outcome == "succeeded" || a.Outcome == "running" {
			reason = views.Cell{}
		}
	}
	lasted := views.Text(format.NA)
	end := a.Ended
	if end == 0 {
		end = p.Extent.Seen
	}
	if end > a.Started {
		lasted = views.Text(format.Duration(int64(end - a.Started)))
	}
	lost := views.Cell{Figure: page.Figure(c, &a.Lost, c.Money, "after the last checkpoint")}
	switch a.Basis {
	case ledger.LossNone:
		lost = views.Cell{
			Figure: views.Figure{
				Text:  "0 – " + c.Money(a.Lost),
				Title: "no checkpoint: between zero and its full cost · " + c.Exact(a.Lost), Copy: a.Lost.String(),
			},
		}
	case "":
		lost = views.Cell{Figure: views.Figure{Text: "none", Title: "nothing was lost", Zero: true}}
	}
	class := views.Text(strings.ToLower(page.PriceClassName(a.Pricing)))
	if a.Pricing == "" {
		class = views.Cell{Figure: views.Figure{Text: format.NA, Title: "the price class is not known", Zero: true}}
	}
	cost := views.Cell{Figure: page.Figure(c, a.Cost, c.Money, p.Scope.Basis+" cost")}
	if a.Cost != nil && !a.ID.IsZero() {
		cost.Why = "/explain/attempt/" + a.ID.String()
	}
	return []views.Cell{views.Text(name), class, {Tag: &outcome}, reason, views.Text(format.Instant(a.Started)), lasted,
		views.Text(format.Count(a.GPUs)), {Figure: page.Quantity(a.GPUHours)}, lost, cost}
}

// runSentence compares the cost of finished attempts with the rest.
func runSentence(c format.Currency, run Run, attempts []attemptRow) string {
	if run.Cost == nil {
		return "No bill or rate covers this run yet."
	}
	cost := c.Money(*run.Cost)
	tasks := map[string]bool{}
	var good, rest money.Amount
	succeeded, running := 0, 0
	for _, a := range attempts {
		tasks[a.Task] = true
		if a.Outcome == "running" {
			running++
		}
		if a.Cost == nil {
			continue
		}
		if a.Outcome == "succeeded" {
			succeeded++
			page.Add(&good, *a.Cost)
		} else {
			page.Add(&rest, *a.Cost)
		}
	}
	n := len(attempts)
	count := format.Words(n) + " attempts"
	if len(tasks) > 1 {
		count = format.Count(int64(n)) + " attempts at " + format.Plural(len(tasks), "task", "tasks")
	}
	switch {
	case n == 0:
		return cost + ". No attempt held a GPU."
	case n == 1 && succeeded == 1:
		return cost + " for one attempt, which succeeded."
	case n == 1 && running == 1:
		return cost + " so far; the first attempt is still running."
	case n == 1:
		return cost + " for one attempt, which ended " + outcomeWords(attempts[0].Outcome) + "."
	case running > 0:
		return cost + " so far for " + count + "; " + format.Words(running) + " still running."
	case succeeded == 0:
		return cost + " for " + count + ". None of them finished."
	case succeeded == n:
		return cost + " for " + count + ". All of them finished."
	case succeeded == 1 && n == 2:
		return cost + " for two attempts. The one that finished cost " + c.Money(good) + "; the other, " + c.Money(rest) + "."
	case succeeded == 1:
		return cost + " for " + count + ". The one that finished cost " + c.Money(good) + "; the other " + format.Words(n-1) +
			", " + c.Money(rest) + "."
	}
	return cost + " for " + count + ". Those that finished cost " + c.Money(good) + "; the other " +
		format.Words(n-succeeded) + ", " + c.Money(rest) + "."
}
