package main

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

const (
	gaugeTimeout = 20 * time.Second
	// quickTimeout bounds queries that are quick unless the database is away.
	quickTimeout = 2 * time.Second
	// mostSeries bounds the series of a gauge; the largest values are kept.
	mostSeries = 200
)

// span is the time that a gauge covers, relative to the end of
// the data and not to the clock: an unchanged ledger gives the same figures tomorrow. Fees that are posted
// ahead do not move that end.
type span string

const (
	lastDay     span = "On the last whole UTC day with data"
	monthToDate span = "In the month of the last whole UTC day with data, through that day"
)

// gauge is a figure of the ledger for Prometheus: a column of a dataset,
// grouped by some of its keys.
type gauge struct {
	name    string
	dataset string
	column  string
	keys    []string // labels
	filter  string
	span    span
}

// gauges are the figures for alerts; the API has all others.
var gauges = slices.DeleteFunc([]gauge{
	{"cost_last_day", "costs", "effective_cost", []string{"team", "cause", "currency"}, "", lastDay},
	{"cost_month_to_date", "costs", "effective_cost", []string{"team", "cause", "currency"}, "", monthToDate},
	{"gpu_hours_last_day", "costs", "gpu_hours", []string{"team", "cause", "currency"}, "", lastDay},
	{"target_value", "targets", "value", []string{"target", "subject", "unit", "currency"}, "", lastDay},
	{"spot_interruption_rate", "spot", "interruption_rate", []string{"cluster"}, "", monthToDate},
	{"cost_per_1k_tokens", "inference", "cost_per_1k_tokens", []string{"model", "currency"}, "", lastDay},
	{"waste_cost", "waste", "effective_cost", []string{"kind", "currency"}, "", monthToDate},
}, func(g gauge) bool {
	_, err := metrics.LookupDataset(g.dataset)
	return err != nil
})

// grouped is the group_by of the query. Costs have currency as a column anyway,
// and rows of targets are read ungrouped.
func (g gauge) grouped() string {
	if g.dataset == "targets" {
		return ""
	}
	text := ""
	for _, k := range g.keys {
		if k == "currency" && g.dataset == "costs" {
			continue
		}
		if text != "" {
			text += ","
		}
		text += k
	}
	return text
}

// question is the query of the gauge on a ledger whose data end at a time.
func (g gauge) question(end period.Second) (metrics.Query, error) {
	day := period.Interval{From: end.Floor(period.Day) - period.Day, To: end.Floor(period.Day)}
	if g.span == monthToDate {
		day.From = period.MonthOf(day.From).From
	}
	return metrics.Parse(g.dataset, metrics.Options{
		GroupBy: g.grouped(), Filter: g.filter, From: day.From.String(), To: day.To.String(),
	})
}

// help is the column's definition, with the span and a link.
func (g gauge) help() string {
	d, _ := metrics.Define(g.dataset + "." + g.column)
	return d.Doc + " " + string(g.span) + "; see /docs/metrics#" + d.Anchor
}

// gaugeReader is the ledger that gauges read.
type gaugeReader interface {
	Query(ctx context.Context, q metrics.Query) (metrics.Rows, error)
	Version(ctx context.Context) (metrics.Version, error)
	Extent(ctx context.Context) (metrics.Extent, error)
}

// gaugeCollector answers scrapes from a cache, which it refreshes when
// the ledger has changed.
type gaugeCollector struct {
	from    gaugeReader
	log     *slog.Logger
	descs   []*prometheus.Desc
	leftOut *prometheus.Desc

	mu   sync.Mutex
	tag  string
	last []prometheus.Metric
}

func newGaugeCollector(from gaugeReader, log *slog.Logger) *gaugeCollector {
	c := &gaugeCollector{
		from: from, log: log, leftOut: prometheus.NewDesc("figures_left_out",
			"Series that are left out of a figure: only the largest 200 are exported.", []string{"figure"}, nil),
	}
	for _, g := range gauges {
		c.descs = append(c.descs, prometheus.NewDesc(g.name, g.help(), g.keys, nil))
	}
	return c
}

// Describe implements prometheus.Collector.
func (c *gaugeCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		ch <- d
	}
	ch <- c.leftOut
}

// Collect implements prometheus.Collector.
func (c *gaugeCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTimeout)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refresh(ctx); err != nil {
		c.log.Warn("could not read the figures for Prometheus; the last ones are served", "error", err)
	}
	for _, m := range c.last {
		ch <- m
	}
}

// refresh reads all figures when the ledger has changed since they were read.
func (c *gaugeCollector) refresh(ctx context.Context) error {
	probe, cancel := context.WithTimeout(ctx, quickTimeout)
	defer cancel()
	v, err := c.from.Version(probe)
	if err != nil || v.Tag == c.tag {
		return err
	}
	extent, err := c.from.Extent(ctx)
	if err != nil {
		return err
	}
	var all []prometheus.Metric
	if !extent.Empty() {
		for i, g := range gauges {
			list, err := c.read(ctx, g, c.descs[i], extent.Data)
			if err != nil {
				return errors.Join(errors.New(g.name), err)
			}
			all = append(all, list...)
		}
	}
	c.tag, c.last = v.Tag, all
	return nil
}

func (c *gaugeCollector) read(
	ctx context.Context, g gauge, desc *prometheus.Desc, end period.Second,
) ([]prometheus.Metric, error) {
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
		out = append(out, prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...))
	}
	if more > 0 {
		out = append(out, prometheus.MustNewConstMetric(c.leftOut, prometheus.GaugeValue, float64(more), g.name))
	}
	return out, rows.Err()
}

// number is a value as Prometheus keeps it, the nearest double; false if unknown.
func number(v metrics.Value) (float64, bool) {
	if !v.Valid {
		return 0, false
	}
	if v.Text == "" {
		return float64(v.Int), true
	}
	r, ok := new(big.Rat).SetString(v.Text)
	if !ok {
		return 0, false
	}
	f, _ := r.Float64()
	return f, true
}
