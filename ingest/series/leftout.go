package series

import "strings"

// leftOut are names that are known and say nothing that the ledger keeps. A
// name that ends with * stands for all that begin so; the first match counts.
var leftOut = []struct{ name, why string }{
	{"DCGM_EXP_*", "states, and counts in a sliding window that fall again"},
	{"DCGM_FI_DEV_SM_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_MEM_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_MEMORY_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_VIDEO_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_FAN_SPEED*", "health"},
	{"DCGM_FI_DEV_BAR1_*", "a window, no memory"},
	{"dcgm_sm_clock", "clock rates"},
	{"dcgm_memory_clock", "clock rates"},
	{"DCGM_FI_DEV_MEMORY_TEMP*", "the GPU's own temperature is read"},
	{"dcgm_memory_temp", "the GPU's own temperature is read"},
	{"DCGM_FI_DEV_ENC_UTIL*", "video engines"},
	{"DCGM_FI_DEV_DEC_UTIL*", "video engines"},
	{"dcgm_enc_utilization", "video engines"},
	{"dcgm_dec_utilization", "video engines"},
	{"DCGM_FI_DEV_PCIE_REPLAY*", "health"},
	{"dcgm_pcie_replay_counter", "health"},
	{"DCGM_FI_DEV_ECC_*", "health"},
	{"DCGM_FI_DEV_RETIRED_*", "health"},
	{"DCGM_FI_DEV_PAGE_RETIRED_*", "health"},
	{"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS*", "health"},
	{"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS*", "health"},
	{"DCGM_FI_DEV_ROW_REMAP*", "health"},
	{"DCGM_FI_DEV_NVLINK_*", "typed as a counter, and falls; the profiling fields are read"},
	{"dcgm_nvlink_bandwidth_total", "typed as a counter, and falls"},
	{"DCGM_FI_DEV_NVSWITCH_*", "of a switch"},
	{"DCGM_FI_DEV_CPU_*", "of a CPU"},
	{"DCGM_FI_DEV_VGPU_*", "licences and guests"},
	{"DCGM_FI_DEV_FB_*", "used and free memory are read"},
	{"DCGM_FI_DEV_POWER_USAGE_INSTANT", "the average power is read"},
	{"DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", "the average power is read"},
	{"DCGM_FI_DEV_BOARD_POWER_LIMIT*", "a limit"},
	{"DCGM_FI_DEV_POWER_MGMT_LIMIT*", "a limit"},
	{"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "a limit"},
	{"DCGM_FI_DEV_SYNC_BOOST_VIOLATION*", "time slowed down by power and by heat is read"},
	{"DCGM_FI_DEV_BOARD_LIMIT_VIOLATION*", "time slowed down by power and by heat is read"},
	{"DCGM_FI_DEV_LOW_UTIL_VIOLATION*", "time slowed down by power and by heat is read"},
	{"DCGM_FI_DEV_RELIABILITY_VIOLATION*", "time slowed down by power and by heat is read"},
	{"DCGM_FI_DEV_CLOCKS_EVENT_REASON_*", "time slowed down by power and by heat is read"},
	{"DCGM_FI_PROF_*", "engine, SM, tensor and memory activity and traffic are read"},
	{"dcgm_fi_prof_*", "engine, SM, tensor and memory activity and traffic are read"},
	{"dcgm_*", "health, limits, other clocks"},
	{"DCGM_FI_DRIVER_VERSION*", "a version"},
	{"DCGM_FI_SYSTEM_DRIVER_VERSION*", "a version"},
	{"nvidia_smi_compute_app*", "a process without its pod or job: the node agent tells whose it is"},
	{"nvidia_smi_xid_*", "counts since the exporter's start, not the last error"},
	{"nvidia_smi_*", "settings, limits, health"},
	{"hw_*", "not of a GPU's use"},
	{"hw.*", "not of a GPU's use"},
	{"system.*", "of a host"},
	{"gpuledger_*", "of gpuledger itself"},
	{"node_*", "raw counters of a host: the recording rules or the node agent are read"},
	{"instance:node_*", "of a host"},
	{"system_*", "of a host"},
	{"kube_customresource_*", "named by its site; the Kubernetes API is read for these objects"},
	{"kube_node_status_allocatable*", "the capacity is read"},
	{"kube_*", "no placement, request, outcome or quota"},
	{"vllm:*", "no count of requests, tokens or time"},
	{"vllm_*", "no count of requests, tokens or time"},
	{"ray_*", "no count of requests, tokens or time"},
	{"sglang:*", "no count of requests, tokens or time"},
	{"tgi_*", "no count of requests, tokens or time"},
	{"nv_*", "no count of requests, tokens or time"},
	{"trtllm_*", "no count of requests, tokens or time"},
	{"dynamo_*", "one layer is enough: engines and frontend are read"},
	{"litellm_*", "budgets, limits, states"},
	{"karpenter_*", "no interruption, no life of a node"},
	{"kueue_*", "no queue, no quota"},
	{"go_*", "of a process"},
	{"process_*", "of a process"},
	{"python_*", "of a process"},
	{"promhttp_*", "of a process"},
	{"scrape_*", "of the scrape"},
	{"up", "of the scrape"},
}

// LeftOut says why a name that means nothing here is left out on purpose; empty
// when the name is not known at all.
func LeftOut(name string) string {
	if why := embedded.leftOut(name); why != "" {
		return why
	}
	if Known(name) {
		return ""
	}
	for _, l := range leftOut {
		if prefix, ok := strings.CutSuffix(l.name, "*"); name == l.name || ok && strings.HasPrefix(name, prefix) {
			return l.why
		}
	}
	return ""
}
