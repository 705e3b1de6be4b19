package watch

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// strip drops the parts of an object that no fact needs, before it is cached: they are most of
// its size, and some are secret.
func strip(o any) (any, error) {
	object, ok := o.(*unstructured.Unstructured)
	if !ok {
		return o, nil
	}
	unstructured.RemoveNestedField(object.Object, "metadata", "managedFields")
	unstructured.RemoveNestedField(object.Object, "metadata", "annotations",
		"kubectl.kubernetes.io/last-applied-configuration")
	switch object.GetKind() {
	case "Pod":
		unstructured.RemoveNestedField(object.Object, "spec", "volumes")
		for _, list := range []string{"containers", "initContainers", "ephemeralContainers"} {
			containers, found, err := unstructured.NestedSlice(object.Object, "spec", list)
			if err != nil || !found {
				continue
			}
			for _, c := range containers {
				if m, ok := c.(map[string]any); ok {
					for _, field := range []string{
						"env", "envFrom", "command", "args", "volumeMounts", "livenessProbe",
						"readinessProbe", "startupProbe", "lifecycle", "securityContext",
					} {
						delete(m, field)
					}
				}
			}
			if err := unstructured.SetNestedSlice(object.Object, containers, "spec", list); err != nil {
				return nil, err
			}
		}
	case "Node":
		unstructured.RemoveNestedField(object.Object, "status", "images")
	default:
		// Templates of owners hold the same environment and commands.
		unstructured.RemoveNestedField(object.Object, "spec", "template")
		unstructured.RemoveNestedField(object.Object, "spec", "jobTemplate")
	}
	return object, nil
}
