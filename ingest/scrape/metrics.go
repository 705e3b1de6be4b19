package scrape

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest/openmetrics"
	"gpuledger/internal/outbound"
)

func outboundClient(job *Job) (*http.Client, error) { return outbound.New(job.TLS, 0) }

// metrics are the scraper's metrics. Label values are names of configured jobs and a few
// reasons, never targets, which come and go.
type metrics struct {
	scrapes  *prometheus.HistogramVec
	failures *prometheus.CounterVec
	samples  *prometheus.CounterVec
}

var (
	targetsDesc = prometheus.NewDesc("scrape_targets", "Targets that are scraped.", []string{"scrape"}, nil)
	upDesc      = prometheus.NewDesc("scrape_targets_up", "Targets that answered the last scrape.",
		[]string{"scrape"}, nil)
)

func newMetrics(to prometheus.Registerer, s *Scraper) *metrics {
	m := &metrics{
		scrapes: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "scrape_seconds", Help: "How long scrapes took.",
			Buckets: prometheus.ExponentialBuckets(0.005, 3, 8)}, []string{"scrape"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "scrape_failures_total",
			Help: "Failed scrapes, and failed listings of targets."}, []string{"scrape", "reason"}),
		samples: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "scrape_samples_total",
			Help: "Samples by outcome."}, []string{"scrape", "outcome"}),
	}
	if to != nil {
		to.MustRegister(m.scrapes, m.failures, m.samples, &targetCollector{s})
	}
	return m
}

func (m *metrics) failed(job, reason string) { m.failures.WithLabelValues(job, reason).Inc() }

func (m *metrics) scraped(job string, took time.Duration, stats *openmetrics.Stats, err error) {
	m.scrapes.WithLabelValues(job).Observe(took.Seconds())
	if err != nil {
		return
	}
	for outcome, n := range map[string]int64{
		"stored": stats.Accepted, "absent": stats.Absent, "unmapped": stats.Ignored, "refused": stats.Rejected,
	} {
		if n > 0 {
			m.samples.WithLabelValues(job, outcome).Add(float64(n))
		}
	}
}

// targetCollector counts targets at each scrape of gpuledger's own metrics.
type targetCollector struct{ s *Scraper }

// Describe implements prometheus.Collector.
func (c *targetCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- targetsDesc
	ch <- upDesc
}

// Collect implements prometheus.Collector.
func (c *targetCollector) Collect(ch chan<- prometheus.Metric) {
	all, up := map[string]int{}, map[string]int{}
	for _, j := range c.s.o.Jobs {
		all[j.Name], up[j.Name] = 0, 0
	}
	for _, h := range c.s.Health() {
		all[h.Job]++
		if h.Up {
			up[h.Job]++
		}
	}
	for job, n := range all {
		ch <- prometheus.MustNewConstMetric(targetsDesc, prometheus.GaugeValue, float64(n), job)
		ch <- prometheus.MustNewConstMetric(upDesc, prometheus.GaugeValue, float64(up[job]), job)
	}
}
