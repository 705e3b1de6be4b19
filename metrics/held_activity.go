package metrics

// ofDays is the caveat of held activity if windows split days.
const ofDays = "Of the UTC days that begin in the window."

// heldActivity are percentiles of the activity of cards while they were held, from counts of minutes in activity_bins.
func heldActivity(when string) []Column {
	return []Column{
		heldPercentile(50, PercentileOf(50, "activity_bins", million), when),
		heldPercentile(95, PercentileOf(95, "activity_bins", million), when),
	}
}

func heldPercentile(percent int, f Formula, when string) Column {
	c := Column{
		Name: "activity_p50", Kind: Ratio,
		Doc: "Activity of held cards: the median of the minutes in which each card or slice was held.", Formula: f,
	}
	if percent == 95 {
		c.Name, c.Doc = "activity_p95",
			"Activity of held cards: the 95th percentile of the minutes in which each card or slice was held."
	}
	return c.caveat(when, "Minutes of unknown activity do not count; NULL without a minute of known activity.",
		"By nearest rank from counts in bins: within 0.8 % of the value.").
		from("sample_hours, sample_summaries, spans")
}
