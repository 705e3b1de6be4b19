package book

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// The stored rows of a chunk. The generation changes without the content, so digests do not cover it.
var (
	usageRow = pg.Write("usage", func(r *pg.Row) { encodeUsage(r, &ledger.Usage{Weight: new(big.Rat)}) }, "generation")

	postingRow = pg.Write("posting_rows", func(r *pg.Row) { encodePosting(r, &ledger.Posting{}, 0) }, "generation")

	spanRow = pg.Write("spans", func(r *pg.Row) { encodeSpan(r, &ledger.Span{}, 0) })
)

func encodeUsage(r *pg.Row, u *ledger.Usage) {
	r.Col("node_id").ID(u.NodeID)
	r.Col("hour").At(u.Hour)
	r.Col("usage_id").ID(u.ID)
	r.Col("slot").Int4(int(u.Slot))
	r.Col("device").Name(u.Device)
	r.Col("slice_id").Slice(u.SliceID)
	r.Col("mig_profile").Name(u.Profile)
	r.Col("workload_id").Ref(u.WorkloadID)
	r.Col("run_id").Name(u.RunID)
	r.Col("attempt_id").Ref(u.AttemptID)
	r.Col("cause").Text(string(u.Cause))
	r.Col("activity").Text(string(u.Activity))
	r.Col("owner_id").ID(u.OwnerID)
	r.Col("quality").Text(string(u.Quality))
	r.Col("method").Text(u.Method)
	r.Col("seconds").Int8(u.Seconds)
	r.Col("active_seconds").Int8(u.ActiveSeconds)
	r.Col("weight_num").Integer(u.Weight.Num())
	r.Col("weight_den").Integer(u.Weight.Denom())
	r.Col("held").Bool(u.Held)
	r.Col("gpu_hours").Amount(u.GPUHours())
	r.Col("capacity_gpu_hours").Amount(u.CapacityGPUHours)
	r.Col("active_gpu_hours").Amount(u.ActiveGPUHours)
	r.Col("energy_kwh").Measure(u.EnergyKWh)
}

func encodePosting(r *pg.Row, p *ledger.Posting, terms int64) {
	r.Col("node_id").Ref(p.NodeID)
	r.Col("hour").At(p.Hour)
	r.Col("posting_id").ID(p.ID)
	r.Col("part_id").ID(p.PartID)
	r.Col("charge_id").Ref(p.ChargeID)
	r.Col("rate_id").Ref(p.RateID)
	r.Col("part").Int4(p.Part)
	r.Col("usage_id").Ref(p.UsageID)
	r.Col("terms_id").Int8(terms)
	r.Col("adjusts").Ref(p.Adjusts)
	r.Col("owner_id").ID(p.OwnerID)
	r.Costs(&p.Costs)
	r.Col("gpu_hours").Measure(p.GPUHours)
	r.Col("capacity_gpu_hours").Measure(p.CapacityGPUHours)
	r.Col("active_gpu_hours").Measure(p.ActiveGPUHours)
	r.Col("energy_kwh").Measure(p.EnergyKWh)
	r.Col("slot").Slice(p.Slot) // negative is unknown
	r.Col("device").Name(p.Device)
	r.Col("slice_id").Slice(p.SliceID)
	r.Col("mig_profile").Name(p.Profile)
	r.Col("workload_id").Ref(p.WorkloadID)
	r.Col("run_id").Name(p.RunID)
	r.Col("attempt_id").Ref(p.AttemptID)
}

func encodeSpan(r *pg.Row, s *ledger.Span, day period.Second) {
	r.Col("node_id").ID(s.NodeID)
	r.Col("day").At(day)
	r.Col("slot").Int4(int(s.Slot))
	r.Col("slice_id").Slice(s.SliceID)
	r.Col("workload_id").Ref(s.WorkloadID)
	r.Col("run_id").Name(s.RunID)
	r.Col("attempt_id").Ref(s.AttemptID)
	r.Col("cause").Text(string(s.Cause))
	r.Col("from_at").At(s.From)
	r.Col("to_at").At(s.To)
}
