package metrics

import (
	"slices"

	"gpuledger/internal/ledger"
)

// deviceKeys are the group keys of devices and of MIG layouts: those of the machine and those of the holder.
var deviceKeys = append([]string{"cluster", "node", "instance_type", "region", "zone", "pricing", "account",
	"namespace", "workload_class", "mig_profile", "cause"}, OwnerKeys...)

var devices = Dataset{
	Name: "devices",
	Lead: []string{"node", "gpu_model", "devices", "utilisation", "held_share", Basis, "currency", "gpu_hours",
		"device", "price_per_active_gpu_hour", "cluster"},
	InPart: true,
	Doc: "Use, signals and cost of GPUs, across all holders: one row per device and currency, for the days that begin " +
		"in the window.",
	Columns: sourced("postings, usage, sample_summaries, devices, nodes, owners", slices.Concat(
		[]Column{
			{Name: "period_start", Kind: Time,
				Doc:     "Start of the period: of the bucket, else of the window, else of all stored time.",
				Formula: Field("period_start"),
				Caveats: []string{
					"Rows add up whole UTC days: granularity hour gives one row a day, and a window takes the days that begin in it.",
				}},
			attr("device", Text, "UUID of the device; machine#slot if it was never seen."),
			attr("gpu_model", Text, "GPU model of its machine."),
			every("cluster", "Every cluster that the device was in."),
			every("node", "Every machine that the device was in."),
			Column{Name: "devices", Kind: Count, Doc: "How many devices.", Formula: CountOf("device"), OnlyGroups: true}.
				caveat("A device with several holders is counted for each of them: this column does not add up over owners."),
			gpuHours("capacity_gpu_hours", "All GPU-hours, held or not, as billed or observed, whichever is more.",
				Sum("capacity_gpu_hours")),
		},
		summedQuantities(),
		[]Column{
			gpuHours("idle_gpu_hours", "GPU-hours with cause `held_idle`.", SumOrZero("gpu_hours", Causes(ledger.HeldIdle))),
			gpuHours("free_gpu_hours", "GPU-hours that no one held: cause `free`.",
				SumOrZero("capacity_gpu_hours", Causes(ledger.Free))),
			gpuHours("stranded_gpu_hours", "GPU-hours of a MIG remainder that no profile could use: cause `stranded`.",
				SumOrZero("capacity_gpu_hours", Causes(ledger.Stranded))),
			ratio("utilisation", "Active share of all GPU-hours.", Sum("active_gpu_hours"), Sum("capacity_gpu_hours")),
			ratio("held_utilisation", "Active share of held GPU-hours.", Sum("held_active_gpu_hours"), Sum("gpu_hours")),
			heldShare(),
			energy(),
		},
		measured("activity", "Activity: of the compute engine, else utilisation of the whole device", "", million),
		measured("sm", "Streaming multiprocessors active", "", million),
		measured("tensor", "Tensor pipe active", "", million),
		measured("dram", "Memory interface active", "", million),
		measured("memory", "Memory used, as share of the device's or slice's memory", "", million),
		measured("power", "Board power", "W", 1000),
		[]Column{
			Column{
				Name: "throttled_hours", Kind: Count, Doc: "Hours in which power caps, heat or the hardware slowed the device " +
					"down.",
				Formula: Sum("throttled_hours"), Unit: "hours",
			}.
				caveat("Hours in which a counter of time lost rose by six minutes or more, or whose 95th-percentile minute has " +
					"such a throttle reason. NULL without telemetry."),
			Column{
				Name: "xids", Kind: Text, Doc: "XID error codes seen, apart from 0.",
				Formula: Formula{Op: OpDistinct, Field: "xid"},
			}.caveat("The highest code of each hour; a code stays until the driver is reloaded."),
			ratio("telemetry_coverage", "Share of all GPU-hours whose activity is known.", Sum("known_gpu_hours"),
				Sum("capacity_gpu_hours")).
				caveat("The rest of a MIG card outside its instances is never measured and counts as not known."),
		},
		summedCosts(),
		[]Column{
			causeCost("held_idle_cost", ledger.HeldIdle),
			causeCost("free_cost", ledger.Free),
			causeCost("stranded_cost", ledger.Stranded),
			price("price_per_held_gpu_hour", "Basis cost, idle and free time included, per GPU-hour held.", "priced_gpu_hours"),
			price("price_per_active_gpu_hour",
				"Basis cost, idle and free time included, per active GPU-hour: the full cost of an hour of work.",
				"priced_active_gpu_hours"),
			leastSettled(),
			currency().caveat("Time without a cost is in the currency of its kind of machine (all of the machine's keys but " +
				"its name) if that has only one, else in a row with NULL currency."),
		},
	)...),
	Windowed: true,
	Stepped:  true,
	Totals:   true,
	Offers:   deviceKeys,
	RowKey:   []string{"period_start", "device", "gpu_model", "currency"},
	Order:    []Order{{Column: "period_start"}, {Column: Basis, Desc: true}},
}

const million = 1_000_000

// measured are the mean and percentiles of a signal in units of 1/per.
func measured(name, doc, unit string, per int64) []Column {
	const bound = "By nearest rank from counts in bins: within 0.8 % of the value."
	caveats := []string{bound}
	if name == "memory" {
		caveats = []string{"By nearest rank from counts in bins: within 1.6 % of the value."}
	}
	column := func(suffix, what string, f Formula, caveats ...string) Column {
		return Column{
			Name: name + suffix, Kind: Ratio, Unit: unit, Doc: doc + ": " + what + ".", Formula: f, Caveats: caveats,
		}
	}
	return []Column{
		column("_avg", "mean over measured minutes", RatioOf(Sum(name+"_total"), Sum(name+"_minutes")),
			"Every measured minute of a device, or of each of its slices, counts once; an hour counts for the owner who held "+
				"most of it. NULL without measured minutes."),
		column("_p95", "95th percentile of measured minutes", PercentileOf(95, name+"_bins", per), caveats...),
		column("_p99", "99th percentile of measured minutes", PercentileOf(99, name+"_bins", per), caveats...),
	}
}

// every lists the values of a field in a dataset's own rows; in rows of other keys there would be too many.
func every(name, doc string) Column {
	return Column{
		Name: name, Kind: Text, Doc: doc, Formula: Formula{Op: OpDistinct, Field: name},
		Groups: &Formula{Op: OpField, Field: name},
	}
}

// ratio is a column that divides two sums.
func ratio(name, doc string, num, den Formula) Column {
	return Column{Name: name, Kind: Ratio, Doc: doc, Formula: RatioOf(num, den)}
}

// price is basis cost per hour of a field; the field is NULL for hours without a cost.
func price(name, doc, hours string) Column {
	return Column{Name: name, Kind: Ratio, Unit: "currency per GPU-hour", Doc: doc,
		Formula: RatioOf(Sum(Basis), Sum(hours)),
		Caveats: []string{"Hours without any cost are left out on both sides. NULL if no hour has a cost."}}
}
