package kubernetes

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// CPU and memory are kept in thousandths and bytes, of containers and sidecars together, or of
// the largest init container; limits are not requests. They do not affect whether a pod holds a
// device.
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
			container(map[corev1.ResourceName]string{"cpu": "1500m", "memory": "1Gi"},
				map[corev1.ResourceName]string{"nvidia.com/gpu": "2"}),
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

// A pod that was resized in place holds the resources in its status, whichever way it is
// resized and whatever the status leaves out.
func TestRequestsOfResizedPods(t *testing.T) {
	list := func(pairs ...string) corev1.ResourceList {
		out := corev1.ResourceList{}
		for i := 0; i < len(pairs); i += 2 {
			out[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
		}
		return out
	}
	pod := func(statuses ...corev1.ContainerStatus) *corev1.Pod {
		return &corev1.Pod{
			Spec: corev1.PodSpec{Containers: []corev1.Container{
				{
					Name: "main", Resources: corev1.ResourceRequirements{
						Requests: list("cpu", "8", "memory", "16Gi", "nvidia.com/gpu", "1"),
					},
				},
				{Name: "side", Resources: corev1.ResourceRequirements{Requests: list("cpu", "1")}},
			}},
			Status: corev1.PodStatus{ContainerStatuses: statuses},
		}
	}
	for name, c := range map[string]struct {
		pod  *corev1.Pod
		want map[string]int64
	}{
		"nothing said": {
			pod(corev1.ContainerStatus{Name: "main"}), map[string]int64{"cpu": 9000, "memory": 16 << 30, "nvidia_com_gpu": 1},
		},
		"not there yet": {pod(corev1.ContainerStatus{Name: "main",
			Resources: &corev1.ResourceRequirements{Requests: list("cpu", "4", "memory", "8Gi", "nvidia.com/gpu", "1")}}),
			map[string]int64{"cpu": 5000, "memory": 8 << 30, "nvidia_com_gpu": 1}},
		"devices left out": {pod(corev1.ContainerStatus{Name: "main",
			Resources: &corev1.ResourceRequirements{Requests: list("cpu", "12")}}),
			map[string]int64{"cpu": 13000, "memory": 16 << 30, "nvidia_com_gpu": 1}},
		"allocated alone": {
			pod(corev1.ContainerStatus{Name: "side", AllocatedResources: list("cpu", "2")}),
			map[string]int64{"cpu": 10000, "memory": 16 << 30, "nvidia_com_gpu": 1},
		},
		"fewer devices": {pod(corev1.ContainerStatus{Name: "main",
			Resources: &corev1.ResourceRequirements{Requests: list("nvidia.com/gpu", "0")}}),
			map[string]int64{"cpu": 9000, "memory": 16 << 30}},
	} {
		if diff := cmp.Diff(c.want, allRequestsOf(resized(c.pod))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if q := c.pod.Spec.Containers[0].Resources.Requests["cpu"]; q.Value() != 8 {
			t.Errorf("%s: the specification itself was changed", name)
		}
	}
}
