package book

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

func encodeUsage(r *pg.Row, u *ledger.Usage) {
	r.Begin(26)
	r.Int4(pg.Tenant)
	r.ID(u.NodeID)
	r.At(u.Hour)
	r.ID(u.ID)
	r.Int4(int(u.Slot))
	r.Name(u.Device)
	r.Slice(u.SliceID)
	r.Name(u.Profile)
	r.Ref(u.WorkloadID)
	r.Name(u.RunID)
	r.Ref(u.AttemptID)
	r.Text(string(u.Cause))
	r.Text(string(u.Activity))
	r.ID(u.OwnerID)
	r.Text(string(u.Quality))
	r.Text(u.Method)
	r.Int8(u.Seconds)
	r.Int8(u.ActiveSeconds)
	r.Integer(u.Weight.Num())
	r.Integer(u.Weight.Denom())
	r.Bool(u.Held)
	r.Amount(u.GPUHours())
	r.Amount(u.CapacityGPUHours)
	r.Amount(u.ActiveGPUHours)
	r.Measure(u.EnergyKWh)
}

func encodePosting(r *pg.Row, p *ledger.Posting, terms int64) {
	r.Begin(28)
	r.Int4(pg.Tenant)
	r.Ref(p.NodeID)
	r.At(p.Hour)
	r.ID(p.ID)
	r.ID(p.PartID)
	r.Ref(p.ChargeID)
	r.Ref(p.RateID)
	r.Int4(p.Part)
	r.Ref(p.UsageID)
	r.Int8(terms)
	r.Ref(p.Adjusts)
	r.ID(p.OwnerID)
	r.Costs(&p.Costs)
	r.Measure(p.GPUHours)
	r.Measure(p.CapacityGPUHours)
	r.Measure(p.ActiveGPUHours)
	r.Measure(p.EnergyKWh)
	if p.Slot < 0 {
		r.Null()
	} else {
		r.Int4(int(p.Slot))
	}
	r.Name(p.Device)
	r.Slice(p.SliceID)
	r.Name(p.Profile)
	r.Ref(p.WorkloadID)
	r.Name(p.RunID)
	r.Ref(p.AttemptID)
}

func encodeSpan(r *pg.Row, s *ledger.Span, day period.Second) {
	r.Begin(11)
	r.Int4(pg.Tenant)
	r.ID(s.NodeID)
	r.At(day)
	r.Int4(int(s.Slot))
	r.Slice(s.SliceID)
	r.Ref(s.WorkloadID)
	r.Name(s.RunID)
	r.Ref(s.AttemptID)
	r.Text(string(s.Cause))
	r.At(s.From)
	r.At(s.To)
}
