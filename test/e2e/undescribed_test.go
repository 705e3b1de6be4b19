package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// podsOf are two pods that request 4 and 2 GPUs of a machine, and the machine, in kubectl's form.
const (
	podsOf = `{"kind": "List", "items": [
		{"kind": "Pod", "metadata": {"name": "train-0", "namespace": "ml", "uid": "p-0", "creationTimestamp": "2026-11-02T00:00:00Z"},
		 "spec": {"nodeName": "gpu-1", "containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": "4"}, "requests": {"nvidia.com/gpu": "4"}}}]},
		 "status": {"phase": "Succeeded", "startTime": "2026-11-02T00:00:00Z",
			"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-11-02T00:00:00Z"}],
			"containerStatuses": [{"name": "main", "state": {"terminated": {"exitCode": 0, "startedAt": "2026-11-02T00:00:00Z", "finishedAt": "2026-11-02T02:00:00Z"}}}]}},
		{"kind": "Pod", "metadata": {"name": "train-1", "namespace": "ml", "uid": "p-1", "creationTimestamp": "2026-11-02T00:00:00Z"},
		 "spec": {"nodeName": "gpu-1", "containers": [{"name": "main", "resources": {"limits": {"nvidia.com/gpu": "2"}, "requests": {"nvidia.com/gpu": "2"}}}]},
		 "status": {"phase": "Running", "startTime": "2026-11-02T00:00:00Z",
			"conditions": [{"type": "PodScheduled", "status": "True", "lastTransitionTime": "2026-11-02T00:00:00Z"}]}}]}`
	nodesOf = `{"kind": "Node", "metadata": {"name": "gpu-1", "creationTimestamp": "2026-11-01T23:00:00Z", "labels": {"node.kubernetes.io/instance-type": "p5.48xlarge"}},
		"spec": {"providerID": "aws:///us-east-1a/i-0abc"}, "status": {"capacity": {"nvidia.com/gpu": "8"}, "allocatable": {"nvidia.com/gpu": "8"},
		"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-01T23:00:00Z", "lastHeartbeatTime": "2026-11-02T03:00:00Z"}]}}`
)

// allocate and doctor name pods on a machine without a description, with the missing import, until that was imported.
func TestWorkOnAnUndescribedMachineIsReported(t *testing.T) {
	db, dir := emptyDatabase(t), t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	must(t, db, "import", "kubernetes", write("pods.json", podsOf), "--cluster=a")
	_, doctor, errs := gpuledger(t, db, "doctor")
	if !strings.Contains(doctor+errs, "gpuledger allocate") {
		t.Errorf("before the allocation doctor says\n%s%s", doctor, errs)
	}
	const named = "machine gpu-1 of cluster a: ml/train-0, ml/train-1 ask for 6 GPUs"
	const advice = "gpuledger import kubernetes nodes.json --cluster a"
	for what, says := range map[string]string{
		"allocate": must(t, db, "allocate"), "its summary": must(t, db, "allocate", "--output=json"),
	} {
		if !strings.Contains(says, named) || !strings.Contains(says, advice) {
			t.Errorf("%s says\n%s", what, says)
		}
	}
	if code, out, errs := gpuledger(t, db, "doctor"); code != exitFailed || !strings.Contains(out, named) ||
		!strings.Contains(errs, "machines") {
		t.Errorf("doctor: status %d\n%s%s", code, out, errs)
	}
	must(t, db, "import", "kubernetes", write("nodes.json", nodesOf), "--cluster=a")
	if says := must(t, db, "allocate"); strings.Contains(says, "left out") {
		t.Errorf("with its node:\n%s", says)
	}
	if says := must(t, db, "doctor"); strings.Contains(says, "gpu-1") {
		t.Errorf("with its node:\n%s", says)
	}
}

// Machines that only jobs name are in the ledger, and are reported until they have a price.
func TestMachinesWithoutAPriceAreNamed(t *testing.T) {
	db := emptyDatabase(t)
	must(t, db, "import", "attempts", someJobs(t), "--cluster=hpc")
	for _, command := range []string{"allocate", "doctor"} {
		if says := must(t, db, command); !strings.Contains(says, "without any price: n1 (cluster hpc)") {
			t.Errorf("%s says\n%s", command, says)
		}
	}
}
