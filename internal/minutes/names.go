package minutes

import "gpuledger/internal/ledger"

// wellKnown are the names that are stored as one byte, index + 1. The list is
// append-only: an entry's place is part of the stored format.
var wellKnown = [...]string{
	string(ledger.SignalGrEngine), string(ledger.SignalGPUUtil), string(ledger.SignalSM),
	string(ledger.SignalTensor), string(ledger.SignalDRAM), string(ledger.SignalMemoryUsed),
	string(ledger.SignalMemoryFree), string(ledger.SignalPower), string(ledger.SignalEnergy),
	string(ledger.SignalTemperature), string(ledger.SignalXID), string(ledger.SignalPCIeTx),
	string(ledger.SignalPCIeRx), string(ledger.SignalNVLinkTx), string(ledger.SignalNVLinkRx),
	string(ledger.SignalThrottle), string(ledger.SignalSeen),
	"requests/stop", "requests/length", "requests/abort", "requests/error", "requests/repetition",
	"prompt_tokens", "cached_prompt_tokens", "generation_tokens", "preemptions",
	"requests_running", "requests_waiting", "latency_seconds_sum", "latency_seconds_count",
	"ttft_seconds_sum", "ttft_seconds_count",
	string(ledger.SignalMemoryCopy), string(ledger.SignalThrottlePower), string(ledger.SignalThrottleThermal),
	string(ledger.SignalHostCPU), string(ledger.SignalHostMemory),
	"start/prompt_tokens", "start/generation_tokens", "layer/router", "layer/gateway",
	string(ledger.SignalMIGMode), string(ledger.SignalMIGStart),
}

var wellKnownCode = func() map[string]byte {
	m := make(map[string]byte, len(wellKnown))
	for i, s := range wellKnown {
		m[s] = byte(i + 1)
	}
	return m
}()

func wellKnownName(code byte) string {
	if i := int(code) - 1; i >= 0 && i < len(wellKnown) {
		return wellKnown[i]
	}
	return ""
}

func appendName(dst []byte, s string) []byte {
	if c, ok := wellKnownCode[s]; ok {
		return append(dst, c)
	}
	dst = append(dst, 0)
	dst = appendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// Code is the number of a name that is stored as one byte; 0 for other names.
func Code(name string) int { return int(wellKnownCode[name]) }

// Names lists the names that have numbers, from 1 on.
func Names() []string { return wellKnown[:] }
