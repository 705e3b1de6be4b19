package kubernetes

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Converter turns objects into facts. It remembers links between objects (claims to devices and
// pods, pods to Ray clusters) and is not safe for concurrent use.
type Converter struct {
	cluster string
	claims  *claims
	devices map[string]int64 // memory of registered cards in MiB, by UUID
	groups  *groups
	ray     rays
}

// NewConverter returns a converter for the objects of one cluster.
func NewConverter(cluster string) *Converter {
	return &Converter{
		cluster: cluster, claims: newClaims(), devices: map[string]int64{}, groups: newGroups(), ray: newRays(),
	}
}

// Object is one object as the API writes it.
type Object = unstructured.Unstructured

// Add adds an object's facts, as seen at an instant (unix milliseconds), to t. It returns false
// for kinds that are not read.
func (c *Converter) Add(t *ledger.Telemetry, o *Object, seenMS int64) (bool, error) {
	if o.GetName() == "" {
		return false, fmt.Errorf("a %s without a name", o.GetKind())
	}
	if err := impossible(o); err != nil {
		return false, err
	}
	switch kind, group := o.GetKind(), groupOf(o); {
	case kind == "Pod" && group == "":
		return true, c.pod(t, o, seenMS)
	case kind == "Node" && group == "":
		return true, c.node(t, o, seenMS)
	case kind == "ResourceClaim":
		return true, c.claim(t, o, seenMS)
	case kind == "ResourceSlice":
		return true, c.slice(t, o, seenMS)
	case kind == "Workload" && strings.HasSuffix(group, "kueue.x-k8s.io"):
		return true, c.kueueWorkload(t, o, seenMS)
	case kind == "ClusterQueue", kind == "ResourceQuota":
		return true, c.quota(t, o, seenMS)
	case owners[kind]:
		return true, c.owner(t, o, seenMS)
	}
	return false, nil
}

// Gone records that an object was deleted at an instant. Pods without a seen deletion timestamp
// end then.
func (c *Converter) Gone(t *ledger.Telemetry, o *Object, atMS int64) error {
	if o.GetKind() != "Pod" {
		return nil
	}
	if _, err := c.Add(t, o, atMS); err != nil {
		return err
	}
	f := &t.Workloads[len(t.Workloads)-1]
	if f.Deleted == 0 {
		f.Deleted = period.FromMillis(atMS)
	}
	c.claims.forget(f.UID)
	c.groups.forget(f.UID)
	c.ray.forget(f.UID)
	return nil
}

func groupOf(o *Object) string {
	group, _, found := strings.Cut(o.GetAPIVersion(), "/")
	if !found {
		return ""
	}
	return group
}

// into converts an object to its typed form.
func into[T any](o *Object) (*T, error) {
	v := new(T)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, v); err != nil {
		return nil, fmt.Errorf("%s %s/%s: %w", o.GetKind(), o.GetNamespace(), o.GetName(), err)
	}
	return v, nil
}

func second(t metav1.Time) period.Second {
	if t.IsZero() {
		return 0
	}
	return period.FromTime(t.Time)
}

func secondOf(t *metav1.Time) period.Second {
	if t == nil {
		return 0
	}
	return second(*t)
}

// controller is the owner that manages an object; empty when there is none.
func controller(o metav1.Object) (kind, name string) {
	for _, ref := range o.GetOwnerReferences() {
		if ref.Controller != nil && *ref.Controller {
			return ref.Kind, ref.Name
		}
	}
	return "", ""
}

// sanitised is kube-state-metrics' spelling of a resource: nvidia.com/gpu becomes
// nvidia_com_gpu.
func sanitised(resource string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, resource)
}

// labelsOf are the labels of an object, and the annotations that are read; labels take
// precedence.
func labelsOf(o metav1.Object) map[string]string {
	out := map[string]string{}
	for k, v := range o.GetAnnotations() {
		if annotated(k) && v != "" {
			out[k] = v
		}
	}
	for k, v := range o.GetLabels() {
		if v != "" {
			out[k] = v
		}
	}
	return out
}

// annotated reports whether an annotation is read like a label: numbers of attempts, run ids,
// budgets, ids from other systems.
func annotated(key string) bool {
	prefix, name, found := strings.Cut(key, "/")
	if !found {
		return key == "cost-budget-limit" || key == "max-cost-per-run"
	}
	switch prefix {
	case "gpuledger.io", "jobset.sigs.k8s.io", "leaderworkerset.sigs.k8s.io", "volcano.sh", "scheduling.x-k8s.io",
		"pipelines.kubeflow.org":
		return true
	}
	return name == "cost-budget-limit" || name == "max-cost-per-run" || key == "container.googleapis.com/instance_id"
}
