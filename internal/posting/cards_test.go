package posting_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/fleetsim"
	"gpuledger/test/truth"
)

// TestNamelessCardsAgreeWithTheTruth: on time-sliced machines whose exporter names no pod, holders get their share by
// the simulator's own count of replicas.
func TestNamelessCardsAgreeWithTheTruth(t *testing.T) {
	t.Parallel()
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Seed, cfg.Nameless = 4, true
	w := simulate(t, cfg)
	w.loadFolder()
	w.allocate()
	if shared := w.rows("select count(distinct u.workload_id) > 2 from usage u join nodes n using (tenant_id, " +
		"node_id) where n.replicas > 1 and u.held"); len(shared) != 1 || shared[0] != "(t)" {
		t.Errorf("hardly anybody holds a part of a card: %v", shared)
	}
	oracle := truePostings(truth.Of(w.fleet))
	report(t, differences(w.postings(), oracle))
}

// cluster is the API's view of four machines without an exporter: one whose scheduler splits cards, one with only MIG
// resources, one with whole and partitioned cards, and one that is time-sliced.
func cluster() string {
	const a, b = "GPU-00552014-5c87-89ac-b1a6-7b53aa24b0ec", "GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448"
	node := func(name, labels, annotations, capacity string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Node\nmetadata: {name: %s, creationTimestamp: 2026-11-02T08:00:00Z, "+
			"labels: {%s}, annotations: {%s}}\nspec: {}\nstatus: {capacity: {cpu: 8, %s}, conditions: [{type: Ready, "+
			"status: \"True\", lastHeartbeatTime: 2026-11-02T12:00:00Z}]}\n---\n",
			name, labels, annotations, capacity)
	}
	pod := func(name, node, annotations, limits string) string {
		return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %[1]s, namespace: ml, uid: %[1]s, creationTimestamp: 2026-11-02T08:59:00Z, annotations: {%[3]s}}
spec: {nodeName: %[2]s, containers: [{name: c, resources: {limits: {%[4]s}}}]}
status: {phase: Running, startTime: 2026-11-02T09:00:00Z, conditions: [{type: PodScheduled, status: "True", lastTransitionTime: 2026-11-02T09:00:00Z}]}
---
`, name, node, annotations, limits)
	}
	// The second card is registered as its parts.
	register := fmt.Sprintf(`hami.io/node-nvidia-register: "%s,10,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:%s-0,1,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:%s-1,1,32768,100,NVIDIA-Tesla V100-PCIE-32GB,0,true:"`, a, b, b)
	given := func(card string, mib, cores int) string {
		return fmt.Sprintf(`hami.io/vgpu-devices-allocated: "%s,NVIDIA,%d,%d:;"`, card, mib, cores)
	}
	return node("hami", "", register, "nvidia.com/gpu: 20") +
		node("cut", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB", "",
			"nvidia.com/mig-3g.20gb: 2, nvidia.com/mig-1g.5gb: 7") +
		node("mixed", "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB", "", "nvidia.com/gpu: 3, nvidia.com/mig-2g.10gb: 3") +
		node("sliced", `nvidia.com/gpu.replicas: "3"`, "", "nvidia.com/gpu: 6") +
		pod("first", "hami", given(b, 8192, 0), "nvidia.com/gpu: 1, nvidia.com/gpumem: 8192") +
		pod("second", "hami", given(b+"-1", 8192, 50), "nvidia.com/gpu: 1, nvidia.com/gpumem: 8192") +
		pod("nowhere", "hami", "", "nvidia.com/gpu: 1, nvidia.com/gpumem: 8192") +
		pod("whole", "mixed", "", "nvidia.com/gpu: 1") +
		pod("s1", "sliced", "", "nvidia.com/gpu: 2") + pod("s2", "sliced", "", "nvidia.com/gpu: 2") +
		pod("s3", "sliced", "", "nvidia.com/gpu: 1")
}

// TestCardsThatNoExporterShows follows cards known only from the API to their holders.
func TestCardsThatNoExporterShows(t *testing.T) {
	t.Parallel()
	w := &world{t: t, dir: t.TempDir(), files: &fleetsim.Manifest{Cluster: "c"}}
	w.fresh()
	if err := os.WriteFile(filepath.Join(w.dir, "objects.yaml"), []byte(cluster()), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	im := ingest.Importer{Store: w.store, Now: func() time.Time { return at }}
	for range 2 { // the second pass changes nothing
		if sum, err := im.Import(t.Context(), ingest.Request{
			Source: "kubernetes", Cluster: "c", URIs: []string{filepath.Join(w.dir, "objects.yaml")},
		}); err != nil {
			t.Fatalf("%v %+v", err, sum)
		}
	}
	sum := w.allocate()
	equal(t, "machines", []string{"(cut,2,1,\"A100 40GB\")", "(hami,2,1,\"V100 32GB\")", "(mixed,4,1,\"A100 40GB\")",
		"(sliced,2,3,)"},
		w.rows("select name, gpus, replicas, gpu_model from nodes order by name"))
	const b = "GPU-0fc3eda5-e98b-a25b-5b0d-cf5c855d1448"
	equal(t, "holds", []string{
		"(first,1," + b + ",0.25)", "(second,1," + b + ",0.5)", "(whole,0,,1)",
		"(s1,0,,0.666667)", "(s2,1,,0.666667)", "(s3,0,,0.333333)",
	}, w.rows(`
		select k.name, u.slot, u.device, trim_scale(round(sum(u.weight_num / u.weight_den) / 3600, 6))
		from usage u join workloads k using (tenant_id, workload_id)
		where u.hour = '2026-11-02 09:00Z' and u.held group by k.name, u.slot, u.device`))
	if sum.Diagnostics["request_not_placed"] != 1 {
		t.Errorf("the pod without a card must be named: %v", sum.Diagnostics)
	}
}
