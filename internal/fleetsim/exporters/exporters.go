package exporters

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"gpuledger/internal/fleetsim"
)

// Options are addresses and the clock.
type Options struct {
	// Address is where the exporters listen, as Prometheus reaches them:
	// host:port.
	Address string
	// WriteURL receives remote_write; empty: the configuration has none.
	WriteURL string
	// Now is the clock.
	Now func() time.Time
	Log *slog.Logger
}

// ScrapeInterval is the interval in the configuration: four scrapes a minute show a change within seconds; the newest
// of a minute counts.
const ScrapeInterval = 15 * time.Second

// New returns the handler of all exporters of a fleet.
func New(fleet *fleetsim.Exporters, o Options) http.Handler {
	s := &server{fleet: fleet, o: o}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /nodes/{node}/metrics", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.Node(r.PathValue("node"), s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /kube-state-metrics/metrics", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.KubeState("", s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /kube-state-metrics/{cluster}/metrics", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.KubeState(r.PathValue("cluster"), s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /pods/{namespace}/{pod}/metrics", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.Pod(r.URL.Query().Get("cluster"), r.PathValue("namespace"), r.PathValue("pod"), s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /hosts/{node}/metrics", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.Host(r.PathValue("node"), s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /slurm/{cluster}/sacct.txt", func(w http.ResponseWriter, r *http.Request) {
		body, err := fleet.Accounting(r.PathValue("cluster"), s.now())
		s.metrics(w, r, body, err)
	})
	mux.HandleFunc("GET /sd/dcgm", func(w http.ResponseWriter, r *http.Request) {
		s.discovery(w, r, fleet.NodeTargets(s.now()), func(t fleetsim.Target) string {
			return "/nodes/" + url.PathEscape(t.Node) + "/metrics"
		})
	})
	mux.HandleFunc("GET /sd/hosts", func(w http.ResponseWriter, r *http.Request) {
		s.discovery(w, r, fleet.HostTargets(s.now()), func(t fleetsim.Target) string {
			return "/hosts/" + url.PathEscape(t.Node) + "/metrics"
		})
	})
	mux.HandleFunc("GET /sd/ksm", func(w http.ResponseWriter, r *http.Request) {
		s.discovery(w, r, fleet.ClusterTargets(), func(t fleetsim.Target) string {
			return "/kube-state-metrics/" + url.PathEscape(t.Cluster) + "/metrics"
		})
	})
	mux.HandleFunc("GET /sd/pods", func(w http.ResponseWriter, r *http.Request) {
		s.discovery(w, r, fleet.PodTargets(s.now()), func(t fleetsim.Target) string {
			return "/pods/" + url.PathEscape(t.Namespace) + "/" + url.PathEscape(t.Pod) + "/metrics"
		})
	})
	mux.HandleFunc("GET /prometheus.yml", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		s.write(w, r, []byte(Configuration(o.Address, o.WriteURL)))
	})
	return mux
}

type server struct {
	fleet *fleetsim.Exporters
	o     Options
}

func (s *server) now() int64 { return s.o.Now().Unix() }

func (s *server) metrics(w http.ResponseWriter, r *http.Request, body []byte, err error) {
	switch {
	case errors.Is(err, fleetsim.ErrNoTarget):
		http.Error(w, err.Error(), http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		s.write(w, r, body)
	}
}

// write answers; a client that does not wait for the answer is only logged.
func (s *server) write(w http.ResponseWriter, r *http.Request, body []byte) {
	if _, err := w.Write(body); err != nil { //nolint:gosec // metrics as plain text, never a page
		s.o.Log.Debug("an exporter's answer was not read", "path", r.URL.Path, "error", err)
	}
}

// group is one entry of http_sd: targets with their labels.
type group struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

// discovery answers in the form of Prometheus' http_sd: with the labels that a cluster's own discovery gives after the
// usual relabelling.
func (s *server) discovery(
	w http.ResponseWriter, r *http.Request, targets []fleetsim.Target, path func(fleetsim.Target) string,
) {
	groups := make([]group, 0, len(targets))
	for _, t := range targets {
		instance := t.Pod
		if t.Node != "" {
			instance = t.Node + ":9400"
			if t.Pod == "" && t.Job == "hosts" {
				instance = t.Node + ":9100"
			}
		}
		labels := map[string]string{
			"__metrics_path__": path(t), "__param_cluster": t.Cluster, // pods of one name are in several clusters
			"cluster": t.Cluster, "job": t.Job, "instance": instance,
		}
		if t.Job == "hosts" {
			labels["node"] = t.Node
		}
		if t.Pod != "" { // exporters of machines without Kubernetes have no pod
			labels["namespace"], labels["pod"], labels["container"] = t.Namespace, t.Pod, t.Container
		}
		groups = append(groups, group{[]string{s.o.Address}, labels})
	}
	body, err := json.Marshal(groups)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	s.write(w, r, body)
}

// Configuration is a Prometheus configuration that scrapes the exporters at an address and forwards to writeURL. The
// label cluster of the targets distinguishes clusters, which a single external label could not do.
func Configuration(address, writeURL string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# A Prometheus for the live demo of gpuledger.\nglobal:\n  scrape_interval: %s\n  "+
		"scrape_timeout: 10s\n"+
		"  external_labels: {prometheus: demo/fleet, prometheus_replica: prometheus-0}\nscrape_configs:\n", ScrapeInterval)
	for _, job := range []struct{ name, sd, more string }{
		{"dcgm-exporter", "dcgm", ""},
		{"kube-state-metrics", "ksm", "    honor_labels: true\n"},
		{"pods", "pods", ""},
		{"hosts", "hosts", "    honor_labels: true\n"},
	} {
		fmt.Fprintf(&text, "  - job_name: %s\n%s    http_sd_configs:\n      - url: http://%s/sd/%s\n        "+
			"refresh_interval: 15s\n", job.name, job.more, address, job.sd)
	}
	if writeURL != "" {
		fmt.Fprintf(&text, "remote_write:\n  - url: %s\n", writeURL)
	}
	return text.String()
}
