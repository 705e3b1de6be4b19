package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

const (
	// gaugeTimeout bounds one question of a gauge.
	gaugeTimeout = 20 * time.Second
	// quickTimeout bounds queries that are quick unless the database is away.
	quickTimeout = 2 * time.Second
	// mostSeries bounds the series of a gauge; the largest values are kept.
	mostSeries = 200

	// Figures are read at most once per leastRest, and for a tenth of the time at most.
	leastRest = time.Minute
	restShare = 10
)

// gaugeReader is the ledger that gauges read.
type gaugeReader interface {
	Query(ctx context.Context, q metrics.Query) (metrics.Rows, error)
	Version(ctx context.Context) (metrics.Version, error)
	Extent(ctx context.Context) (metrics.Extent, error)
	standingReader
}

// gaugeKeeper reads the figures in the background and answers scrapes from memory. Only the first scrape waits, for the
// first reading.
type gaugeKeeper struct {
	from     gaugeReader
	log      *slog.Logger
	now      func() time.Time
	descs    []*prometheus.Desc
	leftOut  *prometheus.Desc
	readAt   *prometheus.Desc
	took     *prometheus.Desc
	standing *standing
	first    chan struct{} // closed after the first reading, even if it failed

	mu    sync.Mutex
	tag   string
	last  [][]prometheus.Metric // by gauge
	state []prometheus.Metric
	at    time.Time
	spent time.Duration
}

func newGaugeKeeper(from gaugeReader, log *slog.Logger, now func() time.Time) *gaugeKeeper {
	c := &gaugeKeeper{
		from: from, log: log, now: now, standing: newStanding(), first: make(chan struct{}),
		leftOut: prometheus.NewDesc("figures_left_out", fmt.Sprintf("Series that are left out of a figure: only the "+
			"largest %d are exported.", mostSeries), []string{"figure"}, nil),
		readAt: prometheus.NewDesc("figures_read_timestamp_seconds",
			"When the figures of the ledger were last compared with it, and read again if it had changed.", nil, nil),
		took: prometheus.NewDesc("figures_read_seconds", "How long that took.", nil, nil),
		last: make([][]prometheus.Metric, len(gauges)),
	}
	for _, g := range gauges {
		c.descs = append(c.descs, prometheus.NewDesc(g.name, g.help(), g.keys, nil))
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *gaugeKeeper) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		ch <- d
	}
	for _, d := range []*prometheus.Desc{c.leftOut, c.readAt, c.took} {
		ch <- d
	}
	c.standing.describe(ch)
}

// Collect implements prometheus.Collector.
func (c *gaugeKeeper) Collect(ch chan<- prometheus.Metric) {
	timer := time.NewTimer(gaugeTimeout)
	defer timer.Stop()
	select {
	case <-c.first:
	case <-timer.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, list := range append(c.last, c.state) {
		for _, m := range list {
			ch <- m
		}
	}
	if !c.at.IsZero() {
		ch <- prometheus.MustNewConstMetric(c.readAt, prometheus.GaugeValue, float64(c.at.UnixMilli())/1000)
		ch <- prometheus.MustNewConstMetric(c.took, prometheus.GaugeValue, c.spent.Seconds())
	}
}

// keep reads the figures until stop.
func (c *gaugeKeeper) keep(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for first := true; ; first = false {
			began := c.now()
			err := c.round(ctx)
			if err != nil && ctx.Err() == nil {
				c.log.Warn("could not read the figures for Prometheus; the last ones are served", "error", err)
			}
			if first {
				close(c.first)
			}
			timer := time.NewTimer(max(leastRest, restShare*c.now().Sub(began)))
			select {
			case <-ctx.Done():
				timer.Stop()
				return
			case <-timer.C:
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// round reads what may have changed. A figure that fails keeps its last values; the round is then repeated whole.
func (c *gaugeKeeper) round(ctx context.Context) error {
	began := c.now()
	probe, cancel := context.WithTimeout(ctx, quickTimeout)
	defer cancel()
	v, err := c.from.Version(probe)
	if err != nil {
		return err
	}
	changed := v.Tag != c.tag
	extent, err := c.from.Extent(ctx)
	if err != nil {
		return err
	}
	ctx = metrics.AskOnce(ctx) // the gauges of budgets ask the same
	var faults []error
	for i, g := range gauges {
		if !changed && !g.always {
			continue
		}
		var list []prometheus.Metric
		if !extent.Empty() {
			if list, err = c.read(ctx, g, c.descs[i], extent.Data); err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", g.name, err))
				continue
			}
		}
		c.mu.Lock()
		c.last[i] = list
		c.mu.Unlock()
	}
	state, err := c.standing.read(ctx, c.from, changed, c.now())
	if err != nil {
		faults = append(faults, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.state = state
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	c.tag, c.at, c.spent = v.Tag, c.now(), c.now().Sub(began)
	return nil
}

func (c *gaugeKeeper) read(
	ctx context.Context, g gauge, desc *prometheus.Desc, end period.Second,
) ([]prometheus.Metric, error) {
	ctx, cancel := context.WithTimeout(ctx, gaugeTimeout)
	defer cancel()
	q, err := g.question(end)
	if err != nil {
		return nil, err
	}
	q.Order = append([]metrics.Order{{Column: g.column, Desc: true}}, q.Order...)
	rows, err := c.from.Query(ctx, q)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := map[string]int{}
	for i, col := range rows.Columns() {
		at[col.Name] = i
	}
	var out []prometheus.Metric
	seen := map[string]bool{}
	more := 0
	for rows.Next() {
		values := rows.Values()
		value, ok := number(values[at[g.column]])
		if !ok {
			continue // an unknown value is no series
		}
		if len(out) == mostSeries {
			more++
			continue
		}
		labels := make([]string, len(g.keys))
		for i, k := range g.keys {
			if j, ok := at[k]; ok {
				labels[i] = values[j].Text
			}
		}
		id := strings.Join(labels, "\x00")
		if seen[id] {
			return nil, fmt.Errorf("two rows have the labels %q", labels) // a registry would refuse all metrics
		}
		seen[id] = true
		out = append(out, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...))
	}
	if more > 0 {
		out = append(out, prometheus.MustNewConstMetric(c.leftOut, prometheus.GaugeValue, float64(more), g.name))
	}
	return out, rows.Err()
}
