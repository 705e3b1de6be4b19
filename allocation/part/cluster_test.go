package part

import (
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
)

// TestLinesThatNameACluster: they bill those of its machines whose type or card
// they name, together; other lines of a cluster bill none.
func TestLinesThatNameACluster(t *testing.T) {
	node := func(id byte, cluster, name, instanceType, model string) ledger.Node {
		return ledger.Node{ID: ledger.ID{id}, Cluster: cluster, Name: name, InstanceID: name, Keys: []string{name},
			InstanceType: instanceType,
			GPUModel:     model, GPUs: 8, Life: hours(0, 24),
			Labels: map[string]string{"label_example_com_cluster_id": "CKS-" + cluster}}
	}
	nodes := []ledger.Node{
		node(1, "Prod", "h-1", "gd-8xh100", "H100-SXM5-80GB"),
		node(2, "Prod", "h-2", "", "H100-SXM5-80GB"), node(3, "Prod", "l-1", "gd-4xl40s", "L40S"),
		node(4, "lab", "lab-1", "gd-8xh100", "H100-SXM5-80GB"),
	}
	byID := node(5, "Prod", "ip-10-0-0-1", "gd-8xh100", "H100-SXM5-80GB") // its provider bills it by id
	byID.InstanceID, byID.Keys = "i-1", []string{"i-1", "node/Prod/ip-10-0-0-1"}
	f := NewFleet(append(nodes, byID), func(string) bool { return true })
	described := func(text string) func(*ledger.Charge) { return func(c *ledger.Charge) { c.Description = text } }
	typed := func(c *ledger.Charge) { c.InstanceType = "GD-4XL40S" }
	gpus := func(c *ledger.Charge) { c.BillsGPU = true }
	for _, c := range []struct {
		name string
		line *ledger.Charge
		want string
	}{
		{
			"a card", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""),
				described("8x H100 node hours")), "[h-1 h-2] true",
		},
		{
			"by the alias", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("r-1", "prod"),
				described("8x H100 node hours")), "[h-1 h-2] true",
		},
		{
			"by the id of a label", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("cks-prod", ""),
				described("L40S nodes")), "[l-1] true",
		},
		{
			"a type in words", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""),
				described("gd-8xH100, on demand")), "[h-1] true",
		},
		{"a type", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""), typed), "[l-1] true"},
		{
			"GPUs of any kind", line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""), gpus),
			"[h-1 h-2 l-1] true",
		},
		{
			"one machine is all that was seen",
			line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("lab", ""), described("H100")), "[lab-1] true",
		},
		{
			"a card that it has not",
			line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""), described("8x B200 node hours")),
			"[] false",
		},
		{
			"machines without GPUs",
			line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""), described("32 vCPU node hours")),
			"[] false",
		},
		{"its fee", line(ledger.LineUsage, hours(0, 1), "16", named("prod", ""), described("H100 cluster fee")), "[] false"},
		{
			"a machine goes first", line(ledger.LineUsage, hours(0, 1), "16", compute("1"), named("h-1", "prod"),
				described("8x H100")), "[h-1] false",
		},
	} {
		m, names := f.machinesOf(c.line), []string{}
		for _, n := range m.nodes {
			names = append(names, n.Name)
		}
		if got := fmt.Sprint(names, " ", m.pool); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}

	// 16 for two hours of two machines is 8 and an hour for each.
	cutter := New(f, tagOwner)
	bill := line(ledger.LineUsage, hours(0, 1), "16", compute("2"), named("prod", ""), described("8x H100 node hours"))
	cutter.Observe(bill)
	parts, err := cutter.Cut(bill)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(parts), "compute i-1 00 8 8 3600s, pooled\ncompute i-2 00 8 8 3600s, pooled\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
