package openmetrics

import (
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that the input lacks.
type Options struct {
	// Cluster is the cluster of every series. Empty: the label cluster, else "default".
	Cluster string
	// DefaultTime is the time of samples without a timestamp (scrapes saved to
	// a file). Zero: such samples are rejected.
	DefaultTime period.Second
	// DefaultMillis is the same in unix milliseconds, and takes precedence: the time of one
	// scrape.
	DefaultMillis int64
	// Target are labels that a scrape attaches to every series. Labels of the series with the same
	// names are renamed to exported_…, as in Prometheus, unless HonorLabels gives them precedence.
	Target      series.Labels
	HonorLabels bool
	// DefaultCluster is the label cluster of series that still have none.
	DefaultCluster string
	// Node is the machine of device rows without one; empty: such rows are refused.
	Node string
	// GPUUtilRatio is the unit of DCGM_FI_DEV_GPU_UTIL_RATIO, GPUUtil that of DCGM_FI_DEV_GPU_UTIL
	// (percent, unless a pipeline rescales it).
	GPUUtilRatio, GPUUtil series.UtilUnit
	// Inference is the user's table of counters, nil for none.
	Inference *series.Table
	// NotBefore and NotAfter bound plausible timestamps, [NotBefore, NotAfter). Zero: 2010 and
	// 2100. They must be within 2000..2100.
	NotBefore, NotAfter period.Second
	// MaxPending bounds the data held before a flush, in hours of one signal of about 640 bytes.
	// Zero: 65,536, some 40 MB.
	MaxPending int
}

func (o Options) withDefaults() Options {
	if o.NotBefore == 0 {
		o.NotBefore = series.DefaultNotBefore
	}
	if o.NotAfter == 0 {
		o.NotAfter = series.LatestTime
	}
	o.NotBefore, o.NotAfter = max(o.NotBefore, series.EarliestTime), min(o.NotAfter, series.LatestTime)
	if o.MaxPending <= 0 {
		o.MaxPending = 1 << 16
	}
	return o
}

// Stats counts the lines of one file by outcome. Samples = Accepted + Absent + Ignored +
// Rejected.
type Stats struct {
	Lines    int64 // all lines, comments and blank ones included
	Samples  int64 // lines that are neither blank nor a comment
	Accepted int64 // became part of a fact
	Absent   int64 // NaN, stale marker, blank sentinel: a row without a value
	Ignored  int64 // unread series
	Rejected int64

	Duplicates int64 // same series and timestamp as the sample before: merged
	Unsorted   int64 // older than the sample before of its series: merged
	Unlabelled int64 // accepted samples without any cluster name: cluster "default"

	RejectedBy map[string]int64   // by ledger.Rejection.Reason
	IgnoredBy  map[string]int64   // by metric name; "(other)" beyond 1000 names and for names beyond 200 bytes
	Rejections []ledger.Rejection // the first 100
	Clusters   []string           // clusters seen, sorted
}

const (
	maxRejections   = 100
	maxIgnoredNames = 1000
	maxIgnoredName  = 200 // bytes
	otherNames      = "(other)"
)

// reject counts a refused line; the detail quotes found if it is not empty.
func (p *parser) reject(f *series.Fault, found []byte) {
	p.stats.Rejected++
	p.stats.RejectedBy[f.Reason]++
	if len(p.stats.Rejections) >= maxRejections {
		return
	}
	p.stats.Rejections = append(p.stats.Rejections, ledger.Rejection{
		File: p.file, Line: p.line, Column: f.Column, Reason: f.Reason, Detail: detail(f, found),
	})
}

// ignore counts a sample of an unread series.
func (p *parser) ignore(name string) {
	p.stats.Ignored++
	if n, ok := p.ignored[name]; ok {
		*n++
		return
	}
	if len(p.ignored) >= maxIgnoredNames || len(name) > maxIgnoredName {
		name = otherNames
		if n, ok := p.ignored[name]; ok {
			*n++
			return
		}
	}
	n := int64(1)
	p.ignored[name] = &n
}
