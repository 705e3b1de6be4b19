package series

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

func addInference(m map[string]binder) {
	if errEmbedded != nil {
		panic(errEmbedded) // cannot happen: TestEmbeddedTable reads it
	}
	for _, name := range embedded.Names() {
		m[name] = bindCounter
	}
}

type inferenceKey struct{ cluster, namespace, pod, server, model, engine string }

// inferenceSeries are the counters of one process, by hour and name.
type inferenceSeries struct {
	hours map[int64]map[string]*cellVec
	layer Layer
}

// counterSink stores one series of a table.
type counterSink struct {
	key     inferenceKey
	row     *counterRow
	counter string
	start   string // name of the counter's start
	began   int64  // creation time of the counter, if the protocol carries it, ms; 0: unknown

	epoch uint32
	hour  int64
	vec   *cellVec
	since *cellVec // nil without began
}

// podOf names the process of a series: its pod, or, outside Kubernetes, the scraped address.
func podOf(ls Labels) (namespace, pod string, ok bool) {
	if namespace, pod = ls.own("namespace"), ls.own("pod"); pod != "" {
		return namespace, pod, namespace != ""
	}
	if pod = ls.own("k8s_pod_name"); pod != "" { // resource attributes that Prometheus promotes
		namespace = ls.own("k8s_namespace_name")
		return namespace, pod, namespace != ""
	}
	pod = ls.Get("instance")
	return "", pod, pod != ""
}

func bindCounter(c *Collector, name string, ls Labels) sink {
	row := c.opt.Inference.find(name, ls)
	if row == nil {
		row = embedded.find(name, ls)
	}
	if row == nil || row.part == partNone {
		return refuse{Unmapped}
	}
	ns, pod, ok := podOf(ls)
	if !ok {
		return refuse{faultNoPod}
	}
	model, _ := row.modelOf(ls)
	s := &counterSink{row: row, counter: row.counter, start: "start/" + row.canonical, key: inferenceKey{
		cluster: c.cluster(ls), namespace: ns, pod: pod, server: row.server,
		model: model, engine: row.engineOf(ls),
	}}
	if row.part == partBucket {
		le, ok := bucketBound(ls.Get("le"), row.shift)
		if !ok {
			return refuse{Unmapped} // a quantile, or not a bucket
		}
		s.counter += "/" + le
	}
	split := row.splitOf(ls)
	s.counter += split
	s.start += split
	if len(s.counter) > minutes.MaxName || len(s.start) > minutes.MaxName {
		return refuse{faultCounter}
	}
	return s
}

// bucketBound writes a bucket's upper bound in one form, however it was spelled: "+Inf", or the
// plain decimal in the counter's unit.
func bucketBound(le string, shift int32) (string, bool) {
	d, n := ParseDecimal([]byte(le))
	if n == 0 || n != len(le) || d.kind == nan {
		return "", false
	}
	if d.kind == infinite {
		return "+Inf", !d.neg
	}
	if d.mant == 0 {
		return "0", true
	}
	d.exp += shift
	for d.mant%10 == 0 {
		d.mant /= 10
		d.exp++
	}
	if d.exp > maxDigits || d.exp < -maxDigits {
		return "", false
	}
	digits := strconv.FormatUint(d.mant, 10)
	switch {
	case d.exp >= 0:
		digits += strings.Repeat("0", int(d.exp))
	case int(-d.exp) < len(digits):
		at := len(digits) + int(d.exp)
		digits = digits[:at] + "." + digits[at:]
	default:
		digits = "0." + strings.Repeat("0", int(-d.exp)-len(digits)) + digits
	}
	if d.neg {
		digits = "-" + digits
	}
	return digits, true
}

func (s *counterSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	switch {
	case d.kind == nan:
		return Absent
	case d.kind == infinite:
		return faultInfinite
	case d.neg && d.mant != 0:
		return faultNegative
	}
	switch s.row.part {
	case partStart:
		if _, f := c.instant(d); f != nil {
			return f
		}
	case partValue:
		d.exp += s.row.shift
	default: // counts have no unit
	}
	v, ok := d.scaled(milli)
	if !ok {
		return faultRange
	}
	hour := ms / hourMS
	if s.epoch != c.epoch || s.hour != hour {
		if f := s.open(c, hour); f != nil {
			return f
		}
	}
	in := int(ms - hour*hourMS)
	c.bytes += c.cells.set(s.vec, in/60_000, in%60_000, v)
	if s.since != nil {
		c.bytes += c.cells.set(s.since, in/60_000, in%60_000, s.began)
	}
	return nil
}

// open finds the vectors for the samples of an hour.
func (s *counterSink) open(c *Collector, hour int64) *Fault {
	is := c.inference[s.key]
	if is == nil {
		is = &inferenceSeries{hours: map[int64]map[string]*cellVec{}}
		c.inference[s.key] = is
		c.bytes += 200
	}
	if s.row.layer == LayerRouter || s.row.layer == LayerGateway {
		is.layer = s.row.layer
	}
	counters := is.hours[hour]
	if counters == nil {
		counters = map[string]*cellVec{}
		is.hours[hour] = counters
	}
	limit := minutes.MaxVectors
	if is.layer != "" {
		limit-- // one is reserved for the layer
	}
	vector := func(name string) *cellVec {
		v := counters[name]
		if v == nil && len(counters) < limit {
			v = new(cellVec)
			counters[name] = v
			c.bytes += 32 + len(name)
		}
		return v
	}
	v := vector(s.counter)
	if v == nil {
		s.epoch = 0
		return faultCounter
	}
	s.epoch, s.hour, s.vec, s.since = c.epoch, hour, v, nil
	if s.began != 0 && s.row.part != partStart && s.row.kind != kindGauge {
		s.since = vector(s.start)
	}
	return nil
}

// Start records when a series' counter began, in unix milliseconds, if the protocol carries it.
// Other series and implausible times are ignored.
func (c *Collector) Start(s *Series, ms int64) {
	to, ok := s.to.(*counterSink)
	if !ok || to.began == ms || ms < int64(c.opt.NotBefore)*1000 || ms >= int64(c.opt.NotAfter)*1000 {
		return
	}
	to.began, to.epoch = ms, 0
}

// facts returns the hours of a process in ascending order.
func (is *inferenceSeries) facts(from *cells, k inferenceKey) []ledger.CounterHour {
	var out []ledger.CounterHour
	for _, hour := range slices.Sorted(maps.Keys(is.hours)) {
		h := ledger.CounterHour{
			Cluster: k.cluster, Namespace: k.namespace, Pod: k.pod, Server: k.server, Model: k.model, Engine: k.engine,
			Hour: period.Second(hour * 3600), Counters: map[string]ledger.Minutes{},
		}
		var layer ledger.Minutes
		for name, v := range is.hours[hour] {
			if v.known == 0 {
				continue
			}
			var m ledger.Minutes
			from.unpack(v, &m)
			h.Counters[name] = m
			layer.Known |= m.Known
		}
		if is.layer != "" && len(h.Counters) < minutes.MaxVectors {
			for i := range 60 {
				if layer.Known>>i&1 == 1 {
					layer.Value[i] = milli
				}
			}
			h.Counters["layer/"+string(is.layer)] = layer
		}
		if len(h.Counters) > 0 {
			out = append(out, h)
		}
	}
	return out
}
