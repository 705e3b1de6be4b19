package store

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

func encodeUsage(r *row, u *ledger.Usage) {
	r.begin(26)
	r.int4(tenant)
	r.id(u.NodeID)
	r.at(u.Hour)
	r.id(u.ID)
	r.int4(int(u.Slot))
	r.name(u.Device)
	r.slice(u.SliceID)
	r.name(u.Profile)
	r.ref(u.WorkloadID)
	r.name(u.RunID)
	r.ref(u.AttemptID)
	r.text(string(u.Cause))
	r.text(string(u.Activity))
	r.id(u.OwnerID)
	r.text(string(u.Quality))
	r.text(u.Method)
	r.int8(u.Seconds)
	r.int8(u.ActiveSeconds)
	r.integer(u.Weight.Num())
	r.integer(u.Weight.Denom())
	r.bool(u.Held)
	r.amount(u.GPUHours())
	r.amount(u.CapacityGPUHours)
	r.amount(u.ActiveGPUHours)
	r.measure(u.EnergyKWh)
}

func encodePosting(r *row, p *ledger.Posting, bill billOfPart) {
	r.begin(37)
	r.int4(tenant)
	r.ref(p.NodeID)
	r.at(p.Hour)
	r.id(p.ID)
	r.id(p.PartID)
	r.ref(p.ChargeID)
	r.ref(p.RateID)
	r.int4(p.Part)
	r.ref(p.UsageID)
	r.name(bill.month)
	r.name(bill.account)
	r.text(string(p.Cause))
	r.name(string(p.Activity))
	r.text(string(p.Kind))
	r.ref(p.Adjusts)
	r.id(p.OwnerID)
	r.text(p.Method)
	r.text(string(p.Quality))
	r.text(p.Policy)
	r.text(p.Currency)
	r.text(string(p.State))
	r.costs(&p.Costs)
	r.measure(p.GPUHours)
	r.measure(p.CapacityGPUHours)
	r.measure(p.ActiveGPUHours)
	r.measure(p.EnergyKWh)
	if p.Slot < 0 {
		r.null()
	} else {
		r.int4(int(p.Slot))
	}
	r.name(p.Device)
	r.slice(p.SliceID)
	r.name(p.Profile)
	r.ref(p.WorkloadID)
	r.name(p.RunID)
	r.ref(p.AttemptID)
}

func encodeSpan(r *row, s *ledger.Span, day period.Second) {
	r.begin(11)
	r.int4(tenant)
	r.id(s.NodeID)
	r.at(day)
	r.int4(int(s.Slot))
	r.slice(s.SliceID)
	r.ref(s.WorkloadID)
	r.name(s.RunID)
	r.ref(s.AttemptID)
	r.text(string(s.Cause))
	r.at(s.From)
	r.at(s.To)
}

// slice is a slice id; the whole device is NULL.
func (r *row) slice(id int32) {
	if id < 0 {
		r.null()
		return
	}
	r.int4(int(id))
}
