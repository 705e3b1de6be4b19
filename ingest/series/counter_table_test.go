package series

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// publicSample reads a public sample, or skips when the samples are not there.
func publicSample(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("go.mod not found above the test")
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", "reference", "samples", "telemetry", path))
	if os.IsNotExist(err) {
		t.Skipf("the public samples are not beside this checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestEmbeddedTable(t *testing.T) {
	if errEmbedded != nil {
		t.Fatal(errEmbedded)
	}
	type key struct{ name, when string }
	seen := map[key]string{}
	for _, l := range embedded.lines {
		if l.kind != kindSkip && strings.Contains(l.canonical, "_bucket") {
			t.Errorf("%s: the canonical name %s is kept for buckets", l.metric, l.canonical)
		}
	}
	for name, rows := range embedded.rows {
		for _, r := range rows {
			if r.part == partNone {
				continue
			}
			when := ""
			for _, w := range r.when {
				when += w.label + w.text + "|"
			}
			if other := seen[key{name, when}]; other != "" && other != r.counter {
				t.Errorf("%s is both %s and %s", name, other, r.counter)
			}
			seen[key{name, when}] = r.counter
		}
	}
}

// TestFamiliesOfVLLM: every family of a vLLM server is mapped, or left out for
// a reason that the table states.
func TestFamiliesOfVLLM(t *testing.T) {
	families := 0
	for line := range strings.Lines(publicSample(t, "inference/vllm-v0.26.0-families.txt")) {
		name, kind, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		families++
		if kind == "histogram" {
			name += "_count"
		}
		if !Known(name) && embedded.leftOut(name) == "" {
			t.Errorf("%s is neither mapped nor left out", name)
		}
		if Known(name) && embedded.leftOut(name) != "" {
			t.Errorf("%s is mapped and left out", name)
		}
	}
	if families != 36 {
		t.Errorf("%d families", families)
	}
	for _, name := range []string{"vllm:iteration_tokens_total_sum", "vllm:iteration_tokens_total_bucket"} {
		if Known(name) {
			t.Errorf("%s is no token counter", name)
		}
	}
}

// TestMetricsOfSGLangQueries: the metrics that dashboards query of SGLang are known.
func TestMetricsOfSGLangQueries(t *testing.T) {
	found := map[string]bool{}
	for _, name := range regexp.MustCompile(`sglang:[a-z0-9_]+`).FindAllString(publicSample(t,
		"inference/sglang-queries.txt"), -1) {
		found[name] = true
		if !Known(name) {
			t.Errorf("%s is not mapped", name)
		}
	}
	if len(found) != 16 {
		t.Errorf("%d metrics", len(found))
	}
}

// reader feeds series to a collector.
type reader struct {
	t *testing.T
	c *Collector
}

func newReader(t *testing.T, opt Options) *reader { return &reader{t, NewCollector(opt)} }

// labels reads a="b",c="d" pairs.
func labelsOf(text string) (ls Labels) {
	for _, m := range regexp.MustCompile(`([\w.]+)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		ls = append(ls, Label{m[1], m[2]})
	}
	return ls
}

// add feeds one sample; at is in seconds. It returns the reason of a refusal.
func (r *reader) add(name, labels, value string, at int64) string {
	r.t.Helper()
	s := r.c.Bind(name, labelsOf(labels))
	if s == nil {
		return "unknown"
	}
	d, n := ParseDecimal([]byte(value))
	if n != len(value) {
		r.t.Fatalf("value %q", value)
	}
	if f := r.c.Add(s, at*1000, d); f != nil {
		return f.Reason
	}
	return ""
}

func (r *reader) must(name, labels, value string, at int64) {
	r.t.Helper()
	if why := r.add(name, labels, value, at); why != "" {
		r.t.Fatalf("%s{%s}: %s", name, labels, why)
	}
}

func (r *reader) flush() *ledger.Telemetry {
	r.t.Helper()
	var all ledger.Telemetry
	if err := r.c.Flush(func(x *ledger.Telemetry) error {
		all.Samples = append(all.Samples, x.Samples...)
		all.Evidence = append(all.Evidence, x.Evidence...)
		all.Placements = append(all.Placements, x.Placements...)
		all.Nodes = append(all.Nodes, x.Nodes...)
		all.Workloads = append(all.Workloads, x.Workloads...)
		all.Objects = append(all.Objects, x.Objects...)
		all.Events = append(all.Events, x.Events...)
		all.Counters = append(all.Counters, x.Counters...)
		return nil
	}); err != nil {
		r.t.Fatal(err)
	}
	return &all
}

const testHour = 1_790_000_000 - 1_790_000_000%3600

// counters reads one sample of each series at minute 1 and returns "server
// model engine counter" → thousandths.
func counters(t *testing.T, opt Options, series [][3]string) map[string]int64 {
	t.Helper()
	r := newReader(t, opt)
	for _, s := range series {
		if why := r.add(s[0], s[1], s[2], testHour+60); why != "" {
			t.Logf("%s{%s}: %s", s[0], s[1], why)
		}
	}
	got := map[string]int64{}
	for _, h := range r.flush().Counters {
		if _, err := minutes.Encode(nil, h.Counters); err != nil {
			t.Error(err)
		}
		for name, v := range h.Counters {
			got[strings.Join([]string{h.Server, h.Model, h.Engine, name}, " ")] = v.Value[1]
		}
	}
	return got
}

const onPod = `namespace="serving",pod="p-0",`

func TestCountersOfServers(t *testing.T) {
	for name, c := range map[string]struct {
		series [][3]string
		want   map[string]int64
	}{
		"vllm, buckets in one spelling": {[][3]string{
			{"vllm:time_to_first_token_seconds_bucket", onPod + `model_name="m",engine="1",le="1.0"`, "5"},
			{"ray_vllm_time_to_first_token_seconds_bucket", onPod + `model_name="m",engine="1",le="1e+01"`, "7"},
			{"vllm_time_to_first_token_seconds_bucket", onPod + `model_name="m",engine="1",le="+Inf"`, "9"},
			{"vllm:time_to_first_token_seconds_sum", onPod + `model_name="m",engine="1"`, "3.25"},
			{"vllm:time_to_first_token_seconds_count", onPod + `model_name="m",engine="1"`, "9"},
			{"vllm:time_to_first_token_seconds_created", onPod + `model_name="m",engine="1"`, "1.7899e9"},
			{"vllm:request_success_created", onPod + `model_name="m",engine="1",finished_reason="stop"`, "1789900000.5"},
			{"vllm:estimated_flops_per_gpu_total", onPod + `model_name="m",engine="1"`, "2.5e+18"},
			{"vllm:kv_cache_usage_perc", onPod + `model_name="m",engine="1"`, "0.125"},
		}, map[string]int64{
			"vllm m 1 ttft_seconds_bucket/1": 5000, "vllm m 1 ttft_seconds_bucket/10": 7000,
			"vllm m 1 ttft_seconds_bucket/+Inf": 9000,
			"vllm m 1 ttft_seconds_sum":         3250, "vllm m 1 ttft_seconds_count": 9000,
			"vllm m 1 start/ttft_seconds":  1789900000000,
			"vllm m 1 start/requests/stop": 1789900000500,
			"vllm m 1 gigaflops_per_gpu":   2500000000000, "vllm m 1 kv_cache_ratio": 125,
		}},
		"tgi counts tokens in histograms and names no model": {[][3]string{
			{"tgi_request_success", onPod, "12"},
			{"tgi_request_failure", onPod + `err="overloaded"`, "2"},
			{"tgi_request_generated_tokens_sum", onPod, "4096"},
			{"tgi_request_generated_tokens_count", onPod, "12"},
			{"tgi_request_input_length_sum", onPod, "512"},
			{"tgi_request_input_length_bucket", onPod + `le="8"`, "512"},
		}, map[string]int64{
			"tgi   requests/success": 12000, "tgi   requests/error/overloaded": 2000,
			"tgi   generation_tokens": 4096000, "tgi   prompt_tokens": 512000,
		}},
		"triton: microseconds, versions, buckets without _bucket": {[][3]string{
			{"nv_inference_request_success", onPod + `model="a",version="1"`, "161"},
			{"nv_inference_request_success", onPod + `model="a",version="2",gpu_uuid="GPU-1"`, "4"},
			{"nv_inference_request_failure", onPod + `model="a",version="1",reason="REJECTED"`, "3"},
			{"nv_inference_count", onPod + `model="a",version="1"`, "644"},
			{"nv_inference_request_duration_us", onPod + `model="a",version="1"`, "11110500"},
			{"nv_inference_first_response_histogram_ms", onPod + `model="a",version="1",le="100"`, "7"},
			{"nv_inference_queue_summary_us", onPod + `model="a",version="1",quantile="0.5"`, "55"},
		}, map[string]int64{
			"triton a  requests/success/1": 161000, "triton a  requests/success/2/GPU-1": 4000,
			"triton a  requests/error/REJECTED/1": 3000,
			"triton a  inferences/1":              644000, "triton a  latency_seconds_sum/1": 11111,
			"triton a  ttft_seconds_bucket/0.1/1": 7000,
		}},
		"sglang: ranks of one data-parallel rank are copies, pools are told apart": {[][3]string{
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="0",dp_rank="0"`, "10"},
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="1",dp_rank="0"`, "10"},
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="1",dp_rank="1"`, "20"},
			{"sglang:generation_tokens_total", onPod + `model_name="m",engine_type="decode"`, "7"},
			{"sglang:cached_tokens_total", onPod + `model_name="m",cache_source="device"`, "3"},
		}, map[string]int64{
			"sglang m 0 prompt_tokens": 10000, "sglang m 1 prompt_tokens": 20000,
			"sglang m decode generation_tokens": 7000, "sglang m  cached_prompt_tokens/device": 3000,
		}},
		"nim has no prefix: only targets called nim": {[][3]string{
			{"prompt_tokens_total", onPod + `model_name="m",job="nim-llm"`, "5"},
			{"prompt_tokens_total", onPod + `model_name="m",job="my-own-server"`, "6"},
			{"request_finish_total", onPod + `model_name="m",service="nim-llm",finished_reason="length"`, "2"},
		}, map[string]int64{"nim m  prompt_tokens": 5000, "nim m  requests/length": 2000}},
		"ray serve exports each counter twice": {[][3]string{
			{"ray_serve_num_http_requests_total", onPod + `route="/v1",method="POST",status_code="200"`, "8"},
			{"ray_serve_num_http_requests", onPod + `route="/v1",method="POST",status_code="200"`, "8"},
		}, map[string]int64{"ray_serve   requests/%2Fv1/POST/200": 8000, "ray_serve   layer/router": 1000}},
		"genai: tokens are sums by type": {[][3]string{
			{
				"gen_ai_client_token_usage_sum",
				onPod + `gen_ai_token_type="input",gen_ai_request_model="m",gen_ai_operation_name="chat"`, "90",
			},
			{
				"gen_ai_client_token_usage_sum",
				onPod + `gen_ai_token_type="output",gen_ai_request_model="m",gen_ai_operation_name="chat"`, "30",
			},
			{
				"gen_ai_client_token_usage_count",
				onPod + `gen_ai_token_type="output",gen_ai_request_model="m",gen_ai_operation_name="chat"`, "3",
			},
		}, map[string]int64{"genai m  prompt_tokens/chat": 90000,
			"genai m  generation_tokens/chat": 30000, "genai m  layer/gateway": 1000}},
		"llama.cpp and KServe": {[][3]string{
			{"llamacpp:prompt_tokens_total", onPod, "5"},
			{"llamacpp:tokens_predicted_total", onPod, "7"},
			{"llamacpp:prompt_seconds_total", onPod, "0.5"},
			{"llamacpp:predicted_tokens_seconds", onPod, "9"},
			{"request_predict_seconds_count", onPod + `model_name="m"`, "3"},
		}, map[string]int64{"llamacpp   prompt_tokens": 5000, "llamacpp   generation_tokens": 7000,
			"llamacpp   prefill_seconds_sum": 500, "kserve m  latency_seconds_count": 3000}},
		"TEI and LMDeploy": {[][3]string{
			{"te_request_count", onPod + `method="single"`, "5"},
			{"te_request_success", onPod + `method="single"`, "4"},
			{"te_request_failure", onPod + `err="validation"`, "1"},
			{"lmdeploy:prompt_tokens_total", onPod + `model_name="m",engine="0"`, "5"},
			{"lmdeploy_request_success_total", onPod + `model_name="m",engine="0",finished_reason="stop"`, "2"},
		}, map[string]int64{
			"tei   requests_received/single": 5000, "tei   requests/success/single": 4000,
			"tei   requests/error/validation": 1000,
			"lmdeploy m 0 prompt_tokens":      5000, "lmdeploy m 0 requests/stop": 2000,
		}},
		"controllers": {[][3]string{
			{
				"karpenter_interruption_received_messages_total",
				onPod + `message_type="spot_interrupted",instance="10.0.0.1:8080",job="karpenter"`, "4",
			},
			{"kueue_evicted_workloads_total", onPod + `cluster_queue="q",reason="Preempted"`, "6"},
			{"kueue_cluster_queue_nominal_quota", onPod + `cluster_queue="q",flavor="h100",resource="nvidia.com/gpu"`, "16"},
			{"kueue_cluster_queue_nominal_quota", onPod + `cluster_queue="q",flavor="h100",resource="memory"`, "16"},
		}, map[string]int64{
			"karpenter   interruption_messages/spot_interrupted": 4000, "kueue   workloads_evicted/q/Preempted": 6000,
			"kueue   quota_nominal/q/h100/nvidia.com%2Fgpu": 16000,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got := counters(t, Options{}, c.series)
			for k, v := range c.want {
				if got[k] != v {
					t.Errorf("%s = %d, want %d", k, got[k], v)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("%v", got)
			}
		})
	}
}

// Gateways label by person: these series add up, and no person is named.
func TestCountersOfGatewaysNameNobody(t *testing.T) {
	got := counters(t, Options{}, [][3]string{
		{
			"litellm_input_tokens_metric_total",
			onPod + `requested_model="m",team="a",user="jane@example.org",hashed_api_key="k1"`, "5",
		},
		{
			"litellm_input_tokens_metric_total",
			onPod + `requested_model="m",team="a",user="joe@example.org",hashed_api_key="k1"`, "6",
		},
		{
			"litellm_input_tokens_metric",
			onPod + `requested_model="m",team="a",user="joe@example.org",hashed_api_key="k1"`, "6",
		},
	})
	sum := int64(0)
	for k, v := range got {
		if strings.Contains(k, "@") || strings.Contains(k, "k1") {
			t.Errorf("%s names somebody", k)
		}
		if strings.HasSuffix(k, " prompt_tokens") {
			sum += v
		}
	}
	if sum != 11000 || len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestTableOfTheUser(t *testing.T) {
	own, err := ParseTable(strings.NewReader(`server,metric,kind,canonical,unit,split,model,engine,layer,when,note,tenant
mine,my_tokens[_total],counter,generation_tokens,,,served,shard,engine,,
mine,my_requests[_total],counter,requests,,outcome|*,served,,,,,customer|tenant
mine,my_wait_ms,histogram,queue_seconds,milli,,served,,,,
triton,nv_inference_request_success,skip,,,,,,,model=pipeline,the ensemble counts its children again
`), "own.csv")
	if err != nil {
		t.Fatal(err)
	}
	got := counters(t, Options{Inference: own}, [][3]string{
		{"my_tokens_total", `instance="host-1:80",served="x",shard="3"`, "9"},
		{"my_requests_total", onPod + `served="x",outcome="ok",customer="a@b/c"`, "4"},
		{"my_wait_ms_bucket", onPod + `served="x",le="250"`, "2"},
		{"nv_inference_request_success", onPod + `model="pipeline",version="1"`, "5"},
		{"nv_inference_request_success", onPod + `model="step",version="1"`, "5"},
	})
	want := map[string]int64{
		"mine x 3 generation_tokens": 9000, "mine x  requests/ok/@a%40b%2Fc": 4000,
		"mine x  queue_seconds_bucket/0.25": 2000, "triton step  requests/success/1": 5000,
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s = %d, want %d", k, got[k], v)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	if c := NewCollector(Options{Inference: own}); !c.Known("my_tokens") || c.Known("my_own") || Known("my_tokens") {
		t.Error("what is known is not what the table says")
	}
}

func TestTableRefusals(t *testing.T) {
	const head = "server,metric,kind,canonical,unit,split,model,engine,layer,when,note\n"
	for text, want := range map[string]string{
		"":                           `t.csv line 1: missing column: the table needs the columns`,
		"server,metric\nx,y\n":       `t.csv line 1, column kind: missing column`,
		head + "s,m,curve,c\n":       `t.csv line 2, column kind: bad row`,
		head + "s,,counter,c\n":      `t.csv line 2, column metric: bad row`,
		head + ",m,counter,c\n":      `t.csv line 2, column server: bad row`,
		head + "s,m,counter,\n":      `t.csv line 2, column canonical: bad row`,
		head + "s,m,counter,c,mile":  `t.csv line 2, column unit: bad row`,
		head + "s,m,skip,,,,,,,,":    `t.csv line 2, column note: bad row`,
		head + "s,m,gauge,c,,,,,sky": `t.csv line 2, column layer: bad row`,
		head + "s,m,gauge,c,,,,,,x,": `t.csv line 2, column when: bad row`,
		head + "s,\"m,gauge\n":       `t.csv line 2: not csv`,
	} {
		_, err := ParseTable(strings.NewReader(text), "t.csv")
		if at := (*ledger.FileError)(nil); !errors.As(err, &at) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A start that the protocol carries goes with the counter, as an x_created
// series does.
func TestStartsOfCounters(t *testing.T) {
	r := newReader(t, Options{})
	s := r.c.Bind("vllm:generation_tokens_total", labelsOf(onPod+`model_name="m"`))
	r.c.Start(s, 1_789_999_000_123)
	if f := r.c.Add(s, (testHour+60)*1000, DecimalOf(5)); f != nil {
		t.Fatal(f)
	}
	h := r.flush().Counters[0]
	if v := h.Counters["start/generation_tokens"]; v.Value[1] != 1_789_999_000_123 {
		t.Errorf("%+v", v)
	}
	r.c.Start(s, -5) // no point in time
	if f := r.c.Add(s, (testHour+120)*1000, DecimalOf(6)); f != nil {
		t.Fatal(f)
	}
	if v := r.flush().Counters[0].Counters["start/generation_tokens"]; v.Value[2] != 1_789_999_000_123 {
		t.Errorf("%+v", v)
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add(embeddedCSV)
	f.Add("server,metric,kind,canonical\na,b[_total],histogram,c\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := ParseTable(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		r := newReader(t, Options{Inference: table})
		for _, name := range table.Names() {
			if s := r.c.Bind(name, labelsOf(onPod+`le="0.5",job="nim"`)); s != nil {
				r.c.Add(s, testHour*1000, DecimalOf(1_700_000_000))
			}
		}
		for _, h := range r.flush().Counters {
			if _, err := minutes.Encode(nil, h.Counters); err != nil {
				t.Error(err)
			}
		}
	})
}
