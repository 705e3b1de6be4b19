package kubernetes

import (
	corev1 "k8s.io/api/core/v1"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// numericID is Google's number of a machine (docs/rules.md 2.1).
const numericID = "container.googleapis.com/instance_id"

// aliyunCards is how many cards a node of Aliyun's gpushare has.
const aliyunCards = "aliyun.com/gpu-count"

func (c *Converter) node(t *ledger.Telemetry, o *Object, seenMS int64) error {
	n, err := into[corev1.Node](o)
	if err != nil {
		return err
	}
	seen := period.FromMillis(seenMS)
	f := ledger.NodeFact{
		Cluster: c.cluster, Name: n.Name, ProviderID: ledger.GoogleProviderID(n.Spec.ProviderID, n.Annotations[numericID]),
		Labels: labelsOf(n), Capacity: map[string]int64{}, Created: second(n.CreationTimestamp),
		FirstSeen: seen, LastSeen: seen, AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	}
	for name, q := range n.Status.Capacity {
		if device(string(name)) || name == aliyunCards {
			f.Capacity[sanitised(string(name))] = q.Value()
		}
	}
	t.Nodes = append(t.Nodes, f)
	taints := ledger.ObjectFact{
		Cluster: c.cluster, Kind: "NodeTaints", Name: n.Name, Attrs: map[string]string{}, AttrsAt: f.AttrsAt,
	}
	for _, taint := range n.Spec.Taints {
		taints.Attrs["taint/"+taint.Key] = string(taint.Effect)
	}
	t.Objects = append(t.Objects, taints)
	c.register(t, n.Name, n.Annotations, seen)

	hour := seen - seen%period.Hour
	bit := uint64(1) << uint((seen-hour)/period.Minute)
	t.Sources = append(t.Sources, ledger.SourceHour{
		Cluster: c.cluster, Source: ledger.SourceKubernetes, Hour: hour, Minutes: bit,
	})
	state := func(s ledger.NodeState, in bool) {
		h := ledger.NodeStateHour{Cluster: c.cluster, Name: n.Name, State: s, Hour: hour, Known: bit}
		if in {
			h.Minutes = bit
		}
		t.NodeStates = append(t.NodeStates, h)
	}
	state(ledger.Listed, true)
	state(ledger.Cordoned, n.Spec.Unschedulable)
	for _, cond := range n.Status.Conditions {
		if cond.Type == corev1.NodeReady {
			state(ledger.NotReady, cond.Status != corev1.ConditionTrue)
		}
	}
	return nil
}
