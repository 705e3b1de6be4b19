package otlp

import (
	"fmt"
	"strings"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// collecting is a Sink that collects the facts of a file.
type collecting struct {
	file     string
	opt      Options
	message  int64
	from, to int64 // plausible times, ms
	facts    *series.Collector
	series   map[string]*series.Series
	text     int // bytes of series
	read     ledger.Reading

	name string
	at   *series.Series // nil: it is not read
	room []byte
}

func newCollecting(file string, opt Options) *collecting {
	opt.Series.Cluster, opt.Series.NotAfter = opt.Cluster, opt.NotAfter
	return &collecting{file: file, opt: opt, from: int64(series.DefaultNotBefore) * 1000, to: int64(opt.NotAfter) * 1000,
		series: map[string]*series.Series{},
		facts:  series.NewCollector(opt.Series)}
}

// maxSeriesText bounds the text of remembered series.
const maxSeriesText = 32 << 20

// Named implements Sink.
func (c *collecting) Named(name string, ls series.Labels) {
	c.name, c.at = name, nil
	if !c.facts.Known(name) {
		return
	}
	c.room = append(c.room[:0], name...)
	for _, l := range ls {
		c.room = append(append(append(append(c.room, 0), l.Name...), 0), l.Value...)
	}
	if c.at = c.series[string(c.room)]; c.at != nil {
		return
	}
	if c.text += len(c.room) + 256; c.text > maxSeriesText {
		clear(c.series)
		c.text = len(c.room) + 256
	}
	c.at = c.facts.Bind(name, ls)
	c.facts.Hold(len(c.room))
	c.series[string(c.room)] = c.at
}

// Decimal implements Sink.
func (c *collecting) Decimal(ms int64, d series.Decimal) {
	switch {
	case ms < c.from || ms >= c.to:
		c.Refuse("timestamp out of range", fmt.Sprintf("%d ms is not a plausible time", ms), 1)
		return
	case c.at == nil:
		c.read.Rows++
		c.read.Ignore(c.ignored(), 1)
		return
	}
	c.read.Rows++
	switch f := c.facts.Add(c.at, ms, d); f {
	case nil:
		c.read.Accepted++
		if c.at.Unlabelled {
			c.read.Unlabelled++
		}
	case series.Absent:
		c.read.Absent++
	case series.Unmapped:
		c.read.Ignore(c.ignored(), 1)
	default:
		c.read.Reject(ledger.Rejection{
			File: c.file, Line: c.message, Column: f.Column, Reason: f.Reason, Detail: f.Detail + ": " + c.name,
		})
	}
}

// Names of ignored series are counted up to a limit.
const (
	maxIgnored     = 1000
	maxIgnoredName = 200
)

func (c *collecting) ignored() string {
	if _, met := c.read.Ignored[c.name]; met || len(c.read.Ignored) < maxIgnored && len(c.name) <= maxIgnoredName {
		return c.name
	}
	return "(other)"
}

// Counted implements Sink.
func (c *collecting) Counted(samples, histograms, exemplars int) {
	n := int64(samples + histograms + exemplars)
	c.read.Rows += n
	c.read.Absent += n
}

// Refuse implements Sink.
func (c *collecting) Refuse(reason, detail string, n int) {
	c.read.Rows += int64(n)
	for range n {
		c.read.Reject(ledger.Rejection{
			File: c.file, Line: c.message, Reason: reason, Detail: strings.ToValidUTF8(detail, "?"),
		})
	}
}
