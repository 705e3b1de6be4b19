package figures

import (
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/analysis"
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/pg"
)

// SaveDemand replaces what workloads needed on a day by what add makes of the
// hours that they held, in the order of their keys, and adds up what they cost.
func (s *Figures) SaveDemand(ctx context.Context, step string, day period.Second, add func(iter.Seq2[*analysis.HeldHour, error]) ([]analysis.DayDemand, error)) (int64, error) {
	var rows int64
	err := s.analysisDay(ctx, step, day, func(tx pgx.Tx) error {
		for _, name := range []string{"demand.forget", "demand.forget_costs"} {
			if _, err := pg.Exec(ctx, tx, name, pg.Tenant, day); err != nil {
				return err
			}
		}
		list, err := add(heldHours(ctx, tx, day))
		if err != nil {
			return err
		}
		if rows, err = pg.Exec(ctx, tx, "demand.costs", pg.Tenant, day); err != nil {
			return err
		}
		put, err := pg.Exec(ctx, tx, "demand.put", demandColumns(day, list)...)
		rows += put
		return err
	})
	return rows, err
}

// heldHours streams what every workload held on a day, by key, hour and
// workload.
func heldHours(ctx context.Context, tx pgx.Tx, day period.Second) iter.Seq2[*analysis.HeldHour, error] {
	return func(yield func(*analysis.HeldHour, error) bool) {
		var h analysis.HeldHour
		var packed pg.PgxBytes
		stopped := false
		err := pg.Query(ctx, tx, "demand.hours", func(rows pgx.Rows) error {
			if stopped {
				return nil
			}
			k := &h.Key
			if err := rows.Scan(&k.Cluster, &k.Namespace, &k.Kind, &k.Name, &k.GPUModel, &k.Profile, &k.PriceClass, &k.InstanceType, &k.OwnerID, &k.Class, &k.RunKind,
				&h.Service, &h.Device, &h.Region, &h.Provider, &h.Workload, &h.Hour, &h.GPUHours, &h.Seconds, &h.Holders, &packed); err != nil {
				return err
			}
			h.Activity, h.Memory, h.Free = sketch.Sketch{}, sketch.Sketch{}, sketch.Sketch{}
			if err := demandSketches(packed, &h); err != nil {
				return fmt.Errorf("%s of %s at %s: %w", k.GPUModel, k.Name, h.Hour, err)
			}
			stopped = !yield(&h, nil)
			return nil
		}, pg.Tenant, day)
		if err != nil {
			yield(nil, err)
		}
	}
}

// demandSketches takes activity (rule 5.1: the engine, else utilisation) and
// memory out of the packed sketches of an hour.
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

// demandColumns are the rows as demand.put takes them.
func demandColumns(day period.Second, list []analysis.DayDemand) []any {
	texts := make([][]string, 14)
	var owners []ledger.ID
	var cards, hours, there []int32
	var held []string
	var activity, memory [][]byte
	var bytes []int64
	for i := range list {
		d := &list[i]
		for c, v := range []string{d.Key.Cluster, d.Key.Namespace, d.Key.Kind, d.Key.Name, d.Key.GPUModel, d.Key.Profile, d.Key.PriceClass, d.Key.InstanceType,
			d.Key.Class, d.Key.RunKind, d.Service, d.Device, d.Region, d.Provider} {
			texts[c] = append(texts[c], v)
		}
		owners, cards, hours, held = append(owners, d.Key.OwnerID), append(cards, int32(d.Slices)), append(hours, int32(d.Hours)), append(held, d.GPUHours.String())
		activity, memory = append(activity, d.Activity.Append(nil)), append(memory, d.Memory.Append(nil))
		bytes, there = append(bytes, d.SliceMemory), append(there, int32(d.Held[day]))
	}
	args := []any{pg.Tenant, day}
	for _, t := range texts[:8] {
		args = append(args, t)
	}
	args = append(args, owners)
	for _, t := range texts[8:] {
		args = append(args, t)
	}
	return append(args, cards, held, hours, activity, memory, bytes, there)
}
