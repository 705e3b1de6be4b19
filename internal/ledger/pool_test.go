package ledger

import (
	"fmt"
	"testing"
)

func TestNodePoolKeys(t *testing.T) {
	for _, c := range []struct {
		labels map[string]string
		want   string
	}{
		{nil, "[]"},
		{
			map[string]string{
				"compute.coreweave.com/node-pool": "H100-Pool", "label_crusoe_ai_nodepool_id": "0b1c", "team": "pool",
			}, "[pool/0b1c pool/h100-pool]",
		},
		{map[string]string{"label_nebius_com_node_group_id": "g-1", "nodepool": "g-1", "agentpool": ""}, "[pool/g-1]"},
		{map[string]string{"kubernetes.io/hostname": "n"}, "[]"},
	} {
		got := NodePoolKeys(c.labels)
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.labels, got, c.want)
		}
		for _, key := range got {
			if !NodePool(key) || !PoolKey(key) || HyperPodPool(key) {
				t.Errorf("%s is no key of a pool of nodes", key)
			}
		}
	}
}
