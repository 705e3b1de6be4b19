package series

import (
	"maps"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
)

// inferenceMetric maps a server's metric to a canonical counter. Values are
// kept in thousandths.
type inferenceMetric struct {
	name, server, counter string
	// by is a label that splits the counter: its value is appended as
	// "counter/value".
	by string
}

// inferenceMetrics is the table of servers. Sums over "requests/…" are the
// requests; abort and error among them failed.
var inferenceMetrics = []inferenceMetric{
	{"vllm:request_success_total", "vllm", "requests", "finished_reason"},
	{"vllm:prompt_tokens_total", "vllm", "prompt_tokens", ""},
	{"vllm:prompt_tokens_cached_total", "vllm", "cached_prompt_tokens", ""},
	{"vllm:prompt_tokens_by_source_total", "vllm", "prompt_tokens_by_source", "source"},
	{"vllm:generation_tokens_total", "vllm", "generation_tokens", ""},
	{"vllm:prefix_cache_queries_total", "vllm", "prefix_cache_queries", ""},
	{"vllm:prefix_cache_hits_total", "vllm", "prefix_cache_hits", ""},
	{"vllm:gpu_prefix_cache_queries_total", "vllm", "prefix_cache_queries", ""},
	{"vllm:gpu_prefix_cache_hits_total", "vllm", "prefix_cache_hits", ""},
	{"vllm:num_preemptions_total", "vllm", "preemptions", ""},
	{"vllm:num_requests_running", "vllm", "requests_running", ""},
	{"vllm:num_requests_waiting", "vllm", "requests_waiting", ""},
	{"vllm:e2e_request_latency_seconds_sum", "vllm", "latency_seconds_sum", ""},
	{"vllm:e2e_request_latency_seconds_count", "vllm", "latency_seconds_count", ""},
	{"vllm:time_to_first_token_seconds_sum", "vllm", "ttft_seconds_sum", ""},
	{"vllm:time_to_first_token_seconds_count", "vllm", "ttft_seconds_count", ""},

	// Text Generation Inference names no model; its token sums are histograms.
	{"tgi_request_success", "tgi", "requests/success", ""},
	{"tgi_request_failure", "tgi", "requests/error", ""},
	{"tgi_request_input_length_sum", "tgi", "prompt_tokens", ""},
	{"tgi_request_generated_tokens_sum", "tgi", "generation_tokens", ""},
}

// checkpointMetrics are gauges that hold the time of the last checkpoint.
var checkpointMetrics = []string{"training_last_checkpoint_timestamp_seconds", "gpuledger_last_checkpoint_timestamp_seconds"}

// spellings of a name with a colon prefix: direct, through Ray Serve, and
// through pipelines that replace colons.
func spellingsOf(name string) []string {
	prefix, rest, ok := strings.Cut(name, ":")
	if !ok {
		return []string{name}
	}
	return []string{name, prefix + "_" + rest, "ray_" + prefix + "_" + rest}
}

func addInference(m map[string]binder) {
	for _, i := range inferenceMetrics {
		for _, name := range spellingsOf(i.name) {
			m[name] = bindInference(i)
		}
	}
}

type inferenceKey struct{ cluster, namespace, pod, server, model, engine string }

type inferenceSeries struct {
	hours map[int64]map[string]*ledger.Minutes
}

type inferenceSink struct {
	key     inferenceKey
	counter string

	epoch uint32
	hour  int64
	vec   *ledger.Minutes
}

// podOf names the pod that a series is about.
func podOf(ls Labels) (namespace, pod string) {
	return ls.own("namespace"), ls.own("pod")
}

func bindInference(m inferenceMetric) binder {
	return func(c *Collector, _ string, ls Labels) sink {
		ns, pod := podOf(ls)
		if ns == "" || pod == "" {
			return refuse{faultNoPod}
		}
		s := &inferenceSink{counter: m.counter, key: inferenceKey{
			cluster: c.cluster(ls), namespace: ns, pod: pod, server: m.server,
			model: ls.fold("model_name", "model"), engine: ls.Get("engine"),
		}}
		if m.by != "" {
			s.counter += "/" + ls.Get(m.by)
		}
		if len(s.counter) > minutes.MaxName {
			return refuse{faultCounter}
		}
		return s
	}
}

func (s *inferenceSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	switch {
	case d.kind == nan:
		return Absent
	case d.kind == infinite:
		return faultInfinite
	case d.neg && d.mant != 0:
		return faultNegative
	}
	v, ok := d.scaled(milli)
	if !ok {
		return faultRange
	}
	hour := ms / hourMS
	if s.epoch != c.epoch || s.hour != hour {
		s.epoch, s.hour = c.epoch, hour
		is := c.inference[s.key]
		if is == nil {
			is = &inferenceSeries{hours: map[int64]map[string]*ledger.Minutes{}}
			c.inference[s.key] = is
		}
		counters := is.hours[hour]
		if counters == nil {
			counters = map[string]*ledger.Minutes{}
			is.hours[hour] = counters
		}
		vec := counters[s.counter]
		if vec == nil && len(counters) >= minutes.MaxVectors {
			s.epoch = 0 // not resolved
			return faultCounter
		}
		counters[s.counter] = c.vector(&vec)
		s.vec = vec
	}
	in := int(ms - hour*hourMS)
	setMinute(s.vec, in, v)
	return nil
}

// facts returns the hours of a series in ascending order.
func (is *inferenceSeries) facts(k inferenceKey) []ledger.CounterHour {
	var out []ledger.CounterHour
	for _, hour := range slices.Sorted(maps.Keys(is.hours)) {
		h := ledger.CounterHour{
			Cluster: k.cluster, Namespace: k.namespace, Pod: k.pod, Server: k.server, Model: k.model, Engine: k.engine,
			Hour: period.Second(hour * 3600), Counters: map[string]ledger.Minutes{},
		}
		for name, v := range is.hours[hour] {
			h.Counters[name] = *v
		}
		out = append(out, h)
	}
	return out
}

// checkpointSink stores the distinct values of one checkpoint gauge.
type checkpointSink struct {
	at    ledger.Checkpoint
	epoch uint32
}

func bindCheckpoint(c *Collector, _ string, ls Labels) sink {
	ns, pod := podOf(ls)
	if ns == "" || pod == "" {
		return refuse{faultNoPod}
	}
	return &checkpointSink{at: ledger.Checkpoint{Cluster: c.cluster(ls), Namespace: ns, Pod: pod, Step: -1}}
}

func (s *checkpointSink) sample(c *Collector, _ int64, d Decimal) *Fault {
	t, f := c.instant(d)
	if f != nil {
		return f
	}
	if s.epoch != c.epoch || s.at.At != t {
		s.epoch, s.at.At = c.epoch, t
		if _, ok := c.checkpoints[s.at]; !ok {
			c.checkpoints[s.at] = struct{}{}
			c.pending++
		}
	}
	return nil
}
