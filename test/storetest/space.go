package storetest

import (
	"math/rand/v2"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// NoisyHour is an hour of an exporter's values for a device, in stored units: ratios with six digits, memory and rates
// in MiB, power in 100 mW, a counter of energy in mJ.
func NoisyHour(r *rand.Rand, busy int64) map[ledger.Signal]ledger.Minutes {
	out := map[ledger.Signal]ledger.Minutes{}
	set := func(name ledger.Signal, f func() int64) {
		var m ledger.Minutes
		for i := range 60 {
			minutes.Set(&m, i, 31_417, f())
		}
		out[name] = m
	}
	noise := func(sigma int64) int64 { return int64(r.NormFloat64() * float64(sigma)) }
	ratio := func(part, sigma int64) func() int64 {
		return func() int64 {
			if busy == 0 {
				return 0
			}
			return min(max(busy*part*100+noise(sigma), 0), 1_000_000)
		}
	}
	set(ledger.SignalGrEngine, ratio(96, 15_000))
	set(ledger.SignalGPUUtil, func() int64 { return min(max(busy+noise(2), 0), 100) * 10_000 })
	set(ledger.SignalSM, ratio(70, 20_000))
	set(ledger.SignalTensor, ratio(35, 18_000))
	set(ledger.SignalDRAM, ratio(45, 15_000))
	used := 61_000 + noise(3000)
	set(ledger.SignalMemoryUsed, func() int64 { return used << 20 })
	set(ledger.SignalMemoryFree, func() int64 { return (81_559 - used) << 20 })
	watts := 70_000 + busy*5500
	spread := max(watts*min(busy, 1)/60, 150)
	energy := int64(126_272_101_025)
	set(ledger.SignalPower, func() int64 { return (watts + noise(spread)) / 100 * 100 })
	set(ledger.SignalEnergy, func() int64 { energy += watts*60 + noise(spread*40); return energy })
	set(ledger.SignalTemperature, func() int64 { return (35 + busy/4 + noise(1)) * 1000 })
	set(ledger.SignalXID, func() int64 { return 0 })
	set(ledger.SignalThrottle, func() int64 { return int64(r.IntN(10)/9) * 4 * min(busy, 1) })
	for name, mean := range map[ledger.Signal]int64{
		ledger.SignalPCIeTx: 300_000_000, ledger.SignalPCIeRx: 900_000_000,
		ledger.SignalNVLinkTx: 40_000_000_000, ledger.SignalNVLinkRx: 40_000_000_000,
	} {
		set(name, func() int64 { return max(mean*busy/100+noise(mean*busy/800), 0) >> 20 << 20 })
	}
	return out
}
