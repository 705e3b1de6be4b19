package metrics

// pageFigures are figures that pages derive from several columns, defined here and not on the page. Source names those
// columns.
var pageFigures = []Column{
	figureOf("change", Ratio, "",
		"Change in cost: the complete days of the period against as many days of the period before. For a calendar month "+
			"that is the month before, else the period of equal length. The label names the days.",
		"costs.effective_cost"),
	figureOf("share", Ratio, "", "Part of the total of the same panel.", "the column next to it"),
	figureOf("used_share", Ratio, "", "Cost with cause `used` over all cost of the row.", "costs.effective_cost"),
	figureOf("by_cause", Ratio, "", "All cost of the row by cause, in the fixed order of causes; the whole bar is 100 %.",
		"costs.effective_cost"),
	figureOf("price_per_gpu_hour", Ratio, "currency per GPU-hour",
		"Cost per GPU-hour held; free and other unheld time is in the cost only.",
		"costs.effective_cost, costs.gpu_hours"),
	figureOf("devices", Count, "", "GPUs that have been seen and are not gone.", "devices"),
	figureOf("held_idle_share", Ratio, "", "Cost with cause `held_idle` over the cost of all held time.",
		"costs.effective_cost"),
	figureOf("lost_span", Money, "currency",
		"Lost work, as a range: the loss that a checkpoint proves, up to all work since the attempt began if it wrote none.",
		"runs.lost_cost_min, runs.lost_cost"),
	figureOf("lasted", Duration, "seconds", "Start to end; while it runs, to the last sample.",
		"runs.started_at, runs.ended_at"),
	figureOf("slot_hours", Quantity, "hours",
		"Hours in which slots of the node were held or present, not scaled by slice or share.", "usage.seconds"),
	figureOf("activity_now", Ratio, "", "Mean activity of the device over its newest minutes with a sample.",
		"samples.activity"),
	figureOf("state_now", Text, "",
		"Current state of a device, from its newest samples and holders, before allocation.",
		"samples, hold evidence"),
	figureOf("newest_sample", Time, "", "Newest minute with any sample.", "samples.hour"),
	figureOf("next_run", Time, "",
		"When a schedule of exports runs next, in UTC: its next scheduled time, or the next try of a run that failed.",
		"export_schedules.every, export_schedules.last_done, export_schedules.last_tries, export_schedules.last_ended_at"),
	figureOf("fact", Text, "", "A source's own value, shown unchanged.", "the dataset of the page"),
	figureOf("difference", Money, "currency", "The bill's own total minus its posted total: 0 when the books tie out.",
		"reconciliation.source_total, reconciliation.posted_total"),
	figureOf("carried_cost", Money, "currency", "Cost of a statement before and after sharing.",
		"statement_lines.effective_cost"),
	figureOf("weight", Ratio, "", "The share by which a part was split, as a fraction of whole numbers.",
		"postings, usage"),
	figureOf("rows_read", Count, "", "Rows of files: read, accepted, ignored by rule, refused with a reason.",
		"imports, import_counts"),
}

func figureOf(name string, kind Kind, unit, doc, source string) Column {
	return Column{Name: name, Kind: kind, Unit: unit, Doc: doc, Source: source, Formula: Field(name)}
}
