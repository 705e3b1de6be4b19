package series

import (
	"strconv"

	"gpuledger/internal/ledger"
)

// deviceSink stores one exporter series.
type deviceSink struct {
	to      *device
	slice   *device // the MIG slice whose parent has this value, else nil
	holding *holding
	model   string
	index   int32
	blank   blankRule
	signal  uint8
	mul     uint64
	limit   int64 // a larger stored value contradicts the unit; 0: none
	place   bool  // a memory slice
	round   int64 // stored values are multiples of it; 0: unrounded

	// The vectors of the current hour; invalid after the hour or the epoch changes.
	hour  int64
	epoch uint32
	into  *entityHour
	seen  *cellVec
	mask  *uint64
}

// maxStart is above the last memory slice of any card.
const maxStart = 63

const hourMS = 3_600_000

func (s *deviceSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if d.kind != finite {
		if d.kind == nan {
			return Absent // including the stale marker: the series has ended
		}
		return faultInfinite
	}
	hour := ms / hourMS
	if hour != s.hour || c.epoch != s.epoch {
		s.open(c, hour)
	}
	in := int(ms - hour*hourMS)
	minute := in / 60_000
	at := in - minute*60_000
	if s.mask != nil {
		*s.mask |= 1 << uint(minute)
	}
	if s.seen != nil {
		c.bytes += c.cells.set(s.seen, minute, at, 1)
	}
	if s.blank.blank(d) {
		return Absent
	}
	v, ok := d.scaled(s.mul)
	if !ok {
		return faultRange
	}
	if s.limit != 0 && v > s.limit {
		return faultAmbiguous
	}
	if s.place {
		if slice, ok := d.floor(3); !ok || slice%1000 != 0 || v > maxStart {
			return faultPlace
		}
	}
	if s.round != 0 {
		v = nearest(v, s.round)
	}
	c.bytes += c.cells.set(&s.into.vec[s.signal], minute, at, v)
	s.into.rows++
	return nil
}

// open finds the vectors for the samples of an hour.
func (s *deviceSink) open(c *Collector, hour int64) {
	s.hour, s.epoch = hour, c.epoch
	s.into = c.entityHour(c.entity(s.to, s.index, s.model), hour)
	s.seen, s.mask = nil, nil
	if s.slice != nil {
		s.seen = &c.entityHour(c.entity(s.slice, s.index, s.model), hour).vec[len(signals)-1]
	}
	if s.holding != nil {
		s.mask = c.holderHour(s.holding, hour)
	}
}

// bindDevice resolves an exporter series.
func bindDevice(m deviceMetric) binder {
	signal := signalIndex(m.signal)
	in := m.dialect
	if in == nil {
		in = dcgmDialect
	}
	return func(c *Collector, name string, ls Labels) sink {
		mul, limit := m.mul, int64(0)
		switch name {
		case ambiguousUtil:
			if mul, limit = utilUnit(c.opt.GPUUtilRatio, ls); mul == 0 {
				return refuse{faultAmbiguous}
			}
		case rescaledUtil:
			if c.opt.GPUUtil == UtilRatio {
				mul, limit = ratio, ratio
			}
		}
		if in.others != nil && in.others(ls) {
			return refuse{Unmapped}
		}
		key, f := in.device(c, ls)
		if f != nil {
			return refuse{f}
		}
		s := &deviceSink{
			index: deviceIndex(ls.fold(in.index...)), model: c.text(ModelName(ls.fold(in.model...))),
			signal: uint8(signal), mul: mul, limit: limit,
			place: m.signal == ledger.SignalMIGStart, blank: m.blank, round: rounding[m.signal],
		}
		own := key
		if id := ls.fold(in.slice...); id != "" {
			n, err := strconv.ParseUint(id, 10, 15)
			if err != nil {
				return refuse{faultSlice}
			}
			own.slice, own.profile = int32(n), ls.fold(in.profile...)
			if m.whole {
				s.slice = c.deviceOf(own)
			} else {
				key = own
			}
		}
		s.to = c.deviceOf(key)
		if in.holder != nil {
			if ns, pod := in.holder(ls); pod != "" {
				s.holding = c.holdingOf(c.deviceOf(own), ns, pod)
			}
		}
		return s
	}
}

// utilUnit decides the unit of DCGM_FI_DEV_GPU_UTIL_RATIO: as configured, else by the label
// that dcgm-exporter 4.9 renamed together with the unit; 0 if unknown. limit is the largest
// value that the unit allows, in ppm.
func utilUnit(configured UtilUnit, ls Labels) (mul uint64, limit int64) {
	switch {
	case configured == UtilPercent:
		return percent, ratio
	case configured == UtilRatio, ls.fold("DCGM_FI_SYSTEM_DRIVER_VERSION") != "":
		return ratio, ratio
	}
	return 0, 0
}

func deviceIndex(s string) int32 {
	n, err := strconv.ParseUint(s, 10, 31)
	if err != nil {
		return -1
	}
	return int32(n)
}
