package otlp

import (
	"math"
	"slices"
	"strconv"
	"strings"

	metricsv1 "go.opentelemetry.io/proto/otlp/metrics/v1"

	"gpuledger/ingest/series"
)

// Sink receives the series of a message.
type Sink interface {
	// Named begins a series; the samples that follow belong to it. The strings of ls may be
	// retained.
	Named(name string, ls series.Labels)
	// Decimal adds a sample at ms, unix milliseconds.
	Decimal(ms int64, d series.Decimal)
	// Counted adds points that were handled without a sample.
	Counted(samples, histograms, exemplars int)
	// Refuse counts points that can never be accepted; reason is one of a fixed few.
	Refuse(reason, detail string, n int)
}

// Refusals of points.
const (
	refusedTime   = "no time"
	refusedValue  = "no value"
	refusedLate   = "late delta"
	refusedLabels = "too many labels"
	refusedBounds = "broken buckets"
	refusedKind   = "unknown kind of metric"
)

// Read reads one unpacked message into a sink. An error wraps ErrMalformed; the sink got
// nothing then. All readers may share Deltas.
func Read(body []byte, e Encoding, deltas *Deltas, to Sink) (points int, err error) {
	m, err := decode(body, e)
	if err != nil {
		return 0, err
	}
	c := &converter{to: to, deltas: deltas}
	for _, r := range m.GetResourceMetrics() {
		c.target = newResource(r.GetResource().GetAttributes())
		for _, s := range r.GetScopeMetrics() {
			for _, metric := range s.GetMetrics() {
				c.metric(metric)
			}
		}
	}
	return c.points, nil
}

// converter writes one message as series.
type converter struct {
	to     Sink
	deltas *Deltas
	target resource
	points int

	name   string
	known  bool
	delta  bool
	scoped series.Labels
}

func (c *converter) metric(m *metricsv1.Metric) {
	switch data := m.GetData().(type) {
	case *metricsv1.Metric_Gauge:
		c.begin(m, gauge, metricsv1.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE)
		for _, p := range data.Gauge.GetDataPoints() {
			c.number(p, false)
		}
	case *metricsv1.Metric_Sum:
		k := gauge
		if data.Sum.GetIsMonotonic() {
			k = counter
		}
		c.begin(m, k, data.Sum.GetAggregationTemporality())
		for _, p := range data.Sum.GetDataPoints() {
			c.number(p, k == counter)
		}
	case *metricsv1.Metric_Histogram:
		c.begin(m, histogram, data.Histogram.GetAggregationTemporality())
		for _, p := range data.Histogram.GetDataPoints() {
			c.histogram(p)
		}
	case *metricsv1.Metric_ExponentialHistogram:
		c.begin(m, histogram, data.ExponentialHistogram.GetAggregationTemporality())
		for _, p := range data.ExponentialHistogram.GetDataPoints() {
			c.exponential(p)
		}
	case *metricsv1.Metric_Summary:
		c.begin(m, histogram, metricsv1.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE)
		for _, p := range data.Summary.GetDataPoints() {
			c.summary(p)
		}
	default:
		c.points++
		c.to.Refuse(refusedKind, "supported kinds are gauge, sum, histogram, exponential histogram and summary", 1)
	}
}

// begin sets the properties that all points of a metric share. A non-monotonic sum in deltas is
// summed too, to its level.
func (c *converter) begin(m *metricsv1.Metric, k kind, t metricsv1.AggregationTemporality) {
	c.name = metricName(m.GetName(), m.GetUnit(), k)
	c.delta = t == metricsv1.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	c.scoped = c.target[scopeOf(c.name)]
	c.known = series.Known(c.name)
	if k == histogram {
		c.known = series.Known(c.name+"_count") || series.Known(c.name+"_sum") || series.Known(c.name+"_bucket")
	}
}

// point is common to data points of any kind.
type point struct {
	ms, start int64
	labels    series.Labels
	key       string // of deltas
}

// open checks a point. ok is false if it has no value, is not read, or is refused.
func (c *converter) open(nano, start uint64, flags uint32, labelled func() (series.Labels, bool)) (p point, ok bool) {
	c.points++
	p.ms, p.start = int64(nano/1_000_000), int64(start/1_000_000)
	switch {
	case nano == 0:
		c.to.Refuse(refusedTime, "a point needs time_unix_nano", 1)
		return p, false
	case flags&uint32(metricsv1.DataPointFlags_DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK) != 0:
		c.to.Counted(1, 0, 0)
		return p, false
	case !c.known:
		c.to.Named(c.name, nil)
		c.to.Decimal(p.ms, series.Decimal{})
		return p, false
	}
	if p.labels, ok = labelled(); !ok {
		c.to.Refuse(refusedLabels, "a point may have "+strconv.Itoa(maxAttributes)+" attributes", 1)
		return p, false
	}
	if c.delta {
		var b strings.Builder
		b.WriteString(c.name)
		for _, l := range p.labels {
			b.WriteString("\x00" + l.Name + "\x00" + l.Value)
		}
		p.key = b.String()
	}
	return p, true
}

// sample writes a sample of a counter or gauge with this name.
func (c *converter) sample(p *point, name string, ls series.Labels, part string, v number) bool {
	if v.isNaN() {
		c.to.Counted(1, 0, 0)
		return true
	}
	if c.delta {
		var late bool
		if v, p.start, late = c.deltas.add(p.key+"\x01"+part, p.start, p.ms, v); late {
			return false
		}
	}
	c.to.Named(name, ls)
	c.to.Decimal(p.ms, v.decimal())
	return true
}

// created writes the start of a counter, as Prometheus' clients do.
func (c *converter) created(p *point, base string) {
	if p.start <= 0 || p.start > p.ms {
		return
	}
	if name := base + "_created"; series.Known(name) {
		c.to.Named(name, p.labels)
		d, _ := series.ParseDecimal([]byte(strconv.FormatInt(p.start/1000, 10) + "." + threeDigits(p.start%1000)))
		c.to.Decimal(p.ms, d)
	}
}

func threeDigits(n int64) string { return strconv.FormatInt(1000+n, 10)[1:] }

func (c *converter) late() {
	c.to.Refuse(refusedLate, "deltas of one series must arrive in time order; send cumulative sums if "+
		"they may not arrive so", 1)
}

func (c *converter) number(d *metricsv1.NumberDataPoint, counts bool) {
	p, ok := c.open(d.GetTimeUnixNano(), d.GetStartTimeUnixNano(), d.GetFlags(), func() (series.Labels, bool) {
		return labels(c.scoped, d.GetAttributes())
	})
	if !ok {
		return
	}
	var v number
	switch x := d.GetValue().(type) {
	case *metricsv1.NumberDataPoint_AsInt:
		v.i = x.AsInt
	case *metricsv1.NumberDataPoint_AsDouble:
		v = number{f: x.AsDouble, isFloat: true}
	default:
		c.to.Refuse(refusedValue, "a point needs as_int or as_double", 1)
		return
	}
	if !c.sample(&p, c.name, p.labels, "", v) {
		c.late()
		return
	}
	if counts {
		c.created(&p, strings.TrimSuffix(c.name, "_total"))
	}
}

// count converts a count to a number; implausibly large ones become floats.
func count(n uint64) number {
	if n > math.MaxInt64 {
		return number{f: float64(n), isFloat: true}
	}
	return number{i: int64(n)}
}

func (c *converter) histogram(d *metricsv1.HistogramDataPoint) {
	p, ok := c.open(d.GetTimeUnixNano(), d.GetStartTimeUnixNano(), d.GetFlags(), func() (series.Labels, bool) {
		return labels(c.scoped, d.GetAttributes())
	})
	if !ok {
		return
	}
	bounds, counts := d.GetExplicitBounds(), d.GetBucketCounts()
	if len(counts) > 0 && len(counts) != len(bounds)+1 || len(bounds) > maxBuckets {
		c.to.Refuse(refusedBounds,
			"a histogram has one count more than it has bounds, and at most "+strconv.Itoa(maxBuckets)+" bounds", 1)
		return
	}
	for i, b := range bounds {
		if math.IsNaN(b) || i > 0 && b <= bounds[i-1] {
			c.to.Refuse(refusedBounds, "the bounds of a histogram must rise", 1)
			return
		}
	}
	if !c.sums(&p, count(d.GetCount()), d.Sum) {
		return
	}
	if series.Known(c.name + "_bucket") {
		var below uint64
		for i, n := range counts {
			below += n
			le := "+Inf"
			if i < len(bounds) {
				le = boundText(bounds[i])
			}
			ls := append(slices.Clip(p.labels), series.Label{Name: "le", Value: le})
			c.sample(&p, c.name+"_bucket", ls, le, count(below))
		}
	}
	c.created(&p, c.name)
}

// maxBuckets bounds the buckets of one point.
const maxBuckets = 512

// boundText writes a bound as Prometheus does.
func boundText(b float64) string {
	if math.IsInf(b, 1) {
		return "+Inf"
	}
	text := strconv.FormatFloat(b, 'g', -1, 64)
	if !strings.ContainsAny(text, ".eEn") {
		text += ".0"
	}
	return text
}

// sums writes count and sum; false: they arrived late, and are refused.
func (c *converter) sums(p *point, n number, sum *float64) bool {
	if !c.sample(p, c.name+"_count", p.labels, "count", n) {
		c.late()
		return false
	}
	if sum != nil {
		c.sample(p, c.name+"_sum", p.labels, "sum", number{f: *sum, isFloat: true})
	}
	return true
}

// exponential writes count and sum; its buckets have no fixed bounds.
func (c *converter) exponential(d *metricsv1.ExponentialHistogramDataPoint) {
	p, ok := c.open(d.GetTimeUnixNano(), d.GetStartTimeUnixNano(), d.GetFlags(), func() (series.Labels, bool) {
		return labels(c.scoped, d.GetAttributes())
	})
	if ok && c.sums(&p, count(d.GetCount()), d.Sum) {
		c.created(&p, c.name)
	}
}

func (c *converter) summary(d *metricsv1.SummaryDataPoint) {
	p, ok := c.open(d.GetTimeUnixNano(), d.GetStartTimeUnixNano(), d.GetFlags(), func() (series.Labels, bool) {
		return labels(c.scoped, d.GetAttributes())
	})
	if !ok {
		return
	}
	sum := d.GetSum()
	if c.sums(&p, count(d.GetCount()), &sum) {
		c.created(&p, c.name)
	}
}
