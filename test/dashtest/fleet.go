package dashtest

import (
	"fmt"
	"math"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/timeline"
)

// RunID is the run with five attempts, TaskID one without a time line.
const (
	RunID  = "prod-use1/foundation/PyTorchJob/pretrain-moe-8x22b-r3/1793664000"
	TaskID = "prod-use1/vision/Job/video-eval/1794100000"
)

type slice struct {
	pricing, team string
	cause         ledger.Cause
	perDay        float64 // currency per day
	rate          float64 // per GPU-hour; 0: no machine
}

// fleet is the invented company's spending on an ordinary day.
var fleet = []slice{
	{"savings_plan", "foundation-models", ledger.Used, 18000, 3.41},
	{"savings_plan", "foundation-models", ledger.HeldIdle, 1700, 3.41},
	{"savings_plan", "search-ranking", ledger.Used, 11200, 3.41},
	{"savings_plan", "search-ranking", ledger.HeldIdle, 2300, 3.41},
	{"savings_plan", "speech", ledger.Used, 4300, 3.41}, {"savings_plan", "speech", ledger.HeldIdle, 3900, 3.41},
	{"savings_plan", "unowned", ledger.Free, 4800, 3.41}, {"savings_plan", "unowned", ledger.Unobserved, 900, 3.41},
	{"on_demand", "foundation-models", ledger.Used, 11000, 6.88},
	{"on_demand", "foundation-models", ledger.Overhead, 2100, 6.88},
	{"on_demand", "vision", ledger.Used, 5200, 6.88}, {"on_demand", "vision", ledger.HeldIdle, 2900, 6.88},
	{"on_demand", "speech", ledger.HeldIdle, 4100, 6.88}, {"on_demand", "unowned", ledger.Free, 3100, 6.88},
	{"on_demand", "unowned", ledger.Unavailable, 2100, 6.88}, {"on_demand", "ads-ml", ledger.Used, 2500, 6.88},
	{"spot", "foundation-models", ledger.Used, 9800, 3.06}, {"spot", "foundation-models", ledger.Lost, 3300, 3.06},
	{"spot", "vision", ledger.Used, 2600, 3.06}, {"spot", "vision", ledger.Lost, 700, 3.06},
	{"spot", "unowned", ledger.Free, 900, 3.06},
	{"on_demand", "unowned", ledger.Stranded, 420, 6.88}, {"on_demand", "unowned", ledger.Used, 610, 6.88},
	{"savings_plan", "unowned", ledger.CommitmentUnused, 6100, 0},
	{"savings_plan", "unowned", ledger.CommitmentFee, 740, 0},
	{"", "unowned", ledger.Shared, 5100, 0}, {"", "unowned", ledger.NonGPU, 9000, 0},
	{"", "search-ranking", ledger.Shared, 900, 0},
}

// providerOf is the provider of a slice: AWS, owned racks, and Google for spot.
func providerOf(s slice) string {
	if s.pricing == "spot" {
		return "gcp"
	}
	return "aws"
}

// wave makes days differ without randomness.
func wave(day, i int) float64 {
	return 1 + .13*math.Sin(float64(day)*.9+float64(i)) + .05*math.Sin(float64(day*i))
}

func cents(v float64) money.Amount { return money.FromUnits(int64(v*100) * (money.UnitsPerOne / 100)) }

// New returns the invented company.
func New() *Reader {
	r := &Reader{Tables: map[string][]Row{}, Lines: map[string]timeline.Run{}, Err: map[string]error{}}
	for day := range 19 {
		for i, s := range fleet {
			v := s.perDay * wave(day, i)
			if s.cause == ledger.Lost && day%5 == 3 {
				v *= 2.4
			}
			if day == 18 {
				v *= 14. / 24
			}
			row := Row{
				"period_start": First + period.Second(day)*period.Day, "provider": providerOf(s),
				"pricing": s.pricing, "team": s.team, "cause": string(s.cause), "currency": "USD",
				"effective_cost": cents(v), "billed_cost": cents(v),
				"list_cost": cents(v * 1.6), "contracted_cost": cents(v * 1.2), "state": "open",
			}
			if day >= 17 && s.rate > 0 {
				row["state"] = "provisional"
			}
			if s.rate > 0 {
				hours := cents(v / s.rate)
				row["capacity_gpu_hours"] = hours
				if s.cause.Order() < ledger.Free.Order() {
					row["gpu_hours"] = hours
				}
				if s.cause == ledger.Used {
					row["active_gpu_hours"] = cents(v / s.rate * .62)
				}
			}
			r.Tables["costs"] = append(r.Tables["costs"], row)
		}
	}
	r.runs()
	r.books()
	r.Lines[RunID] = pretrain()
	return r
}

func (r *Reader) books() {
	for i, b := range []struct{ source, month, metric, total, posted, state string }{
		{"aws-cur", "2026-10", "billed_cost", "2511904.17", "2511904.17", "final"},
		{"aws-cur", "2026-11", "billed_cost", "2104311.87", "2104311.87", "open"},
		{"aws-cur", "2026-11", "effective_cost", "2204311.870000000001", "2204311.870000000001", "open"},
		{"price-book", "2026-11", "billed_cost", "288440.02", "288425.22", "open"},
	} {
		total, posted := money.MustParse(b.total), money.MustParse(b.posted)
		r.Tables["reconciliation"] = append(r.Tables["reconciliation"], Row{
			"source": b.source, "delivery_id": ledger.NewID("delivery", fmt.Sprint(i)).String(),
			"role": "book", "provider": "AWS", "billing_account": "111122223333",
			"account": "111122223333", "billing_period": b.month, "currency": "USD",
			"metric": b.metric, "source_total": total, "posted_total": posted,
			"difference": total.Sub(posted), "charges": int64(412880), "unposted_charges": int64(i / 3), "state": b.state,
		})
	}
	r.journal()
}

// run adds a run whose cost is the sum of its causes.
func (r *Reader) run(
	id, name, ns, team, status string, from, to period.Second, attempts int64,
	hours float64, causes map[string]float64, lostMin float64,
) {
	row := Row{
		"run_id": id, "cluster": "prod-use1", "namespace": ns,
		"name": name, "kind": "training", "team": team, "status": status,
		"started_at": from, "attempts": attempts, "preemptions": attempts - 1,
		"gpu_hours": cents(hours), "active_gpu_hours": cents(hours * .71),
		"quality": "measured", "state": "open", "currency": "USD", "lost_cost_min": cents(lostMin),
		"spot_savings": money.Amount{}, "net_spot_savings": money.Amount{},
		"restart_overhead_cost": money.Amount{}, "gang_wait_cost": money.Amount{},
	}
	if to != 0 {
		row["ended_at"] = to
	}
	var sum money.Amount
	for _, c := range []string{
		"used_cost", "overhead_cost", "held_idle_cost", "lost_cost", "unobserved_cost", "host_cost", "metered_cost",
	} {
		row[c] = cents(causes[c])
		sum = sum.Add(cents(causes[c]))
	}
	if lostMin < causes["lost_cost"] {
		row["quality"] = "assumed"
	}
	for _, m := range []string{"effective_cost", "billed_cost", "list_cost", "contracted_cost"} {
		row[m] = sum
	}
	row["window_effective_cost"] = sum
	row["cost_per_active_gpu_hour"] = sum.MulRat(new(big.Rat).Inv(cents(hours * .71).Rat()))
	r.Tables["runs"] = append(r.Tables["runs"], row)
}

func (r *Reader) runs() {
	day := func(d float64) period.Second { return First + period.Second(d*period.Day) }
	r.run(RunID, "pretrain-moe-8x22b-r3", "foundation", "foundation-models", "succeeded", day(2), day(9.92), 5, 11584,
		map[string]float64{
			"used_cost": 43745.52, "overhead_cost": 602, "held_idle_cost": 2100, "lost_cost": 3916.8, "unobserved_cost": 118.22,
		}, 1645.06)
	r.Tables["runs"][0]["spot_savings"] = money.MustParse("29215.40")
	r.Tables["runs"][0]["net_spot_savings"] = money.MustParse("28432.04")
	r.Tables["runs"][0]["budget"] = money.MustParse("45000")
	r.Tables["runs"][0]["budget_ratio"] = money.MustParse("1.121834222222")
	r.Tables["runs"][0]["restart_overhead_cost"] = money.MustParse("481.6")
	r.Tables["runs"][0]["gang_wait_cost"] = money.MustParse("96.32")
	r.Tables["runs"][0]["provider_split_cost"] = money.MustParse("8214.33")
	r.run("prod-use1/speech/PyTorchJob/asr-large-v4/1793700000", "asr-large-v4", "speech", "speech", "running", day(8), 0,
		2, 6120,
		map[string]float64{"used_cost": 17210.4, "overhead_cost": 220.1, "held_idle_cost": 3300.7, "lost_cost": 410.3}, 410.3)
	r.Tables["runs"][1]["budget"] = money.MustParse("24000")
	r.Tables["runs"][1]["budget_ratio"] = money.MustParse("0.8808958333")
	r.Tables["runs"][1]["budget_runs_out_at"] = day(12.5)
	r.Tables["runs"][1]["burn_rate"] = money.MustParse("41.25")
	r.Tables["runs"][1]["projected_cost"] = money.MustParse("26950.5")
	r.run("prod-use1/vision/JobSet/video-pretrain/1793600000", "video-pretrain", "vision", "vision", "failed", day(1),
		day(6.4), 3, 4410,
		map[string]float64{"used_cost": 9100, "overhead_cost": 700, "held_idle_cost": 800, "lost_cost": 5230}, 0)
	r.run(TaskID, "video-eval", "vision", "vision", "succeeded", day(7), day(7.3), 1, 96.4,
		map[string]float64{"used_cost": 402.17, "overhead_cost": 9.5}, 0)
	for i := range 23 {
		v := 3900 / float64(i+1)
		r.run(fmt.Sprintf("prod-use1/search/Job/reranker-sweep-%02d/17936%05d", i, i*311),
			fmt.Sprintf("reranker-sweep-%02d", i), "search", "search-ranking", "succeeded",
			day(3+float64(i)/3), day(3.4+float64(i)/3), 1+int64(i%2), v/3.4,
			map[string]float64{"used_cost": v * .7, "overhead_cost": v * .05, "held_idle_cost": v * .2, "lost_cost": v * .05},
			v*.05)
	}
	for i, a := range pretrainAttempts {
		row := Row{
			"run_id": RunID, "attempt": int64(i + 1), "attempt_id": attemptID(i).String(),
			"started_at": day(a.from), "ended_at": day(a.to), "outcome": a.outcome, "reason": a.reason,
			"pricing": a.pricing, "nodes": int64(8), "gpus": int64(64), "gpu_hours": cents(a.hours),
			"effective_cost": cents(a.cost), "billed_cost": cents(a.cost),
			"list_cost": cents(a.cost), "contracted_cost": cents(a.cost), "lost_cost": cents(a.lost),
			"loss_basis": a.basis, "currency": "USD", "state": "open", "quality": "measured",
		}
		if a.basis == "checkpoint" {
			row["last_checkpoint_at"] = day(a.checkpoint)
			row["lost_seconds"] = int64((a.to - a.checkpoint) * period.Day)
		}
		r.Tables["attempts"] = append(r.Tables["attempts"], row)
	}
	r.Tables["attempts"] = append(r.Tables["attempts"],
		Row{"run_id": TaskID, "attempt": int64(1), "task": "0", "started_at": day(7), "ended_at": day(7.3),
			"outcome": "succeeded",
			"pricing": "on_demand", "nodes": int64(1), "gpus": int64(8), "gpu_hours": cents(96.4),
			"effective_cost": cents(411.67), "lost_cost": cents(0), "currency": "USD", "state": "open"})
}

func attemptID(i int) ledger.ID { return ledger.NewID("attempt", RunID, fmt.Sprint(i)) }

var pretrainAttempts = []struct {
	from, to, hours, cost, lost, checkpoint float64
	outcome, reason, pricing, basis         string
	nodes                                   []int
}{
	{
		2, 3.3, 1997, 6109.7, 548.35, 3.18, "preempted", "spot_interruption",
		"spot", "checkpoint", []int{0, 1, 2, 3, 4, 5, 6, 7},
	},
	{3.35, 3.83, 742, 2271.74, 2271.74, 0, "oom", "OOMKilled", "spot", "none", []int{0, 1, 2, 3, 4, 5, 6, 7}},
	{
		3.92, 6.18, 3475, 10634.1, 235.01, 6.13, "preempted",
		"spot_interruption", "spot", "checkpoint", []int{0, 1, 2, 3, 4, 5, 8, 9},
	},
	{6.3, 7.22, 1434, 4387, 861.7, 7.05, "node_failure", "NodeLost", "spot", "checkpoint", []int{0, 1, 2, 3, 4, 5, 8, 9}},
	{7.35, 9.92, 3936, 27080, 0, 0, "succeeded", "", "on_demand", "", []int{10, 11, 12, 13, 14, 15, 16, 17}},
}

// pretrain is the time line of RunID.
func pretrain() timeline.Run {
	var run timeline.Run
	id := func(n int) ledger.ID { return ledger.NewID("instance", fmt.Sprint(n)) }
	for n := range 18 {
		node := timeline.Node{ID: id(n), Name: fmt.Sprintf("ip-10-0-%d-12.ec2.internal", n),
			InstanceID: fmt.Sprintf("i-0a31c9f2%02d7e41b0", n), InstanceType: "p5.48xlarge",
			Region: "us-east-1", Zone: "us-east-1a", PriceClass: ledger.Spot, GPUModel: "NVIDIA H100 80GB HBM3", GPUs: 8}
		if n >= 10 {
			node.PriceClass, node.Zone = ledger.OnDemand, "us-east-1b"
		}
		run.Nodes = append(run.Nodes, node)
	}
	at := func(d float64) period.Second { return First + period.Second(d*period.Day) }
	for i, a := range pretrainAttempts {
		type part struct {
			cause    ledger.Cause
			from, to float64
		}
		parts := []part{{ledger.Overhead, a.from, a.from + .015}, {ledger.Used, a.from + .015, a.to}}
		switch a.basis {
		case "none":
			parts = []part{{ledger.Lost, a.from, a.to}}
		case "checkpoint":
			parts[1].to = a.checkpoint
			parts = append(parts, part{ledger.Lost, a.checkpoint, a.to})
		}
		if i == 2 {
			parts = []part{
				parts[0], {ledger.Used, a.from + .015, 4.5}, {ledger.HeldIdle, 4.5, 4.75},
				{ledger.Used, 4.75, a.checkpoint}, parts[2],
			}
		}
		for _, n := range a.nodes {
			for slot := range 8 {
				for _, p := range parts {
					run.Spans = append(run.Spans,
						timeline.Span{NodeID: id(n), Slot: int32(slot), SliceID: ledger.WholeDevice, Attempt: attemptID(i),
							Cause:    p.cause,
							Interval: period.Interval{From: at(p.from), To: at(p.to)}})
				}
			}
		}
		if a.basis != "none" {
			end := a.checkpoint
			if end == 0 {
				end = a.to
			}
			for c := a.from + .2; c < end-.1; c += .2 {
				run.Checkpoints = append(run.Checkpoints, timeline.Checkpoint{At: at(c)})
			}
			run.Checkpoints = append(run.Checkpoints, timeline.Checkpoint{At: at(end)})
		}
		if a.reason == "spot_interruption" {
			run.Interruptions = append(run.Interruptions, timeline.Interruption{NodeID: id(a.nodes[0]), At: at(a.to) - 120})
		}
	}
	run.Activity = pretrainActivity(at)
	run.Activity.Memory = map[ledger.ID]timeline.Memory{}
	for i := range pretrainAttempts {
		run.Activity.Memory[attemptID(i)] = timeline.Memory{Used: 71 << 30, Card: 80 << 30}
	}
	run.Activity.Memory[attemptID(1)] = timeline.Memory{Used: 80 << 30, Card: 80 << 30}
	return run
}

func pretrainActivity(at func(float64) period.Second) timeline.Activity {
	const n = 240
	a := timeline.Activity{
		Signal: ledger.SignalGrEngine, Held: 695040, Known: 694680,
		Slots: 144, AllIn: true, Buckets: make([]timeline.Bucket, n),
	}
	span := period.Interval{From: at(2), To: at(9.92)}
	for i := range n {
		t := span.From + period.Second(span.Seconds()*int64(2*i+1)/(2*n))
		for _, try := range pretrainAttempts {
			if t < at(try.from) || t >= at(try.to) {
				continue
			}
			level := .88 + .05*math.Sin(float64(i)*1.7) + .03*math.Sin(float64(i*i))
			if t >= at(4.5) && t < at(4.75) {
				level = .03
			}
			if t >= at(8.6) && t < at(8.7) { // a gap in telemetry
				continue
			}
			a.Buckets[i] = timeline.Bucket{SumPPM: int64(level * 1e6 * 480), Known: 480}
		}
	}
	return a
}
