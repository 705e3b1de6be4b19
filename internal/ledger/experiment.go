package ledger

import (
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// ExperimentResult is the result of one metric of an experiment (docs/figures.md 15.8).
type ExperimentResult struct {
	ID         ID     // of experiment, run, metric and time, and of model version and dataset if either is given
	Experiment string // also the name that runs give
	Run        string // id or name of the measured run; empty: not given
	Metric     string
	Value      money.Amount  // a plain number, in the metric's own unit
	Baseline   *money.Amount // the value before the experiment; nil: not given
	Threshold  *money.Amount // bound for success; nil: Baseline
	Lower      bool          // success is at most the bound, not at least
	At         period.Second // time of the measurement; 0: not given

	ModelVersion string        // of the measured model; empty: not given
	Dataset      string        // that it was trained or measured on; empty: not given
	DatasetSize  *money.Amount // in DatasetUnit; nil: not given
	DatasetUnit  string        // such as tokens; empty: not given
}
