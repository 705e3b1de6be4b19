package series

import (
	"strings"

	"gpuledger/internal/ledger"
)

// An exporter in a pod that was started without NODE_NAME gives its pod's name
// for that of the host. Where no label says the node either, kube_pod_info of
// that pod does, when it comes to the same Collector.

// maxExporters bounds the pods of exporters that are remembered.
const maxExporters = 100_000

// exporterOn remembers where an exporter's pod runs.
func (c *Collector) exporterOn(cluster, pod, node string) {
	if node == "" || !strings.Contains(pod, exporterPod) || len(c.exporters) > maxExporters {
		return
	}
	k := nodeKey{cluster, pod}
	if c.exporters[k] != node {
		c.exporters[nodeKey{cluster, strings.Clone(pod)}] = strings.Clone(node)
	}
}

// onNode is the identity of a device under the name of its node: another one
// where the exporter gave its pod's.
func (f *facts) onNode(d *device) *device {
	if len(f.exporters) == 0 || d.device == ledger.HostDevice || !strings.Contains(d.node, exporterPod) {
		return d
	}
	node := f.exporters[nodeKey{d.cluster, d.node}]
	if node == "" {
		return d
	}
	k := d.entityKey
	k.node = node
	return f.deviceOf(k)
}
