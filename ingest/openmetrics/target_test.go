package openmetrics

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

func TestTargetLabels(t *testing.T) {
	target := series.Labels{
		{Name: "pod", Value: "dcgm-exporter-x"}, {Name: "namespace", Value: "gpu"}, {Name: "node", Value: "n1"},
	}
	own := func() series.Labels {
		return series.Labels{{Name: "pod", Value: "train-0"}, {Name: "namespace", Value: ""}, {Name: "UUID", Value: "GPU-1"}}
	}
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{Target: target}, "[{pod dcgm-exporter-x} {namespace gpu} {UUID GPU-1} {exported_pod train-0} {node n1}]"},
		{Options{Target: target, HonorLabels: true}, "[{pod train-0} {namespace gpu} {UUID GPU-1} {node n1}]"},
		{Options{DefaultCluster: "c"}, "[{pod train-0} {namespace } {UUID GPU-1} {cluster c}]"},
		{
			Options{Target: series.Labels{{Name: "pod", Value: "x"}, {Name: "exported_pod", Value: "y"}}},
			"[{pod x} {namespace } {UUID GPU-1} {exported_exported_pod train-0} {exported_pod y}]",
		},
	} {
		if got := fmt.Sprint(c.opt.attach(own())); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

func TestScrapedTextMeansTheSameAsThroughPrometheus(t *testing.T) {
	const row = `DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",Hostname="n1"%s} 300`
	read := func(line string, opt Options) string {
		var out []string
		opt.DefaultMillis = 1_790_000_000_123
		if _, err := Parse(context.Background(), strings.NewReader(line+"\n"), "x", opt, func(t *ledger.Telemetry) error {
			out = append(out, fmt.Sprintf("%+v", *t))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(out, "\n")
	}
	scraped := read(fmt.Sprintf(row, `,pod="train-0",namespace="ml"`), Options{
		Target: series.Labels{{Name: "pod", Value: "dcgm-exporter-x"}, {Name: "namespace", Value: "gpu"}},
	})
	through := read(fmt.Sprintf(row,
		`,exported_pod="train-0",exported_namespace="ml",pod="dcgm-exporter-x",namespace="gpu"`), Options{})
	if scraped != through || !strings.Contains(scraped, "train-0") {
		t.Errorf("%s\n%s", scraped, through)
	}
}
