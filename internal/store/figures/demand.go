package figures

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/star"
	"gpuledger/internal/store/pg"
)

// makeDemand computes the needs of workloads on a day.
func makeDemand(ctx context.Context, tx pgx.Tx, day period.Second, add func(*star.Fact, row)) error {
	list, err := analysis.AddDemand(heldHours(ctx, tx, day))
	for i := range list {
		d := &list[i]
		k := &d.Key
		add(&star.Demand, row{"cluster": k.Cluster, "namespace": k.Namespace, "kind": k.Kind, "name": k.Name,
			"gpu_model":   k.GPUModel,
			"mig_profile": k.Profile, "price_class": k.PriceClass,
			"instance_type": k.InstanceType, "owner_id": k.OwnerID, "class": k.Class,
			"run_kind": k.RunKind, "service": d.Service, "device_model": d.Device, "region": d.Region, "provider": d.Provider,
			"slices": d.Slices, "gpu_hours": d.GPUHours, "hours": d.Hours,
			"activity_bins": d.Activity.Packed(), "memory_bins": d.Memory.Packed(),
			"slice_memory": d.SliceMemory, "held_hours": d.Held[day]})
	}
	return err
}

// heldHours streams the usage of every workload on a day, ordered by key, hour and workload.
func heldHours(ctx context.Context, tx pgx.Tx, day period.Second) iter.Seq2[*analysis.HeldHour, error] {
	type hour struct {
		analysis.DemandKey
		Service, Device, Region, Provider string
		Workload                          ledger.ID
		Hour                              period.Second
		GPUHours                          money.Amount
		Seconds                           int64
		Holders                           int
		Sketches                          pg.PgxBytes
	}
	return func(yield func(*analysis.HeldHour, error) bool) {
		stopped := false
		err := pg.Each(ctx, tx, "demand.hours", func(r hour) error {
			if stopped {
				return nil
			}
			h := analysis.HeldHour{Key: r.DemandKey, Service: r.Service, Device: r.Device, Region: r.Region,
				Provider: r.Provider,
				Workload: r.Workload, Hour: r.Hour, GPUHours: r.GPUHours, Seconds: r.Seconds, Holders: r.Holders}
			if err := demandSketches(r.Sketches, &h); err != nil {
				return fmt.Errorf("%s of %s at %s: %w", h.Key.GPUModel, h.Key.Name, h.Hour, err)
			}
			stopped = !yield(&h, nil)
			return nil
		}, pg.Tenant, day)
		if err != nil {
			yield(nil, err)
		}
	}
}

// demandSketches reads activity (rule 5.1: the engine, else utilisation) and memory from the packed sketches of an
// hour.
func demandSketches(packed []byte, h *analysis.HeldHour) error {
	engine, util := minutes.Code(string(ledger.SignalGrEngine)), minutes.Code(string(ledger.SignalGPUUtil))
	memory, free := minutes.Code(string(ledger.SignalMemoryUsed)), minutes.Code(string(ledger.SignalMemoryFree))
	exact := false
	for rest := packed; len(rest) > 0; {
		code := int(rest[0])
		v, after, err := sketch.Decode(rest[1:])
		if err != nil {
			return err
		}
		switch {
		case code == engine:
			h.Activity, exact = v, true
		case code == util && !exact:
			h.Activity = v
		case code == memory:
			h.Memory = v
		case code == free:
			h.Free = v
		}
		rest = after
	}
	return nil
}
