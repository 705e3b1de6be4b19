package report

import (
	"fmt"

	"gpuledger/metrics"
)

// steady says that h.hours, in which a team held machines, are at least a part of the
// hours of the window, e.hours.
func steady(percent int) string {
	return fmt.Sprintf("100 * coalesce(h.hours, 0) >= %d * e.hours", percent)
}

// demandClass is the class of demand; null where nothing was used in the window.
func demandClass() string {
	return "case when e.hours is null then null when " + steady(metrics.AlwaysOnPercent) + " then 'always_on' when " + steady(metrics.BaselinePercent) + " then 'baseline' else 'bursty' end"
}
