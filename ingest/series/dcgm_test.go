package series

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

const gpu0 = `gpu="0",UUID="GPU-a",modelName="NVIDIA A100-SXM4-40GB",Hostname="n1",`

// values are the values of a minute by device, slice and signal.
func valuesOf(x *ledger.Telemetry, minute int) map[string]int64 {
	out := map[string]int64{}
	for _, s := range x.Samples {
		for signal, v := range s.Vectors {
			if v.Known>>minute&1 == 1 {
				out[fmt.Sprintf("%s %d%s %s", s.Device, s.SliceID, s.Profile, signal)] = v.Value[minute]
			}
		}
	}
	return out
}

// Places of MIG instances have the labels of the exporter or of the node agent; a number that
// is not a memory slice is refused.
func TestPlacesOfMIGInstances(t *testing.T) {
	const name = "gpuledger_mig_instance_start"
	r := newReader(t, Options{})
	r.must(name, gpu0+`GPU_I_ID="9",GPU_I_PROFILE="1g.5gb",`, "6", testHour)
	r.must(name, `gpu="0",uuid="GPU-a",model="NVIDIA A100-SXM4-40GB",hostname="n1",gi="2",profile="3g.20gb",`, "0",
		testHour)
	for _, value := range []string{"4.5", "-1", "64"} {
		if why := r.add(name, gpu0+`GPU_I_ID="3",GPU_I_PROFILE="2g.10gb",`, value, testHour); why != "no memory slice" {
			t.Errorf("%s: %q", value, why)
		}
	}
	if d := cmp.Diff(map[string]int64{"GPU-a 91g.5gb mig_start": 6, "GPU-a 23g.20gb mig_start": 0},
		valuesOf(r.flush(), 0)); d != "" {
		t.Error(d)
	}
}

func holdersOf(x *ledger.Telemetry) []string {
	var out []string
	for _, e := range x.Evidence {
		out = append(out, fmt.Sprintf("%s %d %s/%s", e.Device, e.SliceID, e.Namespace, e.Pod))
	}
	return out
}

// Units follow from names alone: the same measure under each of its names.
func TestUnitsByName(t *testing.T) {
	for _, c := range []struct {
		names  string
		value  string
		signal ledger.Signal
		want   int64
	}{
		{"DCGM_FI_DEV_GPU_UTIL dcgm_gpu_utilization", "1", ledger.SignalGPUUtil, 10_000},
		{
			"DCGM_FI_PROF_GR_ENGINE_ACTIVE DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO dcgm_fi_prof_gr_engine_active",
			"1", ledger.SignalGrEngine, 1_000_000,
		},
		{"DCGM_FI_PROF_SM_ACTIVE DCGM_FI_PROF_SM_UTIL_RATIO", "1.294", ledger.SignalSM, 1_294_000},
		{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE DCGM_FI_PROF_TENSOR_UTIL_RATIO", "0.000118", ledger.SignalTensor, 118},
		{"DCGM_FI_PROF_DRAM_ACTIVE DCGM_FI_PROF_DRAM_UTIL_RATIO", "0.5", ledger.SignalDRAM, 500_000},
		{"DCGM_FI_DEV_FB_USED dcgm_fb_used", "3", ledger.SignalMemoryUsed, 3 << 20},
		{"DCGM_FI_DEV_FB_USED_BYTES", "3145728", ledger.SignalMemoryUsed, 3 << 20},
		{"DCGM_FI_DEV_FB_FREE", "1", ledger.SignalMemoryFree, 1 << 20},
		{"DCGM_FI_DEV_POWER_USAGE DCGM_FI_DEV_BOARD_POWER_WATTS dcgm_power_usage", "115.294000", ledger.SignalPower, 115_300},
		{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION dcgm_total_energy_consumption", "27151028", ledger.SignalEnergy, 27_151_028},
		{"DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL", "27151.028", ledger.SignalEnergy, 27_151_028},
		{"DCGM_FI_DEV_GPU_TEMP DCGM_FI_DEV_GPU_TEMP_CELSIUS dcgm_gpu_temp", "37", ledger.SignalTemperature, 37_000},
		{"DCGM_FI_DEV_XID_ERRORS DCGM_FI_DEV_XID_ERROR dcgm_xid_errors", "79", ledger.SignalXID, 79},
		{"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "260", ledger.SignalThrottle, 260},
		{"DCGM_FI_DEV_POWER_VIOLATION", "140737488355329", ledger.SignalThrottlePower, 140_737_488_355_329},
		{"DCGM_FI_DEV_THERMAL_VIOLATION", "5", ledger.SignalThrottleThermal, 5},
		{"DCGM_FI_DEV_GPU_THERMAL_THROTTLE_SECONDS_TOTAL", "1.5", ledger.SignalThrottleThermal, 1_500_000_000},
		{"DCGM_FI_DEV_MEMORY_UTIL_RATIO", "0.5", ledger.SignalMemoryCopy, 500_000},
		{"DCGM_FI_DEV_MEM_COPY_UTIL dcgm_mem_copy_utilization", "50", ledger.SignalMemoryCopy, 500_000},
		{
			"DCGM_FI_PROF_PCIE_TX_BYTES DCGM_FI_PROF_PCIE_TX_BYTES_total dcgm_fi_prof_pcie_tx_bytes",
			"3e9", ledger.SignalPCIeTx, 2861 << 20,
		},
		{"DCGM_FI_PROF_NVLINK_RX_BYTES", "3500000", ledger.SignalNVLinkRx, 3 << 20},
	} {
		for name := range strings.FieldsSeq(c.names) {
			r := newReader(t, Options{})
			r.must(name, gpu0, c.value, testHour)
			if got := valuesOf(r.flush(), 0)["GPU-a -1 "+string(c.signal)]; got != c.want {
				t.Errorf("%s: %d, want %d", name, got, c.want)
			}
		}
	}
}

// T09 and the sentinels of DCGM: a sample without a value is absent, never 0.
func TestValuesThatAreNone(t *testing.T) {
	for name, values := range map[string]string{
		"DCGM_FI_DEV_GPU_TEMP": "NaN 2147483632 2147483633 2147483634 2147483635 9223372036854775792 " +
			"9223372036854775794 9223372036854775795 9.223372036854776e+18 140737488355328 140737488355328.0 " +
			"140737488355329 1.40737488355330e+14",
		"DCGM_FI_DEV_FB_USED":                  "2147483632 9223372036854775792",
		"DCGM_FI_PROF_PCIE_RX_BYTES":           "9223372036854775794 140737488355328",
		"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": "9223372036854775793 9.223372036854775807e18",
	} {
		for value := range strings.FieldsSeq(values) {
			r := newReader(t, Options{})
			if why := r.add(name, gpu0, value, testHour); why != "absent" {
				t.Errorf("%s %s: %q", name, value, why)
			}
			if x := r.flush(); len(x.Samples) != 0 {
				t.Errorf("%s %s became %+v", name, value, x.Samples)
			}
		}
	}
	// Real values beyond 32 bits are not sentinels.
	r := newReader(t, Options{})
	r.must("DCGM_FI_PROF_PCIE_RX_BYTES", gpu0, "2147483633", testHour)
	r.must("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", gpu0, "140737488355330", testHour)
	if got := valuesOf(r.flush(), 0); len(got) != 2 {
		t.Errorf("%v", got)
	}
	// T09: the stale marker ends the series, infinities are refused.
	s := r.c.Bind("DCGM_FI_DEV_GPU_TEMP", labelsOf(gpu0))
	if f := r.c.Add(s, testHour*1000, DecimalOf(math.Float64frombits(0x7ff0000000000002))); f != Absent {
		t.Errorf("stale marker: %v", f)
	}
	for _, inf := range []string{"+Inf", "-Inf"} {
		if why := r.add("DCGM_FI_DEV_GPU_TEMP", gpu0, inf, testHour); why != "not finite" {
			t.Errorf("%s: %q", inf, why)
		}
	}
	if x := r.flush(); len(x.Samples) != 0 {
		t.Errorf("%+v", x.Samples)
	}
}

// T12: one device, however many rows report it.
func TestExporterQuirks(t *testing.T) {
	type row struct{ name, labels, value string }
	for name, c := range map[string]struct {
		rows    []row
		values  map[string]int64
		holders []string
	}{
		"parent values on rows of instances are stored once, the largest": {
			[]row{
				{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", gpu0 + `GPU_I_ID="1",GPU_I_PROFILE="3g.20gb"`, "126272101025"},
				{"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", gpu0 + `GPU_I_ID="2",GPU_I_PROFILE="3g.20gb"`, "126272106318"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `GPU_I_ID="1",GPU_I_PROFILE="3g.20gb"`, "0"},
			},
			map[string]int64{
				"GPU-a -1 energy_mj": 126272106318, "GPU-a -1 gpu_util_ppm": 0, "GPU-a 13g.20gb seen": 1, "GPU-a 23g.20gb seen": 1,
			}, nil,
		},
		"device and instances in one scrape (-d g,i)": {
			[]row{
				{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", gpu0, "0.3"},
				{"DCGM_FI_DEV_POWER_USAGE", gpu0, "100"},
				{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", gpu0 + `GPU_I_ID="1",GPU_I_PROFILE="3g.20gb",namespace="ns",pod="a"`, "0.6"},
				{"DCGM_FI_DEV_POWER_USAGE", gpu0 + `GPU_I_ID="1",GPU_I_PROFILE="3g.20gb",namespace="ns",pod="a"`, "101"},
			},
			map[string]int64{
				"GPU-a -1 gr_engine_ppm": 300_000, "GPU-a -1 power_mw": 101_000,
				"GPU-a 13g.20gb gr_engine_ppm": 600_000, "GPU-a 13g.20gb seen": 1,
			}, []string{"GPU-a 1 ns/a"},
		},
		"time slicing: a copy per pod": {
			[]row{
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `vgpu="0",namespace="ns",pod="a"`, "64"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `vgpu="1",namespace="ns",pod="b"`, "64"},
			},
			map[string]int64{"GPU-a -1 gpu_util_ppm": 640_000}, []string{"GPU-a -1 ns/a", "GPU-a -1 ns/b"},
		},
		"per-process mode: the device's row counts, the pods' rows name holders": {
			[]row{
				{"DCGM_FI_DEV_FB_USED", gpu0, "900"},
				{"DCGM_FI_DEV_FB_USED", gpu0 + `namespace="ns",pod="a"`, "600"},
				{"DCGM_FI_DEV_FB_USED", gpu0 + `namespace="ns",pod="b"`, "0"},
			},
			map[string]int64{"GPU-a -1 memory_used_b": 900 << 20}, []string{"GPU-a -1 ns/a", "GPU-a -1 ns/b"},
		},
		"jobs of a batch system: a line each, a blank line is none": {
			[]row{
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `hpc_job="4711"`, "5"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `hpc_job="4712"`, "5"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `hpc_job=""`, "5"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0 + `hpc_job=" "`, "5"},
			},
			map[string]int64{"GPU-a -1 gpu_util_ppm": 50_000}, []string{"GPU-a -1 hpc_job/4711", "GPU-a -1 hpc_job/4712"},
		},
		"the exporter's own pod holds nothing": {
			[]row{
				{
					"DCGM_FI_DEV_GPU_UTIL", `gpu="0",UUID="GPU-a",Hostname="n1",namespace="gpu-operator",pod="nvidia-dcgm-exporter-x"`,
					"5",
				},
				{
					"DCGM_FI_DEV_GPU_UTIL", `gpu="0",UUID="GPU-a",Hostname="n1",namespace="mon",pod="gpu-exporter-abcde",job="gpu-exporter"`, "5",
				},
				{"DCGM_FI_DEV_GPU_UTIL", `gpu="0",UUID="GPU-a",Hostname="mon-7",node="n1",namespace="mon",pod="mon-7"`, "5"},
				{
					"DCGM_FI_DEV_GPU_UTIL", `gpu="0",UUID="GPU-a",Hostname="n1",namespace="mon",pod="gpu-exporter-abcde",exported_pod="train-0",exported_namespace="ns"`, "5",
				},
			},
			map[string]int64{"GPU-a -1 gpu_util_ppm": 50_000}, []string{"GPU-a -1 ns/train-0"},
		},
		"MIG is on and nothing is cut": {
			[]row{
				{"DCGM_FI_DEV_FB_USED", gpu0 + `GPU_I_PROFILE="",GPU_I_ID=""`, "0"},
				{"DCGM_FI_DEV_GPU_UTIL", gpu0, "2147483632"},
			},
			map[string]int64{"GPU-a -1 memory_used_b": 0}, nil,
		},
		"labels in lower case, profiles of claims, indices of the old namespace": {
			[]row{
				{
					"DCGM_FI_DEV_FB_USED", `gpu="0",uuid="GPU-a",hostname="n1",gpu_i_id="3",dra_mig_profile="1g.5gb",dra_claim_name="c",namespace="ns",pod="a"`, "1",
				},
				{"dcgm_gpu_utilization", `gpu="0",uuid="GPU-b",hostname="n1",pod_name="p",pod_namespace="ns"`, "12"},
			},
			map[string]int64{"GPU-a 31g.5gb memory_used_b": 1 << 20, "GPU-b -1 gpu_util_ppm": 120_000},
			[]string{"GPU-a 3 ns/a", "GPU-b -1 ns/p"},
		},
		"links, switches and CPUs are no GPUs": {
			[]row{
				{"DCGM_FI_DEV_GPU_TEMP", `nvlink="3",gpu_uuid="GPU-a",Hostname="n1"`, "1"},
				{"DCGM_FI_DEV_GPU_TEMP", `nvswitch="0",UUID="GPU-a",Hostname="n1"`, "1"},
				{"DCGM_FI_DEV_GPU_TEMP", `cpu="0",cpucore="1",UUID="GPU-a",Hostname="n1"`, "1"},
			}, map[string]int64{}, nil,
		},
		"a new XID is a new series": {
			[]row{
				{"DCGM_FI_DEV_XID_ERRORS", gpu0 + `err_code="0",err_msg="No Error"`, "0"},
				{"DCGM_FI_DEV_XID_ERRORS", gpu0 + `err_code="79",err_msg="fallen off the bus"`, "79"},
			}, map[string]int64{"GPU-a -1 xid": 79}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range []int{1, -1} {
				r := newReader(t, Options{})
				for i := range c.rows {
					row := c.rows[i]
					if order < 0 {
						row = c.rows[len(c.rows)-1-i]
					}
					r.add(row.name, row.labels, row.value, testHour)
				}
				x := r.flush()
				if d := cmp.Diff(c.values, valuesOf(x, 0)); d != "" {
					t.Error(d)
				}
				if d := cmp.Diff(c.holders, holdersOf(x)); d != "" {
					t.Error(d)
				}
				for _, s := range x.Samples {
					if s.Node != "n1" {
						t.Errorf("on node %s", s.Node)
					}
				}
			}
		})
	}
}

// The rows do not show whether a pipeline rescales GPU_UTIL to 0..1 under its name: the
// source's setting decides.
func TestRescaledUtilisation(t *testing.T) {
	r := newReader(t, Options{GPUUtil: UtilRatio})
	r.must("DCGM_FI_DEV_GPU_UTIL", gpu0, "0.37", testHour)
	if why := r.add("DCGM_FI_DEV_GPU_UTIL", gpu0, "37", testHour+60); why != "ambiguous unit" {
		t.Errorf("37 of 1: %q", why)
	}
	if d := cmp.Diff(map[string]int64{"GPU-a -1 gpu_util_ppm": 370_000}, valuesOf(r.flush(), 0)); d != "" {
		t.Error(d)
	}
}

func TestOneDeviceFromAllExporters(t *testing.T) {
	const uuid = "7099682b-a20d-2bcc-74ab-b9060454d81e"
	r := newReader(t, Options{})
	r.must("DCGM_FI_DEV_GPU_TEMP", `gpu="3",UUID="GPU-`+uuid+`",Hostname="n1"`, "40", testHour)
	r.must("nvidia_smi_power_draw_watts", `uuid="`+uuid+`",instance="n1:9835"`, "300.5", testHour)
	r.must("nvidia_smi_gpu_info", `uuid="`+uuid+`",instance="n1:9835",index="3",name="NVIDIA H200"`, "1", testHour)
	r.must("gpuledger_gpu_memory_used_bytes", `uuid="GPU-`+uuid+`",gpu="3",hostname="n1",gi="2",profile="1g.18gb"`, "1024",
		testHour)
	r.must("hw_gpu_utilization_ratio", `hw_id="GPU-`+uuid+`",node="n1",hw_gpu_task="general"`, "0.5", testHour)
	if why := r.add("hw_gpu_utilization_ratio", `hw_id="GPU-`+uuid+`",node="n1",hw_gpu_task="decoder"`, "0.9",
		testHour); why != "unmapped" {
		t.Error(why)
	}
	if why := r.add("hw_power_watts", `hw_id="psu-1",node="n1",hw_type="power_supply"`, "900",
		testHour); why != "unmapped" {
		t.Error(why)
	}
	x := r.flush()
	device := "GPU-" + uuid
	want := map[string]int64{
		device + " -1 temperature_mc": 40_000, device + " -1 power_mw": 300_500, device + " -1 seen": 1,
		device + " -1 gpu_util_ppm": 500_000, device + " 21g.18gb memory_used_b": 1024,
	}
	if d := cmp.Diff(want, valuesOf(x, 0)); d != "" {
		t.Error(d)
	}
	for _, s := range x.Samples {
		if s.Index != 3 || s.SliceID == ledger.WholeDevice && s.Model != "NVIDIA H200" {
			t.Errorf("%+v", s)
		}
	}
	// The info row's attributes hold after it was flushed.
	r.must("nvidia_smi_power_draw_watts", `uuid="`+uuid+`",instance="n1:9835"`, "301", testHour+60)
	if s := r.flush().Samples; len(s) != 1 || s[0].Index != 3 || s[0].Model != "NVIDIA H200" {
		t.Errorf("%+v", s)
	}
}

// The NVML backend of nvidia_gpu_exporter gives profiles in a separate series, which may arrive
// after the memory and activity of the instance.
func TestInstancesOfNvidiaGPUExporter(t *testing.T) {
	const gpu = `uuid="7099682b-a20d-2bcc-74ab-b9060454d81e",instance="n1:9835"`
	const device = "GPU-7099682b-a20d-2bcc-74ab-b9060454d81e"
	for _, last := range []bool{false, true} {
		r := newReader(t, Options{})
		info := func() {
			r.must("nvidia_smi_mig_info",
				gpu+`,mig_uuid="MIG-1",gpu_instance_id="2",compute_instance_id="0",profile="1c.3g.71gb"`, "1", testHour)
			r.must("nvidia_smi_mig_info",
				gpu+`,mig_uuid="MIG-2",gpu_instance_id="2",compute_instance_id="1",profile="2c.3g.71gb"`, "1", testHour)
		}
		if !last {
			info()
		}
		r.must("nvidia_smi_mig_graphics_activity_ratio", gpu+`,gpu_instance_id="2"`, "0.5", testHour)
		r.must("nvidia_smi_mig_memory_used_bytes", gpu+`,gpu_instance_id="2"`, "1024", testHour)
		r.must("nvidia_smi_energy_joules_total", gpu, "12.5", testHour)
		if last {
			info()
		}
		want := map[string]int64{
			device + " 23g.71gb gr_engine_ppm": 500_000, device + " 23g.71gb memory_used_b": 1024, device + " 23g.71gb seen": 1,
			device + " -1 energy_mj": 12_500,
		}
		if d := cmp.Diff(want, valuesOf(r.flush(), 0)); d != "" {
			t.Error(d)
		}
	}
}

// An exporter that gives its pod's name for its host's is found by its pod.
func TestNodeOfAnExportersPod(t *testing.T) {
	r := newReader(t, Options{})
	const row = `gpu="0",UUID="GPU-a",Hostname="nvidia-dcgm-exporter-km55s",exported_namespace="ns",exported_pod="a"`
	r.must("DCGM_FI_DEV_GPU_TEMP", row, "40", testHour)
	if s := r.flush().Samples; len(s) != 1 || s[0].Node != "nvidia-dcgm-exporter-km55s" {
		t.Errorf("%+v", s)
	}
	r.must("DCGM_FI_DEV_GPU_TEMP", row, "40", testHour)
	r.must("kube_pod_info", `namespace="gpu-operator",pod="nvidia-dcgm-exporter-km55s",uid="u",node="n7"`, "1", testHour)
	for range 2 { // it is remembered
		x := r.flush()
		if len(x.Samples) != 1 || x.Samples[0].Node != "n7" || len(x.Evidence) != 1 || x.Evidence[0].Node != "n7" ||
			x.Evidence[0].Pod != "a" {
			t.Errorf("%+v %+v", x.Samples, x.Evidence)
		}
		r.must("DCGM_FI_DEV_GPU_TEMP", row, "41", testHour+60)
	}
}

// An exporter without a host name is found by the scraped address, as long as only one machine
// had it.
func TestNodeOfAnAddress(t *testing.T) {
	for _, c := range []struct{ instance, want string }{
		{"10.0.0.3:9400", "n7"}, {"[fe80::1]:9400", "n8"}, {"10.0.0.4:9400", "n9"},
		{"10.0.0.5:9400", "10.0.0.5"}, {"10.0.0.6:9400", "10.0.0.6"}, {"n10:9400", "n10"},
	} {
		r := newReader(t, Options{})
		r.must("DCGM_FI_DEV_GPU_TEMP", `gpu="0",UUID="GPU-a",instance="`+c.instance+`"`, "40", testHour)
		r.must("kube_node_info", `node="n7",internal_ip="10.0.0.3"`, "1", testHour)
		r.must("kube_node_info", `node="n8",internal_ip="fe80::1"`, "1", testHour)
		r.must("kube_pod_info", `namespace="a",pod="b",uid="u",node="n9",host_ip="10.0.0.4"`, "1", testHour)
		for _, node := range []string{"old", "new"} {
			r.must("kube_node_info", `node="`+node+`",internal_ip="10.0.0.5"`, "1", testHour)
		}
		if s := r.flush().Samples; len(s) != 1 || s[0].Node != c.want {
			t.Errorf("%s: %+v, want %s", c.instance, s, c.want)
		}
	}
}

func TestHosts(t *testing.T) {
	r := newReader(t, Options{})
	r.must("gpuledger_host_cpu_ratio", `hostname="n1"`, "0.25", testHour)
	r.must("gpuledger_host_memory_used_bytes", `hostname="n1"`, "1e9", testHour)
	r.must("instance:node_cpu_utilisation:rate5m", `instance="n2:9100",job="node-exporter"`, "0.5", testHour)
	r.must("system_cpu_utilization_ratio", `node="n3",state="idle"`, "0.9", testHour)
	r.must("system.cpu.utilization", `host.name="n4",cpu.mode="idle"`, "0.75", testHour)
	for labels, want := range map[string]string{
		`node="n3",state="user"`:                 "unmapped",
		`node="n3",state="idle",cpu="cpu0"`:      "unmapped",
		`instance="10.0.0.1:9100",state="idle"`:  "no node",
		`instance="[fe80::1]:9100",state="idle"`: "no node",
	} {
		if why := r.add("system_cpu_utilization_ratio", labels, "0.5", testHour); why != want {
			t.Errorf("%s: %q", labels, why)
		}
	}
	got := map[string]int64{}
	for _, s := range r.flush().Samples {
		if s.Device != ledger.HostDevice || s.Index != -1 || s.Model != "" || s.SliceID != ledger.WholeDevice {
			t.Errorf("%+v", s)
		}
		for signal, v := range s.Vectors {
			got[s.Node+" "+string(signal)] = v.Value[0]
		}
	}
	want := map[string]int64{
		"n1 host_cpu_ppm": 250_000, "n1 host_memory_b": 1e9, "n2 host_cpu_ppm": 500_000,
		"n3 host_cpu_ppm": 100_000, "n4 host_cpu_ppm": 250_000,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestProcesses(t *testing.T) {
	const name, gpu = "gpuledger_gpu_process_memory_bytes", `uuid="GPU-a",gpu="0",hostname="n1",`
	r := newReader(t, Options{})
	r.must(name, gpu+`gi="2",profile="1g.10gb",pod_uid="u-1",pid="7"`, "100", testHour+61)
	r.must(name, gpu+`hpc_job="4711"`, "100", testHour)
	r.must(name, gpu+`pid="21180",process="/opt/x/train",user="ml",started="1789990000"`, "0", testHour+10)
	r.must(name, gpu+`pid="21180",process="/opt/x/train",user="ml",started="1789990000"`, "5", testHour+130)
	r.must("gpuledger_gpu_process_sm_ratio", gpu+`pid="9",process="b"`, "0.5", testHour)
	if why := r.add(name, gpu, "1", testHour); why != "no process" {
		t.Error(why)
	}
	x := r.flush()
	if d := cmp.Diff([]string{"GPU-a -1 hpc_job/4711"}, holdersOf(x)); d != "" {
		t.Error(d)
	}
	at := ledger.Placement{
		Cluster: "default", Node: "n1", Device: "GPU-a", SliceID: ledger.WholeDevice,
		Evidence: ledger.EvidenceProcess, CoreShare: -1, MemoryShare: -1,
	}
	place := func(workload string, slice int32, from, to int64) ledger.Placement {
		p := at
		p.Workload, p.SliceID = workload, slice
		p.From, p.To = at.From+secondOf(from), secondOf(to)
		return p
	}
	if d := cmp.Diff([]ledger.Placement{
		place("process/n1/21180/1789990000", -1, 1789990000, testHour+180),
		place("process/n1/9/b", -1, 0, testHour+60),
		place("u-1", 2, 0, testHour+120),
	}, x.Placements); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]ledger.WorkloadFact{
		{
			Cluster: "default", System: ledger.SystemProcess, Namespace: "ml",
			Name: "train", UID: "process/n1/21180/1789990000", Node: "n1",
			OwnerKind: ledger.KindProcess, OwnerName: "train", Started: 1789990000,
			FirstSeen: testHour + 10, LastSeen: testHour + 130,
		},
		{
			Cluster: "default", System: ledger.SystemProcess, Name: "b", UID: "process/n1/9/b", Node: "n1",
			OwnerKind: ledger.KindProcess, OwnerName: "b", FirstSeen: testHour, LastSeen: testHour,
		},
	}, x.Workloads); d != "" {
		t.Error(d)
	}
	if len(x.Objects) != 2 || x.Objects[0].Kind != ledger.KindProcess || x.Objects[0].Name != "train" ||
		x.Objects[0].Namespace != "ml" {
		t.Errorf("%+v", x.Objects)
	}
	if s := valuesOf(x, 1); s["GPU-a 21g.10gb seen"] != 1 {
		t.Errorf("%v", s)
	}
}

func TestLeftOut(t *testing.T) {
	for name, want := range map[string]bool{
		"DCGM_FI_DEV_MEMORY_CLOCK_HERTZ": true, "DCGM_FI_DEV_FB_CAPACITY_BYTES": true, "DCGM_FI_DEV_ENC_UTIL_RATIO": true,
		"DCGM_EXP_XID_ERRORS_COUNT": true, "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL": true,
		"DCGM_FI_DEV_FB_TOTAL": true, "nvidia_smi_pstate": true,
		"vllm:iteration_tokens_total_bucket": true, "kube_customresource_rayjob_status": true, "up": true,
		"DCGM_FI_DEV_FB_USED": false, "vllm:prompt_tokens_total": false,
		"kube_pod_info": false, "something_else": false, "upper": false,
	} {
		if got := LeftOut(name); (got != "") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Every field that the exporter's own lists name is read, or left out for a
// reason.
func TestFieldsOfExporterLists(t *testing.T) {
	for _, file := range []string{"default-counters.csv", "dcp-metrics-included.csv", "1.x-compatibility-metrics.csv"} {
		fields := 0
		for line := range strings.Lines(publicSample(t, "dcgm/"+file)) {
			line = strings.TrimSpace(strings.TrimLeft(line, "# "))
			name, rest, ok := strings.Cut(line, ",")
			kind, _, _ := strings.Cut(strings.TrimSpace(rest), ",")
			if !ok || kind != "gauge" && kind != "counter" && kind != "label" {
				continue
			}
			name = strings.TrimSpace(name)
			if fields++; !Known(name) && LeftOut(name) == "" && kind != "label" {
				t.Errorf("%s: %s is neither read nor left out", file, name)
			}
		}
		if fields < 15 {
			t.Errorf("%s: %d fields", file, fields)
		}
	}
}

func secondOf(s int64) period.Second { return period.Second(s) }
