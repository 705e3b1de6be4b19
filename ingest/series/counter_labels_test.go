package series

import (
	"strings"
	"testing"
)

// summed adds up what the engines of one server count: "server model counter".
func summed(t *testing.T, series [][3]string) map[string]int64 {
	t.Helper()
	out := map[string]int64{}
	for k, v := range counters(t, Options{}, series) {
		part := strings.SplitN(k, " ", 4)
		counter, _, _ := strings.Cut(part[3], "/")
		out[part[0]+" "+part[1]+" "+counter] += v
	}
	return out
}

// Series that differ in a label are different counters, whatever the label's name: they add up.
// Only ranks of one model, and two watchers of one target, repeat each other.
func TestCountersSplitByAnyLabelAddUp(t *testing.T) {
	for name, c := range map[string]struct {
		series [][3]string
		want   int64
		of     string
	}{
		"a customer's header": {[][3]string{
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="0",customer="acme"`, "700"},
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="1",customer="acme"`, "700"},
			{"sglang:prompt_tokens_total", onPod + `model_name="m",engine_type="unified",tp_rank="0",customer="zeta"`, "300"},
		}, 1_000_000, "sglang m prompt_tokens"},
		"equal values are no reason to count once": {[][3]string{
			{"vllm:generation_tokens_total", onPod + `model_name="m",engine="0",lora_name="a"`, "5"},
			{"vllm:generation_tokens_total", onPod + `model_name="m",engine="0",lora_name="b"`, "5"},
		}, 10_000, "vllm m generation_tokens"},
		"data-parallel ranks": {[][3]string{
			{"trtllm_prompt_tokens_total", onPod + `model_name="m",dp_rank="0"`, "5"},
			{"trtllm_prompt_tokens_total", onPod + `model_name="m",dp_rank="1"`, "6"},
		}, 11_000, "trtllm m prompt_tokens"},
		"ranks of one model, read a moment apart": {[][3]string{
			{"sglang:num_requests_total", onPod + `model_name="m",tp_rank="0",pp_rank="0",moe_ep_rank="0"`, "9"},
			{"sglang:num_requests_total", onPod + `model_name="m",tp_rank="3",pp_rank="1",moe_ep_rank="3"`, "8"},
		}, 9_000, "sglang m requests"},
		"workers that Ray starts": {[][3]string{
			{"ray_vllm_request_success_total", onPod + `model_name="m",finished_reason="stop",WorkerId="1"`, "4"},
			{"ray_vllm_request_success_total", onPod + `model_name="m",finished_reason="stop",WorkerId="2"`, "3"},
		}, 7_000, "vllm m requests"},
		"two watchers": {[][3]string{
			{"vllm:prompt_tokens_total", onPod + `model_name="m",replica="a",job="x"`, "4"},
			{"vllm:prompt_tokens_total", onPod + `model_name="m",prometheus_replica="b",job="y"`, "4"},
		}, 4_000, "vllm m prompt_tokens"},
		"two servers in one pod": {[][3]string{
			{"vllm:prompt_tokens_total", onPod + `model_name="m",instance="10.1.0.9:8000",container="a"`, "4"},
			{"vllm:prompt_tokens_total", onPod + `model_name="m",instance="10.1.0.9:8001",container="b"`, "5"},
		}, 9_000, "vllm m prompt_tokens"},
		"one server, scraped by two jobs": {[][3]string{
			{"vllm:prompt_tokens_total", onPod + `model_name="m",instance="10.1.0.9:8000",job="x",container="a"`, "4"},
			{"vllm:prompt_tokens_total", onPod + `model_name="m",instance="10.1.0.9:8000",job="y",endpoint="http"`, "4"},
		}, 4_000, "vllm m prompt_tokens"},
		"routes": {[][3]string{
			{"vllm:prompt_tokens_total", onPod + `model_name="m",endpoint="/v1/completions"`, "4"},
			{"vllm:prompt_tokens_total", onPod + `model_name="m",endpoint="/v1/chat/completions"`, "5"},
		}, 9_000, "vllm m prompt_tokens"},
		"a label that Prometheus renamed": {[][3]string{
			{"vllm:prompt_tokens_total", onPod + `model_name="m",customer="platform",exported_customer="a"`, "4"},
			{"vllm:prompt_tokens_total", onPod + `model_name="m",customer="platform",exported_customer="b"`, "5"},
		}, 9_000, "vllm m prompt_tokens"},
		"deployments behind one model of a gateway": {[][3]string{
			{"litellm_output_tokens_metric_total", onPod + `requested_model="m",model="azure/x",model_id="1"`, "4"},
			{"litellm_output_tokens_metric_total", onPod + `requested_model="m",model="azure/y",model_id="2"`, "5"},
		}, 9_000, "litellm m generation_tokens"},
		"histograms": {[][3]string{
			{"tgi_request_duration_count", onPod + `shard="0"`, "4"},
			{"tgi_request_duration_count", onPod + `shard="1"`, "5"},
		}, 9_000, "tgi  latency_seconds_count"},
	} {
		t.Run(name, func(t *testing.T) {
			got := summed(t, c.series)
			if got[c.of] != c.want {
				t.Errorf("%s = %d, want %d of %v", c.of, got[c.of], c.want, got)
			}
		})
	}
}

// More label sets than one process has vectors for are counted all the same.
func TestCountersOfManyCustomers(t *testing.T) {
	var series [][3]string
	for i := range 3000 {
		series = append(series, [3]string{
			"sglang:prompt_tokens_total", onPod + `model_name="m",customer="` + strings.Repeat("c", i+1) + `"`, "1",
		})
	}
	if got := summed(t, series); got["sglang m prompt_tokens"] != 3_000_000 {
		t.Errorf("%v", got)
	}
}

// The model has one name, whichever label of a family names it.
func TestModelsOfFamilies(t *testing.T) {
	for name, labels := range map[string]string{
		"vllm:prompt_tokens_total":             `model="llama",version="1"`,
		"vllm:generation_tokens_total":         `model_name="llama"`,
		"nv_inference_request_success":         `model_name="llama"`,
		"sglang:prompt_tokens_total":           `model="llama"`,
		"trtllm_request_success_total":         `model="llama",finished_reason="stop"`,
		"tgi_request_success":                  `model_id="llama"`,
		"dynamo_frontend_requests_total":       `model_name="llama"`,
		"litellm_requests_metric_total":        `model_name="llama"`,
		"ray_vllm_generation_tokens_total":     `served_model_name="llama"`,
		"gen_ai_client_token_usage_sum":        `model="llama",gen_ai_token_type="input"`,
		"vllm:num_preemptions_total":           `model_name="platform",exported_model_name="llama"`,
		"vllm:time_to_first_token_seconds_sum": `model="llama"`,
	} {
		for k := range counters(t, Options{}, [][3]string{{name, onPod + labels, "1"}}) {
			if strings.SplitN(k, " ", 4)[1] != "llama" {
				t.Errorf("%s{%s}: %q", name, labels, k)
			}
		}
	}
}
