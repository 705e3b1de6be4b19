package facts

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// forAllocation reports whether any policy may make allocation read a signal's values (docs/rules.md 3.3, 3.7, 5.1,
// 5.5).
func forAllocation(s ledger.Signal) bool {
	switch s {
	case ledger.SignalGrEngine, ledger.SignalGPUUtil, ledger.SignalSM, ledger.SignalTensor, ledger.SignalEnergy,
		ledger.SignalMIGMode,
		ledger.SignalMIGStart:
		return true
	}
	return false
}

// UnpackActivity unpacks the signals that allocation reads. Minutes in which only other signals have values are known
// through ledger.SignalSeen.
func UnpackActivity(packed []byte) (map[ledger.Signal]ledger.Minutes, error) {
	vectors, err := minutes.Select(packed, forAllocation)
	if err != nil {
		return nil, err
	}
	seen, err := minutes.Known(packed)
	if err != nil {
		return nil, err
	}
	var known uint64
	for _, v := range vectors {
		known |= v.Known
	}
	if known != seen {
		vectors[ledger.SignalSeen] = ledger.Minutes{Known: seen}
	}
	return vectors, nil
}
