package report

import (
	"fmt"

	"gpuledger/metrics"
)

// steady reports whether h.hours, in which a team held machines, are at least percent of l.hours, the hours from the
// first of them to the end of the window (e.hours), and whether the team has held machines for long enough to judge.
func steady(percent int) string {
	return fmt.Sprintf("coalesce(l.hours >= least(%d, e.hours) and 100 * h.hours >= %d * l.hours, false)",
		metrics.SteadyDays*24, percent)
}

// demandClass is the class of demand; NULL if no machine was used in the window.
func demandClass() string {
	return "case when e.hours is null then null when " + steady(metrics.AlwaysOnPercent) + " then 'always_on' when " +
		steady(metrics.BaselinePercent) + " then 'baseline' else 'bursty' end"
}
