package series

import (
	"maps"
	"testing"
)

// Node selectors from kube-state-metrics: the keys of the series' labels. A pod without a node
// selector is recorded as having none; a pod without the series has no fact.
func TestNodeSelectors(t *testing.T) {
	const name = "kube_pod_nodeselectors"
	r := newReader(t, Options{})
	r.must(name, `namespace="ns",pod="a",uid="u1",nodeselector_nvidia_com_gpu_product="NVIDIA-L4",nodeselector_kubernetes_io_os="linux"`, "1", testHour)
	r.must(name, `namespace="ns",pod="b",uid="u2"`, "1", testHour)
	r.must("kube_pod_labels", `namespace="ns",pod="c",uid="u3",label_team="ml"`, "1", testHour)
	if why := r.add(name, `namespace="ns",pod="d"`, "1", testHour); why == "" {
		t.Error("a pod without uid is taken")
	}
	got := map[string]string{}
	for _, o := range r.flush().Objects {
		got[o.Kind+" "+o.Namespace+"/"+o.Name] = o.Attrs["nodeSelector"]
		if len(o.Attrs) != 1 || o.AttrsAt == 0 {
			t.Errorf("%+v", o)
		}
	}
	if want := map[string]string{
		"PodSelectors ns/u1": "kubernetes_io_os nvidia_com_gpu_product", "PodSelectors ns/u2": "",
	}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
