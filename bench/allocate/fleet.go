package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gpuledger/allocation"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const (
	gpusPerNode = 8
	teams       = 40

	// begin is where the month starts: 2026-09-01T00:00:00Z.
	begin = period.Second(1_788_220_800)
	// margin is how far samples reach beyond the month on both sides.
	margin = period.Hour
	// sampledAt is the second of a minute at which exporters are scraped.
	sampledAt = 15

	model = "NVIDIA H100 80GB HBM3"
)

// fleet is an invented fleet: these numbers determine it.
type fleet struct {
	seed uint64
	gpus int
	days int
}

func (f fleet) nodes() int { return f.gpus / gpusPerNode }

// deviceMinutes is the work of a contestant.
func (f fleet) deviceMinutes() int64 {
	return int64(f.nodes()) * gpusPerNode * int64(f.days) * period.Day / period.Minute
}

func (f fleet) month() period.Interval {
	return period.Interval{From: begin, To: begin + period.Second(f.days)*period.Day}
}

// window is the time span of the facts.
func (f fleet) window() period.Interval {
	m := f.month()
	return period.Interval{From: m.From - margin, To: m.To + margin}
}

// ownerOf is the owner of a team's holds; team -1 owns unheld time.
func ownerOf(team int) ledger.ID {
	if team < 0 {
		return ledger.NewID("owner", "platform")
	}
	return ledger.NewID("owner", teamName(team))
}

func teamName(team int) string { return fmt.Sprintf("team-%02d", team) }

// nodeFacts are the facts of one node. Its memory is used again by fill.
type nodeFacts struct {
	number int
	input  allocation.NodeInput
	days   []allocation.DayInput
	stints []stint // by start
	load   [gpusPerNode][]int32

	rows    []ledger.SampleHour // by hour, slot
	hourRow []int               // first row of each hour of the window, and the end
	sources []ledger.SourceHour
	parts   []ledger.Part
}

// unknown marks a minute without sample in nodeFacts.load.
const unknown = -1

// fill makes the facts of node n.
func (f fleet) fill(n int, into *nodeFacts) {
	rng := rand.New(rand.NewPCG(f.seed, uint64(n)))
	*into = nodeFacts{
		number: n, load: into.load, rows: into.rows, hourRow: into.hourRow[:0],
		sources: into.sources[:0], parts: into.parts[:0], stints: into.stints[:0], days: into.days[:0],
	}
	window := f.window()
	name := fmt.Sprintf("ip-10-%d-%d-%d.ec2.internal", n>>16&255, n>>8&255, n&255)
	instance := fmt.Sprintf("i-0%016x", f.seed<<32|uint64(n))
	node := ledger.Node{ID: ledger.NodeID("train", name, instance), Cluster: "train", Name: name, InstanceID: instance,
		Keys:         []string{instance},
		InstanceType: "p5.48xlarge", Region: "us-east-1", Zone: "us-east-1a", PriceClass: "on_demand",
		GPUModel: model, GPUs: gpusPerNode, Replicas: 1, Account: "111122223333",
		Life: window, InSource: true, Seen: ledger.SeenListed | ledger.SeenSampled, OwnerID: ownerOf(-1)}
	into.input = allocation.NodeInput{Node: node}
	for slot := range gpusPerNode {
		into.input.Devices = append(into.input.Devices, ledger.Device{UUID: device(n, slot), Index: int32(slot), Model: model,
			First: window.From, Last: window.To - period.Hour, NodeID: node.ID})
	}
	f.tell(rng, into)
	into.sample(rng, window)
	into.charge(f.month())
	into.cut(f.month())
}

func device(node, slot int) string { return fmt.Sprintf("GPU-%08x-0000-4000-8000-%012x", node, slot) }

// sample turns the load into sample rows and evidence of holders.
func (n *nodeFacts) sample(rng *rand.Rand, window period.Interval) {
	minutes := int(window.Seconds() / period.Minute)
	n.loads(rng, window)
	hours := minutes / 60
	spare := n.rows[:cap(n.rows)]
	n.rows = n.rows[:0]
	for h := range hours {
		n.hourRow = append(n.hourRow, len(n.rows))
		hour := window.From + period.Second(h)*period.Hour
		n.sources = append(n.sources, ledger.SourceHour{
			Cluster: "train", Source: ledger.SourceKubernetes, Hour: hour, Minutes: 1<<60 - 1,
		})
		for slot := range gpusPerNode {
			v := ledger.Minutes{}
			for m, ppm := range n.load[slot][h*60 : h*60+60] {
				if ppm != unknown {
					v.Known |= 1 << m
					v.Value[m], v.At[m] = int64(ppm), sampledAt*1000
				}
			}
			if v.Known == 0 {
				continue
			}
			var vectors map[ledger.Signal]ledger.Minutes
			if len(n.rows) < len(spare) {
				vectors = spare[len(n.rows)].Vectors
			}
			if vectors == nil {
				vectors = make(map[ledger.Signal]ledger.Minutes)
			}
			vectors[ledger.SignalGrEngine] = v
			n.rows = append(n.rows, ledger.SampleHour{Cluster: "train", Node: n.input.Node.Name, Device: device(n.number, slot),
				Index: int32(slot), Model: model,
				SliceID: ledger.WholeDevice, Hour: hour, Vectors: vectors, RowCount: 60})
		}
	}
	n.hourRow = append(n.hourRow, len(n.rows))
}

// charge makes the bill: one line an hour with all four measures.
func (n *nodeFacts) charge(month period.Interval) {
	for h := month.From; h < month.To; h += period.Hour {
		c := n.price(h)
		seconds := int64(period.Hour)
		id := ledger.NewID("charge", n.input.Node.InstanceID, h.String())
		n.parts = append(n.parts,
			ledger.Part{ID: ledger.NewID("part", id.String(), "0"), ChargeID: id, Kind: ledger.PartCompute,
				NodeID: n.input.Node.ID, Hour: h,
				Currency: "USD", UsageSeconds: &seconds, Method: "resource id",
				Quality: ledger.Measured, OwnerID: n.input.Node.OwnerID,
				Costs: ledger.Costs{
					Billed: micros(c.billed), Effective: micros(c.effective), List: micros(c.list), Contracted: micros(c.contracted),
				}})
	}
}

// price is the cost of a node-hour, in millionths of a dollar.
type price struct{ billed, effective, list, contracted int64 }

func (n *nodeFacts) price(hour period.Second) price {
	const list = 98_320_000
	contracted := list - int64(n.number%7)*1_111_111
	effective := contracted - int64(hour/period.Hour%24)*37_037
	return price{billed: effective, effective: effective - int64(n.number%3)*5_000_001, list: list, contracted: contracted}
}

func micros(v int64) *money.Amount {
	a := money.FromUnits(v * (money.UnitsPerOne / 1_000_000))
	return &a
}

// cut hands the facts out day by day, with the margin on both sides.
func (n *nodeFacts) cut(month period.Interval) {
	for day := month.From; day < month.To; day += period.Day {
		h := int((day - month.From) / period.Hour) // of the window: the margin comes first
		const hours = int((period.Day + 2*margin) / period.Hour)
		n.days = append(n.days, allocation.DayInput{Day: period.DayOf(day), Samples: n.rows[n.hourRow[h]:n.hourRow[h+hours]],
			Sources: n.sources[h : h+hours], Parts: n.parts[h : h+24], CoveredUntil: month.To})
	}
}

// add puts a stint on some slots: a pod, the exporters' samples of it, and an attempt if it trains.
func (n *nodeFacts) add(s stint, slots []int, window period.Interval) {
	s.Interval = s.Intersect(window)
	if s.Empty() {
		return
	}
	uid := fmt.Sprintf("%08x-1111-4222-8333-%012x", n.number, s.job)
	w := allocation.HeldWorkload{Workload: ledger.Workload{ID: ledger.NewID("workload", "train", uid), Cluster: "train",
		Namespace: teamName(s.team),
		Name:      fmt.Sprintf("job-%d-%d", n.number, s.job), UID: uid, Kind: "Job",
		OwnerName: "job", Class: ledger.ClassRun, NodeID: n.input.Node.ID, Hold: s.Interval,
		Outcome: ledger.Succeeded, OwnerID: ownerOf(s.team)},
		Requests: map[string]int64{ledger.ResourceGPU: int64(len(slots))}}
	if s.load == training {
		w.RunID = fmt.Sprintf("train/%s/Job/%d-%d", teamName(s.team), n.number, s.run)
		n.attempt(&w, &s)
	}
	n.input.Workloads = append(n.input.Workloads, w)
	for _, slot := range slots {
		s.slot = slot
		n.stints = append(n.stints, s)
		for hour := s.From.Floor(period.Hour); hour < s.To; hour += period.Hour {
			first := max(0, int((s.From-hour-sampledAt+period.Minute-1)/period.Minute))
			last := min(60, int((s.To-hour-sampledAt+period.Minute-1)/period.Minute))
			if first < last {
				n.input.Evidence = append(n.input.Evidence,
					ledger.HoldEvidence{Cluster: "train", Node: n.input.Node.Name, Device: device(n.number, slot),
						SliceID: ledger.WholeDevice, Namespace: w.Namespace, Pod: w.Name, Hour: hour, Minutes: 1<<last - 1<<first})
			}
		}
	}
}

func (n *nodeFacts) attempt(w *allocation.HeldWorkload, s *stint) {
	a := ledger.Attempt{ID: ledger.NewID("attempt", w.RunID, "", fmt.Sprint(s.number)), RunID: w.RunID, Number: s.number,
		Span: s.Interval, Outcome: ledger.Succeeded,
		Nodes: 1, GPUs: gpusPerNode, GangComplete: s.From, LossBasis: ledger.LossNone,
		Segments: []ledger.Segment{{Workload: w.ID, From: s.From, To: s.To, Weight: 1_000_000}}}
	if s.lostFrom != 0 {
		a.Outcome, a.LossBasis, a.LossFrom = ledger.Failed, ledger.LossCheckpoint, max(s.lostFrom, s.From)
	}
	n.input.Attempts = append(n.input.Attempts, a)
}

// sortStints orders them by slot and start.
func (n *nodeFacts) sortStints() {
	slices.SortFunc(n.stints, func(a, b stint) int { return int(a.slot-b.slot)<<32 + int(a.From-b.From) })
}
