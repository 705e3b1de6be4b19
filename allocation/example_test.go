package allocation_test

import (
	"fmt"
	"log"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// A machine of two cards costs $20 for an hour. A pod of the team "vision" holds the first card and works; the second
// card has no holder. Each cent goes to one owner and one cause.
func ExampleNodeEngine_Day() {
	const hour = period.Second(1_793_700_000) // 2026-11-03T10:00:00Z
	life := period.Interval{From: hour, To: hour + period.Hour}
	vision, platform := ledger.NewID("owner", "vision"), ledger.NewID("owner", "platform")
	node := ledger.Node{
		ID: ledger.NodeID("prod", "node-1", "i-0abc"), Cluster: "prod", Name: "node-1", InstanceID: "i-0abc",
		GPUs: 2, Replicas: 1, Life: life, InSource: true, Seen: ledger.SeenListed | ledger.SeenSampled, OwnerID: platform,
	}
	pod := ledger.Workload{
		ID: ledger.NewID("workload", "prod", "train-0"), Cluster: "prod", Namespace: "ml", Name: "train-0", UID: "u-1",
		Kind: "Pod", Class: ledger.ClassInteractive, NodeID: node.ID, Hold: life, OwnerID: vision,
	}
	cards := []ledger.Device{
		{UUID: "GPU-0", Index: 0, Model: "NVIDIA A100-SXM4-40GB", First: hour, Last: hour, NodeID: node.ID},
		{UUID: "GPU-1", Index: 1, Model: "NVIDIA A100-SXM4-40GB", First: hour, Last: hour, NodeID: node.ID},
	}
	const all = uint64(1<<60 - 1) // each minute of an hour

	in := allocation.DayInput{Day: period.DayOf(hour), CoveredUntil: life.To}
	for i, card := range cards {
		use := ledger.Minutes{Known: all}
		for m := range use.Value {
			use.Value[m] = int64(1-i) * 900_000 // parts per million: the first card works, the second does not
		}
		in.Samples = append(in.Samples, ledger.SampleHour{
			Cluster: "prod", Node: "node-1", Device: card.UUID, Index: card.Index, Model: card.Model,
			SliceID: ledger.WholeDevice, Hour: hour, Vectors: map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: use},
		})
	}
	in.Sources = []ledger.SourceHour{{Cluster: "prod", Source: ledger.SourceKubernetes, Hour: hour, Minutes: all}}
	in.NodeStates = []ledger.NodeStateHour{
		{Cluster: "prod", Name: "node-1", State: ledger.Listed, Hour: hour, Minutes: all, Known: all},
	}
	cost, seconds := money.MustParse("20"), int64(3600)
	in.Parts = []ledger.Part{{
		ID: ledger.NewID("part", "1", "0"), ChargeID: ledger.NewID("charge", "1"), Kind: ledger.PartCompute,
		NodeID: node.ID, Hour: hour, Currency: "USD", UsageSeconds: &seconds,
		Method: "resource id", Quality: ledger.Measured, Costs: ledger.Costs{Billed: &cost, Effective: &cost},
	}}

	engine, err := allocation.NewNode(allocation.NodeInput{
		Node: node, Devices: cards,
		Workloads: []allocation.HeldWorkload{{Workload: pod, Requests: map[string]int64{"nvidia_com_gpu": 1}}},
		Evidence: []ledger.HoldEvidence{{
			Cluster: "prod", Node: "node-1", Device: "GPU-0", SliceID: ledger.WholeDevice,
			Namespace: "ml", Pod: "train-0", Hour: hour, Minutes: all,
		}},
	}, policy.Default())
	if err != nil {
		log.Fatal(err)
	}
	result, err := engine.Day(in)
	if err != nil {
		log.Fatal(err)
	}
	names := map[ledger.ID]string{vision: "vision", platform: "platform"}
	for _, p := range result.Postings {
		fmt.Println(p.Device, p.Cause, names[p.OwnerID], p.Billed, p.Currency)
	}
	// Output:
	// GPU-0 used vision 10 USD
	// GPU-1 free platform 10 USD
}
