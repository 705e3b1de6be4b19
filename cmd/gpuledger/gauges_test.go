package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/internal/store"
	"gpuledger/metrics"
)

func TestGaugesFollowTheDefinitions(t *testing.T) {
	for _, g := range gauges {
		d, ok := metrics.Define(g.dataset + "." + g.column)
		if !ok {
			t.Errorf("%s shows %s.%s, which is not defined", g.name, g.dataset, g.column)
			continue
		}
		if !strings.HasPrefix(g.help(), strings.TrimSuffix(d.Doc, ".")) {
			t.Errorf("%s says %q", g.name, g.help())
		}
		q, err := g.question(1793491200 + 40*period.Day + 5)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		if g.span == stored && q.Window != (period.Interval{}) ||
			g.span != stored && q.Window.To != 1793491200+40*period.Day || g.span == lastDay && q.Window.Seconds() != period.Day ||
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
	n, asked     int
	tag          string
	broken, same bool
}

func (f *oneFigure) Query(_ context.Context, q metrics.Query) (metrics.Rows, error) {
	f.asked++
	if f.broken {
		return nil, errors.New("broken")
	}
	var rows [][]metrics.Value
	byTeam := slices.ContainsFunc(q.Columns(), func(c metrics.Column) bool { return c.Name == "team" })
	if q.Dataset.Name == "costs" && byTeam {
		for i := range f.n {
			row := make([]metrics.Value, len(q.Columns()))
			for j, c := range q.Columns() {
				switch c.Name {
				case "team":
					row[j] = metrics.Value{Valid: true, Text: f.team(i)}
				case "effective_cost":
					row[j] = metrics.Value{Valid: i+1 < f.n, Text: "12.5"}
				}
			}
			rows = append(rows, row)
		}
	}
	return metrics.NewSliceRows(q.Columns(), rows), nil
}

func (f *oneFigure) Refusals(context.Context, time.Time) ([]store.Refusals, error) {
	return []store.Refusals{{Source: "aws-cur", Places: 2, Refused: 1}}, nil
}

func (f *oneFigure) LastAllocation(context.Context) (*time.Time, error) { return nil, nil }

func (f *oneFigure) OpenMonths(context.Context, period.Second) ([]period.Month, error) {
	return nil, nil
}

func (f *oneFigure) Books(context.Context, func(closing.Books) error) error {
	return errors.New("figures lock no books")
}

func (f *oneFigure) Look(context.Context, func(closing.Books) error) error { return nil }

func (f *oneFigure) team(i int) string {
	if f.same {
		return "team"
	}
	return fmt.Sprint("team-", i)
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
			label := ""
			if len(m.GetLabel()) > 0 {
				label = m.GetLabel()[0].GetValue()
			}
			out[f.GetName()] = append(out[f.GetName()], sample{label, m.GetGauge().GetValue()})
		}
	}
	return out
}

func keeperOf(f *oneFigure) *gaugeKeeper {
	return newGaugeKeeper(f, slog.New(slog.DiscardHandler), func() time.Time { return time.Unix(1796000000, 0) })
}

func TestGaugesAreBoundedAndKept(t *testing.T) {
	f := &oneFigure{n: 1000, tag: "a"}
	c := keeperOf(f)
	close(c.first)
	if err := c.round(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := f.asked
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
	if v := got["gpuledger_imports_refused"]; len(v) != 1 || v[0] != (sample{"aws-cur", 1}) {
		t.Errorf("refused imports: %v", v)
	}
	if f.asked != asked || asked != len(gauges) {
		t.Errorf("%d questions after a round of %d, for %d gauges", f.asked, asked, len(gauges))
	}
	always := 0
	for _, g := range gauges {
		if g.always {
			always++
		}
	}
	if err := c.round(t.Context()); err != nil || f.asked != asked+always {
		t.Errorf("an unchanged ledger was asked %d questions: %v", f.asked-asked, err)
	}
	f.tag = "b"
	if err := c.round(t.Context()); err != nil || f.asked != 2*asked+always {
		t.Errorf("a changed ledger was asked %d questions: %v", f.asked-asked-always, err)
	}
}

// A figure that cannot be read keeps its values, and the next round tries it again.
func TestGaugesOutliveAFault(t *testing.T) {
	f := &oneFigure{n: 2, tag: "a"}
	c := keeperOf(f)
	close(c.first)
	if err := c.round(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.tag, f.broken = "b", true
	if err := c.round(t.Context()); err == nil {
		t.Error("the fault is hidden")
	}
	if got := gathered(t, c); len(got["gpuledger_cost_last_day"]) != 1 {
		t.Errorf("the last values are gone: %v", got["gpuledger_cost_last_day"])
	}
	f.broken = false
	asked := f.asked
	if err := c.round(t.Context()); err != nil || f.asked != asked+len(gauges) {
		t.Errorf("%d questions after the fault: %v", f.asked-asked, err)
	}
}

// Two rows with the same labels would make a registry refuse every metric of the scrape.
func TestGaugesRefuseEqualLabels(t *testing.T) {
	f := &oneFigure{n: 3, tag: "a", same: true}
	c := keeperOf(f)
	if err := c.round(t.Context()); err == nil || !strings.Contains(err.Error(), "two rows have the labels") {
		t.Errorf("the round says %v", err)
	}
}

func TestTheFirstScrapeWaitsForTheFirstReading(t *testing.T) {
	c := keeperOf(&oneFigure{n: 2, tag: "a"})
	stop := c.keep(t.Context())
	defer stop()
	if got := gathered(t, c); len(got["gpuledger_cost_last_day"]) != 1 || len(got["gpuledger_figures_read_seconds"]) != 1 {
		t.Errorf("the first scrape has %v", got)
	}
}

// The page on Prometheus describes every gauge of the ledger.
func TestGaugesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/operate/prometheus.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range gauges {
		row := regexp.MustCompile("(?m)^\\|[^|]*`gpuledger_" + g.name + "`[^|]*\\| " + strings.Join(g.keys, ", ") + " \\|")
		if !row.Match(text) {
			t.Errorf("no row for %s with the labels %s", g.name, strings.Join(g.keys, ", "))
		}
	}
}
