package series

import "gpuledger/internal/ledger"

// rounding is to what a measure is rounded when it is read, in the signal's
// unit (rule 10.10). Below it is noise, which takes most of the room of stored
// minutes and says nothing: links are read to the MiB per second and power to
// 100 mW. Energy, which things are charged by, and all else stay as printed.
var rounding = map[ledger.Signal]int64{
	ledger.SignalPower:    100,
	ledger.SignalPCIeTx:   mebi,
	ledger.SignalPCIeRx:   mebi,
	ledger.SignalNVLinkTx: mebi,
	ledger.SignalNVLinkRx: mebi,
}

// nearest is the multiple of step that is nearest to v, ties away from zero;
// what is too large for one stays.
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
