package series

import (
	"strings"

	"gpuledger/internal/ledger"
)

// deviceInfo is one series' information about a device whose other series have only its UUID.
type deviceInfo struct {
	index int32
	model string
	// profiles of its instances by id.
	profiles map[int32]latest[string]
}

// infoOf returns the information about a device, and creates it if missing.
func (d *device) infoOf() *deviceInfo {
	if d.info == nil {
		d.info = &deviceInfo{index: -1}
	}
	return d.info
}

// infoSink stores nvidia_smi_gpu_info and nvidia_smi_index.
type infoSink struct {
	*deviceSink // records that the device existed
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
		return &infoSink{
			deviceSink: s, byValue: byValue,
			info: deviceInfo{index: deviceIndex(ls.Get("index")), model: c.text(ModelName(ls.Get("name")))},
		}
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
	have := s.to.infoOf()
	have.index, have.model = max(have.index, s.info.index), max(have.model, s.info.model)
	return s.deviceSink.sample(c, ms, Decimal{mant: 1})
}

// migInfoSink stores nvidia_smi_mig_info: an instance's profile and existence. Compute
// instances of one GPU instance repeat it.
type migInfoSink struct {
	*deviceSink
	whole   *device
	profile string
}

func bindMIGInfo(c *Collector, name string, ls Labels) sink {
	found := bindDevice(deviceMetric{signal: ledger.SignalSeen, mul: 1, dialect: smiDialect})(c, name, ls)
	s, ok := found.(*deviceSink)
	if !ok {
		return found
	}
	if s.to.slice == ledger.WholeDevice {
		return refuse{faultSlice}
	}
	return &migInfoSink{deviceSink: s, whole: c.wholeOf(s.to), profile: c.text(instanceProfile(ls.Get("profile")))}
}

// instanceProfile is the profile of a compute instance's GPU instance: "3g.71gb" of
// "1c.3g.71gb".
func instanceProfile(s string) string {
	if i := strings.Index(s, "c."); i > 0 && strings.Trim(s[:i], "0123456789") == "" {
		return s[i+2:]
	}
	return s
}

func (s *migInfoSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	set, f := truth(d)
	if f != nil || !set {
		return f
	}
	i := s.whole.infoOf()
	if i.profiles == nil {
		i.profiles = map[int32]latest[string]{}
	}
	p := i.profiles[s.to.slice]
	p.set(ms, s.profile, s.profile)
	i.profiles[s.to.slice] = p
	return s.deviceSink.sample(c, ms, Decimal{mant: 1})
}

// wholeOf is the identity of an instance's whole device.
func (f *facts) wholeOf(d *device) *device {
	k := d.entityKey
	k.slice, k.profile = ledger.WholeDevice, ""
	return f.deviceOf(k)
}

// inform adds, to entities, information from other series of their devices.
func (f *facts) inform() {
	for _, h := range f.holders {
		if on := f.onNode(h.device); on != h.device {
			h.holding = &holding{device: on, namespace: h.namespace, pod: h.pod}
		}
	}
	for _, e := range f.entities {
		e.device = f.onNode(e.device)
		whole := e.device
		if e.slice != ledger.WholeDevice {
			k := e.entityKey
			k.slice, k.profile = ledger.WholeDevice, ""
			whole = f.devices[k]
		}
		if whole == nil || whole.info == nil {
			continue
		}
		i := whole.info
		e.index, e.model = max(e.index, i.index), max(e.model, i.model)
		if p := i.profiles[e.slice]; p.value != "" && e.profile == "" && e.slice != ledger.WholeDevice {
			k := e.entityKey
			k.profile = p.value
			e.device = f.deviceOf(k)
		}
	}
}
