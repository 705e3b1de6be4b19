package kubernetes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

// podYAML is a running pod with annotations; more lines go under its container.
func podYAML(name, annotations, container string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: ns, uid: %s, creationTimestamp: 2026-11-02T08:00:00Z, labels: {%s}, annotations: {%s}}
spec:
  nodeName: n1
  containers:
  - name: main
%s
status: {phase: Running, startTime: 2026-11-02T08:01:00Z}
---
`, name, name, "app: x", annotations, container)
}

// placesOf writes placements as "pod device core/memory".
func placesOf(x ledger.Telemetry) string {
	var out []string
	for _, p := range x.Placements {
		out = append(out, fmt.Sprintf("%s %s %d/%d", p.Workload, p.Device, p.CoreShare, p.MemoryShare))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "; ")
}

func TestPartsOfCards(t *testing.T) {
	const id = "GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec"
	limits := func(resource string, n int) string {
		return fmt.Sprintf("    resources: {limits: {%s: %d}}", resource, n)
	}
	for name, c := range map[string]struct {
		text     string
		places   string
		requests string // a resource that must be among the first pod's
	}{
		"Aliyun": {podYAML("a", `ALIYUN_COM_GPU_MEM_IDX: "1", ALIYUN_COM_GPU_MEM_DEV: "15", ALIYUN_COM_GPU_MEM_POD: "3", ALIYUN_COM_GPU_MEM_ASSIGNED: "true"`, limits("aliyun.com/gpu-mem", 3)),
			"a #1 -1/200000", "aliyun_com_gpu_mem"},
		"Aliyun has not chosen": {
			podYAML("a", `ALIYUN_COM_GPU_MEM_IDX: "-1"`, limits("aliyun.com/gpu-mem", 3)), "", "aliyun_com_gpu_mem",
		},
		"Tencent": {
			podYAML("a", `tencent.com/predicate-gpu-idx-0: "2"`, limits("tencent.com/vcuda-core", 40)),
			"a #2 400000/-1", "tencent_com_vcuda_core",
		},
		"Tencent, two whole cards": {podYAML("a", `tencent.com/predicate-gpu-idx-0: "0,3"`,
			limits("tencent.com/vcuda-core", 200)),
			"a #0 1000000/-1; a #3 1000000/-1", "tencent_com_vcuda_core"},
		"Koordinator": {podYAML("a",
			`scheduling.koordinator.sh/device-allocated: '{"gpu":[{"minor":1,"resources":{"koordinator.sh/gpu-core":"50","koordinator.sh/gpu-memory":"8Gi","koordinator.sh/gpu-memory-ratio":"25"}}]}'`,
			limits("koordinator.sh/gpu-core", 50)), "a #1 500000/250000", "koordinator_sh_gpu_core"},
		"Volcano": {
			podYAML("a", `volcano.sh/gpu-index: "3"`, limits("volcano.sh/gpu-memory", 1024)),
			"a #3 -1/-1", "volcano_sh_gpu_memory",
		},
		"Volcano vGPU": {podYAML("a", `volcano.sh/vgpu-ids-new: "`+id+`,NVIDIA,3000,30:;"`,
			limits("volcano.sh/vgpu-number", 1)),
			"a " + id + " 300000/-1", "volcano_sh_vgpu_number"},
		"HAMi, of a card that is registered as its parts": {podYAML("a",
			`hami.io/vgpu-devices-allocated: "`+id+`-3,NVIDIA,3000,0:;"`, limits("nvidia.com/gpumem", 3000)),
			"a " + id + " -1/-1", "nvidia_com_gpumem"},
		"a fraction and an index": {
			podYAML("a", `gpu-fraction: "0.25", runai-gpu: "1"`, "    image: x"), "a #1 -1/250000", ledger.ResourceGPUFraction,
		},
		"fractions of several cards": {
			podYAML("a", `gpu-fraction: "0.25", gpu-fraction-num-devices: "2"`, "    image: x"), "", ledger.ResourceGPUCards,
		},
		"several cards of nothing": {podYAML("a", `gpu-fraction-num-devices: "2"`, "    image: x"), "", ""},
		"a fraction of nobody knows what": {
			podYAML("a", `gpu-fraction: "0.5"`, "    image: x"), "", ledger.ResourceGPUFraction,
		},
		"memory of nobody knows what": {podYAML("a", `gpu-memory: "4096"`, "    image: x"), "", ledger.ResourceGPUMemory},
		"what is no fraction":         {podYAML("a", `gpu-fraction: "1e-9999999"`, "    image: x"), "", ""},
	} {
		x, read := parse(t, c.text, Options{Cluster: "c"})
		if read.Accepted != read.Rows {
			t.Errorf("%s: %+v", name, read)
		}
		if got := placesOf(x); got != c.places {
			t.Errorf("%s: placements %q, want %q", name, got, c.places)
		}
		if requests := x.Workloads[0].Requests; c.requests == "" && len(requests) > 0 || c.requests != "" &&
			requests[c.requests] == 0 {
			t.Errorf("%s: requests %v, want %s", name, requests, c.requests)
		}
	}
}

// Pods of one group share the card that the group's reservation pod holds for
// them, in whichever order they come; the reservation itself holds nothing.
func TestCardOfAGroup(t *testing.T) {
	group := func(text string) string { return strings.ReplaceAll(text, "app: x", "runai-gpu-group: g1") }
	half := group(podYAML("half", `gpu-fraction: "0.5"`, "    image: x"))
	tenth := group(podYAML("tenth", `gpu-fraction: "0.1"`, "    image: x"))
	other := podYAML("other", `gpu-fraction: "0.1"`, "    image: x")
	reserved := group(podYAML("reserved", `run.ai/reserve_for_gpu_index: GPU-8983c66a-23df-e63b-4c2f-afcae9ec79b3`,
		"    resources: {limits: {nvidia.com/gpu: 1}}"))
	const want = "half GPU-8983c66a-23df-e63b-4c2f-afcae9ec79b3 -1/500000; tenth " +
		"GPU-8983c66a-23df-e63b-4c2f-afcae9ec79b3 -1/100000"
	for _, text := range []string{
		half + other + reserved + tenth, reserved + tenth + half + other, tenth + half + other + reserved,
	} {
		x, _ := parse(t, text, Options{Cluster: "c"})
		if got := placesOf(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		for _, w := range x.Workloads {
			if (w.Node == "") != (w.UID == "reserved") {
				t.Errorf("%s is on node %q", w.UID, w.Node)
			}
		}
	}
}

// A pod that has ended keeps its share, even if its file lists it before the pod that names the
// card.
func TestCardOfAnEndedPod(t *testing.T) {
	group := func(text string) string { return strings.ReplaceAll(text, "app: x", "runai-gpu-group: g1") }
	half := group(podYAML("half", `gpu-fraction: "0.5"`, "    image: x"))
	ended := strings.Replace(half, "phase: Running", "phase: Succeeded", 1)
	if ended == half {
		t.Fatal("the pod has not ended")
	}
	reserved := group(podYAML("reserved", `run.ai/reserve_for_gpu_index: GPU-8983c66a-23df-e63b-4c2f-afcae9ec79b3`,
		"    resources: {limits: {nvidia.com/gpu: 1}}"))
	for _, text := range []string{ended + reserved, reserved + ended} {
		x, _ := parse(t, text, Options{Cluster: "c"})
		if got, want := placesOf(x), "half GPU-8983c66a-23df-e63b-4c2f-afcae9ec79b3 -1/500000"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A pod with parts of several cards is in the group of each.
func TestCardsOfGroups(t *testing.T) {
	labelled := func(text, labels string) string { return strings.ReplaceAll(text, "app: x", labels) }
	reserved := func(name, card, group string) string {
		return labelled(podYAML(name, `run.ai/reserve_for_gpu_index: `+card, "    resources: {limits: {nvidia.com/gpu: 1}}"),
			"runai-gpu-group: "+group)
	}
	const a, b = "GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec", "GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448"
	first, second := reserved("first", a, "g1"), reserved("second", b, "g2")
	both := labelled(podYAML("both", `gpu-fraction: "0.5", gpu-fraction-num-devices: "2"`, "    image: x"),
		"runai-gpu-group/g1: g1, runai-gpu-group/g2: g2")
	want := "both " + a + " -1/500000; both " + b + " -1/500000"
	for _, text := range []string{first + second + both, both + first + second, first + both + second} {
		x, _ := parse(t, text, Options{Cluster: "c"})
		if got := placesOf(x); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCapacityOfSharedNodes(t *testing.T) {
	x, _ := parse(t, "apiVersion: v1\nkind: Node\nmetadata: {name: n1, creationTimestamp: "+
		"2026-11-02T08:00:00Z}\nstatus: {capacity: {aliyun.com/gpu-count: 4, aliyun.com/gpu-mem: 60, pods: 110}}\n",
		Options{Cluster: "c"})
	if got := x.Nodes[0].Capacity; len(got) != 2 || got["aliyun_com_gpu_count"] != 4 || got["aliyun_com_gpu_mem"] != 60 {
		t.Errorf("%v", got)
	}
}

func TestRegister(t *testing.T) {
	const a, b = "GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec", "GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448"
	for name, c := range map[string]struct{ key, value, want string }{
		"HAMi": {"hami.io/node-nvidia-register", a + ",10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:" + b +
			",10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:",
			"0 " + a + " Tesla V100-PCIE-32GB; 1 " + b + " Tesla V100-PCIE-32GB"},
		"with indices and modes": {"hami.io/node-nvidia-register", a +
			",10,40960,100,NVIDIA A100-SXM4-40GB,0,true,3,hami-core:" + b + ",10,40960,100,NVIDIA A100-SXM4-40GB,0,true,1,mig:",
			"3 " + a + " NVIDIA A100-SXM4-40GB; 1 " + b + " NVIDIA A100-SXM4-40GB mig"},
		"JSON": {"hami.io/node-nvidia-register", `[{"id":"` + b +
			`","index":1,"count":10,"devmem":24576,"type":"NVIDIA-NVIDIA A10","mode":"hami-core"},{"id":"` + a +
			`","count":10,"devmem":24576,"type":"NVIDIA A10"}]`,
			"1 " + b + " NVIDIA A10; 0 " + a + " NVIDIA A10"},
		"each part of a card": {"hami.io/node-nvidia-register", a + "-0,1,32768,100,NVIDIA A10,0,true:" + a +
			"-1,1,32768,100,NVIDIA A10,0,true:" + b + "-7,1,32768,100,NVIDIA A10,0,true:",
			"0 " + a + " NVIDIA A10; 1 " + b + " NVIDIA A10"},
		"Volcano": {
			"volcano.sh/node-vgpu-register", a + ",10,32768,Tesla-V100-PCIE-32GB,true:", "0 " + a + " Tesla V100-PCIE-32GB",
		},
		"another shape":  {"hami.io/node-nvidia-register", `[{"id":7}]`, ""},
		"nothing at all": {"hami.io/node-nvidia-register", ":", ""},
	} {
		text := fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: n1, creationTimestamp: 2026-11-02T08:00:00Z, "+
			"annotations: {%s: '%s'}}\nspec: {}\nstatus: {}\n", c.key, c.value)
		x, _ := parse(t, text, Options{Cluster: "c"})
		var got []string
		for _, d := range x.Devices {
			line := fmt.Sprintf("%d %s %s", d.Index, d.UUID, d.Model)
			if d.InMIG {
				line += " mig"
			}
			if got = append(got, line); d.Node != "n1" || !d.Registered || d.First == 0 {
				t.Errorf("%s: %+v", name, d)
			}
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, s, c.want)
		}
	}
}
