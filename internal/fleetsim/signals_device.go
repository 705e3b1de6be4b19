package fleetsim

import "strconv"

// Signals that change slowly, or that say how a card works rather than how
// much, are written every few minutes. It keeps the files small; who reads them
// takes the minutes that are known.
const (
	EveryFive = 5
	EveryTen  = 10
)

// generation is which exporters give a metric its name.
type generation int

const (
	before49 generation = iota
	since49
	always
)

// furtherFamilies are the metrics that tell what a busy card does.
var furtherFamilies = []dcgmFamily{
	{"DCGM_FI_PROF_SM_ACTIVE", "gauge", "Ratio of cycles an SM has at least one warp assigned.", before49, true, false, EveryFive, appendSM},
	{"DCGM_FI_PROF_SM_UTIL_RATIO", "gauge", "Ratio of cycles an SM has at least one warp assigned.", since49, true, false, EveryFive, appendSM},
	{"DCGM_FI_PROF_DRAM_ACTIVE", "gauge", "Ratio of cycles the device memory interface is active.", before49, true, false, EveryFive, appendDRAM},
	{"DCGM_FI_PROF_DRAM_UTIL_RATIO", "gauge", "Ratio of cycles the device memory interface is active.", since49, true, false, EveryFive, appendDRAM},
	{"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", before49, false, false, EveryTen, appendFreeMiB},
	{"DCGM_FI_DEV_FB_FREE_BYTES", "gauge", "Framebuffer memory free (in bytes).", since49, false, false, EveryTen, appendFreeBytes},
	{"DCGM_FI_PROF_NVLINK_TX_BYTES", "gauge", "The rate of data transmitted over NVLink (in bytes per second).", always, true, true, EveryFive, appendNVLink},
	{"DCGM_FI_PROF_NVLINK_RX_BYTES", "gauge", "The rate of data received over NVLink (in bytes per second).", always, true, true, EveryFive, appendNVLink},
	{"DCGM_FI_PROF_PCIE_TX_BYTES", "gauge", "The rate of data transmitted over the PCIe bus (in bytes per second).", always, true, true, EveryTen, appendPCIe},
	{"DCGM_FI_PROF_PCIE_RX_BYTES", "gauge", "The rate of data received over the PCIe bus (in bytes per second).", always, true, true, EveryTen, appendPCIe},
	{"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.", before49, false, true, EveryTen, appendXID},
	{"DCGM_FI_DEV_XID_ERROR", "gauge", "Value of the last XID error encountered.", since49, false, true, EveryTen, appendXID},
	{"DCGM_FI_DEV_POWER_VIOLATION", "unknown", "Throttling duration due to power constraints (in ns).", before49, false, true, EveryTen, appendPowerNanos},
	{"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", "unknown", "Throttling duration due to power constraints (in s).", since49, false, true, EveryTen, appendPowerSeconds},
	{"DCGM_FI_DEV_THERMAL_VIOLATION", "unknown", "Throttling duration due to thermal constraints (in ns).", before49, false, true, EveryTen, appendThermalNanos},
	{"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "unknown", "Throttling duration due to thermal constraints (in s).", since49, false, true, EveryTen, appendThermalSeconds},
	{placeFamily, "gauge", "First memory slice of the instance on its card.", always, false, false, 1, appendStart},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "gauge", "Current clock event reasons (bitmask).", since49, false, true, EveryTen, appendReasons},
}

// placeFamily tells where an instance lies, as a script about nvidia-smi mig
// -lgi may say beside the exporter.
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

// Throttling is a stretch in which the card holds back.
type Throttling struct {
	Span
	permille int64 // of the time
	thermal  bool
}

// Fault is an XID and how long the driver shows it.
type Fault struct {
	Span
	code int64
}

// XidAt is the XID that the driver shows.
func (d *Device) XidAt(t int64) int64 {
	code := int64(0)
	for _, f := range d.Faults {
		if f.Has(t) {
			code = f.code
		}
	}
	return code
}

// ThrottledMillis is how long the card was throttled until t; the counter
// begins with the driver.
func (d *Device) ThrottledMillis(t int64, thermal bool) int64 {
	begin := int64(0)
	for _, r := range d.resets {
		if r <= t {
			begin = max(begin, r)
		}
	}
	var sum int64
	for _, x := range d.Throttled {
		if from, to := max(x.From, begin), min(x.To, t); x.thermal == thermal && from < to {
			sum += (to - from) * x.permille
		}
	}
	return sum
}

// Reasons for lower clocks, as the driver numbers them.
const (
	reasonIdle     = 0x1
	ReasonPowerCap = 0x4
	ReasonThermal  = 0x20
)

// ReasonsAt is the bit set of the instant: of each hundred minutes of a stretch
// the first show a reason. What is throttled for moments only never shows one.
func (d *Device) ReasonsAt(t int64) int64 {
	reasons := int64(0)
	for _, x := range d.Throttled {
		if x.permille >= 100 && x.Has(t) && t/60%100*10 < x.permille {
			if x.thermal {
				reasons |= ReasonThermal
			} else {
				reasons |= ReasonPowerCap
			}
		}
	}
	if reasons == 0 && !d.used(t, t+1) {
		return reasonIdle
	}
	return reasons
}

// wear lets some cards run hot, hit their power limit or report an XID. A third
// of the stretches stay just below what counts.
func (b *builder) wear() {
	for _, n := range b.Nodes {
		for _, d := range n.Devices {
			r := newRNG(b.Config.Seed, 61, uint64(n.Idx), uint64(d.Index))
			if r.chance(12) {
				x := Throttling{permille: r.between(140, 600), thermal: r.chance(40)}
				switch length := r.between(4*3600+600, 9*3600); {
				case r.chance(20):
					x.permille = r.between(40, 85)
					x.Span = b.moment(r, length)
				case r.chance(20):
					x.Span = b.moment(r, 100*60)
				default:
					x.Span = b.moment(r, length)
				}
				d.Throttled = append(d.Throttled, x)
			}
			if r.chance(5) {
				d.Faults = append(d.Faults, Fault{b.moment(r, r.between(40*60, 5*3600)), pick(r, []int64{13, 31, 43, 48, 63, 79, 94})})
			}
		}
	}
}

// moment is a stretch of a length somewhere in the data.
func (b *builder) moment(r *rng, length int64) Span {
	from := b.from + r.between(1800, b.To-b.from-length-1800)
	return Span{from, from + length}
}
