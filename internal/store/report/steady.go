package report

import (
	"fmt"

	"gpuledger/metrics"
)

// steady says that h.hours, in which a team held machines, are at least a part of
// l.hours, those from the first of them to the end of e.hours, the window; and that the
// team was there for long enough to tell.
func steady(percent int) string {
	return fmt.Sprintf("coalesce(l.hours >= least(%d, e.hours) and 100 * h.hours >= %d * l.hours, false)",
		metrics.SteadyDays*24, percent)
}

// demandClass is the class of demand; null where nothing was used in the window.
func demandClass() string {
	return "case when e.hours is null then null when " + steady(metrics.AlwaysOnPercent) + " then 'always_on' when " +
		steady(metrics.BaselinePercent) + " then 'baseline' else 'bursty' end"
}
