package ledger

import "testing"

func TestAskedByAddsUpRequests(t *testing.T) {
	const gpu = AskedPerGPU
	for name, c := range map[string]struct {
		requests map[string]int64
		want     Asked
	}{
		"no GPU":       {map[string]int64{"cpu": 4000, "memory": 1 << 40}, Asked{}},
		"none of them": {map[string]int64{ResourceGPU: 0}, Asked{}},
		"whole cards":  {map[string]int64{ResourceGPU: 8, "cpu": 4000}, Asked{Units: 8 * gpu}},
		"replicas":     {map[string]int64{ResourceGPUShared: 3}, Asked{Replicas: 3}},
		"MIG instances": {
			map[string]int64{"nvidia_com_mig_3g_20gb": 2, "nvidia_com_mig_1g_10gb_me": 1}, Asked{Units: gpu},
		},
		"a compute instance":          {map[string]int64{"nvidia_com_mig_1c_3g_20gb": 1}, Asked{Units: gpu / 7}},
		"a profile that says nothing": {map[string]int64{"nvidia_com_mig_all": 1}, Asked{Units: gpu}},
		"a fraction":                  {map[string]int64{ResourceGPUFraction: 250_000}, Asked{Units: gpu / 4}},
		"fractions of several cards": {
			map[string]int64{ResourceGPUFraction: 500_000, ResourceGPUCards: 3}, Asked{Units: gpu * 3 / 2},
		},
		"memory of nobody knows how much": {
			map[string]int64{ResourceGPUMemory: 4096, ResourceGPUCards: 2}, Asked{Unknown: true},
		},
		"HAMi's cores": {
			map[string]int64{ResourceGPU: 2, ResourceGPUCores: 30, "nvidia_com_gpumem": 3000}, Asked{Units: gpu * 6 / 10},
		},
		"HAMi's memory": {
			map[string]int64{ResourceGPU: 1, "nvidia_com_gpumem": 3000}, Asked{Unknown: true},
		},
		"HAMi's cores of one card": {map[string]int64{ResourceGPUCores: 30}, Asked{Units: gpu * 3 / 10}},
		"Tencent": {
			map[string]int64{"tencent_com_vcuda_core": 40, "tencent_com_vcuda_memory": 12}, Asked{Units: gpu * 4 / 10},
		},
		"Koordinator, two cards": {
			map[string]int64{"koordinator_sh_gpu_core": 200, "koordinator_sh_gpu_memory_ratio": 200}, Asked{Units: 2 * gpu},
		},
		"AMD, Intel, Gaudi and TPU": {
			map[string]int64{
				"amd_com_gpu": 2, "gpu_intel_com_i915": 1, "gpu_intel_com_i915_monitoring": 1,
				"habana_ai_gaudi": 1, "google_com_tpu": 4,
			}, Asked{Units: 8 * gpu},
		},
		"AMD's partitions":                  {map[string]int64{"amd_com_cpx_nps4": 4}, Asked{Units: gpu / 2}},
		"Neuron devices":                    {map[string]int64{"aws_amazon_com_neuron": 16}, Asked{Units: 16 * gpu}},
		"Neuron cores of nobody knows what": {map[string]int64{"aws_amazon_com_neuroncore": 2}, Asked{Unknown: true}},
		"Aliyun":                            {map[string]int64{"aliyun_com_gpu_mem": 8}, Asked{Unknown: true}},
		"more than there can be":            {map[string]int64{ResourceGPU: 1 << 40}, Asked{Unknown: true}},
		"less than nothing":                 {map[string]int64{ResourceGPU: -1, ResourceGPUShared: -2}, Asked{}},
	} {
		if got := AskedBy(c.requests); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
