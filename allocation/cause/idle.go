package cause

import "gpuledger/internal/ledger"

// IdleRuns returns, per minute of [from, to), whether it belongs to an
// unbroken run of at least need idle minutes inside [from, to) (rule 7.4).
// class answers for any minute of that range.
func IdleRuns(class func(minute int) ledger.Activity, from, to, need int) []bool {
	in := make([]bool, max(to-from, 0))
	run := 0
	for m := from; m < to; m++ {
		if class(m) != ledger.Idle {
			run = 0
			continue
		}
		run++
		switch {
		case run == need:
			for k := m - need + 1; k <= m; k++ {
				in[k-from] = true
			}
		case run > need:
			in[m-from] = true
		}
	}
	return in
}

// FirstActive returns the first active minute of [from, to), to when there is
// none.
func FirstActive(class func(minute int) ledger.Activity, from, to int) int {
	for m := from; m < to; m++ {
		if class(m) == ledger.Active {
			return m
		}
	}
	return to
}
