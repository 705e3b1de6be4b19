package series

import "strings"

// leftOut lists known names whose values the ledger does not keep. A name that ends
// with * matches every name with that prefix; the first match counts.
var leftOut = []struct{ name, why string }{
	{"DCGM_EXP_*", "states, and counts in a sliding window that fall again"},
	{"DCGM_FI_DEV_SM_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_MEM_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_MEMORY_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_VIDEO_CLOCK*", "clock rates"},
	{"DCGM_FI_DEV_FAN_SPEED*", "health"},
	{"DCGM_FI_DEV_BAR1_*", "a window, not memory"},
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
	{"DCGM_FI_DEV_NVLINK_*", "typed as a counter, but can fall; the profiling fields are read"},
	{"dcgm_nvlink_bandwidth_total", "typed as a counter, but can fall"},
	{"DCGM_FI_DEV_NVSWITCH_*", "about a switch"},
	{"DCGM_FI_DEV_CPU_*", "about a CPU"},
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
	{"nvidia_smi_compute_app*", "a process without its pod or job; the node agent reports them"},
	{"nvidia_smi_xid_*", "counts since the exporter's start, not the last error"},
	{"nvidia_smi_*", "settings, limits, health"},
	{"hw_*", "not about the use of a GPU"},
	{"hw.*", "not about the use of a GPU"},
	{"system.*", "about a host"},
	{"gpuledger_*", "about gpuledger itself"},
	{"node_*", "raw counters of a host: the recording rules or the node agent are read"},
	{"instance:node_*", "about a host"},
	{"system_*", "about a host"},
	{"kube_customresource_*", "each site chooses these names; these objects are read from the Kubernetes API"},
	{"kube_node_status_allocatable*", "the capacity is read"},
	{"kube_*", "no placement, request, outcome or quota"},
	{"vllm:*", "no count of requests, tokens or time"},
	{"vllm_*", "no count of requests, tokens or time"},
	{"ray_*", "no count of requests, tokens or time"},
	{"sglang:*", "no count of requests, tokens or time"},
	{"tgi_*", "no count of requests, tokens or time"},
	{"nv_*", "no count of requests, tokens or time"},
	{"trtllm_*", "no count of requests, tokens or time"},
	{"dynamo_*", "one layer is enough; engines and frontend are read"},
	{"litellm_*", "budgets, limits, states"},
	{"karpenter_*", "no interruption, no life of a node"},
	{"kueue_*", "no queue, no quota"},
	{"go_*", "about a process"},
	{"process_*", "about a process"},
	{"python_*", "about a process"},
	{"promhttp_*", "about a process"},
	{"scrape_*", "about the scrape"},
	{"up", "about the scrape"},
}

// LeftOut is the reason why a name is left out on purpose; it is empty for names that
// are read or unknown.
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
