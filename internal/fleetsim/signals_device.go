package fleetsim

import "strconv"

// Signals that change slowly, or that describe how a card works rather than how much, are written every few minutes. It
// keeps the files small; readers take the minutes that are known.
const (
	EveryFive = 5
	EveryTen  = 10
)

// generation is the set of exporters that give a metric its name.
type generation int

const (
	before49 generation = iota
	since49
	always
)

// furtherFamilies are the metrics that show what a busy card does.
var furtherFamilies = []dcgmFamily{
	{
		"DCGM_FI_PROF_SM_ACTIVE", "gauge", "Ratio of cycles an SM has at least one warp assigned.",
		before49, true, false, EveryFive, appendSM,
	},
	{
		"DCGM_FI_PROF_SM_UTIL_RATIO", "gauge", "Ratio of cycles an SM has at least one warp assigned.",
		since49, true, false, EveryFive, appendSM,
	},
	{
		"DCGM_FI_PROF_DRAM_ACTIVE", "gauge", "Ratio of cycles the device memory interface is active.",
		before49, true, false, EveryFive, appendDRAM,
	},
	{
		"DCGM_FI_PROF_DRAM_UTIL_RATIO", "gauge", "Ratio of cycles the device memory interface is active.",
		since49, true, false, EveryFive, appendDRAM,
	},
	{"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", before49, false, false, EveryTen, appendFreeMiB},
	{
		"DCGM_FI_DEV_FB_FREE_BYTES", "gauge", "Framebuffer memory free (in bytes).",
		since49, false, false, EveryTen, appendFreeBytes,
	},
	{
		"DCGM_FI_PROF_NVLINK_TX_BYTES", "gauge", "The rate of data transmitted over NVLink (in bytes per second).",
		always, true, true, EveryFive, appendNVLink,
	},
	{
		"DCGM_FI_PROF_NVLINK_RX_BYTES", "gauge", "The rate of data received over NVLink (in bytes per second).",
		always, true, true, EveryFive, appendNVLink,
	},
	{
		"DCGM_FI_PROF_PCIE_TX_BYTES", "gauge", "The rate of data transmitted over the PCIe bus (in bytes per second).",
		always, true, true, EveryTen, appendPCIe,
	},
	{
		"DCGM_FI_PROF_PCIE_RX_BYTES", "gauge", "The rate of data received over the PCIe bus (in bytes per second).",
		always, true, true, EveryTen, appendPCIe,
	},
	{
		"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.",
		before49, false, true, EveryTen, appendXID,
	},
	{
		"DCGM_FI_DEV_XID_ERROR", "gauge", "Value of the last XID error encountered.",
		since49, false, true, EveryTen, appendXID,
	},
	{
		"DCGM_FI_DEV_POWER_VIOLATION", "unknown", "Throttling duration due to power constraints (in ns).",
		before49, false, true, EveryTen, appendPowerNanos,
	},
	{
		"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", "unknown",
		"Throttling duration due to power constraints (in s).", since49, false, true, EveryTen, appendPowerSeconds,
	},
	{
		"DCGM_FI_DEV_THERMAL_VIOLATION", "unknown", "Throttling duration due to thermal constraints (in ns).",
		before49, false, true, EveryTen, appendThermalNanos,
	},
	{
		"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "unknown",
		"Throttling duration due to thermal constraints (in s).", since49, false, true, EveryTen, appendThermalSeconds,
	},
	{placeFamily, "gauge", "First memory slice of the instance on its card.", always, false, false, 1, appendStart},
	{
		"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "gauge", "Current clock event reasons (bitmask).",
		since49, false, true, EveryTen, appendReasons,
	},
}

// placeFamily is the metric of an instance's position, as a script around nvidia-smi mig -lgi may add to the
// exporter's.
const placeFamily = "gpuledger_mig_instance_start"

func appendStart(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, int64(s.starts[m]), 10)
}

func appendSM(b []byte, s *Signals, m int) []byte {
	return appendRatio(b, s.Loads[m].Share(s.Act[m], s.Loads[m].SM))
}

func appendDRAM(b []byte, s *Signals, m int) []byte {
	return appendRatio(b, s.Loads[m].Share(s.Act[m], s.Loads[m].DRAM))
}

func appendTensor(b []byte, s *Signals, m int) []byte {
	return appendRatio(b, s.Loads[m].Share(s.Act[m], s.Loads[m].Tensor))
}

func appendFreeMiB(b []byte, s *Signals, m int) []byte { return strconv.AppendInt(b, s.Free(m), 10) }

func appendFreeBytes(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.Free(m)<<20, 10)
}

// Free is the memory that is left, in MiB.
func (s *Signals) Free(m int) int64 { return max(0, s.total-int64(s.FB[m])) }

func appendNVLink(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.Loads[m].Traffic(s.Act[m], s.Loads[m].NVLink), 10)
}

func appendPCIe(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.Loads[m].Traffic(s.Act[m], s.Loads[m].PCIe), 10)
}

func appendXID(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.XidAt(s.At(m)), 10)
}

func appendPowerNanos(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.ThrottledMillis(s.At(m), false)*1_000_000, 10)
}

func appendPowerSeconds(b []byte, s *Signals, m int) []byte {
	return appendThousandths(b, s.dev.ThrottledMillis(s.At(m), false))
}

func appendThermalNanos(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.ThrottledMillis(s.At(m), true)*1_000_000, 10)
}

func appendThermalSeconds(b []byte, s *Signals, m int) []byte {
	return appendThousandths(b, s.dev.ThrottledMillis(s.At(m), true))
}

func appendReasons(b []byte, s *Signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.ReasonsAt(s.At(m)), 10)
}

// At is the instant of a minute's sample.
func (s *Signals) At(m int) int64 { return s.Day + int64(m)*60 + s.phase }
