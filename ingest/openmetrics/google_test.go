package openmetrics

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func nodeInfoAt(at int) string {
	return fmt.Sprintf("kube_node_info{node=\"n\",provider_id=\"gce://p/us-central1-a/n\"} 1 %d\n", at)
}

func numberAt(number string, at int) string {
	return fmt.Sprintf("kube_node_annotations{node=\"n\",annotation_container_googleapis_com_instance_id=%q} 1 %d\n",
		number, at)
}

func TestNumbersDistinguishGoogleMachinesOfOneName(t *testing.T) {
	fact := func(id string, first, last int) ledger.NodeFact {
		return ledger.NodeFact{
			Cluster: "default", Name: "n", ProviderID: "gce://p/us-central1-a/n" + id,
			FirstSeen: period.Second(first), LastSeen: period.Second(last),
		}
	}
	const t0 = 1790000000
	for _, c := range []struct {
		name, text string
		max        int
		want       []ledger.NodeFact
	}{
		{"no number", nodeInfoAt(t0) + nodeInfoAt(t0+60), 0, []ledger.NodeFact{fact("", t0, t0+60)}},
		{
			"one machine", nodeInfoAt(t0) + numberAt("7", t0+60) + nodeInfoAt(t0+120),
			0, []ledger.NodeFact{fact("/7", t0, t0+120)},
		},
		{"two after another", nodeInfoAt(t0) + numberAt("7", t0) + nodeInfoAt(t0+60) + numberAt("7", t0+60) +
			nodeInfoAt(t0+600) + numberAt("9", t0+600) + nodeInfoAt(t0+660), 0,
			[]ledger.NodeFact{fact("/7", t0, t0+60), fact("/9", t0+600, t0+660)}},
		{"sorted by metric, flushed between", numberAt("7", t0) + numberAt("7", t0+60) + nodeInfoAt(t0) + nodeInfoAt(t0+60),
			1,
			[]ledger.NodeFact{fact("/7", t0, t0), fact("/7", t0+60, t0+60)}},
		{"names flushed before numbers", nodeInfoAt(t0) + nodeInfoAt(t0+60) + numberAt("7", t0) + numberAt("7", t0+60), 1,
			[]ledger.NodeFact{fact("", t0, t0), fact("", t0+60, t0+60), fact("/7", t0, t0), fact("/7", t0+60, t0+60)}},
		{"no number of Google's", nodeInfoAt(t0) + numberAt("i-7", t0), 0, []ledger.NodeFact{fact("", t0, t0)}},
		{"another provider", "kube_node_info{node=\"n\",provider_id=\"aws:///z/i-1\"} 1 1790000000\n" + numberAt("7", t0), 0,
			[]ledger.NodeFact{
				{
					Cluster: "default", Name: "n", ProviderID: "aws:///z/i-1",
					FirstSeen: period.Second(t0), LastSeen: period.Second(t0),
				},
			}},
		{"never named", numberAt("7", t0), 0, nil},
	} {
		x, _ := parse(t, c.text+"# EOF\n", Options{MaxPending: c.max})
		if d := gocmp.Diff(c.want, x.Nodes); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}
