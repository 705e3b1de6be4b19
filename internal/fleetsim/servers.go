package fleetsim

import "gpuledger/internal/fleetsim/world"

// Servers other than vLLM: Triton with one or two models in a process, which counts inferences and no tokens, and Ray
// Serve in front of engines, which counts their requests once more.

// counted is a series of a server: its name and its value after a number of requests.
type counted struct {
	name, typ, help string
	labels          []string
	value           func(requests int64) string
}

// TritonParts are the percentages of a process' requests that its models get, for one model and for two.
var TritonParts = map[int][]int64{1: {100}, 2: {75, 25}}

// tritonSeries are the series of one model that gets a part of the requests. One in a hundred is refused, each of the
// others is a batch of four.
func tritonSeries(model string, part int64) []counted {
	of := func(percent, times int64) func(int64) string {
		return func(v int64) string { return perRequest(times)(v * part / 100 * percent / 100) }
	}
	labels := []string{"model", model, "version", "1"}
	return []counted{
		{
			"nv_inference_request_success", "unknown",
			"Number of successful inference requests, all batch sizes", labels, of(99, 1),
		},
		{
			"nv_inference_request_failure", "unknown", "Number of failed inference requests, all batch sizes",
			append([]string{"reason", "REJECTED"}, labels...), of(1, 1),
		},
		{
			"nv_inference_count", "unknown",
			"Number of inferences performed (does not include cached requests)", labels, of(99, 4),
		},
		{
			"nv_inference_exec_count", "unknown",
			"Number of model executions performed (does not include cached requests)", labels, of(99, 1),
		},
		{
			"nv_inference_request_duration_us", "unknown",
			"Cumulative inference request duration in microseconds (includes cached requests)", labels, of(99, 52_340),
		},
		{
			"nv_inference_queue_duration_us", "unknown",
			"Cumulative inference queuing duration in microseconds (includes cached requests)", labels, of(99, 1_730),
		},
	}
}

// routerSeries are the series of Ray Serve's proxy: every request of the engine, and three in a hundred more that it
// answered itself with an error.
var routerSeries = []counted{
	{
		"ray_serve_num_http_requests", "counter", "The number of HTTP requests processed.",
		[]string{"route", "/v1", "method", "POST", "application", "chat", "status_code", "200"}, share(100),
	},
	{
		"ray_serve_num_http_error_requests", "counter", "The number of errored HTTP responses.",
		[]string{"route", "/v1", "method", "POST", "application", "chat", "error_code", "503"}, share(3),
	},
}

// series of a pod's servers other than vLLM.
func otherSeries(p *world.Pod) []counted {
	var list []counted
	for i, m := range p.TritonModels {
		list = append(list, tritonSeries(m, TritonParts[len(p.TritonModels)][i])...)
	}
	if p.Routed {
		list = append(list, routerSeries...)
	}
	return list
}

// Serves reports whether the pod is a server that counts.
func Serves(p *world.Pod) bool { return p.Model != "" || len(p.TritonModels) > 0 }

// serversDay writes the counters of servers other than vLLM.
func serversDay(w *world.World, f *textFile, day int64) {
	to := min(day+86400, w.To)
	var servers []Server
	for _, p := range w.Pods {
		if len(otherSeries(p)) > 0 && p.Started < to && p.End > day {
			servers = append(servers, Served(w, p, to))
		}
	}
	writeOthers(w, f, servers, day)
}

// writeOthers writes the counters of servers other than vLLM from an instant on, metric by metric.
func writeOthers(w *world.World, f *textFile, servers []Server, from int64) {
	var names []string
	for _, c := range append(tritonSeries("", 100), routerSeries...) {
		names = append(names, c.name)
	}
	for _, name := range names {
		told := false
		for _, s := range servers {
			for _, c := range otherSeries(s.p) {
				if c.name != name {
					continue
				}
				if !told {
					f.family(c.name, c.typ, c.help)
					told = true
				}
				writeSeries(w, f, s, c, from)
			}
		}
	}
}

func writeSeries(w *world.World, f *textFile, s Server, c counted, from int64) {
	name, labels := c.name, c.labels
	if c.typ == "counter" {
		name += "_total"
	}
	if !f.live { // labels that Prometheus adds
		labels = append([]string{"namespace", s.p.NS, "pod", s.p.Name}, labels...)
	}
	key := f.seriesKey(name, labels...)
	for i, v := range s.Req {
		if t := s.Life + int64(i)*60; t >= from {
			f.point(key, c.value(v), t, milliText(world.VLLMMilli))
		}
	}
}
