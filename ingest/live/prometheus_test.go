package live_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gpuledger/ingest/live"
	"gpuledger/internal/ledger"
	"gpuledger/test/tier"
)

// exporter is dcgm-exporter's output for two GPUs, one of them held.
func exporter(util int) string {
	var b strings.Builder
	for _, m := range []struct{ name, kind, value string }{
		{"DCGM_FI_DEV_GPU_UTIL", "gauge", fmt.Sprint(util)}, {"DCGM_FI_DEV_POWER_USAGE", "gauge", "412.345000"},
		{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter", "123456789012"},
		{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge", "0.912345"},
	} {
		fmt.Fprintf(&b, "# HELP %s x\n# TYPE %s %s\n", m.name, m.name, m.kind)
		for i, held := range []string{`,container="c",namespace="research",pod="train-0"`, ""} {
			fmt.Fprintf(&b, "%s{gpu=\"%d\",UUID=\"GPU-%d\",device=\"nvidia%d\",modelName=\"NVIDIA H100 80GB "+
				"HBM3\",Hostname=\"n1\"%s} %s\n", m.name, i, i, i, held, m.value)
		}
	}
	return b.String()
}

// listen serves until the test ends.
func listen(t *testing.T, h http.Handler) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	return l.Addr().String()
}

// TestPrometheusWritesHere lets a real Prometheus scrape an exporter and write to the receiver,
// which is down for a while in between.
func TestPrometheusWritesHere(t *testing.T) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		tier.Absent(t, "prometheus is not installed: .ci/ensure-prometheus")
	}
	g := newRig(t, live.Options{})
	if err := g.stop(); err != nil {
		t.Fatal(err)
	}
	g.now, g.ticks = time.Now(), true
	f := &flaky{Store: g.store}
	g.run(live.Options{Store: f, FlushEvery: 200 * time.Millisecond})
	scraped := listen(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, exporter(97)) }))
	codes := make(chan int, 10_000)
	written := listen(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		c := &codeWriter{ResponseWriter: w}
		g.r.Handler().ServeHTTP(c, q)
		codes <- c.code
	}))
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf(`global: {scrape_interval: 1s, external_labels: {cluster: real, replica: a}}
scrape_configs:
  - job_name: dcgm-exporter
    honor_labels: false
    static_configs: [{targets: ['%s'], labels: {namespace: gpu-operator, pod: exporter-1}}]
remote_write:
  - url: http://%s/api/v1/write
    queue_config: {batch_send_deadline: 200ms, min_backoff: 30ms, max_backoff: 200ms}
`, scraped, written)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--config.file", config, "--storage.tsdb.path", filepath.Join(dir, "data"),
		"--web.listen-address", "127.0.0.1:0", "--log.level", "warn")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	seen := map[int]int{}
	await := func(code, n int) {
		t.Helper()
		for end := time.After(60 * time.Second); seen[code] < n; {
			select {
			case c := <-codes:
				seen[c]++
			case <-end:
				t.Fatalf("answers so far: %v", seen)
			}
		}
	}
	await(http.StatusNoContent, 3)
	f.inbox.Store(true)
	await(http.StatusServiceUnavailable, 3)
	f.inbox.Store(false)
	await(http.StatusNoContent, seen[http.StatusNoContent]+5)
	g.flush()
	have := g.vectors()
	if len(have) != 2 {
		t.Fatal(have)
	}
	for device, signals := range have {
		if !strings.HasPrefix(device, "real/n1/GPU-") {
			t.Error(device)
		}
		for signal, want := range map[ledger.Signal]int64{
			ledger.SignalGPUUtil: 970_000, ledger.SignalPower: 412_300,
			ledger.SignalEnergy: 123_456_789_012, ledger.SignalGrEngine: 912_345,
		} {
			if len(signals[signal]) == 0 {
				t.Errorf("%s has no %s", device, signal)
			}
			for minute, v := range signals[signal] {
				if v != want {
					t.Errorf("%s %s in minute %d: %d, want %d", device, signal, minute, v, want)
				}
			}
		}
	}
	if n := g.one("select count(*) from hold_evidence where namespace = 'research' and pod = 'train-0' and device = " +
		"'GPU-0'"); n == 0 {
		t.Error("the holder is not known")
	}
	t.Log("answers:", seen)
}

type codeWriter struct {
	http.ResponseWriter
	code int
}

func (c *codeWriter) WriteHeader(code int) { c.code = code; c.ResponseWriter.WriteHeader(code) }
