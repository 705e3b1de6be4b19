package series

import (
	"net/netip"
	"strings"

	"gpuledger/internal/ledger"
)

// agentDialect is gpuledger's own node agent's.
var agentDialect = &dialect{
	uuid: []string{"uuid"}, index: []string{"gpu"}, model: []string{"model"},
	slice: []string{"gi"}, profile: []string{"profile"}, node: nodeName,
}

// placeDialect is for the places of MIG instances. The node agent sends them with its own
// labels; a script may write them with dcgm-exporter's.
var placeDialect = &dialect{
	uuid: []string{"uuid"}, index: []string{"gpu"}, model: []string{"model", "modelName"},
	slice: []string{"gi", "GPU_I_ID"}, profile: []string{"profile", "GPU_I_PROFILE"}, node: nodeName,
}

// smiDialect is nvidia_gpu_exporter's. Its rows have only the UUID, without prefix; index and
// model are in nvidia_smi_gpu_info, profiles of instances in nvidia_smi_mig_info.
var smiDialect = &dialect{uuid: []string{"uuid"}, node: nodeName, slice: []string{"gpu_instance_id"}}

// otelDialect is that of OpenTelemetry's hardware conventions.
var otelDialect = &dialect{
	uuid: []string{"hw_id", "hw.id"}, index: []string{"hw_gpu_index"},
	model: []string{"hw_model", "hw.model", "hw_name", "hw.name"}, node: nodeName, prefixed: true,
	others: func(ls Labels) bool {
		if kind := ls.fold("hw_type", "hw.type"); kind != "" && kind != "gpu" {
			return true
		}
		task := ls.fold("hw_gpu_task", "hw.gpu.task")
		return task != "" && task != "general"
	},
}

// agentMetrics are the series of the node agent, in base units.
var agentMetrics = []deviceMetric{
	{"gpuledger_gpu_utilization_ratio", ledger.SignalGPUUtil, ratio, true, blankAny, agentDialect},
	{"gpuledger_gpu_engine_active_ratio", ledger.SignalGrEngine, ratio, false, blankAny, agentDialect},
	{"gpuledger_gpu_sm_active_ratio", ledger.SignalSM, ratio, false, blankAny, agentDialect},
	{"gpuledger_gpu_tensor_active_ratio", ledger.SignalTensor, ratio, false, blankAny, agentDialect},
	{"gpuledger_gpu_dram_active_ratio", ledger.SignalDRAM, ratio, false, blankAny, agentDialect},
	{"gpuledger_gpu_memory_used_bytes", ledger.SignalMemoryUsed, 1, false, blankWide, agentDialect},
	{"gpuledger_gpu_memory_free_bytes", ledger.SignalMemoryFree, 1, false, blankWide, agentDialect},
	{"gpuledger_gpu_memory_copy_ratio", ledger.SignalMemoryCopy, ratio, true, blankAny, agentDialect},
	{"gpuledger_gpu_power_watts", ledger.SignalPower, milli, true, blankAny, agentDialect},
	{"gpuledger_gpu_energy_joules_total", ledger.SignalEnergy, milli, true, blankHuge, agentDialect},
	{"gpuledger_gpu_temperature_celsius", ledger.SignalTemperature, milli, true, blankAny, agentDialect},
	{"gpuledger_gpu_xid", ledger.SignalXID, 1, true, blankAny, agentDialect},
	{"gpuledger_gpu_throttle_reasons", ledger.SignalThrottle, 1, true, blankHuge, agentDialect},
	{"gpuledger_gpu_seen", ledger.SignalSeen, 1, false, blankAny, agentDialect},
	{"gpuledger_gpu_mig_mode", ledger.SignalMIGMode, 1, true, blankAny, agentDialect},
	{"gpuledger_mig_instance_start", ledger.SignalMIGStart, 1, false, blankAny, placeDialect},
	{"gpuledger_gpu_pcie_tx_bytes_per_second", ledger.SignalPCIeTx, 1, true, blankWide, agentDialect},
	{"gpuledger_gpu_pcie_rx_bytes_per_second", ledger.SignalPCIeRx, 1, true, blankWide, agentDialect},
	{"gpuledger_gpu_nvlink_tx_bytes_per_second", ledger.SignalNVLinkTx, 1, true, blankWide, agentDialect},
	{"gpuledger_gpu_nvlink_rx_bytes_per_second", ledger.SignalNVLinkRx, 1, true, blankWide, agentDialect},
}

// smiMetrics are the series of nvidia_gpu_exporter. Under MIG, the values are the parent's, and
// utilisation is absent.
var smiMetrics = []deviceMetric{
	{"nvidia_smi_utilization_gpu_ratio", ledger.SignalGPUUtil, ratio, true, blankAny, smiDialect},
	{"nvidia_smi_utilization_memory_ratio", ledger.SignalMemoryCopy, ratio, true, blankAny, smiDialect},
	{"nvidia_smi_memory_used_bytes", ledger.SignalMemoryUsed, 1, true, blankWide, smiDialect},
	{"nvidia_smi_memory_free_bytes", ledger.SignalMemoryFree, 1, true, blankWide, smiDialect},
	{"nvidia_smi_power_draw_watts", ledger.SignalPower, milli, true, blankAny, smiDialect},
	{"nvidia_smi_temperature_gpu", ledger.SignalTemperature, milli, true, blankAny, smiDialect},
	{"nvidia_smi_clocks_event_reasons_active", ledger.SignalThrottle, 1, true, blankHuge, smiDialect},
	{"nvidia_smi_clocks_throttle_reasons_active", ledger.SignalThrottle, 1, true, blankHuge, smiDialect},
	{"nvidia_smi_mig_mode_current", ledger.SignalMIGMode, 1, true, blankAny, smiDialect},
	{"nvidia_smi_energy_joules_total", ledger.SignalEnergy, milli, true, blankHuge, smiDialect},
	{"nvidia_smi_pcie_throughput_tx_bytes_per_second", ledger.SignalPCIeTx, 1, true, blankWide, smiDialect},
	{"nvidia_smi_pcie_throughput_rx_bytes_per_second", ledger.SignalPCIeRx, 1, true, blankWide, smiDialect},
	{"nvidia_smi_mig_graphics_activity_ratio", ledger.SignalGrEngine, ratio, false, blankAny, smiDialect},
	{"nvidia_smi_mig_sm_activity_ratio", ledger.SignalSM, ratio, false, blankAny, smiDialect},
	{"nvidia_smi_mig_tensor_activity_ratio", ledger.SignalTensor, ratio, false, blankAny, smiDialect},
	{"nvidia_smi_mig_memory_used_bytes", ledger.SignalMemoryUsed, 1, false, blankWide, smiDialect},
	{"nvidia_smi_mig_memory_free_bytes", ledger.SignalMemoryFree, 1, false, blankWide, smiDialect},
}

// otelMetrics are OpenTelemetry's, in its own names and as converted for Prometheus.
var otelMetrics = []deviceMetric{
	{"hw.gpu.utilization", ledger.SignalGPUUtil, ratio, true, blankAny, otelDialect},
	{"hw.gpu.memory.usage", ledger.SignalMemoryUsed, 1, true, blankWide, otelDialect},
	{"hw.power", ledger.SignalPower, milli, true, blankAny, otelDialect},
	{"hw.energy", ledger.SignalEnergy, milli, true, blankHuge, otelDialect},
	{"hw.temperature", ledger.SignalTemperature, milli, true, blankAny, otelDialect},
	{"hw_gpu_utilization_ratio", ledger.SignalGPUUtil, ratio, true, blankAny, otelDialect},
	{"hw_gpu_memory_usage_bytes", ledger.SignalMemoryUsed, 1, true, blankWide, otelDialect},
	{"hw_power_watts", ledger.SignalPower, milli, true, blankAny, otelDialect},
	{"hw_energy_joules_total", ledger.SignalEnergy, milli, true, blankHuge, otelDialect},
	{"hw_temperature_celsius", ledger.SignalTemperature, milli, true, blankAny, otelDialect},
}

// hostMetric is a measure of the machine itself.
type hostMetric struct {
	name   string
	signal ledger.Signal
	mul    uint64
	// idle: the value is the idle share of 1.
	idle bool
	// only: rows with another value of this label are not this measure.
	only [2]string
}

var hostMetrics = []hostMetric{
	{name: "gpuledger_host_cpu_ratio", signal: ledger.SignalHostCPU, mul: ratio},
	{name: "gpuledger_host_memory_used_bytes", signal: ledger.SignalHostMemory, mul: 1},
	{name: "instance:node_cpu_utilisation:rate5m", signal: ledger.SignalHostCPU, mul: ratio},
	{name: "instance:node_cpu_utilisation:rate1m", signal: ledger.SignalHostCPU, mul: ratio},
	{
		name: "system_cpu_utilization_ratio", signal: ledger.SignalHostCPU,
		mul: ratio, idle: true, only: [2]string{"state", "idle"},
	},
	{
		name: "system.cpu.utilization", signal: ledger.SignalHostCPU,
		mul: ratio, idle: true, only: [2]string{"state", "idle"},
	},
	{name: "system.memory.usage", signal: ledger.SignalHostMemory, mul: 1, only: [2]string{"state", "used"}},
	{name: "system_memory_usage_bytes", signal: ledger.SignalHostMemory, mul: 1, only: [2]string{"state", "used"}},
}

// bindHost resolves a series of a machine. The machine must be named: an address is not a
// node's name.
func bindHost(m hostMetric) binder {
	signal := signalIndex(m.signal)
	return func(c *Collector, _ string, ls Labels) sink {
		if m.only[0] != "" && ls.fold(m.only[0], "cpu_mode", "cpu.mode", "system_memory_state",
			"system.memory.state") != m.only[1] || m.idle && ls.fold("cpu", "cpu_logical_number", "cpu.logical_number") != "" {
			return refuse{Unmapped}
		}
		node := nodeName(ls)
		if _, err := netip.ParseAddr(strings.Trim(node, "[]")); node == "" || err == nil {
			if node = c.opt.Node; node == "" {
				return refuse{faultNoHost}
			}
		}
		s := &deviceSink{
			to: c.deviceOf(entityKey{
				cluster: c.cluster(ls), node: node, device: ledger.HostDevice, slice: ledger.WholeDevice,
			}),
			index: -1, signal: uint8(signal), mul: m.mul, blank: blankHuge,
		}
		if m.idle {
			return &idleSink{s}
		}
		return s
	}
}

// idleSink stores 1 minus the share.
type idleSink struct{ *deviceSink }

func (s *idleSink) sample(c *Collector, ms int64, d Decimal) *Fault {
	if d.kind == finite {
		v, ok := d.scaled(ratio)
		if !ok || v < 0 || v > ratio {
			return faultRange
		}
		d = Decimal{mant: uint64(ratio - v), exp: -6}
	}
	return s.deviceSink.sample(c, ms, d)
}
