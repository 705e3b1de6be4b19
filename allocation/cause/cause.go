package cause

import "gpuledger/internal/ledger"

// Held is the state of one holder in one second (rules 7.1 to 7.5).
type Held struct {
	// Lost: inside the lost interval of its attempt.
	Lost bool
	// Gang: the gang of its attempt is not complete yet and the limit from the attempt's start has not passed.
	Gang bool
	// Start: before the segment's first active minute and inside the limit from the segment's start. It counts only if
	// the minute is idle.
	Start bool
	// CrashLoop: a container of the pod waits in CrashLoopBackOff.
	CrashLoop bool
	// IdleRun: the minute belongs to a long enough unbroken run of idle minutes,
	// or to a window with a low mean.
	IdleRun bool
	// Activity of the minute.
	Activity ledger.Activity
}

// Cause returns the first cause that matches.
func (h Held) Cause() ledger.Cause {
	switch {
	case h.Lost:
		return ledger.Lost
	case h.Gang, h.CrashLoop, h.Start && h.Activity == ledger.Idle:
		return ledger.Overhead
	case h.Activity != ledger.Active && h.Activity != ledger.Idle:
		return ledger.Unobserved
	case h.IdleRun:
		return ledger.HeldIdle
	}
	return ledger.Used
}

// Unheld is the state of a slice, or of the unheld share of one, in a second of the node's observed time (rules 7.6 to
// 7.10).
type Unheld struct {
	// Shared: a share of the slice is held.
	Shared bool
	// Activity of the minute; a remainder of a MIG layout has none.
	Activity ledger.Activity
	// Down: the node is not ready or cordoned, or silent while others of its
	// cluster report.
	Down bool
	// Observed: the node appears in a placement source that delivered data in this minute.
	Observed bool
	// Stranded: the part of a MIG remainder on which nothing can be placed.
	Stranded bool
}

// Cause returns the first cause that matches. Used means used by an unknown
// workload.
func (u Unheld) Cause() ledger.Cause {
	switch {
	case u.Activity == ledger.Active && !u.Shared:
		return ledger.Used
	case u.Down:
		return ledger.Unavailable
	case !u.Observed:
		return ledger.Unobserved
	case u.Stranded:
		return ledger.Stranded
	}
	return ledger.Free
}

// Outside is the state of a billed second in which the node did not exist (rules 7.7, 7.8, 7.10 and 8.1).
type Outside struct {
	// Ended: an event reported the end of the machine.
	Ended bool
	// Witness: others of its cluster reported, in a source of a kind that also reports the machine.
	Witness bool
	// Accounted: the accounting that names it while it works covers the second, and names no holder.
	Accounted bool
}

// Cause returns the first cause that matches. An unobserved machine may still have been usable.
func (o Outside) Cause() ledger.Cause {
	switch {
	case o.Ended, o.Witness:
		return ledger.Unavailable
	case o.Accounted:
		return ledger.Free
	}
	return ledger.Unobserved
}
