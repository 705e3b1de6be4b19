package series

import "gpuledger/internal/ledger"

// deviceMetric is the measure and unit of an exporter metric.
type deviceMetric struct {
	name   string
	signal ledger.Signal
	// mul converts the metric's unit to the signal's.
	mul uint64
	// whole: the value belongs to the whole device, even on the row of a MIG instance, which
	// repeats its parent's value.
	whole bool
	blank blankRule
	// dialect of the exporter; nil: dcgm-exporter.
	dialect *dialect
}

// blankRule selects DCGM's sentinels for "no value".
type blankRule uint8

const (
	// blankAny: 32-bit, 64-bit and floating-point sentinels.
	blankAny blankRule = iota
	// blankWide: 64-bit and floating-point ones; real values reach 2^31.
	blankWide
	// blankHuge: 64-bit ones only; real values may pass 2^47.
	blankHuge
)

// Sentinels: int32 0x7ffffff0, fp64 2^47, int64 0x7ffffffffffffff0, each with the three values
// behind it. Above 2^47 there are only sentinels for the signals that use blankAny and
// blankWide. Exporters also print the 64-bit ones as a rounded float.
const (
	blank32   = 2147483632
	blankFP64 = 1 << 47
	blank64   = 9223372036854770000
)

// blank reports whether a finite value is a sentinel.
func (r blankRule) blank(d Decimal) bool {
	// The usual case needs one comparison: small values are never sentinels.
	if d.mant < blank32 && d.exp <= 0 {
		return false
	}
	v, ok := d.floor(0)
	if !ok {
		return !d.neg // beyond 63 bits
	}
	if v >= blank64 {
		return true
	}
	if r == blankHuge {
		return false
	}
	return v >= blankFP64 || r == blankAny && v >= blank32 && v <= blank32+3
}

const (
	ratio   = 1_000_000 // 0..1 in ppm
	percent = 10_000    // 0..100 in ppm
	milli   = 1_000
	nano    = 1_000_000_000
	mebi    = 1 << 20
)

// deviceMetrics: dcgm-exporter up to 4.8, the renamed fields of DCGM 4.6 and
// 4.7 (dcgm-exporter 4.9), and the lower-case names of 1.x.
var deviceMetrics = []deviceMetric{
	{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", ledger.SignalGrEngine, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", ledger.SignalGrEngine, ratio, false, blankAny, nil},
	{"dcgm_fi_prof_gr_engine_active", ledger.SignalGrEngine, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_SM_ACTIVE", ledger.SignalSM, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_SM_UTIL_RATIO", ledger.SignalSM, ratio, false, blankAny, nil},
	{"dcgm_fi_prof_sm_active", ledger.SignalSM, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", ledger.SignalTensor, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_TENSOR_UTIL_RATIO", ledger.SignalTensor, ratio, false, blankAny, nil},
	{"dcgm_fi_prof_pipe_tensor_active", ledger.SignalTensor, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_DRAM_ACTIVE", ledger.SignalDRAM, ratio, false, blankAny, nil},
	{"DCGM_FI_PROF_DRAM_UTIL_RATIO", ledger.SignalDRAM, ratio, false, blankAny, nil},
	{"dcgm_fi_prof_dram_active", ledger.SignalDRAM, ratio, false, blankAny, nil},

	{"DCGM_FI_DEV_FB_USED", ledger.SignalMemoryUsed, mebi, false, blankAny, nil},
	{"DCGM_FI_DEV_FB_USED_BYTES", ledger.SignalMemoryUsed, 1, false, blankWide, nil},
	{"dcgm_fb_used", ledger.SignalMemoryUsed, mebi, false, blankAny, nil},
	{"DCGM_FI_DEV_FB_FREE", ledger.SignalMemoryFree, mebi, false, blankAny, nil},
	{"DCGM_FI_DEV_FB_FREE_BYTES", ledger.SignalMemoryFree, 1, false, blankWide, nil},
	{"dcgm_fb_free", ledger.SignalMemoryFree, mebi, false, blankAny, nil},

	{"DCGM_FI_DEV_GPU_UTIL", ledger.SignalGPUUtil, percent, true, blankAny, nil},
	{"dcgm_gpu_utilization", ledger.SignalGPUUtil, percent, true, blankAny, nil},
	{"DCGM_FI_DEV_POWER_USAGE", ledger.SignalPower, milli, true, blankAny, nil},
	{"DCGM_FI_DEV_BOARD_POWER_WATTS", ledger.SignalPower, milli, true, blankAny, nil},
	{"dcgm_power_usage", ledger.SignalPower, milli, true, blankAny, nil},
	{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", ledger.SignalEnergy, 1, true, blankHuge, nil},
	{"DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL", ledger.SignalEnergy, milli, true, blankHuge, nil},
	{"dcgm_total_energy_consumption", ledger.SignalEnergy, 1, true, blankHuge, nil},
	{"DCGM_FI_DEV_GPU_TEMP", ledger.SignalTemperature, milli, true, blankAny, nil},
	{"DCGM_FI_DEV_GPU_TEMP_CELSIUS", ledger.SignalTemperature, milli, true, blankAny, nil},
	{"dcgm_gpu_temp", ledger.SignalTemperature, milli, true, blankAny, nil},
	{"DCGM_FI_DEV_XID_ERRORS", ledger.SignalXID, 1, true, blankAny, nil},
	{"DCGM_FI_DEV_XID_ERROR", ledger.SignalXID, 1, true, blankAny, nil},
	{"dcgm_xid_errors", ledger.SignalXID, 1, true, blankAny, nil},
	{"DCGM_FI_DEV_MIG_MODE", ledger.SignalMIGMode, 1, true, blankAny, nil},
	{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", ledger.SignalThrottle, 1, true, blankAny, nil},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", ledger.SignalThrottle, 1, true, blankAny, nil},

	{"DCGM_FI_DEV_MEM_COPY_UTIL", ledger.SignalMemoryCopy, percent, true, blankAny, nil},
	{"DCGM_FI_DEV_MEMORY_UTIL_RATIO", ledger.SignalMemoryCopy, ratio, true, blankAny, nil},
	{"dcgm_mem_copy_utilization", ledger.SignalMemoryCopy, percent, true, blankAny, nil},
	{"DCGM_FI_DEV_POWER_VIOLATION", ledger.SignalThrottlePower, 1, true, blankHuge, nil},
	{"dcgm_power_violation", ledger.SignalThrottlePower, 1, true, blankHuge, nil},
	{"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", ledger.SignalThrottlePower, nano, true, blankWide, nil},
	{"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", ledger.SignalThrottleThermal, nano, true, blankWide, nil},
	{"dcgm_thermal_violation", ledger.SignalThrottleThermal, 1, true, blankHuge, nil},
	{"DCGM_FI_DEV_THERMAL_VIOLATION", ledger.SignalThrottleThermal, 1, true, blankHuge, nil},

	{"DCGM_FI_PROF_PCIE_TX_BYTES", ledger.SignalPCIeTx, 1, true, blankWide, nil},
	{"dcgm_fi_prof_pcie_tx_bytes", ledger.SignalPCIeTx, 1, true, blankWide, nil},
	{"DCGM_FI_PROF_PCIE_RX_BYTES", ledger.SignalPCIeRx, 1, true, blankWide, nil},
	{"dcgm_fi_prof_pcie_rx_bytes", ledger.SignalPCIeRx, 1, true, blankWide, nil},
	{"DCGM_FI_PROF_NVLINK_TX_BYTES", ledger.SignalNVLinkTx, 1, true, blankWide, nil},
	{"DCGM_FI_PROF_NVLINK_RX_BYTES", ledger.SignalNVLinkRx, 1, true, blankWide, nil},
}

const (
	// ambiguousUtil is the name whose unit Options must give.
	ambiguousUtil = "DCGM_FI_DEV_GPU_UTIL_RATIO"
	// rescaledUtil is the name that some pipelines rescale to 0..1.
	rescaledUtil = "DCGM_FI_DEV_GPU_UTIL"
)

// signals is the order of an hour's vectors.
var signals = [...]ledger.Signal{
	ledger.SignalGrEngine, ledger.SignalGPUUtil, ledger.SignalSM, ledger.SignalTensor, ledger.SignalDRAM,
	ledger.SignalMemoryUsed, ledger.SignalMemoryFree, ledger.SignalPower, ledger.SignalEnergy,
	ledger.SignalTemperature, ledger.SignalXID, ledger.SignalPCIeTx, ledger.SignalPCIeRx,
	ledger.SignalNVLinkTx, ledger.SignalNVLinkRx, ledger.SignalThrottle, ledger.SignalMemoryCopy,
	ledger.SignalThrottlePower, ledger.SignalThrottleThermal, ledger.SignalHostCPU, ledger.SignalHostMemory,
	ledger.SignalMIGMode, ledger.SignalMIGStart,
	ledger.SignalSeen, // must stay last
}

// signalIndex is the place of a signal in signals.
func signalIndex(s ledger.Signal) int {
	for i := range signals {
		if signals[i] == s {
			return i
		}
	}
	return len(signals) - 1
}
