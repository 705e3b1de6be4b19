package fleetsim

import (
	"fmt"
	"strconv"

	"gpuledger/internal/fleetsim/world"
)

// vllmMetric is one metric of vLLM: its name in the version used in the first half of the data (empty: that version
// lacks it) and in the later one, and its value after a number of requests.
type vllmMetric struct {
	old, name, typ, help string
	labels               []string
	value                func(requests int64) string
}

func perRequest(n int64) func(int64) string {
	return func(v int64) string { return strconv.FormatInt(v*n, 10) }
}

// share is a part of all requests in percent: it never falls while they rise.
func share(percent int64) func(int64) string {
	return func(v int64) string { return strconv.FormatInt(v*percent/100, 10) }
}

var vllmMetrics = vllmTable()

func vllmTable() []vllmMetric {
	same := func(name, typ, help string, value func(int64) string, labels ...string) vllmMetric {
		return vllmMetric{name, name, typ, help, labels, value}
	}
	list := []vllmMetric{
		same("vllm:prompt_tokens", "counter", "Number of prefill tokens processed.", perRequest(812)),
		same("vllm:generation_tokens", "counter", "Number of generation tokens processed.", perRequest(236)),
		same("vllm:prompt_tokens_cached", "counter", "Number of prompt tokens served from cache.", perRequest(190)),
		{
			"vllm:gpu_prefix_cache_queries", "vllm:prefix_cache_queries",
			"counter", "Prefix cache queries, in tokens.", nil, perRequest(812),
		},
		{
			"vllm:gpu_prefix_cache_hits", "vllm:prefix_cache_hits",
			"counter", "Prefix cache hits, in tokens.", nil, perRequest(190),
		},
	}
	for _, reason := range []struct {
		name    string
		percent int64
	}{{"stop", 88}, {"length", 10}, {"abort", 2}} {
		list = append(list, same("vllm:request_success", "counter", "Count of finished requests.", share(reason.percent),
			"finished_reason", reason.name))
	}
	list = append(list, histogram("vllm:e2e_request_latency_seconds", "vllm:e2e_request_latency_seconds", 2170, "1.0", 34,
		"5.0", 81, "10.0", 97)...)
	list = append(list, histogram("vllm:time_to_first_token_seconds", "vllm:time_to_first_token_seconds", 187, "0.1", 22,
		"0.5", 93, "2.5", 99)...)
	for _, later := range [][]vllmMetric{
		histogram("", "vllm:request_queue_time_seconds", 74, "0.05", 61, "0.5", 95, "2.0", 99),
		histogram("", "vllm:request_prefill_time_seconds", 113),
		histogram("", "vllm:request_decode_time_seconds", 1983),
	} {
		for _, m := range later {
			m.old = ""
			list = append(list, m)
		}
	}
	return append(list, histogram("vllm:time_per_output_token_seconds", "vllm:inter_token_latency_seconds", 31, "0.02", 12,
		"0.05", 90, "0.1", 99)...)
}

// histogram has its mean in thousandths, and upper bounds with the percent of
// requests at or below them.
func histogram(old, name string, mean int64, bounds ...any) []vllmMetric {
	row := func(suffix string, value func(int64) string, labels ...string) vllmMetric {
		return vllmMetric{old + suffix, name + suffix, "histogram", "Histogram of seconds.", labels, value}
	}
	var list []vllmMetric
	for i := 0; i+1 < len(bounds); i += 2 {
		list = append(list, row("_bucket", share(int64(bounds[i+1].(int))), "le", bounds[i].(string)))
	}
	return append(list, row("_bucket", share(100), "le", "+Inf"), row("_count", share(100)),
		row("_sum", func(v int64) string { return fmt.Sprintf("%d.%03d", v*mean/1000, v*mean%1000) }))
}

// family of a sample's name.
func (m *vllmMetric) family(name string) string {
	if m.typ != "histogram" {
		return name
	}
	for i := len(name) - 1; ; i-- {
		if name[i] == '_' {
			return name[:i]
		}
	}
}

// vllm writes the servers' counters from an instant on. Servers started in the first half of the data have the older
// version.
func vllm(w *world.World, f *textFile, servers []Server, from int64) {
	newer := w.From + (w.End-w.From)/2
	for _, version := range []bool{false, true} {
		told := ""
		for i := range vllmMetrics {
			m := &vllmMetrics[i]
			name, both := m.old, m.old == m.name
			if version {
				name = m.name
			}
			if both && !version || name == "" {
				continue // written with the newer version's, or not known before
			}
			if fam := m.family(name); fam != told {
				f.family(fam, m.typ, m.help)
				told = fam
			}
			for _, s := range servers {
				if both || version == (s.p.Started >= newer) {
					serverSeries(w, f, s, m, name, from, s.p.Started >= newer)
				}
			}
		}
	}
}

// serverSeries writes one series of a server.
func serverSeries(w *world.World, f *textFile, s Server, m *vllmMetric, name string, from int64, newer bool) {
	if m.typ == "counter" {
		name += "_total"
	}
	labels := []string{"model_name", s.p.Model}
	if newer {
		labels = append([]string{"engine", "0"}, labels...)
	}
	if !f.live { // labels that Prometheus adds
		labels = append(labels, "namespace", s.p.NS, "pod", s.p.Name)
	}
	key := f.seriesKey(name, append(labels, m.labels...)...)
	for i, v := range s.Req {
		if t := s.Life + int64(i)*60; t >= from {
			f.point(key, m.value(v), t, milliText(world.VLLMMilli))
		}
	}
}
