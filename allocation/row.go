package allocation

import (
	"gpuledger/allocation/split"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// activities in row-key order, by Order().
var activities = [...]ledger.Activity{ledger.Active, ledger.Idle, ledger.ActivityUnknown}

// method is how a row came to its holder and weight. If one row mixes several, it gets the last in this order.
type method int8

const (
	methodNobody method = iota
	methodRemainder
	methodBilledOnly
	methodExclusive
	methodSlice
	methodGiven
	methodClaim
	methodReplicas
	methodEqual
	methodSegments
	methodRequested
	methodHost
	methodHostRequest
	methodHostRest
)

var methodNames = [...]string{
	methodNobody:     "nobody",
	methodRemainder:  "mig_remainder",
	methodBilledOnly: "billed_only",
	methodExclusive:  "exclusive",
	methodSlice:      "mig_slice",
	methodGiven:      "given_share",
	methodClaim:      "claim_share",
	methodReplicas:   "replica_share",
	methodEqual:      "equal_share",
	methodSegments:   "segment_share",
	methodRequested:  "request",
	// Of the machine around the GPUs (rule 8.22).
	methodHost:        "host_of_gpus",
	methodHostRequest: "host_request",
	methodHostRest:    "host_rest",
}

// rowKey is the key of a usage row; its fields are in the order of the row key
// of rule 8.3, because workloads and attempts are numbered in their order.
type rowKey struct {
	hour     int32 // of the day
	slot     int32
	slice    int32
	workload int32
	attempt  int32
	cause    int8
	activity int8
}

// before reports whether k comes before o in row-key order.
func (k *rowKey) before(o *rowKey) bool {
	switch {
	case k.hour != o.hour:
		return k.hour < o.hour
	case k.slot != o.slot:
		return k.slot < o.slot
	case k.slice != o.slice:
		return k.slice < o.slice
	case k.workload != o.workload:
		return k.workload < o.workload
	case k.attempt != o.attempt:
		return k.attempt < o.attempt
	case k.cause != o.cause:
		return k.cause < o.cause
	}
	return k.activity < o.activity
}

// row collects a usage row.
type row struct {
	key             rowKey
	seconds, active int64
	weight          split.Sum // device-seconds
	work            split.Sum // ppm × device-seconds
	energy          split.Sum // units of the slot's Energy
	perMillijoule   int64     // of those units; 0 = no energy measured
	quality         ledger.Quality
	method          method
	device, profile string // of the row's latest stretch
}

// emission is one stretch that goes into one row.
type emission struct {
	period.Interval
	key      rowKey
	activity *timeline.Activity // nil: none
	minute   int                // of the grid, in which it begins
	class    ledger.Activity
	quality  ledger.Quality
	method   method
	profile  string
}

func (e *emission) cause(c ledger.Cause) { e.key.cause = int8(c.Order()) }

// emit adds a stretch with weight layout share × hold share.
func (w *walker) emit(e *emission, layout, share split.Fraction) error {
	weight, err := layout.Mul(share)
	if err != nil {
		return err
	}
	w.emitWeighted(e, weight)
	return nil
}

func (w *walker) emitWeighted(e *emission, weight split.Fraction) {
	if weight.IsZero() {
		return
	}
	e.key.hour = int32((e.From - w.in.Day.From) / period.Hour)
	r := w.find(&e.key)
	r.take(e)
	r.device, r.profile = w.layout.Device, e.profile
	seconds := e.Seconds()
	r.seconds += seconds
	if e.class == ledger.Active {
		r.active += seconds
	}
	r.weight.Add(weight, uint64(seconds))
	// Work counts for holders, and where work runs without a holder.
	if e.activity != nil && (e.key.workload != none || e.key.cause == usedOrder) {
		r.work.Add(weight, uint64(e.activity.Sum(e.Interval)))
	}
	if units, known := w.line.Energy.Sum(e.Interval); known {
		r.energy.Add(weight, uint64(units))
		r.perMillijoule = w.line.Energy.PerMillijoule
	}
	w.draw(e)
}

var usedOrder = int8(ledger.Used.Order())

// take merges the quality and the method of a stretch into the row.
func (r *row) take(e *emission) {
	r.quality = r.quality.Worse(e.quality)
	r.method = max(r.method, e.method)
}

// emitBilledOnly adds seconds of a slot that are only on the bill.
func (d *day) emitBilledOnly(slot, hour int, o *outside) {
	e := emission{quality: ledger.Measured, method: methodBilledOnly,
		key: rowKey{hour: int32(hour), slot: int32(slot), slice: ledger.WholeDevice,
			workload: none, attempt: none, activity: int8(ledger.ActivityUnknown.Order())}}
	e.cause(o.cause)
	r := d.findAgain(&e.key)
	r.take(&e)
	r.seconds += o.seconds
	r.weight.Add(split.One, uint64(o.seconds))
	if !o.Empty() {
		d.spans = append(d.spans, ledger.Span{
			NodeID: d.node.ID, Slot: int32(slot), SliceID: ledger.WholeDevice, Cause: o.cause, From: o.From, To: o.To,
		})
	}
}

// spanKey is the key that two neighbouring stretches must share to be drawn as one.
type spanKey struct {
	slice, workload, attempt int32
	cause                    int8
}

func (w *walker) draw(e *emission) {
	key := spanKey{e.key.slice, e.key.workload, e.key.attempt, e.key.cause}
	last := w.open.find(key)
	if last != nil && w.spans[*last].To >= e.From {
		s := &w.spans[*last]
		s.To = max(s.To, e.To) // stretches that differ only in activity or part coincide
		return
	}
	s := ledger.Span{
		NodeID: w.node.ID, Slot: e.key.slot, SliceID: e.key.slice,
		Cause: ledger.Causes[e.key.cause].Cause, From: e.From, To: e.To,
	}
	s.WorkloadID, s.RunID, s.AttemptID = w.holder(&e.key)
	if last != nil {
		*last = int32(len(w.spans))
	} else {
		w.open.add(key, int32(len(w.spans)))
	}
	w.spans = append(w.spans, s)
}

// holder names the workload, run and attempt of a key.
func (d *day) holder(k *rowKey) (workload ledger.ID, run string, attempt ledger.ID) {
	if k.workload != none {
		workload, run = d.workloads[k.workload].ID, d.workloads[k.workload].RunID
	}
	if k.attempt != none {
		attempt, run = d.attempts[k.attempt].ID, d.attempts[k.attempt].RunID
	}
	return workload, run, attempt
}

// usage fills in the ledger form of a row; capacity is the row's part of the node-hour's capacity. d.id is the common
// prefix of the ids of the hour's rows.
func (d *day) usage(u *ledger.Usage, r *row, capacity money.Amount) {
	k := &r.key
	u.Hour, u.NodeID, u.Slot, u.Device, u.SliceID, u.Profile = d.in.Day.From+period.Second(k.hour)*period.Hour, d.node.ID,
		k.slot, r.device, k.slice, r.profile
	u.Cause, u.Activity = ledger.Causes[k.cause].Cause, activities[k.activity]
	u.OwnerID, u.Quality, u.Method = d.node.OwnerID, r.quality, methodNames[r.method]
	u.Seconds, u.ActiveSeconds, u.Weight, u.Held = r.seconds, r.active, &d.room.rats[0], k.workload != none
	r.weight.SetRat(u.Weight, d.room.words)
	d.room.rats, d.room.words = d.room.rats[1:], d.room.words[1:]
	u.CapacityGPUHours = capacity
	u.ActiveGPUHours = r.work.Units(2500, 9) // ppm-seconds → 1e-12 GPU-hours: 1e12 ÷ (1e6 × 3600)
	u.WorkloadID, u.RunID, u.AttemptID = d.holder(k)
	if u.Held {
		u.OwnerID = d.workloads[k.workload].OwnerID
	}
	if r.perMillijoule != 0 {
		u.EnergyKWh = &d.room.amounts[0]
		d.room.amounts = d.room.amounts[1:]
		*u.EnergyKWh = r.energy.Units(2500, 9*uint64(r.perMillijoule)) // mJ → 1e-12 kWh: 1e12 ÷ 3.6e9
	}
	id := appendNumber(d.id, int64(k.slot))
	id = appendNumber(id, int64(k.slice))
	id = appendID(id, u.WorkloadID)
	id = ledger.AppendIDPart(id, u.RunID)
	id = appendID(id, u.AttemptID)
	id = ledger.AppendIDPart(id, string(u.Cause))
	id = ledger.AppendIDPart(id, string(u.Activity))
	u.ID = d.prefix.Hash(id)
	d.id = id[:len(d.id)]
}
