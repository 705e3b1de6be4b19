package work

import (
	"context"
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/money"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// runList lists runs with their cost by cause.
var runList = figures.Page{
	Path: "/runs", Title: "Runs", Group: page.RailWork, Dataset: "runs", Every: true,
	Where:  "attempts > 3 or lost_cost > 100",
	Search: &figures.Search{Columns: []string{"name"}, Label: "Find a run by its name", Hint: "Find by name"},
	Picks: []figures.Pick{
		{Key: "status", Values: []string{"running", "succeeded", "failed", "cancelled", "unknown"}},
		{Key: "kind", Values: []string{"training", "fine_tuning", "evaluation", "batch"}},
	},
	Only: ofProvider,
	Columns: []figures.Column{
		{Name: "name", Text: "Run", Sub: "team,namespace", Class: "long"}, {Name: "status", Text: "Status", Cell: statusCell},
		{Name: "attempts", Text: "Attempts", Class: "wide-only"},
		{Name: "started_at", Text: "Started", Class: "xl-only nowrap"},
		{Name: "ended_at", Text: "Lasted", Class: "max-only", Define: "figure.lasted", Cell: lastedCell},
		{Name: "gpu_hours", Text: "GPU-h", Class: "wide-only"},
		{Name: "lost_cost", Text: "Lost", Class: "wide-only", Least: "lost_cost_min"},
		{Name: "budget_ratio", Text: "Budget", Class: "full-only", Alone: true, Cell: budgetOf},
		{Name: figures.BasisCost, Text: "Cost", Cell: costCell},
	},
	Causes: runCauses,
	Say:    sayRuns,
	Row: func(p *page.Context, r page.Record) string {
		return p.Scope.Carried(page.RunPath("/runs/", r.Text("run_id")))
	},
	None: "Runs appear when workloads and telemetry are imported and allocated.",
	Notes: []string{
		"Runs that overlap the period count over their whole life.", "Causes and lost work are effective cost.",
	},
}

func statusCell(_ *page.Context, r page.Record) views.Cell {
	tag := statusTag(r.Text("status"))
	return views.Cell{Tag: &tag}
}

func lastedCell(p *page.Context, r page.Record) views.Cell {
	return views.Text(lasted(p, r.Second("started_at"), r.Second("ended_at")))
}

func budgetOf(p *page.Context, r page.Record) views.Cell {
	run := Run{Status: r.Text("status"), Cost: r.Amount(p.Scope.Basis + "_cost")}
	run.Budget, run.Ratio, run.RunsOut = r.Amount("budget"), r.Amount("budget_ratio"), r.Second("budget_runs_out_at")
	return budgetCell(p, p.Printed(r.Text("currency")), run)
}

func costCell(p *page.Context, r page.Record) views.Cell {
	c := p.Printed(r.Text("currency"))
	if r.Amount("effective_cost") == nil {
		return views.Cell{Figure: page.Unknown("no bill or rate covers this run yet")}
	}
	basis := p.Scope.Basis
	return views.Cell{Why: p.Scope.Carried(page.RunPath("/explain/run/", r.Text("run_id"))),
		Figure: page.Figure(c, r.Amount(basis+"_cost"), c.Money, basis+" cost · "+r.Text("state")+" · "+r.Text("quality"))}
}

// ofProvider selects the runs with cost at the provider of the address.
func ofProvider(ctx context.Context, reader page.Reader, s page.Scope) (metrics.Expr, error) {
	ids, err := runsOf(ctx, reader, s)
	if ids == nil || err != nil {
		return nil, err
	}
	// The list of values may not be empty, so it begins with an id that no run has.
	of := metrics.Compare{Key: "run_id", Op: metrics.In, Kind: metrics.Text, Values: []string{""}}
	of.Values = slices.AppendSeq(of.Values, maps.Keys(ids))
	slices.Sort(of.Values)
	return of, nil
}

// sayRuns gives the cost of the listed runs and the part that was lost.
func sayRuns(p *page.Context, f *figures.Reading) (sentence, sub string) {
	var n, failed int64
	var costs, losses []string
	var hours money.Amount
	for _, w := range f.Whole {
		if currency := w.Text("currency"); p.Scope.Currency != "" && currency != p.Scope.Currency {
			continue
		}
		page.Add(&hours, w.Known("gpu_hours"))
		n, failed = n+w.Count("runs"), failed+w.Count("failed_runs")
		cost := w.Amount(p.Scope.Basis + "_cost")
		if cost == nil {
			continue
		}
		c := p.Printed(w.Text("currency"))
		costs = append(costs, c.Money(*cost))
		if lost := w.Known("lost_cost"); lost.Sign() > 0 {
			losses = append(losses, c.Span(w.Known("lost_cost_min"), lost))
		}
	}
	runs := format.Plural(int(n), "run", "runs")
	if len(costs) == 0 {
		return runs + " held " + format.GPUHours(hours) + " GPU-hours.",
			"No bill or rate covers them yet, so their cost is not known."
	}
	if len(losses) > 0 {
		sub = page.Listed(losses) + " of it was lost after the last checkpoint of attempts that did not finish."
	}
	if failed > 0 {
		sub = strings.TrimSpace(sub + " " + format.Plural(int(failed), "run", "runs") + " failed.")
	}
	return runs + " cost " + page.Listed(costs) + ".", sub
}
