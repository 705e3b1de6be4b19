package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// runKeys are the group keys that runs have beyond their columns. A run has one
// value of each.
var runKeys = []string{
	"business_unit", "model_version", "stage", "environment", "cost_center", "dataset",
	"user", "priority", "queue", "workload_kind", "instance_type", "gpu_model",
}

// gpuCauses are the runCauses whose cost comes with GPU-hours, or with the machines that have them. Managed GPUs are
// billed without hours in this ledger.
var gpuCauses = slices.DeleteFunc(slices.Clone(runCauses), func(c ledger.Cause) bool { return c == ledger.Metered })

// unitCosts are unit costs of runs' GPU time.
func unitCosts() []Column {
	return []Column{
		{Name: "cost_per_gpu_hour", Kind: Ratio, Unit: "currency per GPU-hour", Doc: "Basis cost per GPU-hour held.",
			Formula: RatioOf(Sum(Basis, Causes(gpuCauses...)), Sum("paid_gpu_hours")),
			Caveats: []string{
				"Metered cost of managed GPUs, which have no hours here, and hours without a cost are left out; hours paid by a " +
					"prepaid fee have a cost.",
			}},
		{Name: "cost_per_active_gpu_hour", Kind: Ratio, Unit: "currency per GPU-hour",
			Doc:     "Basis cost per active GPU-hour, with the cost of idle, lost and waiting hours included.",
			Formula: RatioOf(Sum(Basis, Causes(gpuCauses...)), Sum("paid_active_gpu_hours")),
			Caveats: []string{
				"Metered cost of managed GPUs, which have no hours here, and hours without a cost are left out; hours paid by a " +
					"prepaid fee have a cost; minutes without a sample are not useful time.",
			}},
		{Name: "useful_cost_share", Kind: Ratio, Doc: "Share of the cost with cause `used`.",
			Formula: RatioOf(SumOrZero(Basis, Causes(ledger.Used)), Sum(Basis))},
	}
}

// restartCosts are waste of runs that no single cause shows.
func restartCosts() []Column {
	return []Column{
		moneyColumn("restart_overhead_cost",
			"Effective cost with cause `overhead` of attempts after the first of their task: the cost of starting again.",
			SumOrZero("effective_cost", Causes(ledger.Overhead), Where("again", "true"))),
		moneyColumn("gang_wait_cost",
			"Effective cost of overhead before all members of a gang held: the cost of the early members while they waited.",
			SumOrZero("gang_wait_once", Where("gang_waited", "true"))).
			caveat("Part of overhead_cost, and of restart_overhead_cost if the gang came together again.").
			from("postings, spans, attempts"),
	}
}

func (c Column) from(source string) Column { c.Source = source; return c }

func (c Column) ofGroups(f Formula) Column { c.Groups = &f; return c }

// spotFigures compare runs with their cost on demand.
func spotFigures() []Column {
	return append([]Column{
		moneyColumn("on_demand_equivalent",
			"Cost of the run's time on demand: the list cost; for spot machines their on-demand price (dataset spot).",
			Formula{Op: OpSumAll, Field: "on_demand_cost", Where: []Match{Where("priced", "true")}}).
			caveat("NULL if any GPU time with a cost has neither price, or if no GPU time has a cost. Otherwise time without " +
				"a cost is left out.").from("postings, nodes, rates"),
	}, netSpot("pricing")...)
}

// grossSpot is the saving of spot machines before losses; the field class has the price class of a row.
func grossSpot(class string) Column {
	return moneyColumn("spot_savings",
		"On-demand price (that of dataset spot) minus effective cost of the hours on spot machines; 0 without spot.",
		SumOrZero("spot_saving", Where(class, string(ledger.Spot)))).
		caveat("Covers the hours with a cost and a known on-demand price; NULL if there are no such hours. Losses after " +
			"interruptions are not deducted.").from("postings, nodes, spot_rates")
}

// netSpot is the saving after interruptions, and the part of it that is known.
func netSpot(class string) []Column {
	onSpot := Where(class, string(ledger.Spot))
	return []Column{
		moneyColumn("net_spot_savings",
			"spot_savings minus the cost of spot interruptions: lost work of the attempts that they ended, and the overhead of "+
				"the attempts that followed; 0 without spot.",
			LessOf(SumOrZero("spot_saving", onSpot), Sum("spot_lost"))).
			caveat("Negative if interruptions cost more than spot saved; NULL if spot_savings is NULL.").
			from("postings, nodes, spot_rates, attempts"),
		{Name: "spot_known_share", Kind: Ratio,
			Doc: "Part of the GPU-hours on spot machines whose cost and on-demand price are known: spot_savings covers this " +
				"part. NULL without GPU-hours on spot machines.",
			Formula: RatioOf(SumOrZero("spot_known_hours", onSpot), Sum("gpu_hours", onSpot)),
			Source:  "postings, nodes, spot_rates"},
		moneyColumn("spot_unknown_cost", "Effective cost on spot machines of hours whose on-demand price is unknown.",
			SumOrZero("spot_unknown_cost", onSpot)).from("postings, nodes, spot_rates"),
	}
}

// budgetFigures compare a run with its budget. The burn rate and the figures from it are for running runs only.
func budgetFigures() []Column {
	const none = "NULL for runs that are not running."
	return sourced("runs, attempts, postings, nodes", []Column{
		{Name: "burn_rate", Kind: Quantity, Unit: "currency per hour",
			Doc: "Effective cost of the last 6 whole hours stored, per hour of them in which it held GPUs; in groups the " +
				"sum.",
			Formula: Sum("burn_rate_once"), Caveats: []string{none}},
		{Name: "budget_runs_out_at", Kind: Time,
			Doc: "When the budget will be used up at the burn rate; if it is used up already, the end of the hour whose cost " +
				"used it up.",
			Formula: Field("budget_runs_out_at"), Caveats: []string{none, "Also NULL without a budget."}},
		{Name: "projected_cost", Kind: Money, Unit: "currency",
			Doc: "Expected cost at its end: cost so far, plus the burn rate until it has lasted as long as the median of " +
				"completed runs with its team, kind, model and GPU count.",
			Formula: Sum("projected_cost"),
			Caveats: []string{
				none, "Also NULL while no such run has completed. A run that already lasted longer is projected to end now.",
			}},
	}...)
}

// countsOfRuns are figures that only groups of runs have.
func countsOfRuns() []Column {
	const twice = "A run with cost in two currencies counts once in the rows of each."
	ended := Where("status", "succeeded", "failed", "cancelled", "unknown")
	completed := Where("status", "succeeded")
	count := func(name, doc string, where ...Match) Column {
		return Column{Name: name, Kind: Count, Doc: doc, Formula: CountOf("run_id", where...), Caveats: []string{twice}}
	}
	cost := func(name, doc string, where Match) Column {
		return moneyColumn(name, doc, SumOrZero(Basis, Causes(runCauses...), where))
	}
	priced := CountOf("run_id", completed, Known(Basis))
	each := func(name, doc string, of Match) Column {
		return Column{Name: name, Kind: Ratio, Unit: "currency per run", Doc: doc, Formula: RatioOf(Sum(Basis, of), priced)}
	}
	cols := []Column{
		count("runs", "Runs."),
		count("completed_runs", "Of those, completed: status succeeded.", completed),
		{
			Name: "unpriced_completed_runs", Kind: Count,
			Doc:     "Completed runs without a known cost; excluded from averages.",
			Formula: LessOf(CountOf("run_id", completed), priced), Caveats: []string{twice},
		},
		count("failed_runs", "Of those, failed.", Where("status", "failed")),
		count("cancelled_runs", "Of those, cancelled.", Where("status", "cancelled")),
		count("unknown_runs", "Of those, runs whose end was not seen: completed, failed, cancelled, unknown and open runs "+
			"together are all.", Where("status", "unknown")),
		count("open_runs", "Of those, running or queued: neither failed nor completed.",
			Where("status", "running", "queued")),
		cost("completed_cost", "Basis cost of completed runs, with their dead attempts.", completed),
		cost("failed_cost", "Basis cost of failed and cancelled runs.", Where("status", "failed", "cancelled")),
		cost("unknown_end_cost", "Basis cost of runs whose end was not seen: status unknown. Completed, failed and unknown "+
			"together are all ended runs.", Where("status", "unknown")),
		cost("open_cost", "Basis cost so far of runs that are running or queued.", Where("status", "running", "queued")),
		each("cost_per_completed_run", "Basis cost of a completed run on average, all its attempts included.", completed).
			caveat("Covers completed runs whose cost is known; NULL without one."),
		each("cost_per_completed_run_all_in",
			"Basis cost of all ended runs, failed ones included, per completed run.", ended).
			caveat("Counts completed runs whose cost is known; NULL without one. Runs that are running or queued are left out."),
	}
	for i := range cols {
		cols[i].OnlyGroups = true
	}
	return cols
}

// attemptFigures are an attempt's cost by cause, in addition to lost_cost, and the counts of groups of attempts.
func attemptFigures() []Column {
	const twice = "An attempt with cost in two currencies counts once in the rows of each."
	count := func(name, doc string, where ...Match) Column {
		return Column{
			Name: name, Kind: Count, Doc: doc, Formula: CountOf("attempt_id", where...),
			OnlyGroups: true, Caveats: []string{twice},
		}
	}
	return slices.Concat([]Column{
		attr("run_kind", Text, "Kind of its run.").values("training", "fine_tuning", "evaluation", "inference",
			"batch").from("runs"),
		causeCost("used_cost", ledger.Used),
		causeCost("held_idle_cost", ledger.HeldIdle),
		causeCost("overhead_cost", ledger.Overhead),
		causeCost("unobserved_cost", ledger.Unobserved),
		causeCost("host_cost", ledger.Host),
		causeCost("metered_cost", ledger.Metered),
		attr("gang_complete_at", Time, "When all members of its gang held; NULL if they never did."),
	}, restartCosts(), []Column{
		{Name: "spot_dead_cost", Kind: Money, Unit: "currency",
			Doc:     "Effective cost of attempts that a spot interruption ended, whether lost or saved by a checkpoint.",
			Formula: SumOrZero("effective_cost", Where("reason", "spot_interruption"))},
		count("tries", "Attempts."),
		count("preempted_tries", "Of those, preempted or evicted.",
			Where("outcome", string(ledger.Preempted), string(ledger.Evicted))),
		count("spot_interrupted_tries", "Of those, ended by a spot interruption.", Where("reason", "spot_interruption")),
		count("failed_tries", "Of those, ended by their own failure or a machine's.",
			Where("outcome", string(ledger.Failed), string(ledger.OOM), string(ledger.Timeout), string(ledger.NodeFailure))),
	})
}
