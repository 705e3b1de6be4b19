package pages

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics/timeline"
)

const (
	activityBuckets = 240 // a pixel or two each on the widest page
	activitySlots   = 128 // more slots do not change a mean that anybody can see
)

// RunTimeline returns what the run page draws. A run that never held anything
// has an empty time line.
func (s *Pages) RunTimeline(ctx context.Context, runID string) (timeline.Run, error) {
	var r timeline.Run
	reads := []struct {
		name string
		scan func(pgx.Rows) error
	}{
		{"page.run_spans", func(rows pgx.Rows) error {
			var v timeline.Span
			err := rows.Scan(&v.NodeID, &v.Slot, &v.SliceID, &v.Attempt, &v.Cause, &v.From, &v.To)
			r.Spans = append(r.Spans, v)
			return err
		}},
		{"page.run_nodes", func(rows pgx.Rows) error {
			var v timeline.Node
			err := rows.Scan(&v.ID, &v.Name, &v.InstanceID, &v.InstanceType, &v.Region, &v.Zone, &v.PriceClass, &v.GPUModel, &v.GPUs)
			r.Nodes = append(r.Nodes, v)
			return err
		}},
		{"page.run_checkpoints", func(rows pgx.Rows) error {
			var v timeline.Checkpoint
			err := rows.Scan(&v.At)
			r.Checkpoints = append(r.Checkpoints, v)
			return err
		}},
		{"page.run_interruptions", func(rows pgx.Rows) error {
			var v timeline.Interruption
			err := rows.Scan(&v.NodeID, &v.At)
			r.Interruptions = append(r.Interruptions, v)
			return err
		}},
		{"page.run_prices", func(rows pgx.Rows) error {
			var v timeline.Price
			err := rows.Scan(&v.Class, &v.Currency, &v.Effective, &v.GPUHours)
			r.Prices = append(r.Prices, v)
			return err
		}},
	}
	for _, read := range reads {
		if err := s.QueryRead(ctx, read.name, read.scan, pg.Tenant, runID); err != nil {
			return timeline.Run{}, fmt.Errorf("time line of run %s: %w", runID, err)
		}
	}
	if err := s.runActivity(ctx, runID, &r); err != nil {
		return timeline.Run{}, fmt.Errorf("activity of run %s: %w", runID, err)
	}
	return r, nil
}

// runActivity averages the samples of what the run held.
func (s *Pages) runActivity(ctx context.Context, runID string, r *timeline.Run) error {
	var span period.Interval
	slots := map[timeline.Slot]bool{}
	for i, v := range r.Spans {
		if i == 0 {
			span = v.Interval
		}
		span.From, span.To = min(span.From, v.From), max(span.To, v.To)
		slots[timeline.Slot{NodeID: v.NodeID, Slot: v.Slot, SliceID: v.SliceID}] = true
	}
	if span.Empty() {
		return nil
	}
	// A bucket is at least a minute: nothing finer was measured.
	n := int(min(activityBuckets, max(1, span.Seconds()/period.Minute)))
	avg := timeline.NewAverager(span, n, r.Spans)
	err := s.QueryRead(ctx, "page.run_samples", func(rows pgx.Rows) error {
		var slot timeline.Slot
		var hour period.Second
		var packed []byte
		if err := rows.Scan(&slot.NodeID, &slot.Slot, &slot.SliceID, &hour, &packed); err != nil {
			return err
		}
		vectors, err := minutes.Decode[ledger.Signal](packed)
		if err != nil {
			return fmt.Errorf("samples of slot %d at %s: %w", slot.Slot, hour, err)
		}
		avg.Add(slot, hour, vectors)
		return nil
	}, pg.Tenant, runID, activitySlots)
	if err != nil {
		return err
	}
	r.Activity = avg.Activity()
	r.Activity.AllIn = len(slots) <= activitySlots
	return nil
}

// RunLines returns the bill lines behind a run, the largest first, and how
// many there are in all.
func (s *Pages) RunLines(ctx context.Context, runID string, limit int) (timeline.Lines, error) {
	var r timeline.Lines
	err := s.QueryRead(ctx, "page.run_lines", func(rows pgx.Rows) error {
		var v timeline.Line
		err := rows.Scan(&v.ChargeID, &v.File, &v.Line, &v.Source, &v.Currency, &v.Effective, &r.Total)
		r.Top = append(r.Top, v)
		return err
	}, pg.Tenant, runID, limit)
	if err != nil {
		return timeline.Lines{}, fmt.Errorf("bill lines of run %s: %w", runID, err)
	}
	return r, nil
}
