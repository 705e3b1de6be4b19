package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

func TestGaugesFollowTheDefinitions(t *testing.T) {
	for _, g := range gauges {
		d, ok := metrics.Define(g.dataset + "." + g.column)
		if !ok {
			t.Errorf("%s shows %s.%s, which is not defined", g.name, g.dataset, g.column)
			continue
		}
		if !strings.HasPrefix(g.help(), d.Doc) {
			t.Errorf("%s says %q", g.name, g.help())
		}
		q, err := g.question(1793491200 + 40*period.Day + 5)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if q.Window.To != 1793491200+40*period.Day || g.span == lastDay && q.Window.Seconds() != period.Day ||
			g.span == monthToDate && q.Window.From != period.MonthOf(q.Window.To-1).From {
			t.Errorf("%s asks for %v", g.name, q.Window)
		}
		have := map[string]bool{}
		for _, c := range q.Columns() {
			have[c.Name] = true
		}
		for _, name := range append([]string{g.column}, g.keys...) {
			if !have[name] {
				t.Errorf("%s: the answer has no %s", g.name, name)
			}
		}
	}
}

// oneFigure answers every query with n teams; the value of the last is unknown.
type oneFigure struct {
	n, asked int
	tag      string
}

func (f *oneFigure) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	f.asked++
	var rows [][]metrics.Value
	if q.Dataset.Name == "costs" {
		for i := range f.n {
			row := make([]metrics.Value, len(q.Columns()))
			for j, c := range q.Columns() {
				switch c.Name {
				case "team":
					row[j] = metrics.Value{Valid: true, Text: fmt.Sprint("team-", i)}
				case "effective_cost":
					row[j] = metrics.Value{Valid: i+1 < f.n, Text: "12.5"}
				}
			}
			rows = append(rows, row)
		}
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

func (f *oneFigure) Version(context.Context) (metrics.Version, error) {
	return metrics.Version{Tag: f.tag}, nil
}

func (f *oneFigure) Extent(context.Context) (metrics.Extent, error) {
	const first = 1793491200
	return metrics.Extent{Stored: period.Interval{From: first, To: first + 30*period.Day}, Data: first + 3*period.Day}, nil
}

// sample is a series with the value of its first label.
type sample struct {
	label string
	value float64
}

func gathered(t *testing.T, c prometheus.Collector) map[string][]sample {
	t.Helper()
	r := prometheus.NewRegistry()
	prometheus.WrapRegistererWithPrefix(metricsPrefix, r).MustRegister(c)
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]sample{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			out[f.GetName()] = append(out[f.GetName()], sample{m.GetLabel()[0].GetValue(), m.GetGauge().GetValue()})
		}
	}
	return out
}

func TestGaugesAreBoundedAndCached(t *testing.T) {
	f := &oneFigure{n: 1000, tag: "a"}
	c := newGaugeCollector(f, slog.New(slog.DiscardHandler))
	got := gathered(t, c)
	if n := len(got["gpuledger_cost_last_day"]); n != mostSeries {
		t.Errorf("%d series; want %d", n, mostSeries)
	}
	for _, m := range got["gpuledger_figures_left_out"] {
		if m.label == "cost_last_day" && m.value != 1000-1-mostSeries { // one value is unknown
			t.Errorf("%v are left out", m.value)
		}
	}
	if v := got["gpuledger_cost_last_day"][0].value; v != 12.5 {
		t.Errorf("the cost is %v", v)
	}
	asked := f.asked
	gathered(t, newGaugeCollector(f, slog.New(slog.DiscardHandler)))
	if f.asked != 2*asked {
		t.Errorf("asked %d times after %d", f.asked, asked)
	}
	ch := make(chan prometheus.Metric, 2000)
	c.Collect(ch)
	if f.asked != 2*asked {
		t.Error("an unchanged ledger was read again")
	}
	f.tag = "b"
	c.Collect(ch)
	if f.asked != 3*asked {
		t.Error("a changed ledger was not read again")
	}
}
