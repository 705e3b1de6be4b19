package kubernetes

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"gpuledger/internal/ledger"
)

// kueueWorkload reads Kueue's Workload of any version: when quota was reserved, and when and
// why it was evicted or preempted. Its owner is the job that it represents.
func (c *Converter) kueueWorkload(t *ledger.Telemetry, o *Object, seenMS int64) error {
	f := ledger.ObjectFact{
		Cluster: c.cluster, Namespace: o.GetNamespace(), Kind: "Workload", Name: o.GetName(), Labels: labelsOf(o),
		Created: second(o.GetCreationTimestamp()), Attrs: map[string]string{},
		AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	f.OwnerKind, f.OwnerName = controller(o)
	if spec, ok := o.Object["spec"].(map[string]any); ok {
		f.Attrs["queue"] = text(spec, "queueName")
		f.Attrs["priority_class"] = text(spec, "priorityClassName")
	}
	preempted := ""
	for _, cond := range list(o.Object, "status", "conditions") {
		if text(cond, "type") == "Preempted" && text(cond, "status") == "True" {
			preempted = text(cond, "reason")
		}
	}
	for _, cond := range list(o.Object, "status", "conditions") {
		at, reason := timeOf(text(cond, "lastTransitionTime")), text(cond, "reason")
		if text(cond, "status") != "True" || at == 0 {
			continue
		}
		switch text(cond, "type") {
		case "QuotaReserved":
			t.Events = append(t.Events, c.event(o, ledger.WorkloadAdmitted, reason, at))
		case "Evicted":
			what := ledger.WorkloadEvicted
			if reason == "Preempted" {
				what = ledger.WorkloadPreempted
				if preempted != "" {
					reason = preempted
				}
			}
			t.Events = append(t.Events, c.event(o, what, reason, at))
		case "Finished":
			f.Attrs["finished"] = reason
		}
	}
	for k, v := range f.Attrs {
		if v == "" {
			delete(f.Attrs, k)
		}
	}
	t.Objects = append(t.Objects, f)
	return nil
}

// quota reads a ClusterQueue's or a ResourceQuota's grant of accelerators.
func (c *Converter) quota(t *ledger.Telemetry, o *Object, seenMS int64) error {
	granted := map[string]int64{}
	grant := func(name, value string) {
		if q, err := resource.ParseQuantity(value); err == nil && device(name) {
			granted[sanitised(name)] += q.Value()
		}
	}
	for _, group := range list(o.Object, "spec", "resourceGroups") {
		for _, flavor := range list(group, "flavors") {
			for _, r := range list(flavor, "resources") {
				grant(text(r, "name"), quantityText(r["nominalQuota"]))
			}
		}
	}
	if spec, ok := o.Object["spec"].(map[string]any); ok {
		if hard, ok := spec["hard"].(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(hard)) {
				if rest, ok := strings.CutPrefix(name, "requests."); ok {
					grant(rest, quantityText(hard[name]))
				}
			}
		}
	}
	f := ledger.ObjectFact{
		Cluster: c.cluster, Namespace: o.GetNamespace(), Kind: o.GetKind(), Name: o.GetName(), Labels: labelsOf(o),
		Created: second(o.GetCreationTimestamp()), Attrs: map[string]string{},
		AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	for name, n := range granted {
		f.Attrs["quota/"+name] = resource.NewQuantity(n, resource.DecimalSI).String()
	}
	t.Objects = append(t.Objects, f)
	return nil
}

// quantityText writes a quantity as the API does: a string, or a number in hand-written files.
func quantityText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
