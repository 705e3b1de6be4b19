package series

import (
	"net/netip"
	"strings"

	"gpuledger/internal/ledger"
)

// An exporter in a pod that was started without NODE_NAME gives its pod's name
// for that of the host, and rows without a host are known by the address that
// was scraped. Where no label says the node either, kube_pod_info of that pod,
// or the addresses in kube_node_info and kube_pod_info, do, when they come to
// the same Collector.

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

// addressOf remembers a machine's address, not one that two machines had.
func (c *Collector) addressOf(cluster, address, node string) {
	if node == "" || !isAddress(address) || len(c.exporters) > maxExporters {
		return
	}
	k := nodeKey{cluster, address}
	if known, seen := c.exporters[k]; !seen {
		c.exporters[nodeKey{cluster, strings.Clone(address)}] = strings.Clone(node)
	} else if known != node {
		c.exporters[k] = ""
	}
}

// isAddress reports whether a host is an IP address, as instance labels have it.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}

// onNode is the identity of a device under the name of its node: another one
// where the exporter gave its pod's, or an address.
func (f *facts) onNode(d *device) *device {
	if len(f.exporters) == 0 || d.device == ledger.HostDevice || !strings.Contains(d.node, exporterPod) &&
		!isAddress(d.node) {
		return d
	}
	node := f.exporters[nodeKey{d.cluster, strings.Trim(d.node, "[]")}]
	if node == "" {
		return d
	}
	k := d.entityKey
	k.node = node
	return f.deviceOf(k)
}
