package facts

import (
	"context"
	"fmt"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/sketch"
	"gpuledger/internal/store/pg"
)

// SketchFilter selects devices; empty fields match all.
type SketchFilter struct{ Cluster, Node, Device string }

// SketchKey is one hour of one signal of a device or slice.
type SketchKey struct {
	Cluster, Node, Device string
	SliceID               int32
	Hour                  period.Second
	Signal                ledger.Signal
}

// Sketches calls f for every hour of the signal in [hours.From, hours.To), in no order, for f to merge into groups. f
// may keep the sketch. Sketches exist for activity (gr_engine_ppm, else gpu_util_ppm: rule 5.1), SM, tensor, DRAM,
// memory used and power.
func (s *Facts) Sketches(
	ctx context.Context, hours period.Interval, signal ledger.Signal,
	filter SketchFilter, f func(SketchKey, sketch.Sketch),
) error {
	code := minutes.Code(string(signal))
	null := func(text string) *string {
		if text == "" {
			return nil
		}
		return &text
	}
	type row struct {
		Cluster, Node, Device string
		SliceID               int32
		Hour                  period.Second
		Sketches              pg.PgxBytes
	}
	err := pg.Each(ctx, s.Pool, "summary.sketches", func(k row) error {
		for rest := []byte(k.Sketches); len(rest) > 0; {
			this := int(rest[0])
			v, after, err := sketch.Decode(rest[1:])
			if err != nil {
				return fmt.Errorf("device %s at %s: %w", k.Device, k.Hour, err)
			}
			if this == code {
				f(SketchKey{k.Cluster, k.Node, k.Device, k.SliceID, k.Hour, signal}, v)
			}
			rest = after
		}
		return nil
	}, pg.Tenant, hours.From, hours.To, null(filter.Cluster), null(filter.Node), null(filter.Device))
	if err != nil {
		return fmt.Errorf("read sketches of %s: %w", signal, err)
	}
	return nil
}
