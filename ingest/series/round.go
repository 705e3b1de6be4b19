package series

import "gpuledger/internal/ledger"

// rounding is the rounding of a measure on reading, in the signal's unit (rule 10.10). Smaller
// differences are noise, which would take most of the space of stored minutes: links are
// rounded to 1 MiB per second, and power to 100 mW. Energy, which costs are charged by, and all
// other signals stay exact.
var rounding = map[ledger.Signal]int64{
	ledger.SignalPower:    100,
	ledger.SignalPCIeTx:   mebi,
	ledger.SignalPCIeRx:   mebi,
	ledger.SignalNVLinkTx: mebi,
	ledger.SignalNVLinkRx: mebi,
}

// nearest is the multiple of step that is nearest to v, ties away from zero; a value that is
// too large for one stays.
func nearest(v, step int64) int64 {
	rest := v % step
	near := v - rest
	switch half := (step + 1) / 2; {
	case rest >= half && near <= 1<<63-1-step:
		near += step
	case rest <= -half && near >= -1<<63+step:
		near -= step
	}
	return near
}
