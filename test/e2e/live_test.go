package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTelemetryArrives serves with a configuration, sends every kind of telemetry, offers targets to scrape, and ends
// by a signal: everything is stored.
func TestTelemetryArrives(t *testing.T) {
	exporter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-scraped",Hostname="n1",modelName="NVIDIA H100 80GB HBM3"} 300`+"\n")
	}))
	defer exporter.Close()
	t.Setenv("TEST_PUSH_TOKEN", "s3cret")
	config := filepath.Join(t.TempDir(), "gpuledger.yaml")
	if err := os.WriteFile(config, []byte(fmt.Sprintf(`
sources: []
remote_write: {cluster: c1, bearer_token_env: TEST_PUSH_TOKEN}
scrape:
  - name: gpus
    interval: 5s
    targets: [%q]
    labels: {node: n1}
`, exporter.URL)), 0o600); err != nil {
		t.Fatal(err)
	}
	db := freshDatabase(t)
	address, stop := serveLedger(t, db, "--config", config)
	send := func(token, path, contentType, body string) (int, string) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Content-Type", contentType)
		if token != "" {
			q.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(text)
	}
	otlp := fmt.Sprintf(`{"resourceMetrics":[{"resource":{"attributes":[{"key":"k8s.node.name","value":{"stringValue":"n2"}}]},"scopeMetrics":[{"metrics":[
	  {"name":"DCGM_FI_DEV_POWER_USAGE","gauge":{"dataPoints":[{"timeUnixNano":"%d","asInt":"250","attributes":[{"key":"UUID","value":{"stringValue":"GPU-pushed"}}]}]}}]}]}]}`, time.Now().UnixNano())
	checkpoint := `{"cluster":"c1","namespace":"ml","pod":"train-0","at":"2026-11-20T12:00:00Z","step":100}`
	for _, c := range []struct {
		token, path, body string
		want              int
	}{
		{"", "/v1/metrics", otlp, 401}, {"wrong", "/api/v1/checkpoints", checkpoint, 401}, {"", "/api/v1/write", "", 401},
		{"s3cret", "/v1/metrics", otlp, 200}, {"s3cret", "/api/v1/checkpoints", checkpoint, 200},
		{"s3cret", "/api/v1/checkpoints", "{", 400}, {"s3cret", "/api/v1/write", "x", 415},
	} {
		if code, text := send(c.token, c.path, "application/json", c.body); code != c.want {
			t.Errorf("%s: %d %s", c.path, code, text)
		}
	}
	// at its own moment of five seconds
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get(address + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err == nil && strings.Contains(string(text), `gpuledger_scrape_samples_total{outcome="stored",scrape="gpus"}`) &&
			strings.Contains(string(text), `gpuledger_scrape_targets_up{scrape="gpus"} 1`) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("nothing was scraped: %v %s", err, clip(string(text)))
		}
	}
	if code := stop(); code != exitOK {
		t.Fatalf("serve ended with status %d", code)
	}
	conn := connect(t, db)
	for sql, want := range map[string]int64{
		"select count(*) from sample_hours where cluster = 'c1' and node = 'n1' and device = 'GPU-scraped'": 1,
		"select count(*) from sample_hours where cluster = 'c1' and node = 'n2' and device = 'GPU-pushed'":  1,
		"select count(*) from checkpoint_facts where cluster = 'c1' and pod = 'train-0' and step = 100":     1,
		"select count(*) from inbox": 0,
	} {
		if n := scan[int64](t, conn, sql); n != want && !(want == 1 && n == 2) { // two hours, at the end of one
			t.Errorf("%s: %d", sql, n)
		}
	}
}
