package report

import (
	"strings"

	"gpuledger/internal/period"
	"gpuledger/internal/star"
)

// How active cards were for those who held them is read from what was last added up, also
// of days that have changed since, as devices are: it is not in the ledger.

// runSignals are the counted minutes of attempts, in the whole lives of the runs that the
// question is about.
func (c Compiler) runSignals() string {
	which := c.ofRuns()
	if which == "" {
		which = c.theseRuns("q.run_id")
	}
	var pieces []piece
	if c.Plan != nil {
		pieces = c.Plan.Pieces
	}
	c.Plan = &RollupPlan{Pieces: daysOrMonths(period.Interval{}, pieces)}
	rows := c.addedRows(&star.RunSignal, star.RunSignal.Rollup("run_signal"), "select r.run_id, r.attempt_id, r.activity_bins")
	return "select q.run_id, q.attempt_id, q.activity_bins from (\n" + strings.Join(rows, "\nunion all\n") + "\n) q where true " + which
}

// workloadSignals are the counted minutes of workloads on the days that begin in the
// window.
func (c Compiler) workloadSignals() string {
	c = c.planDevices()
	return strings.Join(c.addedRows(&star.WorkloadSignal, star.WorkloadSignal.Rollup("workload_signal"), "select r.workload_id, r.activity_bins"), "\nunion all\n")
}
