package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"gpuledger/internal/store"
)

// metricsPrefix begins the name of each of the server's own metrics.
const metricsPrefix = "gpuledger_"

// ownMetrics answers /metrics. stop ends the reading of figures, before the pools are closed.
func (a *app) ownMetrics(p *pools, registry *prometheus.Registry) (answer http.Handler, stop func()) {
	own := prometheus.WrapRegistererWithPrefix(metricsPrefix, registry)
	figures := newGaugeKeeper(p.health, a.log, time.Now)
	own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		newLedgerCollector(p.health, a.log), figures, poolCollector{p})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{}), figures.keep(a.ctx)
}

// poolCollector counts connections to the database.
type poolCollector struct{ of *pools }

var (
	connsInUse = prometheus.NewDesc("database_connections_in_use", "Connections to the database that are in use, by pool.",
		[]string{"pool"}, nil)
	connsMost = prometheus.NewDesc("database_connections_max", "Connections that each pool may open.",
		[]string{"pool"}, nil)
)

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- connsInUse
	ch <- connsMost
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(ch chan<- prometheus.Metric) {
	for name, s := range map[string]*store.Store{
		"questions": c.of.readers, "telemetry": c.of.ingest, "health": c.of.health,
	} {
		now := s.Pool.Stat()
		ch <- prometheus.MustNewConstMetric(connsInUse, prometheus.GaugeValue, float64(now.AcquiredConns()), name)
		ch <- prometheus.MustNewConstMetric(connsMost, prometheus.GaugeValue, float64(now.MaxConns()), name)
	}
}

// ledgerCollector reads the state of the ledger at each scrape.
type ledgerCollector struct {
	store                                     *store.Store
	log                                       *slog.Logger
	build, up, generation, dirty, running, no *prometheus.Desc
}

func newLedgerCollector(s *store.Store, log *slog.Logger) *ledgerCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &ledgerCollector{store: s, log: log,
		build:      desc("build_info", "1, labelled with the version of this binary.", "version"),
		up:         desc("database_up", "1 when the database answered this scrape."),
		generation: desc("ledger_generation", "Newest generation of any chunk of the ledger."),
		dirty:      desc("dirty_node_days", "Node-days that wait to be allocated."),
		running:    desc("imports_unfinished", "Imports that have not finished: running or killed."),
		no:         desc("imports_refused_recent", "Refused imports among the last 20."),
	}
}

// Describe implements prometheus.Collector.
func (c *ledgerCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.build, c.up, c.generation, c.dirty, c.running, c.no} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c *ledgerCollector) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v int64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	gauge(c.build, 1, version)
	ctx, cancel := context.WithTimeout(context.Background(), quickTimeout)
	defer cancel()
	backlog, err := c.store.Backlog(ctx)
	if err != nil {
		c.log.Warn("could not read gpuledger's own metrics", "error", err)
		gauge(c.up, 0)
		return
	}
	v, err := c.store.Version(ctx)
	if err != nil {
		c.log.Warn("could not read gpuledger's own metrics", "error", err)
		gauge(c.up, 0)
		return
	}
	gauge(c.up, 1)
	gauge(c.generation, v.Generation)
	gauge(c.dirty, backlog.DirtyDays)
	gauge(c.running, backlog.Running)
	gauge(c.no, backlog.Refused)
}
