package main

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest"
	"gpuledger/ingest/endpoints"
	"gpuledger/ingest/live"
	"gpuledger/ingest/scrape"
	"gpuledger/ingest/series"
	"gpuledger/internal/config"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/schedule"
	"gpuledger/internal/store"
)

// Paths that senders send telemetry to.
const (
	writePath       = "/api/v1/write"
	otlpPath        = "/v1/metrics"
	checkpointsPath = "/api/v1/checkpoints"
)

// arrivals are the receivers and scrapers of live telemetry.
type arrivals struct {
	receiver *live.Receiver
	// receivers are the handlers of the telemetry paths.
	receivers map[string]http.Handler
	// arrived tells that facts were stored, which are to be allocated.
	arrived func()
	// stop ends all of them and publishes buffered telemetry.
	stop func() error
}

// startLive takes live telemetry until stop: pushed requests, scrapes and watched
// clusters. It stores telemetry through intake, and then allocates
// through s.
func (a *app) startLive(s, intake *store.Store, metrics prometheus.Registerer, cfg *config.Config) (*arrivals, error) {
	token, err := secretOf(cfg.RemoteWrite.BearerTokenEnv)
	if err != nil {
		return nil, err
	}
	keeper := &schedule.Keeper{Every: time.Duration(cfg.AllocateEvery), Log: a.log,
		Waiting: func(ctx context.Context) (bool, error) {
			b, err := s.Backlog(ctx)
			return b.DirtyDays+b.StaleDays > 0, err
		},
		Allocate: func(ctx context.Context) error { return a.bringUpToDate(ctx, s) }}
	if keeper.Every == 0 {
		keeper.Every = config.DefaultAllocateEvery
	}
	meaning, err := seriesOf(cfg.Series)
	if err != nil {
		return nil, err
	}
	w := cfg.RemoteWrite
	r := live.New(live.Options{Store: noticed{intake, keeper.Arrived}, Now: time.Now, Log: a.log, Metrics: metrics,
		Kinds: endpoints.Kinds(), Series: meaning,
		DefaultCluster: w.Cluster, Window: time.Duration(w.OutOfOrderWindow),
		Limits: live.Limits{SeriesPerSender: w.MaxSeries, Unpacked: int64(w.MaxRequestMiB) << 20}})
	scraper, err := a.newScraper(cfg, r, meaning, metrics)
	if err != nil {
		return nil, err
	}
	endQueues, err := a.startEventQueues(s, cfg.SpotEvents, keeper.Arrived)
	if err != nil {
		return nil, err
	}
	// The receiver outlives the command's context, so that running requests are answered first.
	taking, endTaking := context.WithCancel(context.WithoutCancel(a.ctx))
	taken := make(chan error, 1)
	go func() { taken <- r.Run(taking) }()

	reading, endReading := context.WithCancel(a.ctx)
	var readers sync.WaitGroup
	readers.Go(func() { keeper.Run(reading) })
	var scraped error
	readers.Go(func() { scraped = scraper.Run(reading) })
	endWatches := a.startWatches(cfg.Kubernetes, r)
	return &arrivals{
		receiver: r,
		arrived:  keeper.Arrived,
		receivers: map[string]http.Handler{
			writePath:       endpoints.Guard(token, r.Handler()),
			otlpPath:        endpoints.Guard(token, endpoints.OTLP(r)),
			checkpointsPath: endpoints.Guard(token, endpoints.Checkpoints(r)),
		},
		stop: func() error {
			endWatches()
			endQueues()
			endReading()
			readers.Wait()
			endTaking()
			return errors.Join(scraped, <-taken)
		},
	}, nil
}

// bringUpToDate works off the whole backlog.
func (a *app) bringUpToDate(ctx context.Context, s *store.Store) error {
	_, err := a.upkeep(s).Run(ctx, period.Interval{})
	return err
}

func (a *app) newScraper(
	cfg *config.Config, to scrape.Sink, meaning series.Options, metrics prometheus.Registerer,
) (*scrape.Scraper, error) {
	var groups []scrape.Job
	for _, g := range cfg.Scrape {
		token, err := secretOf(g.BearerTokenEnv)
		if err != nil {
			return nil, err
		}
		var labels series.Labels
		for name, value := range g.Labels {
			labels = append(labels, series.Label{Name: name, Value: value})
		}
		slices.SortFunc(labels, func(a, b series.Label) int {
			if a.Name < b.Name {
				return -1
			}
			return 1
		})
		groups = append(groups, scrape.Job{Name: g.Name, Interval: time.Duration(g.Interval),
			Timeout: time.Duration(g.Timeout), Targets: g.Targets, HTTPSD: g.HTTPSD,
			Labels: labels, HonorLabels: g.HonorLabels, BearerToken: token, TLS: trust(g.TLS)})
	}
	return scrape.New(scrape.Options{
		Jobs: groups, To: to, Cluster: cfg.RemoteWrite.Cluster, Series: meaning, Now: time.Now, Log: a.log, Metrics: metrics,
	})
}

// noticed is a store that calls tell after telemetry was published.
type noticed struct {
	*store.Store
	tell func()
}

// StageTelemetry opens a stage whose Publish calls tell.
func (n noticed) StageTelemetry(ctx context.Context, id ledger.ID) (ingest.TelemetryStage, error) {
	stage, err := n.Store.StageTelemetry(ctx, id)
	if err != nil {
		return nil, err
	}
	return noticedStage{stage, n.tell}, nil
}

type noticedStage struct {
	ingest.TelemetryStage
	tell func()
}

// Publish publishes the stage, then calls tell.
func (s noticedStage) Publish(ctx context.Context) error {
	err := s.TelemetryStage.Publish(ctx)
	if err == nil {
		s.tell()
	}
	return err
}
