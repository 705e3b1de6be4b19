package fleetsim

import "strconv"

// Signals that change slowly, or that say how a card works rather than how
// much, are written every few minutes. It keeps the files small; who reads them
// takes the minutes that are known.
const (
	everyFive = 5
	everyTen  = 10
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
	{"DCGM_FI_PROF_SM_ACTIVE", "gauge", "Ratio of cycles an SM has at least one warp assigned.", before49, true, false, everyFive, appendSM},
	{"DCGM_FI_PROF_SM_UTIL_RATIO", "gauge", "Ratio of cycles an SM has at least one warp assigned.", since49, true, false, everyFive, appendSM},
	{"DCGM_FI_PROF_DRAM_ACTIVE", "gauge", "Ratio of cycles the device memory interface is active.", before49, true, false, everyFive, appendDRAM},
	{"DCGM_FI_PROF_DRAM_UTIL_RATIO", "gauge", "Ratio of cycles the device memory interface is active.", since49, true, false, everyFive, appendDRAM},
	{"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", before49, false, false, everyTen, appendFreeMiB},
	{"DCGM_FI_DEV_FB_FREE_BYTES", "gauge", "Framebuffer memory free (in bytes).", since49, false, false, everyTen, appendFreeBytes},
	{"DCGM_FI_PROF_NVLINK_TX_BYTES", "gauge", "The rate of data transmitted over NVLink (in bytes per second).", always, true, true, everyFive, appendNVLink},
	{"DCGM_FI_PROF_NVLINK_RX_BYTES", "gauge", "The rate of data received over NVLink (in bytes per second).", always, true, true, everyFive, appendNVLink},
	{"DCGM_FI_PROF_PCIE_TX_BYTES", "gauge", "The rate of data transmitted over the PCIe bus (in bytes per second).", always, true, true, everyTen, appendPCIe},
	{"DCGM_FI_PROF_PCIE_RX_BYTES", "gauge", "The rate of data received over the PCIe bus (in bytes per second).", always, true, true, everyTen, appendPCIe},
	{"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.", before49, false, true, everyTen, appendXID},
	{"DCGM_FI_DEV_XID_ERROR", "gauge", "Value of the last XID error encountered.", since49, false, true, everyTen, appendXID},
	{"DCGM_FI_DEV_POWER_VIOLATION", "unknown", "Throttling duration due to power constraints (in ns).", before49, false, true, everyTen, appendPowerNanos},
	{"DCGM_FI_DEV_GPU_POWER_THROTTLE_SECONDS_TOTAL", "unknown", "Throttling duration due to power constraints (in s).", since49, false, true, everyTen, appendPowerSeconds},
	{"DCGM_FI_DEV_THERMAL_VIOLATION", "unknown", "Throttling duration due to thermal constraints (in ns).", before49, false, true, everyTen, appendThermalNanos},
	{"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "unknown", "Throttling duration due to thermal constraints (in s).", since49, false, true, everyTen, appendThermalSeconds},
	{placeFamily, "gauge", "First memory slice of the instance on its card.", always, false, false, 1, appendStart},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "gauge", "Current clock event reasons (bitmask).", since49, false, true, everyTen, appendReasons},
}

// placeFamily tells where an instance lies, as a script about nvidia-smi mig
// -lgi may say beside the exporter.
const placeFamily = "gpuledger_mig_instance_start"

func appendStart(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, int64(s.starts[m]), 10)
}

func appendSM(b []byte, s *signals, m int) []byte {
	return appendRatio(b, s.loads[m].share(s.act[m], s.loads[m].sm))
}

func appendDRAM(b []byte, s *signals, m int) []byte {
	return appendRatio(b, s.loads[m].share(s.act[m], s.loads[m].dram))
}

func appendTensor(b []byte, s *signals, m int) []byte {
	return appendRatio(b, s.loads[m].share(s.act[m], s.loads[m].tensor))
}

func appendFreeMiB(b []byte, s *signals, m int) []byte { return strconv.AppendInt(b, s.free(m), 10) }

func appendFreeBytes(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.free(m)<<20, 10)
}

// free is the memory that is left, in MiB.
func (s *signals) free(m int) int64 { return max(0, s.total-int64(s.fb[m])) }

func appendNVLink(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.loads[m].traffic(s.act[m], s.loads[m].nvlink), 10)
}

func appendPCIe(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.loads[m].traffic(s.act[m], s.loads[m].pcie), 10)
}

func appendXID(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.xidAt(s.at(m)), 10)
}

func appendPowerNanos(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.throttledMillis(s.at(m), false)*1_000_000, 10)
}

func appendPowerSeconds(b []byte, s *signals, m int) []byte {
	return appendThousandths(b, s.dev.throttledMillis(s.at(m), false))
}

func appendThermalNanos(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.throttledMillis(s.at(m), true)*1_000_000, 10)
}

func appendThermalSeconds(b []byte, s *signals, m int) []byte {
	return appendThousandths(b, s.dev.throttledMillis(s.at(m), true))
}

func appendReasons(b []byte, s *signals, m int) []byte {
	return strconv.AppendInt(b, s.dev.reasonsAt(s.at(m)), 10)
}

// at is the instant of a minute's sample.
func (s *signals) at(m int) int64 { return s.day + int64(m)*60 + s.phase }

// throttling is a stretch in which the card holds back.
type throttling struct {
	span
	permille int64 // of the time
	thermal  bool
}

// fault is an XID and how long the driver shows it.
type fault struct {
	span
	code int64
}

// xidAt is the XID that the driver shows.
func (d *device) xidAt(t int64) int64 {
	code := int64(0)
	for _, f := range d.faults {
		if f.has(t) {
			code = f.code
		}
	}
	return code
}

// throttledMillis is how long the card was throttled until t; the counter
// begins with the driver.
func (d *device) throttledMillis(t int64, thermal bool) int64 {
	begin := int64(0)
	for _, r := range d.resets {
		if r <= t {
			begin = max(begin, r)
		}
	}
	var sum int64
	for _, x := range d.throttled {
		if from, to := max(x.from, begin), min(x.to, t); x.thermal == thermal && from < to {
			sum += (to - from) * x.permille
		}
	}
	return sum
}

// Reasons for lower clocks, as the driver numbers them.
const (
	reasonIdle     = 0x1
	reasonPowerCap = 0x4
	reasonThermal  = 0x20
)

// reasonsAt is the bit set of the instant: of each hundred minutes of a stretch
// the first show a reason. What is throttled for moments only never shows one.
func (d *device) reasonsAt(t int64) int64 {
	reasons := int64(0)
	for _, x := range d.throttled {
		if x.permille >= 100 && x.has(t) && t/60%100*10 < x.permille {
			if x.thermal {
				reasons |= reasonThermal
			} else {
				reasons |= reasonPowerCap
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
	for _, n := range b.nodes {
		for _, d := range n.devices {
			r := newRNG(b.cfg.Seed, 61, uint64(n.idx), uint64(d.index))
			if r.chance(12) {
				x := throttling{permille: r.between(140, 600), thermal: r.chance(40)}
				switch length := r.between(4*3600+600, 9*3600); {
				case r.chance(20):
					x.permille = r.between(40, 85)
					x.span = b.moment(r, length)
				case r.chance(20):
					x.span = b.moment(r, 100*60)
				default:
					x.span = b.moment(r, length)
				}
				d.throttled = append(d.throttled, x)
			}
			if r.chance(5) {
				d.faults = append(d.faults, fault{b.moment(r, r.between(40*60, 5*3600)), pick(r, []int64{13, 31, 43, 48, 63, 79, 94})})
			}
		}
	}
}

// moment is a stretch of a length somewhere in the data.
func (b *builder) moment(r *rng, length int64) span {
	from := b.from + r.between(1800, b.to-b.from-length-1800)
	return span{from, from + length}
}
