package ledger

import (
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// ExperimentResult is what one metric of an experiment came to
// (docs/figures.md 15.8).
type ExperimentResult struct {
	ID         ID     // NewID("experiment result", experiment, run, metric, time)
	Experiment string // as runs name it, too
	Run        string // id or name of the run that it was measured on; empty: not said
	Metric     string
	Value      money.Amount  // a plain number, in the metric's own unit
	Baseline   *money.Amount // of what there was before; nil: not said
	Threshold  *money.Amount // what makes it a success; nil: the baseline does
	Lower      bool          // success is at most, not at least that
	At         period.Second // of the measurement; 0: not said
}
