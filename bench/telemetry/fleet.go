package main

import (
	"fmt"
	"strconv"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// metric is one series of every GPU.
type metric struct {
	name  string
	value func(gpu, step int) float64
}

// noise is a number in [0,1) that differs from sample to sample.
func noise(gpu, step, k int) float64 {
	x := uint64(gpu)*0x9e3779b97f4a7c15 + uint64(step)*0xbf58476d1ce4e5b9 + uint64(k)*0x94d049bb133111eb
	x ^= x >> 31
	x *= 0xd6e8feb86659fd93
	x ^= x >> 29
	return float64(x>>11) / (1 << 53)
}

// places rounds to thousandths or millionths, like exporters.
func places(v, unit float64) float64 { return float64(int64(v*unit)) / unit }

func ratioOf(k int, low, high float64) func(int, int) float64 {
	return func(gpu, step int) float64 { return places(low+(high-low)*noise(gpu, step, k), 1e6) }
}

func whole(k int, low, high float64) func(int, int) float64 {
	return func(gpu, step int) float64 { return float64(int64(low + (high-low)*noise(gpu, step, k))) }
}

// metrics are the default counters of dcgm-exporter.
var metrics = []metric{
	{"DCGM_FI_DEV_SM_CLOCK", whole(1, 1400, 1980)},
	{"DCGM_FI_DEV_MEM_CLOCK", whole(2, 2600, 2620)},
	{"DCGM_FI_DEV_MEMORY_TEMP", whole(3, 50, 80)},
	{"DCGM_FI_DEV_GPU_TEMP", whole(4, 40, 75)},
	{"DCGM_FI_DEV_POWER_USAGE", func(gpu, step int) float64 { return places(300+400*noise(gpu, step, 5), 1e3) }},
	{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", func(gpu, step int) float64 {
		return float64(int64(gpu)*1_000_003 + int64(step)*7_500_000 + int64(1000*noise(gpu, step, 6)))
	}},
	{"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", func(int, int) float64 { return 0 }},
	{"DCGM_FI_DEV_GPU_UTIL", whole(8, 60, 101)},
	{"DCGM_FI_DEV_MEM_COPY_UTIL", whole(9, 10, 60)},
	{"DCGM_FI_DEV_ENC_UTIL", func(int, int) float64 { return 0 }},
	{"DCGM_FI_DEV_DEC_UTIL", func(int, int) float64 { return 0 }},
	{"DCGM_FI_DEV_XID_ERRORS", func(int, int) float64 { return 0 }},
	{"DCGM_FI_DEV_FB_FREE", whole(13, 2000, 9000)},
	{"DCGM_FI_DEV_FB_USED", whole(14, 70000, 78000)},
	{"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", whole(15, 0, 900000)},
	{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", ratioOf(16, 0.7, 1)},
	{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", ratioOf(17, 0.2, 0.7)},
	{"DCGM_FI_PROF_DRAM_ACTIVE", ratioOf(18, 0.1, 0.6)},
	{"DCGM_FI_PROF_PCIE_TX_BYTES", whole(19, 1e8, 9e9)},
	{"DCGM_FI_PROF_PCIE_RX_BYTES", whole(20, 1e8, 9e9)},
}

const gpusPerNode = 8

// labels are the labels of a GPU's series in the form of Prometheus, sorted.
func labels(gpu int) series.Labels {
	node, i := gpu/gpusPerNode, gpu%gpusPerNode
	return series.Labels{
		{Name: "DCGM_FI_DRIVER_VERSION", Value: "550.90.07"}, {Name: "Hostname", Value: nodeName(node)},
		{Name: "UUID", Value: deviceName(gpu)}, {Name: "cluster", Value: "train"}, {Name: "container", Value: "exporter"},
		{Name: "device", Value: "nvidia" + strconv.Itoa(i)},
		{Name: "exported_container", Value: "trainer"}, {Name: "exported_namespace", Value: "research"},
		{Name: "exported_pod", Value: fmt.Sprintf("pretrain-%d-worker-%d", node/16, node%16)},
		{Name: "gpu", Value: strconv.Itoa(i)},
		{Name: "instance", Value: fmt.Sprintf("10.%d.%d.%d:9400", node>>16&255, node>>8&255, node&255)},
		{Name: "job", Value: "dcgm-exporter"},
		{Name: "modelName", Value: "NVIDIA H100 80GB HBM3"}, {Name: "namespace", Value: "gpu-operator"},
		{Name: "pci_bus_id", Value: fmt.Sprintf("00000000:%02X:00.0", 16+i*16)},
		{Name: "pod", Value: fmt.Sprintf("nvidia-dcgm-exporter-%05d", node)},
	}
}

func nodeName(node int) string  { return fmt.Sprintf("gpu-node-%05d", node) }
func deviceName(gpu int) string { return fmt.Sprintf("GPU-5fd4f087-86f3-7a43-b711-%012x", gpu) }

// rawLabels are the label fields of all series, GPU by GPU.
func rawLabels(gpus int) [][]byte {
	out := make([][]byte, 0, gpus*len(metrics))
	for g := range gpus {
		ls := labels(g)
		for _, m := range metrics {
			out = append(out, remotewrite.AppendLabels(nil, m.name, ls))
		}
	}
	return out
}
