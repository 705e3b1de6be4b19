package series

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// bindSelectors resolves kube_pod_nodeselectors: the labels by which a pod selects its machine.
// A pod without a node selector has a series without such labels.
func bindSelectors(c *Collector, _ string, ls Labels) sink {
	uid := ls.own("uid")
	if uid == "" {
		return refuse{faultNoUID}
	}
	var keys []string
	for _, l := range ls {
		if key, ok := strings.CutPrefix(l.Name, "nodeselector_"); ok && key != "" && l.Value != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	s := &objectSink{
		key:  objectKey{c.cluster(ls), ledger.KindPodSelectors, ls.own("namespace"), uid},
		m:    objectMetric{kind: ledger.KindPodSelectors, field: objectText, attr: ledger.PicksByNodeSelector},
		text: strings.Join(keys, " "),
	}
	if s.key.namespace == "" {
		return refuse{faultNoName}
	}
	return s
}
