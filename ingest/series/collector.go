package series

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that the samples lack.
type Options struct {
	// Cluster is the cluster of every series. Empty: the label cluster, else "default".
	Cluster string
	// Node is the machine of device rows without one, such as a scrape saved to a file. Empty:
	// such rows are refused.
	Node string
	// GPUUtilRatio is the unit of DCGM_FI_DEV_GPU_UTIL_RATIO.
	GPUUtilRatio UtilUnit
	// GPUUtil is the unit of DCGM_FI_DEV_GPU_UTIL: percent, unless a pipeline between the exporter
	// and here rescales it to UtilRatio under the same name.
	GPUUtil UtilUnit
	// Inference is the user's table of counters; its rows take precedence over the built-in ones.
	// Nil: none.
	Inference *Table
	// NotBefore and NotAfter bound plausible times in values, [NotBefore, NotAfter). Zero: 2010
	// and 2100.
	NotBefore, NotAfter period.Second
}

// UtilUnit is the unit of DCGM_FI_DEV_GPU_UTIL_RATIO, which its name does not show: DCGM 4.6
// counts to 100, dcgm-exporter 4.9 to 1.
type UtilUnit string

// Units of DCGM_FI_DEV_GPU_UTIL_RATIO.
const (
	// UtilByLabel takes 0..1 from rows that carry the label
	// DCGM_FI_SYSTEM_DRIVER_VERSION, which dcgm-exporter 4.9 introduced, and
	// rejects all others and every value beyond 1.
	UtilByLabel UtilUnit = ""
	UtilPercent UtilUnit = "percent" // 0..100
	UtilRatio   UtilUnit = "ratio"   // 0..1
)

// The plausible range of times.
const (
	DefaultNotBefore period.Second = 1262304000 // 2010-01-01
	EarliestTime     period.Second = 946684800  // 2000-01-01
	LatestTime       period.Second = 4102444800 // 2100-01-01
)

func (o Options) withDefaults() Options {
	if o.NotBefore == 0 {
		o.NotBefore = DefaultNotBefore
	}
	if o.NotAfter == 0 {
		o.NotAfter = LatestTime
	}
	o.NotBefore, o.NotAfter = max(o.NotBefore, EarliestTime), min(o.NotAfter, LatestTime)
	return o
}

// Collector gathers samples into facts until they are flushed. It is not safe
// for concurrent use.
type Collector struct {
	opt      Options
	clusters map[string]string
	facts
}

// NewCollector returns an empty collector.
func NewCollector(opt Options) *Collector {
	return &Collector{opt: opt.withDefaults(), clusters: map[string]string{}, facts: newFacts()}
}

// Series is a resolved name with labels. It is valid for the collector that created it, for as
// long as that lives.
type Series struct {
	to sink
	// Unlabelled: neither the options nor the labels name a cluster.
	Unlabelled bool
}

// sink takes the samples of one series. It returns nil if the sample became part of a fact,
// Absent if the row has no value, else the reason for refusing it.
type sink interface {
	sample(c *Collector, ms int64, d Decimal) *Fault
}

// Known reports whether a metric name is read.
func Known(name string) bool { return resolve(name) != "" }

// Listed reports whether a metric name is known in this exact spelling.
func Listed(name string) bool { return binders[name] != nil }

// Known reports whether this collector reads a metric name, by the built-in tables or the
// user's.
func (c *Collector) Known(name string) bool {
	return resolve(name) != "" || c.opt.Inference != nil &&
		(c.opt.Inference.has(name) || c.opt.Inference.has(plain(unescaped(name))))
}

// Bind resolves a series with a known name; nil if the name is unknown. The strings of ls are
// retained.
func (c *Collector) Bind(name string, ls Labels) *Series {
	if !c.Known(name) {
		return nil
	}
	ls = plainLabels(ls)
	bind := binder(bindCounter)
	if real := resolve(name); real != "" && !c.opt.Inference.has(name) {
		if name = real; binders[name] != nil {
			bind = binders[name]
		}
	} else if !c.opt.Inference.has(name) {
		name = plain(unescaped(name))
	}
	return &Series{to: bind(c, name, ls), Unlabelled: c.opt.Cluster == "" && ls.Get("cluster") == ""}
}

// Add takes a sample of a series at ms (unix milliseconds). It returns nil if the sample became
// part of a fact, Absent or Unmapped if it carries no fact, else the reason for refusing it.
func (c *Collector) Add(s *Series, ms int64, d Decimal) *Fault { return s.to.sample(c, ms, d) }

// Pending is the approximate amount held, in hours of one signal of about 640 bytes.
func (c *Collector) Pending() int { return c.pending + c.bytes/vectorBytes }

// Hold counts bytes that the caller keeps alive until the next flush.
func (c *Collector) Hold(bytes int) { c.pending += bytes / vectorBytes }

// Clusters lists the clusters seen, sorted.
func (c *Collector) Clusters() []string {
	out := make([]string, 0, len(c.clusters))
	for name := range c.clusters {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// Flush emits all held facts, ordered by key, in batches that emit may retain, and drops them.
// After an error, no emitted fact may be published.
func (c *Collector) Flush(emit func(*ledger.Telemetry) error) error { return c.Take().Emit(emit) }

// cluster is the cluster of a series.
func (c *Collector) cluster(ls Labels) string {
	name := c.opt.Cluster
	if name == "" {
		name = ls.Get("cluster")
	}
	if name == "" {
		name = "default"
	}
	return c.intern(name)
}

// intern keeps one copy of a cluster name.
func (c *Collector) intern(name string) string {
	if s, ok := c.clusters[name]; ok {
		return s
	}
	name = strings.Clone(name)
	c.clusters[name] = name
	return name
}
