package exporters

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

func serve(t *testing.T, cfg world.Config, now time.Time) *httptest.Server {
	t.Helper()
	fleet, err := fleetsim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(New(fleet.Exporters(),
		Options{Address: "127.0.0.1:9401", WriteURL: "http://127.0.0.1:8080/api/v1/write",
			Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, url string) (int, []byte) {
	t.Helper()
	r, err := http.Get(url) //nolint:noctx // a test server of this process
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, body
}

// TestEveryTargetAnswers follows the discovery as Prometheus does and reads
// what it finds with Prometheus' own parser.
func TestEveryTargetAnswers(t *testing.T) {
	cfg := world.Preset(world.Small).Everywhere()
	s := serve(t, cfg, cfg.Start.Add(30*time.Hour+17*time.Second))
	seen, silent := map[string]int{}, 0
	for _, kind := range []string{"dcgm", "ksm", "pods", "hosts"} {
		status, body := get(t, s.URL+"/sd/"+kind)
		var groups []group
		if err := json.Unmarshal(body, &groups); err != nil || status != http.StatusOK || len(groups) < 4 {
			t.Fatalf("%s: %d, %v, %d groups", kind, status, err, len(groups))
		}
		once := map[string]bool{}
		for _, g := range groups {
			id := fmt.Sprint(g.Labels["cluster"], g.Labels["job"], g.Labels["instance"])
			if once[id] {
				t.Errorf("two targets are %s", id)
			}
			once[id] = true
			status, body := get(t, s.URL+g.Labels["__metrics_path__"]+"?cluster="+g.Labels["__param_cluster"])
			if status == http.StatusServiceUnavailable {
				silent++
				continue
			}
			if status != http.StatusOK {
				t.Errorf("%v answers %d: %s", g.Labels, status, body)
				continue
			}
			parser := expfmt.NewTextParser(model.LegacyValidation)
			families, err := parser.TextToMetricFamilies(strings.NewReader(string(body)))
			if err != nil {
				t.Errorf("%v: %v", g.Labels, err)
			}
			for name, f := range families {
				seen[name] += len(f.Metric)
			}
		}
	}
	for _, name := range []string{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", "kube_pod_info",
		"kube_node_labels",
		"vllm:prompt_tokens_total", "training_last_checkpoint_timestamp_seconds",
		"kube_node_spec_taint", "DCGM_FI_PROF_NVLINK_TX_BYTES", "DCGM_FI_DEV_XID_ERRORS"} {
		if seen[name] == 0 {
			t.Errorf("nobody serves %s", name)
		}
	}
	if status, body := get(t, s.URL+"/slurm/hpc-lyon/sacct.txt"); status != http.StatusOK ||
		strings.Count(string(body), "|RUNNING|") < 4 {
		t.Errorf("accounting answers %d: %s", status, body)
	}
	if silent > 8 {
		t.Errorf("%d exporters are silent", silent)
	}
}

func TestConfiguration(t *testing.T) {
	cfg := world.Preset(world.Small)
	s := serve(t, cfg, cfg.Start.Add(30*time.Hour))
	_, body := get(t, s.URL+"/prometheus.yml")
	var c struct {
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
			SD      []struct {
				URL string `yaml:"url"`
			} `yaml:"http_sd_configs"`
		} `yaml:"scrape_configs"`
		RemoteWrite []struct {
			URL string `yaml:"url"`
		} `yaml:"remote_write"`
	}
	if err := yaml.Unmarshal(body, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.ScrapeConfigs) != 4 || c.ScrapeConfigs[0].SD[0].URL != "http://127.0.0.1:9401/sd/dcgm" ||
		c.RemoteWrite[0].URL != "http://127.0.0.1:8080/api/v1/write" {
		t.Errorf("%s", body)
	}
}

func TestUnknownPathsAreNotFound(t *testing.T) {
	cfg := world.Preset(world.Small)
	s := serve(t, cfg, cfg.Start.Add(30*time.Hour))
	for _, path := range []string{
		"/nodes/nobody/metrics", "/pods/none/nobody/metrics",
		"/kube-state-metrics/nowhere/metrics", "/slurm/nowhere/sacct.txt", "/metrics",
	} {
		if status, _ := get(t, s.URL+path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
	later := serve(t, cfg, cfg.Start.AddDate(0, 0, 9))
	if _, body := get(t, later.URL+"/sd/dcgm"); string(body) != "[]" {
		t.Errorf("after the end of the story there are %s", body)
	}
}
