package series

import "gpuledger/internal/ledger"

// deviceInfo is what one series says of a device whose other series carry its
// UUID alone.
type deviceInfo struct {
	index int32
	model string
}

// infoSink stores nvidia_smi_gpu_info and nvidia_smi_index.
type infoSink struct {
	*deviceSink // notes that the device was there
	info        deviceInfo
	byValue     bool // the value is the index
}

func bindInfo(byValue bool) binder {
	seen := bindDevice(deviceMetric{signal: ledger.SignalSeen, mul: 1, whole: true, dialect: smiDialect})
	return func(c *Collector, name string, ls Labels) sink {
		s, ok := seen(c, name, ls).(*deviceSink)
		if !ok {
			return seen(c, name, ls)
		}
		return &infoSink{deviceSink: s, byValue: byValue, info: deviceInfo{deviceIndex(ls.Get("index")), c.text(ModelName(ls.Get("name")))}}
	}
}

func (s *infoSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if s.byValue {
		n, f := count(d)
		if f != nil {
			return f
		}
		if n > 1<<15 {
			return faultRange
		}
		s.info.index = int32(n)
	}
	if have := s.to.info; have == nil {
		s.to.info = &deviceInfo{s.info.index, s.info.model}
	} else {
		have.index, have.model = max(have.index, s.info.index), max(have.model, s.info.model)
	}
	return s.deviceSink.sample(c, ms, Decimal{mant: 1})
}

// inform gives entities what other series say of their devices.
func (f *facts) inform() {
	for _, e := range f.entities {
		if i := e.info; i != nil {
			e.index, e.model = max(e.index, i.index), max(e.model, i.model)
		}
	}
}
