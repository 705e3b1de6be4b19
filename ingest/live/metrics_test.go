package live_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/ingest/live"
)

// counted is a store that counts the counts of its inbox.
type counted struct {
	memory

	times int
}

// InboxBacklog counts 7 requests.
func (c *counted) InboxBacklog(context.Context) (int64, time.Time, error) {
	c.times++
	return 7, start, nil
}

// registered are the collectors that were registered.
type registered struct {
	prometheus.Registerer

	list []prometheus.Collector
}

func (r *registered) MustRegister(list ...prometheus.Collector) { r.list = append(r.list, list...) }

// TestTheInboxIsCountedInParallelWithOtherCollectors: collectors run in parallel, but values are read one
// after another. A count at that time would add its timeout to those of the others when the
// database does not answer.
func TestTheInboxIsCountedInParallelWithOtherCollectors(t *testing.T) {
	store, to := &counted{}, &registered{}
	live.New(live.Options{Store: store, Now: time.Now, Metrics: to})
	for _, c := range to.list {
		c.Collect(make(chan prometheus.Metric, 100))
	}
	if store.times != 1 {
		t.Errorf("collecting counted the inbox %d times", store.times)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(to.list...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var rows []float64
	for _, f := range families {
		if f.GetName() == "live_inbox_rows" {
			rows = append(rows, f.GetMetric()[0].GetGauge().GetValue())
		}
	}
	if !slices.Equal(rows, []float64{7}) {
		t.Errorf("live_inbox_rows %v", rows)
	}
}
