package kubernetes

import (
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
)

// The labels that every possible machine of a pod must have: its node selector, and the
// restrictions that all alternatives of its affinity share. Pods without a GPU have none.
func TestLabelsThatPodsSelectMachinesBy(t *testing.T) {
	const gpu = "containers: [{name: c, resources: {limits: {nvidia.com/gpu: \"1\"}}}]"
	required := func(terms string) string {
		return gpu + ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" +
			terms + "]}}}"
	}
	const model = "{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L4]}"
	for _, c := range []struct{ spec, want string }{
		{gpu, ""},
		{
			gpu + ", nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4, kubernetes.io/os: linux}",
			"kubernetes_io_os nvidia_com_gpu_product",
		},
		{required("{matchExpressions: [" + model + "]}"), "nvidia_com_gpu_product"},
		{
			required("{matchExpressions: [" + model + "]}, {matchExpressions: [{key: zone, operator: In, values: [a]}, " +
				model + "]}"), "nvidia_com_gpu_product",
		},
		{required("{matchExpressions: [" + model + "]}, {matchExpressions: [{key: zone, operator: In, values: [a]}]}"), ""},
		{required("{matchExpressions: [{key: nvidia.com/gpu.product, operator: Exists}]}"), ""},
		{
			required("{matchExpressions: [{key: nvidia.com/gpu.product, operator: NotIn, values: [NVIDIA-H100]}]}"),
			"nvidia_com_gpu_product",
		},
		{required("{matchFields: [{key: metadata.name, operator: In, values: [node-1]}]}"), "kubernetes_io_hostname"},
		{
			gpu + ", affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: " +
				"{matchExpressions: [" + model + "]}}]}}", "",
		},
		{"containers: [{name: c}], resourceClaims: [{name: gpu, resourceClaimTemplateName: one}]", ledger.PicksByClaim},
		{"containers: [{name: c}], nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}", "none"},
	} {
		text := fmt.Sprintf("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, uid: u1, creationTimestamp: "+
			"2026-11-02T08:00:00Z}\nspec: {nodeName: node-1, %s}\n", c.spec)
		x, read := parse(t, text, Options{Cluster: "c"})
		if read.Accepted != 1 {
			t.Fatalf("%s: %+v", c.spec, read)
		}
		got := "none"
		for _, o := range x.Objects {
			if o.Kind != ledger.KindPodSelectors || o.Namespace != "ns" || o.Name != "u1" || o.Cluster != "c" {
				t.Errorf("%s: %+v", c.spec, o)
			}
			got = o.Attrs[ledger.PicksByAll]
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.spec, got, c.want)
		}
	}
}
