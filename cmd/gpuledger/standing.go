package main

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
)

const (
	// mostMonths is how many open months are checked for blockers of their close: the newest ones that have ended.
	mostMonths = 3
	// blockersAge is how long blockers are served without a change of the ledger: months end without one.
	blockersAge = time.Hour
)

// standingReader is what the state of the books is read from.
type standingReader interface {
	Refusals(ctx context.Context, since time.Time) ([]store.Refusals, error)
	LastAllocation(ctx context.Context) (*time.Time, error)
	OpenMonths(ctx context.Context, endedBy period.Second) ([]period.Month, error)
	closing.Store
}

// standing is the state of the books for alerts: refused imports, the last allocation, and what blocks closing.
type standing struct {
	refused, allocated, blockers, waiting *prometheus.Desc

	blocking   []prometheus.Metric
	blockingAt time.Time
}

func newStanding() *standing {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &standing{
		refused: desc("imports_refused", "Addresses whose newest import of the last 14 days was refused, by source. An "+
			"import of the same address that succeeds ends it.", "source"),
		allocated: desc("allocation_finished_timestamp_seconds", "When the newest finished allocation ended."),
		blockers: desc("close_blockers", "Reasons against closing a billing month that has ended, without those that "+
			"verify would find, by step of the close check.", "billing_period", "step"),
		waiting: desc("periods_to_close", "Billing months that have ended, have postings and are not closed."),
	}
}

func (s *standing) describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.refused, s.allocated, s.blockers, s.waiting} {
		ch <- d
	}
}

// read returns the state of the books as of now. What blocks closing is read again if the ledger changed, and hourly.
func (s *standing) read(
	ctx context.Context, from standingReader, changed bool, now time.Time,
) (out []prometheus.Metric, err error) {
	ctx, cancel := context.WithTimeout(ctx, gaugeTimeout)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		out = append(out, prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...))
	}
	refusals, err := from.Refusals(ctx, now.Add(-refusedFor))
	if err != nil {
		return nil, err
	}
	for _, r := range refusals {
		gauge(s.refused, float64(r.Refused), r.Source)
	}
	allocated, err := from.LastAllocation(ctx)
	if err != nil {
		return nil, err
	}
	if allocated != nil {
		gauge(s.allocated, float64(allocated.UnixMilli())/1000)
	}
	if changed || now.Sub(s.blockingAt) > blockersAge {
		if s.blocking, err = s.readBlockers(ctx, from, now); err != nil {
			return nil, err
		}
		s.blockingAt = now
	}
	return append(out, s.blocking...), nil
}

// refusedFor is how long a refused import counts unless the same address is imported again.
const refusedFor = 14 * 24 * time.Hour

func (s *standing) readBlockers(
	ctx context.Context, from standingReader, now time.Time,
) (out []prometheus.Metric, err error) {
	months, err := from.OpenMonths(ctx, period.FromTime(now))
	if err != nil {
		return nil, err
	}
	out = append(out, prometheus.MustNewConstMetric(s.waiting, prometheus.GaugeValue, float64(len(months))))
	slices.Sort(months)
	closer := &closing.Closer{Store: from, Now: func() time.Time { return now }}
	for _, m := range months[max(0, len(months)-mostMonths):] {
		reasons, _, err := closer.Look(ctx, m, "")
		if err != nil {
			return nil, err
		}
		for _, step := range closing.Steps {
			n := 0
			for _, r := range reasons {
				if r.Step == step {
					n++
				}
			}
			out = append(out, prometheus.MustNewConstMetric(s.blockers, prometheus.GaugeValue, float64(n), string(m),
				string(step)))
		}
	}
	return out, nil
}
