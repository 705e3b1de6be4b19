package nvidiasmi

import (
	"time"

	"gpuledger/ingest/series"
)

// Snapshot is the state of one machine's GPUs in one call of nvidia-smi.
type Snapshot struct {
	At     time.Time // zero: the output has no time
	Host   string    // empty: the output does not name it
	Driver string
	GPUs   []GPU
}

// GPU is one physical device.
type GPU struct {
	Index int // as NVML counts, -1 unknown
	UUID  string
	Model string
	BusID string
	MIG   bool // MIG mode is on

	Readings  []Reading
	Instances []Instance // with MIG on
	Processes []Process
}

// Instance is a compute instance inside a GPU instance. Memory readings belong to the GPU
// instance, whose compute instances share them.
type Instance struct {
	GPUInstance     int
	ComputeInstance int
	Profile         string // "1g.10gb", of the GPU instance; empty unknown
	Derived         bool   // Profile was derived from memory and multiprocessors
	Placed          bool   // Start is known
	Start           int    // first memory slice, of the GPU instance
	Multiprocessors int    // 0 unknown
	MemoryMiB       int64  // 0 unknown
	Readings        []Reading
}

// Process is a process on a device.
type Process struct {
	PID         int
	Name        string
	GPUInstance int // -1 without MIG or unknown
	Graphics    bool
	Memory      series.Decimal // bytes; absent if Known is false
	Known       bool
}

// Reading is one value in the unit of the metric's name.
type Reading struct {
	Metric Metric
	Value  series.Decimal
}

// Metric is a series of the node agent.
type Metric string

// Metrics. Package ingest/series interprets them.
const (
	MetricUtilization Metric = "gpuledger_gpu_utilization_ratio"
	MetricMemoryCopy  Metric = "gpuledger_gpu_memory_copy_ratio"
	MetricMemoryUsed  Metric = "gpuledger_gpu_memory_used_bytes"
	MetricMemoryFree  Metric = "gpuledger_gpu_memory_free_bytes"
	MetricPower       Metric = "gpuledger_gpu_power_watts"
	MetricEnergy      Metric = "gpuledger_gpu_energy_joules_total"
	MetricTemperature Metric = "gpuledger_gpu_temperature_celsius"
	MetricThrottle    Metric = "gpuledger_gpu_throttle_reasons"
	MetricMIGMode     Metric = "gpuledger_gpu_mig_mode" // 1: on; only of GPUs without a listed instance
	MetricSeen        Metric = "gpuledger_gpu_seen"     // 1: listed, without any other value
	MetricMIGStart    Metric = "gpuledger_mig_instance_start"
	MetricPCIeTx      Metric = "gpuledger_gpu_pcie_tx_bytes_per_second"
	MetricPCIeRx      Metric = "gpuledger_gpu_pcie_rx_bytes_per_second"
	// MetricProcessMemory is per process, 0 if its memory is unknown.
	MetricProcessMemory Metric = "gpuledger_gpu_process_memory_bytes"
)
