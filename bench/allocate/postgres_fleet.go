package main

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// The fleet as facts: machines of eight cards, jobs one after another on one to eight of them, a sample of every card
// and minute except a few, and an hourly line per machine. Jobs start with a working minute and are idle for 15 minutes
// or more at a time, so that the peer's SQL gets the same causes without looking for runs of idle minutes.
const (
	fleetCluster = "bench"
	fleetType    = "p4d.24xlarge"
	fleetModel   = "NVIDIA A100-SXM4-40GB"
	fleetAccount = "222222222222"
	cardsPerNode = 8
	fleetDay0    = period.Second(1793491200) // 2026-11-01
)

// fleetFacts makes the reports of a fleet of some nodes and days, from a seed.
type fleetFacts struct {
	nodes, days int
	seed        uint64
}

// heldJob is one workload on one machine.
type heldJob struct {
	node, number int
	slots        []int
	period.Interval
}

func (j *heldJob) name() string { return fmt.Sprintf("train-%03d-%04d", j.node, j.number) }
func (j *heldJob) uid() string  { return fmt.Sprintf("%08x-0000-4000-8000-%012x", j.node, j.number) }

func fleetNode(node int) string     { return fmt.Sprintf("ip-10-0-%d-%d.ec2.internal", node/250, node%250) }
func fleetInstance(node int) string { return fmt.Sprintf("i-%017x", node+1) }
func fleetDevice(node, slot int) string {
	return fmt.Sprintf("GPU-%08x-%04x-4000-8000-000000000000", node, slot)
}

func (f *fleetFacts) end() period.Second { return fleetDay0 + period.Second(f.days)*period.Day }

// jobsOf plans the jobs of a node. Every stretch is whole minutes long.
func (f *fleetFacts) jobsOf(node int) []heldJob {
	r := rand.New(rand.NewPCG(f.seed, uint64(node)))
	var list []heldJob
	var free [cardsPerNode]period.Second // when each card becomes free
	for slot := range free {
		free[slot] = fleetDay0 + period.Second(r.IntN(180))*period.Minute
	}
	for {
		// The card that is free first, and enough neighbours for the job.
		first := 0
		for slot := range free {
			if free[slot] < free[first] {
				first = slot
			}
		}
		width := 1 << r.IntN(4)
		first = first / width * width
		start := free[first]
		for slot := first; slot < first+width; slot++ {
			start = max(start, free[slot])
		}
		minutes := 45 + r.IntN(1200)
		if r.IntN(5) == 0 {
			minutes *= 2
		}
		stop := start + period.Second(minutes)*period.Minute
		if start >= f.end()-2*period.Hour {
			return list
		}
		j := heldJob{node: node, number: len(list), Interval: period.Interval{From: start, To: min(stop, f.end())}}
		for slot := first; slot < first+width; slot++ {
			j.slots = append(j.slots, slot)
			free[slot] = stop + period.Second(r.IntN(120))*period.Minute
		}
		list = append(list, j)
	}
}

// activityOf fills the minutes of each card of a node, in ppm; -1 is missing.
func (f *fleetFacts) activityOf(node int, plan []heldJob) [cardsPerNode][]int32 {
	r := rand.New(rand.NewPCG(f.seed^0xa11, uint64(node)))
	var ppm [cardsPerNode][]int32
	for slot := range ppm {
		ppm[slot] = make([]int32, f.days*24*60)
		for m := range ppm[slot] {
			ppm[slot][m] = int32(r.IntN(20)) * 100 // the card is free
		}
	}
	for i := range plan {
		from, to := int((plan[i].From-fleetDay0)/60), int((plan[i].To-fleetDay0)/60)
		for _, slot := range plan[i].slots {
			level := 400_000 + int32(r.IntN(500_000))
			for m := from; m < to; {
				busy := 10 + r.IntN(60)
				for range min(busy, to-m) {
					ppm[slot][m] = level + int32(r.IntN(800))*100
					if r.IntN(300) == 0 && m > from {
						ppm[slot][m] = -1
					}
					m++
				}
				if idle := 15 + r.IntN(25); m+idle < to && ppm[slot][m-1] >= 0 {
					for range idle {
						ppm[slot][m] = int32(r.IntN(500)) * 100
						m++
					}
				}
			}
		}
	}
	return ppm
}

// factsOf is everything about one node.
func (f *fleetFacts) factsOf(node int) *ledger.Telemetry {
	plan := f.jobsOf(node)
	ppm := f.activityOf(node, plan)
	t := &ledger.Telemetry{}
	t.Nodes = []ledger.NodeFact{{Cluster: fleetCluster, Name: fleetNode(node), ProviderID: "aws:///us-east-1a/" +
		fleetInstance(node), Created: fleetDay0,
		FirstSeen: fleetDay0, LastSeen: f.end() - 60, AttrsAt: 1,
		Labels: map[string]string{
			"node_kubernetes_io_instance_type": fleetType, "topology_kubernetes_io_region": "us-east-1", "team": "platform",
		},
		Capacity: map[string]int64{"nvidia_com_gpu": cardsPerNode}}}
	for i := range plan {
		j := &plan[i]
		w := ledger.WorkloadFact{Cluster: fleetCluster, Namespace: fmt.Sprint("team-", (j.node+j.number)%20), Name: j.name() +
			"-0", UID: j.uid(), Node: fleetNode(node),
			OwnerKind: "Job", OwnerName: j.name(), Requests: map[string]int64{"nvidia_com_gpu": int64(len(j.slots))}, AttrsAt: 1,
			Labels: map[string]string{
				"team": fmt.Sprint("team-", (j.node+j.number)%20), "project": fmt.Sprint("project-", j.number%90),
			},
			Created: j.From, Scheduled: j.From, Started: j.From, FirstSeen: j.From, LastSeen: j.To - 60}
		if j.To < f.end() {
			w.Phase, w.Completed, w.TerminalAt = "Succeeded", j.To, j.To
		}
		t.Workloads = append(t.Workloads, w)
		for _, slot := range j.slots {
			t.Placements = append(t.Placements,
				ledger.Placement{Cluster: fleetCluster, Node: fleetNode(node), Device: fleetDevice(node, slot),
					SliceID:  ledger.WholeDevice,
					Workload: j.uid(), Evidence: ledger.EvidenceAnnotation, CoreShare: -1, MemoryShare: -1})
		}
	}
	for slot := range ppm {
		for h := range f.days * 24 {
			v := ledger.Minutes{}
			for m, value := range ppm[slot][h*60 : h*60+60] {
				if value >= 0 {
					v.Known |= 1 << m
					v.Value[m] = int64(value) // sampled at the start of the minute
				}
			}
			t.Samples = append(t.Samples,
				ledger.SampleHour{Cluster: fleetCluster, Node: fleetNode(node), Device: fleetDevice(node, slot), Index: int32(slot),
					Model:   fleetModel,
					SliceID: ledger.WholeDevice, Hour: fleetDay0 + period.Second(h)*period.Hour,
					RowCount: int64(bits.OnesCount64(v.Known)),
					Vectors:  map[ledger.Signal]ledger.Minutes{ledger.SignalGrEngine: v}})
		}
	}
	return t
}

// sources are the hours in which the cluster's placements were observed.
func (f *fleetFacts) sources() []ledger.SourceHour {
	var list []ledger.SourceHour
	for h := range f.days * 24 {
		list = append(list, ledger.SourceHour{
			Cluster: fleetCluster, Source: ledger.SourceKubernetes,
			Hour: fleetDay0 + period.Second(h)*period.Hour, Minutes: 1<<60 - 1,
		})
	}
	return list
}

// charge is the hourly line of a node.
func (f *fleetFacts) charge(node, h int) ledger.Charge {
	seconds := int64(3600)
	one := money.MustParse("1")
	from := fleetDay0 + period.Second(h)*period.Hour
	billed := money.FromUnits(32_772_600_000_000 + int64(node)*10_000_019 + int64(h)*1_000_003)
	effective := money.FromUnits(21_958_700_000_000 + int64(node)*10_000_019 + int64(h)*1_000_033)
	return ledger.Charge{ID: ledger.NewID("charge", fleetInstance(node), fmt.Sprint(h)), InstanceID: fleetInstance(node),
		InstanceSeconds: &seconds, Line: int64(h*f.nodes + node + 1), SourceFile: "bench.parquet",
		Provider: "aws", BillingAccount: "111111111111", Account: fleetAccount,
		BillingPeriod: period.MonthName(from), Period: period.Interval{From: from, To: from + period.Hour},
		Kind: ledger.LineUsage, Category: ledger.CategoryUsage, ServiceName: "Amazon Elastic Compute Cloud",
		ServiceCode: "AmazonEC2", ResourceID: fleetInstance(node),
		UsageType: "BoxUsage:" + fleetType, LineItemType: "Usage", Region: "us-east-1",
		Zone: "us-east-1a", InstanceType: fleetType, PriceClass: ledger.OnDemand,
		InstanceHours: true, UsageAmount: &one, UsageUnit: "Hrs",
		Currency: "USD", Tags: map[string]string{"user_team": "platform"},
		Costs: ledger.Costs{Billed: &billed, Effective: &effective, List: &billed, Contracted: &billed}}
}
