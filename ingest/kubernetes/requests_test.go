package kubernetes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// CPU and memory are kept in thousandths and bytes, of containers and sidecars
// together, or of the largest init container; limits are no requests. Whether a
// pod holds a device does not depend on them.
func TestRequestsOfCPUAndMemory(t *testing.T) {
	container := func(requests, limits map[corev1.ResourceName]string) corev1.Container {
		list := func(m map[corev1.ResourceName]string) corev1.ResourceList {
			out := corev1.ResourceList{}
			for name, q := range m {
				out[name] = resource.MustParse(q)
			}
			return out
		}
		return corev1.Container{Resources: corev1.ResourceRequirements{Requests: list(requests), Limits: list(limits)}}
	}
	always := corev1.ContainerRestartPolicyAlways
	sidecar := container(map[corev1.ResourceName]string{"cpu": "100m"}, nil)
	sidecar.RestartPolicy = &always
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{sidecar, container(map[corev1.ResourceName]string{"memory": "2Gi"}, nil)},
		Containers: []corev1.Container{
			container(map[corev1.ResourceName]string{"cpu": "1500m", "memory": "1Gi"}, map[corev1.ResourceName]string{"nvidia.com/gpu": "2"}),
			container(nil, map[corev1.ResourceName]string{"memory": "64Gi"}),
		},
	}
	want := map[string]int64{"nvidia_com_gpu": 2, "cpu": 1600, "memory": 2 << 30}
	if diff := cmp.Diff(want, allRequestsOf(spec)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"nvidia_com_gpu": 2}, requestsOf(spec)); diff != "" {
		t.Error(diff)
	}
	if asksForDevices(map[string]int64{"cpu": 1, "memory": 1}) || !asksForDevices(want) {
		t.Error("a pod of a Ray cluster serves its jobs when it asks for devices")
	}
}
