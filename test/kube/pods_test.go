package kube

import (
	"encoding/json"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

// strictly reads an object as its API type, and fails on fields that the type lacks.
func strictly(t *testing.T, o map[string]any) runtime.Object {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	object, _, err := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer().
		Decode(text, nil, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return object
}

// podFrom is a pod as a controller would create it from an object, with the claims of a StatefulSet.
func podFrom(t *testing.T, from *unstructured.Unstructured, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	template := podOf(t, from)
	pod := (&unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name, "namespace": namespace,
			"labels": path[map[string]any](t, template, "metadata", "labels")},
		"spec": path[map[string]any](t, template, "spec"),
	}}).DeepCopy()
	for _, claim := range path[[]any](t, from.Object, "spec", "volumeClaimTemplates") {
		of := path[string](t, claim.(map[string]any), "metadata", "name")
		spec := path[map[string]any](t, pod.Object, "spec")
		spec["volumes"] = append(path[[]any](t, spec, "volumes"), map[string]any{
			"name": of, "persistentVolumeClaim": map[string]any{"claimName": of + "-" + name},
		})
	}
	return pod
}

// statedReasons are why the level restricted refuses the agent, as the chart says: PIDs and folders of the host, user 0
// (so no runAsNonRoot), and the capabilities of agent.capabilities.
var statedReasons = []string{"host namespaces", "hostPath volumes", "restricted volume types", "runAsNonRoot != true",
	"runAsUser=0", "non-default capabilities", "unrestricted capabilities"}

// Every field of every object is one of the Kubernetes API, and every pod but the agent's fits the level restricted of
// PodSecurity, by the library that an API server judges with.
func TestObjectsAndPodsAreValid(t *testing.T) {
	judge, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	pods, agents := 0, 0
	for name, values := range sets(t) {
		for _, o := range render(t, values) {
			if o.GetKind() == "ServiceMonitor" { // not of Kubernetes
				continue
			}
			strictly(t, o.Object)
			if podOf(t, o) == nil {
				continue
			}
			pod, ok := strictly(t, podFrom(t, o, "gpuledger", "try").Object).(*corev1.Pod)
			if !ok {
				t.Fatalf("%s: the pod of %s is none", name, o.GetName())
			}
			judged := policy.AggregateCheckResults(judge.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec))
			if o.GetKind() != "DaemonSet" {
				pods++
				if !judged.Allowed {
					t.Errorf("%s: a pod of %s: %s", name, o.GetName(), judged.ForbiddenDetail())
				}
				continue
			}
			agents++
			if judged.Allowed {
				t.Error("the level restricted accepts the agent, so the chart's words about it are wrong")
			}
			for _, reason := range judged.ForbiddenReasons {
				if !slices.Contains(statedReasons, reason) {
					t.Errorf("%s: the agent is also refused because of %s", name, reason)
				}
			}
		}
	}
	if pods < 10 || agents < 2 {
		t.Errorf("only %d pods and %d agents were judged", pods, agents)
	}
}
