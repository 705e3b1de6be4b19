package series

import (
	"net/netip"
	"strings"

	"gpuledger/internal/ledger"
)

// An exporter in a pod without NODE_NAME reports its pod's name as the host, and rows without a
// host have only the scraped address. If no label names the node either, the node comes from
// kube_pod_info of that pod, or from the addresses in kube_node_info and kube_pod_info, if they
// arrive at the same Collector.

// maxExporters bounds how many exporter pods are remembered.
const maxExporters = 100_000

// exporterOn remembers the node of an exporter's pod.
func (c *Collector) exporterOn(cluster, pod, node string) {
	if node == "" || !strings.Contains(pod, exporterPod) || len(c.exporters) > maxExporters {
		return
	}
	k := nodeKey{cluster, pod}
	if c.exporters[k] != node {
		c.exporters[nodeKey{cluster, strings.Clone(pod)}] = strings.Clone(node)
	}
}

// addressOf remembers a machine's address, unless two machines had it.
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

// onNode is the device's identity under its node's name, which differs if the exporter reported
// its pod's name, or an address.
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
