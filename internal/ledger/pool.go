package ledger

import (
	"slices"
	"strings"
)

// Providers of managed clusters may bill a pool of machines by the pool's name or id, which is in the labels of its
// nodes.

const nodePoolPrefix = "pool/"

// NodePoolKey is the key of a pool of machines by its name or id.
func NodePoolKey(name string) string { return nodePoolPrefix + strings.ToLower(name) }

// NodePool reports whether a key stands for a pool of nodes.
func NodePool(key string) bool { return strings.HasPrefix(key, nodePoolPrefix) }

// poolLabels are the folded endings of labels whose value is the name or the id of a node's pool.
var poolLabels = []string{
	"nodepool", "nodepoolname", "nodepoolid", "nodegroup", "nodegroupname",
	"nodegroupid", "agentpool", "instancepool", "poolname", "poolid",
}

// NodePoolKeys are the keys of the pools that a node's labels name, in order.
func NodePoolKeys(labels map[string]string) []string {
	var keys []string
	for label, value := range labels {
		folded := FoldKey(label)
		if value = strings.TrimSpace(value); value != "" &&
			slices.ContainsFunc(poolLabels, func(end string) bool { return strings.HasSuffix(folded, end) }) {
			keys = append(keys, NodePoolKey(value))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
