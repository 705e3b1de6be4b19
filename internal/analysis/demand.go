package analysis

import (
	"iter"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/metrics/advice"
)

// DemandKey is a root workload on one kind of slice, machine and owner.
type DemandKey struct {
	Cluster, Namespace, Kind, Name              string
	GPUModel, Profile, PriceClass, InstanceType string
	OwnerID                                     ledger.ID
	Class, RunKind                              string
}

// HeldHour is an hour in which a workload held a slice.
type HeldHour struct {
	Key                               DemandKey
	Service, Device, Region, Provider string
	Workload                          ledger.ID
	Hour                              period.Second
	GPUHours                          money.Amount
	Seconds                           int64
	Holders                           int           // of the slice in that hour
	Activity, Memory, Free            sketch.Sketch // memory used and free
}

// DayDemand is a day of a DemandKey. Activity and Memory cover the hours in which the workload had its slice to
// itself.
type DayDemand struct {
	Key                               DemandKey
	Service, Device, Region, Provider string
	Slices                            int // most that the workload held in one hour
	Hours                             int // slice-hours with telemetry
	Days                              int // days with such hours, in a sum of days
	GPUHours                          money.Amount
	Activity, Memory                  sketch.Sketch
	Held                              advice.Presence // hours in which any was held
	SliceMemory                       int64           // bytes of a slice, by its telemetry; 0: not measured
}

// ownHour is how much of an hour a workload must have held a slice for the hour's telemetry to count as its own: at
// most ten minutes are of others.
const ownHour = 50 * period.Minute

// sliceMemory is the used plus free memory in the middle minute of the hour, which is all of the slice's memory; 0 if
// one of them was not measured.
func (h *HeldHour) sliceMemory() int64 {
	used, _ := h.Memory.Quantile(50)
	free, known := h.Free.Quantile(50)
	if !known {
		return 0
	}
	return used + free
}

// AddDemand adds up hours by key; they must come ordered by key, hour and workload. An hour is valid only until the
// next.
func AddDemand(hours iter.Seq2[*HeldHour, error]) ([]DayDemand, error) {
	var list []DayDemand
	var at struct {
		hour     period.Second
		workload ledger.ID
		slices   int
	}
	for h, err := range hours {
		if err != nil {
			return nil, err
		}
		if len(list) == 0 || list[len(list)-1].Key != h.Key {
			list = append(list, DayDemand{
				Key: h.Key, Service: h.Service, Device: h.Device, Region: h.Region, Provider: h.Provider, Held: advice.Presence{},
			})
			at.slices, at.hour = 0, 0
		}
		d := &list[len(list)-1]
		if at.hour != h.Hour || at.workload != h.Workload {
			at.hour, at.workload, at.slices = h.Hour, h.Workload, 0
		}
		at.slices++
		d.Slices = max(d.Slices, at.slices)
		d.GPUHours = d.GPUHours.Add(h.GPUHours)
		d.Held.Day(h.Hour.Floor(period.Day), advice.HourBit(h.Hour))
		if h.Device != "" {
			d.Device = h.Device
		}
		if h.Holders > 1 || h.Seconds < int64(ownHour) || h.Activity.Count() == 0 || h.Memory.Count() == 0 {
			continue
		}
		d.Hours++
		d.SliceMemory = max(d.SliceMemory, h.sliceMemory())
		d.Activity.Merge(&h.Activity)
		d.Memory.Merge(&h.Memory)
	}
	return list, nil
}
