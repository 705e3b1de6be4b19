package live

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the receiver's metrics. No label value comes from data: kinds and reasons are
// fixed in code.
type metrics struct {
	samples      *prometheus.CounterVec
	requests     *prometheus.CounterVec
	groups       prometheus.Counter
	inboxFailed  prometheus.Counter
	flushFailed  prometheus.Counter
	flushSeconds prometheus.Histogram
}

func newMetrics(to prometheus.Registerer, r *Receiver) *metrics {
	m := &metrics{
		samples: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "live_samples_total",
			Help: "Samples by outcome: stored, absent (no value), unmapped (series that gpuledger does not read), " +
				"read past (native histograms, exemplars), or refused with a reason."}, []string{
			"kind", "outcome", "reason",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "remote_write_requests_total",
			Help: "Responses of /api/v1/write by status."}, []string{"code"}),
		groups: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "live_inbox_commits_total", Help: "Transactions that put requests into the inbox.",
		}),
		inboxFailed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "live_inbox_failures_total",
			Help: "Inbox transactions that failed; their senders got a status that makes them retry.",
		}),
		flushFailed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "live_flush_failures_total", Help: "Flushes that failed and were retried.",
		}),
		flushSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "live_flush_seconds", Help: "How long flushes took.", Buckets: prometheus.ExponentialBuckets(0.01, 3, 9),
		}),
	}
	if to == nil {
		return m
	}
	gauge := func(name, help string, f func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			r.mu.Lock()
			defer r.mu.Unlock()
			return f()
		})
	}
	to.MustRegister(m.samples, m.requests, m.groups, m.inboxFailed, m.flushFailed, m.flushSeconds,
		gauge("live_series", "Series held in memory.", func() float64 { return float64(r.series.len()) }),
		gauge("live_senders", "Senders known to this receiver.", func() float64 { return float64(len(r.senders)) }),
		gauge("live_pending_bytes", "Approximate memory of the data that waits to be published.",
			func() float64 { return float64(r.held()) }),
		gauge("live_in_flight_bytes", "Bytes of the requests being served.", func() float64 { return float64(r.inFlight) }),
		gauge("live_oldest_unflushed_seconds", "Age of the oldest data that waits to be published.", func() float64 {
			oldest := r.oldest
			if !r.failing.IsZero() {
				oldest = r.failing
			}
			if oldest.IsZero() {
				return 0
			}
			return r.opt.Now().Sub(oldest).Seconds()
		}),
		inboxCollector{r.opt.Store})
	return m
}

// inboxCollector counts the inbox at each scrape. It is not a GaugeFunc: registries call those
// one after another, and the database may delay each.
type inboxCollector struct{ store Store }

var inboxRows = prometheus.NewDesc("live_inbox_rows",
	"Requests acknowledged but not yet published, of all receivers; -1 if the database does not answer.", nil, nil)

// Describe implements prometheus.Collector.
func (inboxCollector) Describe(ch chan<- *prometheus.Desc) { ch <- inboxRows }

// Collect implements prometheus.Collector.
func (c inboxCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	rows, _, err := c.store.InboxBacklog(ctx)
	if err != nil {
		rows = -1
	}
	ch <- prometheus.MustNewConstMetric(inboxRows, prometheus.GaugeValue, float64(rows))
}

// count counts a request's samples by outcome.
func (m *metrics) count(kind string, b *Batch) {
	stored := b.result.Samples - b.unmapped - b.absent
	for _, c := range []struct {
		outcome string
		n       int
	}{{"stored", stored}, {"absent", b.absent}, {"unmapped", b.unmapped}} {
		if c.n > 0 {
			m.samples.WithLabelValues(kind, c.outcome, "").Add(float64(c.n))
		}
	}
	for reason, n := range map[string]int{"native histogram": b.histograms, "exemplar": b.exemplars} {
		if n > 0 {
			m.samples.WithLabelValues(kind, "read past", reason).Add(float64(n))
		}
	}
	for _, f := range b.result.Refused {
		m.samples.WithLabelValues(kind, "refused", f.Reason).Add(float64(f.Count))
	}
}
