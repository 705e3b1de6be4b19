package allocation

import (
	"gpuledger/allocation/policy"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// idle returns the minutes in which a hold is idle unless a cause of higher precedence applies: minutes of idle runs
// that are long enough, or of windows with a low mean (rule 7.4). Neither reaches beyond the hold.
func (w *walker) idle(activity *timeline.Activity, hold period.Interval) timeline.Bits {
	from, to := w.grid.Overlap(hold)
	memory, window := &w.scratch.memory, int(w.policy.IdleMinutes)
	if w.policy.IdleKind == policy.RollingMean {
		return activity.LowMean(memory, from, to, window, w.policy.IdleThresholdPPM)
	}
	return activity.Idle(memory).Runs(memory, from, to, window)
}

// signal is the signal that activity is taken from (rule 5.1); empty: the engine's, with utilisation where the engine's
// is missing.
func (d *day) signal() ledger.Signal {
	switch d.policy.IdleSignal {
	case policy.SMActive:
		return ledger.SignalSM
	case policy.Tensor:
		return ledger.SignalTensor
	}
	return ""
}
