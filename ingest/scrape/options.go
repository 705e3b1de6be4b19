package scrape

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/outbound"
)

// Job is a group of targets with the same settings.
type Job struct {
	Name        string // the label job
	Interval    time.Duration
	Timeout     time.Duration // at most Interval
	Targets     []string      // URLs
	HTTPSD      string        // URL that lists targets; empty: none
	Labels      series.Labels // attached to every series
	HonorLabels bool
	BearerToken string
	TLS         outbound.TLS
}

// Sink takes the facts of scrapes. The Receiver of package live is one.
type Sink interface {
	// Put queues facts; the sink owns t.
	Put(ctx context.Context, t *ledger.Telemetry) error
}

// Options apply to all jobs.
type Options struct {
	Jobs []Job
	To   Sink
	// Cluster is the cluster of series without one; empty: "default".
	Cluster string
	// Series configures facts that series lack; not its Cluster.
	Series series.Options
	Now    func() time.Time
	Log    *slog.Logger // nil: none
	// Metrics registers the scraper's metrics, prefixed scrape_; nil: they are not registered.
	Metrics prometheus.Registerer
	// After waits; nil: the clock.
	After func(d time.Duration) <-chan time.Time
	// MaxBody bounds one answer, unpacked; 0: 64 MiB.
	MaxBody int64
	// Parallel bounds the scrapes at one time; 0: 16.
	Parallel int
}

// Bounds.
const (
	defaultBody     = 64 << 20
	defaultParallel = 16
	maxTargets      = 10_000 // of one job
	maxListing      = 8 << 20
	listEvery       = time.Minute
	futureSlack     = 10 * time.Minute
	maxPending      = 1 << 14 // hours of one signal, some 10 MB
)

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.MaxBody <= 0 {
		o.MaxBody = defaultBody
	}
	if o.Parallel <= 0 {
		o.Parallel = defaultParallel
	}
	return o
}
