package work

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// runPace is a run's budget and burn rate, and its cost of restarts and waiting
// (docs/figures.md 15). Unknown values are nil, an unknown instant is 0.
type runPace struct {
	Budget, Ratio                        *money.Amount // in the row's currency; cost ÷ budget, in the chosen basis
	Burn, Projected                      *money.Amount // per hour; at its end: running runs only
	RunsOut                              period.Second
	Restarts, GangWait                   *money.Amount // parts of overhead
	NetSpot, SpotKnown, PerActiveGPUHour *money.Amount
}

// paceColumns are the columns that a runPace is read from; lists show the first
// listedPace of them.
var paceColumns = []string{
	"budget", "budget_ratio", "budget_runs_out_at", "burn_rate", "projected_cost", "restart_overhead_cost",
	"gang_wait_cost", "net_spot_savings", "spot_known_share", "cost_per_active_gpu_hour",
}

const listedPace = 3

func readPace(r page.Record) runPace {
	return runPace{
		Budget: r.Amount("budget"), Ratio: r.Amount("budget_ratio"), Burn: r.Amount("burn_rate"),
		Projected: r.Amount("projected_cost"), RunsOut: r.Second("budget_runs_out_at"),
		Restarts: r.Amount("restart_overhead_cost"), GangWait: r.Amount("gang_wait_cost"),
		NetSpot: r.Amount("net_spot_savings"), SpotKnown: r.Amount("spot_known_share"),
		PerActiveGPUHour: r.Amount("cost_per_active_gpu_hour"),
	}
}

func (r runPace) overBudget() bool { return r.Ratio != nil && r.Ratio.Rat().Cmp(page.One) > 0 }

var overBudget = &views.Tag{Text: "over budget", Tone: "bad", Title: "it cost more than its label max-cost-per-run allows"}

const (
	noBudget = "no label max-cost-per-run limits it"
	noBurn   = "it has no cost in the last 6 stored hours"
)

// budgetShare prints the used share of the budget.
func budgetShare(p *page.Context, c format.Currency, r Run) views.Figure {
	switch {
	case r.Budget == nil:
		return page.Unknown(noBudget)
	case r.Ratio == nil || r.Cost == nil:
		return page.Unknown("no bill or rate covers this run yet, or its budget is 0")
	}
	return views.Figure{
		Text:  format.Percent(r.Ratio.Rat(), page.One),
		Title: c.Exact(*r.Cost) + " of " + c.Exact(*r.Budget) + " · " + p.Scope.Basis + " cost", Copy: r.Ratio.String(),
	}
}

// budgetCell is the used share of the budget in a list, with a tag or a forecast.
func budgetCell(p *page.Context, c format.Currency, r Run) views.Cell {
	cell := views.Cell{Figure: budgetShare(p, c, r)}
	switch {
	case r.Budget == nil:
		cell.Figure.Text = "none"
	case r.Ratio == nil:
	case r.overBudget():
		cell.Figure.Tag = overBudget
	case r.RunsOut != 0:
		cell.Sub = "runs out " + format.Instant(r.RunsOut)
	case r.Status == "running":
		cell.Sub = "so far"
	}
	return cell
}

// paceFacts is a line of facts: budget, burn rate, and the cost of restarts and waiting.
// Only running runs have a burn rate.
func paceFacts(p *page.Context, run Run) []views.Fact {
	c, running := p.Currency, run.Status == "running"
	var out []views.Fact
	if run.Budget != nil || running {
		out = append(out, budgetFact(p, run))
	}
	if running {
		out = append(out, burnFact(p, run), endFact(p, run), projectedFact(p, run))
	}
	overhead := run.Causes[ledger.Overhead]
	part := func(name, define string, cost *money.Amount, none string) views.Fact {
		f := views.Fact{Name: name, Define: define, Value: page.Figure(c, cost, c.Money, "effective cost")}
		switch {
		case run.Effective == nil || cost == nil:
			f.Value, f.Note = page.Unknown("no bill or rate covers this run yet"), "no price yet"
		case cost.IsZero():
			f.Note = none
		case overhead.Sign() > 0:
			f.Note = format.Share(*cost, overhead) + " of overhead"
		}
		return f
	}
	return append(out, part("Restart overhead", "runs.restart_overhead_cost", run.Restarts, "no restart"),
		part("Gang wait", "runs.gang_wait_cost", run.GangWait, "no pod waited for others"))
}

func budgetFact(p *page.Context, run Run) views.Fact {
	c := p.Currency
	f := views.Fact{Name: "Budget", Define: "runs.budget_ratio", Value: budgetShare(p, c, run)}
	switch {
	case run.Budget == nil:
		f.Note = "no label names one"
	case run.Ratio == nil || run.Cost == nil:
		f.Note = "of " + c.Money(*run.Budget)
	default:
		f.Note = c.Money(run.Budget.Sub(*run.Cost)) + " left of " + c.Money(*run.Budget)
		if run.overBudget() {
			f.Note, f.Tag = c.Money(run.Cost.Sub(*run.Budget))+" over "+c.Money(*run.Budget)+" ", overBudget
		}
	}
	return f
}

func burnFact(p *page.Context, run Run) views.Fact {
	if run.Burn == nil {
		return views.Fact{Name: "Burn rate", Define: "runs.burn_rate", Value: page.Unknown(noBurn), Note: "no recent cost"}
	}
	f := page.Price(p.Currency, run.Burn.Rat(),
		"effective cost per hour over those of the last 6 stored hours in which it held GPUs")
	f.Text += "/h"
	return views.Fact{Name: "Burn rate", Define: "runs.burn_rate", Value: f, Note: "in its last 6 hours"}
}

func endFact(p *page.Context, run Run) views.Fact {
	f := views.Fact{Name: "Budget runs out", Define: "runs.budget_runs_out_at"}
	switch {
	case run.RunsOut != 0:
		f.Value = views.Figure{
			Text: format.Instant(run.RunsOut), Title: format.Stamp(run.RunsOut), Copy: run.RunsOut.String(),
		}
		f.Note = "at this burn rate"
		if run.overBudget() {
			f.Note = "it was used up then"
		}
	case run.Budget == nil:
		f.Value, f.Note = page.Unknown(noBudget), "no budget"
	case run.Burn == nil:
		f.Value, f.Note = page.Unknown(noBurn), "no burn rate"
	default:
		f.Value, f.Note = page.Unknown("not within a hundred years at this burn rate"), "not in sight"
	}
	return f
}

func projectedFact(p *page.Context, run Run) views.Fact {
	f := views.Fact{Name: "Projected cost", Define: "runs.projected_cost"}
	switch {
	case run.Projected != nil:
		f.Value, f.Note = page.Figure(p.Currency, run.Projected, p.Currency.Money,
			"if it lasts as long as the median of completed runs like it"), "if it lasts as long as similar runs"
		if run.Budget != nil && run.Projected.Cmp(*run.Budget) > 0 && !run.overBudget() {
			f.Note, f.Tag = f.Note+" ",
				&views.Tag{Text: "above budget", Tone: "warn", Title: "its budget is " + p.Currency.Exact(*run.Budget)}
		}
	case run.Burn == nil:
		f.Value, f.Note = page.Unknown(noBurn), "no burn rate"
	default:
		f.Value, f.Note = page.Unknown("no run with its team, kind, model and GPU count has completed, so its duration "+
			"is not known"), "no similar run completed"
	}
	return f
}

// netSpot is the spot saving net of the cost of interruptions. A loss without a checkpoint
// counts in full, so the saving is a lower bound.
func netSpot(p *page.Context, run Run, attempts []attemptRow) (views.Fact, bool) {
	c := p.Currency
	f := views.Fact{Name: "Net spot saving", Define: "runs.net_spot_savings"}
	if run.NetSpot == nil {
		f.Value, f.Note = page.Unknown("no spot hour has both a cost and an on-demand price from a bill, the price "+
			"book or the catalogue"), "no on-demand price"
		return f, true
	}
	if run.NetSpot.IsZero() && (run.SpotSavings == nil || run.SpotSavings.IsZero()) {
		return views.Fact{}, false
	}
	f.Value = page.Figure(c, run.NetSpot, c.Money,
		"on-demand equivalent − effective cost of hours on spot − what spot interruptions cost")
	if run.SpotSavings != nil {
		f.Note = "gross " + c.Money(*run.SpotSavings)
	}
	if run.SpotKnown != nil && run.SpotKnown.Cmp(page.Whole) < 0 {
		f.Note += ", known for " + format.Share(*run.SpotKnown, page.Whole) + " of hours"
	}
	for _, a := range attempts {
		if a.Reason == "spot_interruption" && a.Basis == ledger.LossNone && a.Lost.Sign() > 0 {
			f.Note, f.Tag = f.Note+", at least ", page.AssumedLost
			break
		}
	}
	return f, true
}

// heldActivity is the activity of the run's cards in the minutes that it held them.
func heldActivity(run Run) views.Fact {
	f := views.Fact{Name: "Activity, median", Define: "runs.activity_p50"}
	if run.ActivityP50 == nil || run.ActivityP95 == nil {
		f.Value = page.Unknown("no telemetry shows the activity of its cards while it held them")
		return f
	}
	f.Value = views.Figure{
		Text:  format.Percent(run.ActivityP50.Rat(), page.One),
		Title: "in half of the minutes that it held a card or slice, activity was at most this",
		Copy:  run.ActivityP50.String(),
	}
	f.Note = "p95 " + format.Percent(run.ActivityP95.Rat(), page.One)
	return f
}

// perActive is the cost of an active hour, idle and lost hours included.
func perActive(p *page.Context, run Run) views.Fact {
	f := views.Fact{Name: "Per active GPU-hour", Define: "runs.cost_per_active_gpu_hour"}
	if run.PerActiveGPUHour == nil {
		f.Value = page.Unknown("none of its priced GPU time was seen active")
		return f
	}
	f.Value = page.Price(p.Currency, run.PerActiveGPUHour.Rat(), p.Scope.Basis+" cost ÷ ∫ activity")
	if !run.GPUHours.IsZero() {
		f.Note = format.Share(run.Active, run.GPUHours) + " active"
	}
	return f
}
