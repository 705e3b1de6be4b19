package kubernetes

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
)

var update = flag.Bool("update", false, "rewrite golden files")

func parse(t testing.TB, text string, opt Options) (ledger.Telemetry, ledger.Reading) {
	t.Helper()
	var all ledger.Telemetry
	read, err := Parse(context.Background(), strings.NewReader(text), "objects.yaml", opt,
		func(x *ledger.Telemetry) error {
			all.Nodes = append(all.Nodes, x.Nodes...)
			all.Devices = append(all.Devices, x.Devices...)
			all.NodeStates = append(all.NodeStates, x.NodeStates...)
			all.Sources = append(all.Sources, x.Sources...)
			all.Workloads = append(all.Workloads, x.Workloads...)
			all.PodStates = append(all.PodStates, x.PodStates...)
			all.Objects = append(all.Objects, x.Objects...)
			all.Placements = append(all.Placements, x.Placements...)
			all.Segments = append(all.Segments, x.Segments...)
			all.Events = append(all.Events, x.Events...)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	return all, read
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error("(-want +got):\n", diff)
	}
}

func handmade(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/handmade-gpu-cluster.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHandmadeCluster(t *testing.T) {
	x, read := parse(t, handmade(t), Options{Cluster: "c"})
	if read.Rows != 12 || read.Accepted != 11 || read.Ignored["ConfigMap"] != 1 {
		t.Errorf("%+v", read)
	}
	got, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(got, []byte("secret")) {
		t.Error("something of a pod was kept that is nobody's business")
	}
	golden(t, "handmade-gpu-cluster", got)
}

// TestOrderOfObjectsDoesNotMatter reads the documents backwards: the newest fact about each
// object is the same.
func TestOrderOfObjectsDoesNotMatter(t *testing.T) {
	forth, _ := parse(t, handmade(t), Options{Cluster: "c"})
	documents := strings.Split(handmade(t), "---\n")
	slices.Reverse(documents)
	back, _ := parse(t, strings.Join(documents, "---\n"), Options{Cluster: "c"})
	if diff := cmp.Diff(newestOf(forth), newestOf(back)); diff != "" {
		t.Error("(-forth +back):\n", diff)
	}
	texts := func(x ledger.Telemetry) []string {
		var out []string
		for _, p := range x.Placements {
			out = append(out, p.Workload+" "+p.Device+" "+string(p.Evidence))
		}
		for _, s := range x.Segments {
			out = append(out, s.Pod+" "+s.Run)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	if diff := cmp.Diff(texts(forth), texts(back)); diff != "" {
		t.Error("(-forth +back):\n", diff)
	}
}

// newestOf keeps, per pod, the largest set of requests: what merging keeps.
func newestOf(x ledger.Telemetry) map[string]map[string]int64 {
	out := map[string]map[string]int64{}
	for _, w := range x.Workloads {
		if len(w.Requests) >= len(out[w.UID]) {
			out[w.UID] = w.Requests
		}
	}
	return out
}

func TestListsAndLines(t *testing.T) {
	list := `{"apiVersion":"v1","kind":"PodList","metadata":{},"items":[
	 {"metadata":{"name":"a","namespace":"n","uid":"u1","creationTimestamp":"2026-09-21T08:00:00Z"},"spec":{"nodeName":"x","containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu":"1"}}}]},"status":{"phase":"Pending"}},
	 {"metadata":{"namespace":"n"}}]}`
	x, read := parse(t, list, Options{})
	if read.Rows != 2 || read.Accepted != 1 || read.Rejected["bad object"] != 1 || read.Unlabelled != 1 ||
		x.Workloads[0].Requests["nvidia_com_gpu"] != 1 {
		t.Errorf("%+v %+v", read, x.Workloads)
	}
	line := `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a","creationTimestamp":"2026-09-21T08:00:00Z","labels":{"team":"x"}}}`
	x, read = parse(t, line+"\n"+line+"\n", Options{})
	if read.Accepted != 2 || x.Objects[0].Kind != "Namespace" || x.Objects[0].Namespace != "" ||
		x.Objects[0].Labels["team"] != "x" {
		t.Errorf("%+v %+v", read, x.Objects)
	}
	if _, err := Parse(context.Background(), strings.NewReader(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`),
		"f", Options{}, nil); err == nil {
		t.Error("objects without any time were taken")
	}
}

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		handmade(t): true,
		"# note\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\nkind: List\n": true,
		`{"apiVersion": "v1", "items": [], "kind": "List"}`:                           true,
		`{"version":"0","id":"x","detail-type":"EC2"}`:                                false,
		"rates:\n  - kind: x\n":                                                       false,
	} {
		if got := Looks([]byte(text)); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}

// sample reads a public sample, or skips when the samples are not there.
func sample(t *testing.T, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("go.mod not found above the test")
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", "reference", "samples", "telemetry", "k8s", path))
	if os.IsNotExist(err) {
		t.Skipf("the public samples are not beside this checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPublicSamples(t *testing.T) {
	x, read := parse(t, sample(t, "runai-node-mig-3-instances.yaml"), Options{})
	if read.Accepted != 1 || len(x.Nodes) != 1 {
		t.Fatalf("%+v", read)
	}
	n := x.Nodes[0]
	want := map[string]int64{
		"nvidia_com_gpu": 0, "nvidia_com_mig_1g_5gb": 2, "nvidia_com_mig_2g_10gb": 1, "nvidia_com_mig_3g_20gb": 0,
	}
	if diff := cmp.Diff(want, n.Capacity); diff != "" || n.Labels["nvidia.com/gpu.product"] != "NVIDIA-A100-SXM4-40GB" ||
		n.Labels["nvidia.com/gpu.replicas"] != "0" {
		t.Error(diff, n.Labels)
	}
	x, read = parse(t, sample(t, "runai-pod-mig-1g-5gb.yaml"), Options{})
	if read.Accepted != 1 || len(x.Workloads) != 1 {
		t.Fatalf("%+v", read)
	}
	w := x.Workloads[0]
	if w.OwnerKind != "RunaiJob" || w.Phase != "Running" || w.Scheduled.String() != "2023-01-19T07:56:49Z" ||
		w.Node == "" || w.LastSeen.String() != "2023-01-19T07:56:57Z" {
		t.Errorf("%+v", w)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(handmade(f))
	f.Add(`{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"status":{"startTime":"2026-09-21T08:00:00Z"}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		read, err := Parse(context.Background(), strings.NewReader(text), "f", Options{},
			func(*ledger.Telemetry) error { return nil })
		if err == nil && read.Rows != read.Accepted+read.RejectedRows()+read.IgnoredRows() {
			t.Fatalf("%+v", read)
		}
	})
}
