package store

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// forAllocation are the signals whose values allocation asks for.
func forAllocation(s ledger.Signal) bool {
	return s == ledger.SignalGrEngine || s == ledger.SignalGPUUtil || s == ledger.SignalEnergy
}

// unpackActivity unpacks what allocation asks for: a few signals, and of all
// others in which minutes there was any, as ledger.SignalSeen.
func unpackActivity(packed []byte) (map[ledger.Signal]ledger.Minutes, error) {
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
