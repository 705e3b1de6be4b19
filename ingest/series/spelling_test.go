package series

import (
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// A metric is known by every spelling that its exporter or the translation to
// Prometheus can give it, and means the same by each.
func TestSpellingsOfCounters(t *testing.T) {
	for name, c := range map[string]struct{ labels, want string }{
		"vllm:prompt_tokens_total":                            {`model_name="m"`, "vllm m prompt_tokens"},
		"vllm:prompt_tokens":                                  {`model_name="m"`, "vllm m prompt_tokens"},
		"vllm_prompt_tokens_total":                            {`model_name="m"`, "vllm m prompt_tokens"},
		"vllm_prompt_tokens":                                  {`model_name="m"`, "vllm m prompt_tokens"},
		"vllm.prompt_tokens":                                  {`model_name="m"`, "vllm m prompt_tokens"},
		"ray_vllm_prompt_tokens":                              {`model_name="m"`, "vllm m prompt_tokens"},
		"ray_vllm:prompt_tokens_total":                        {`model_name="m"`, "vllm m prompt_tokens"},
		"U__vllm_3a_prompt__tokens__total":                    {`model_name="m"`, "vllm m prompt_tokens"},
		"vllm:kv_cache_usage_perc_ratio":                      {`model_name="m"`, "vllm m kv_cache_ratio"},
		"vllm_e2e_request_latency_seconds_sum":                {`model_name="m"`, "vllm m latency_seconds_sum"},
		"sglang_num_requests":                                 {`model_name="m"`, "sglang m requests"},
		"tgi_request_success_total":                           {``, "tgi  requests"},
		"tgi_request_duration_seconds_count":                  {``, "tgi  latency_seconds_count"},
		"tgi_request_generated_tokens_token_sum":              {``, "tgi  generation_tokens"},
		"nv_inference_request_success_total":                  {`model="m"`, "triton m requests"},
		"nv_inference_request_duration_us_microseconds_total": {`model="m"`, "triton m latency_seconds_sum"},
		"trtllm_request_success":                              {`model_name="m"`, "trtllm m requests"},
		"dynamo_frontend_requests":                            {`model="m"`, "dynamo m requests"},
		"gen_ai_client_token_usage_token_sum": {
			`gen_ai_request_model="m",gen_ai_token_type="output"`, "genai m generation_tokens",
		},
		"gen_ai_client_token_usage_sum": {
			`gen_ai_request_model="m",gen_ai_token_type="output"`, "genai m generation_tokens",
		},
		"gen_ai.client.token.usage_sum": {
			`gen_ai.request.model="m",gen_ai.token.type="output"`, "genai m generation_tokens",
		},
		"gen_ai.client.token.usage_token_sum": {
			`gen_ai.request.model="m",gen_ai.token.type="output"`, "genai m generation_tokens",
		},
		"gen__ai_dot_client_dot_token_dot_usage_sum": {
			`gen_ai_request_model="m",gen_ai_token_type="output"`, "genai m generation_tokens",
		},
		"gen_ai_client_operation_duration_count": {`gen_ai_request_model="m"`, "genai m latency_seconds_count"},
		"gen_ai.server.request.duration_seconds_count": {
			`gen_ai.request.model="m"`, "genai_server m latency_seconds_count",
		},
		"litellm_output_tokens_metric_tokens_total":          {`requested_model="m"`, "litellm m generation_tokens"},
		"ray_serve_http_request_latency_ms_milliseconds_sum": {``, "ray_serve  latency_seconds_sum"},
	} {
		got := summed(t, [][3]string{{name, `k8s.pod.name="p-0",k8s.namespace.name="serving",` + c.labels, "4"}})
		if _, ok := got[c.want]; !ok {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestSpellingsOfDevices(t *testing.T) {
	for name, want := range map[string]ledger.Signal{
		"DCGM_FI_PROF_GR_ENGINE_ACTIVE_ratio":                    ledger.SignalGrEngine,
		"DCGM_FI_DEV_GPU_UTIL_percent":                           ledger.SignalGPUUtil,
		"DCGM_FI_DEV_FB_USED_mebibytes":                          ledger.SignalMemoryUsed,
		"DCGM_FI_DEV_POWER_USAGE_watts":                          ledger.SignalPower,
		"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION_total":             ledger.SignalEnergy,
		"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION_millijoules_total": ledger.SignalEnergy,
		"DCGM_FI_DEV_GPU_TEMP_celsius":                           ledger.SignalTemperature,
		"DCGM_FI_PROF_PCIE_TX_BYTES_bytes_per_second":            ledger.SignalPCIeTx,
		"hw.gpu.utilization":                                     ledger.SignalGPUUtil,
		"hw.gpu.utilization_ratio":                               ledger.SignalGPUUtil,
		"hw_gpu_utilization":                                     ledger.SignalGPUUtil,
		"hw_energy_joules":                                       ledger.SignalEnergy,
		"hw.energy_joules_total":                                 ledger.SignalEnergy,
		"nvidia_smi_energy_joules":                               ledger.SignalEnergy,
		"gpuledger_gpu_energy_joules":                            ledger.SignalEnergy,
	} {
		r := newReader(t, Options{Cluster: "c", Node: "n"})
		r.must(name, `UUID="GPU-1",uuid="GPU-1",gpu="0",Hostname="n",hw_id="GPU-1",hw.id="GPU-1",hw.type="gpu",hw_type="gpu"`,
			"1", testHour+60)
		found := false
		for _, h := range r.flush().Samples {
			_, there := h.Vectors[want]
			found = found || there
		}
		if !found {
			t.Errorf("%s is no %s", name, want)
		}
	}
	for _, name := range []string{"kube_pod_container_status_restarts"} {
		if !Known(name) {
			t.Errorf("%s is not known", name)
		}
	}
	// Another unit is another metric; a listed name keeps its meaning; servers are not queried for
	// every spelling.
	for _, name := range []string{
		"DCGM_FI_DEV_FB_USED_bytes", "DCGM_FI_DEV_GPU_UTIL_ratio", "vllm:e2e_request_latency_milliseconds_sum",
		"vllm:iteration_tokens_total_sum", "gen_ai.client", "U__", "_dot_",
	} {
		if Known(name) {
			t.Errorf("%s is known", name)
		}
	}
	for _, name := range Names() {
		if strings.HasSuffix(name, "_tokens_tokens") {
			t.Errorf("%s is asked for", name)
		}
	}
}
