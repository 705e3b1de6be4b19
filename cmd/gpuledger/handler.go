package main

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"gpuledger/allocation/policy"
	"gpuledger/ingest"
	"gpuledger/internal/blob"
	"gpuledger/internal/config"
	"gpuledger/internal/store"
	"gpuledger/internal/store/pg"
	"gpuledger/web"
	"gpuledger/web/api"
	"gpuledger/web/dashboard"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
	"gpuledger/web/operate"
)

// handler answers all requests of the server.
func (a *app) handler(
	s *store.Store, p *pools, guard *limit.Guard, cfg *config.Config,
	registry *prometheus.Registry, arriving *arrivals, passing *gate.Gate, hosts []string,
) (http.Handler, error) {
	ops, err := operators(cfg)
	if err != nil {
		return nil, err
	}
	provider, err := a.oidcProvider(s, cfg, passing, hosts)
	if err != nil {
		return nil, err
	}
	changes := operate.Desk{Operators: ops, Ledger: desk(a.ctx, s, a.fileTaker(s, cfg, arriving.arrived)),
		Shelf: &operate.Shelf{Store: s.Access, Page: dashboard.CheckAddress, Now: time.Now}}
	deps := web.Deps{Reader: p.readers, API: api.New(p.readers, a.log).Operated(changes).Bounded(guard, pg.Away).
		Deferring(a.ctx, api.Later{}, time.Now),
		Guard: guard, Away: pg.Away, Desk: changes,
		Settings: policySettings(), Metrics: ownMetrics(p.health, a.log, registry),
		Receivers: arriving.receivers, Ready: p.health.Ping, Log: a.log,
		Sources: pageSources(p.readers, cfg), Now: time.Now, Gate: passing,
		Door: s.Access, OIDC: provider, Proxy: proxyPages(cfg, passing, s.Access),
		Keeper: s.Access, Hosts: hosts, Once: s.Access}
	if a.cast != nil {
		deps.Cast = a.cast
	}
	if a.computing != nil {
		deps.Pending = a.computing.line
	}
	return web.New(deps)
}

// policySettings are the policy settings as pages show them.
func policySettings() []books.Setting {
	var list []books.Setting
	for _, s := range policy.Settings {
		list = append(list, books.Setting{
			Name: s.Name, Standard: s.Show(policy.Default()), Presets: strings.Join(s.Presets, ", "), Doc: s.Doc,
		})
	}
	return list
}

// pageSources reads the configured sources as pages show them; nil if there are
// none.
func pageSources(s *store.Store, cfg *config.Config) func(context.Context) ([]books.Source, error) {
	if len(cfg.Sources) == 0 {
		return nil
	}
	return func(ctx context.Context) ([]books.Source, error) {
		states, err := s.SourceStates(ctx)
		if err != nil {
			return nil, err
		}
		var list []books.Source
		for _, src := range cfg.Sources {
			x := books.Source{Name: src.Name, Format: src.Source, Schedule: src.Schedule.String()}
			for i, uri := range src.URIs {
				if i > 0 {
					x.Place += " "
				}
				x.Place += blob.Redact(uri)
			}
			if !src.Schedule.IsZero() {
				x.Next = src.Schedule.Next(time.Now())
			}
			if i := slices.IndexFunc(states, func(st ingest.SourceState) bool { return st.Name == src.Name }); i >= 0 {
				x.State, x.Message, x.LookedAt, x.ImportedAt = states[i].State, states[i].Message, states[i].LookedAt,
					states[i].ImportedAt
			}
			list = append(list, x)
		}
		return list, nil
	}
}

// metricsPrefix begins the name of each of the server's own metrics.
const metricsPrefix = "gpuledger_"

// ownMetrics answers /metrics.
func ownMetrics(s *store.Store, log *slog.Logger, registry *prometheus.Registry) http.Handler {
	own := prometheus.WrapRegistererWithPrefix(metricsPrefix, registry)
	own.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		newLedgerCollector(s, log), newGaugeCollector(s, log))
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
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
