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
	activityBuckets = 240 // one or two pixels each on the widest page
	activitySlots   = 128 // more slots would not visibly change the mean
)

// RunTimeline returns the data of the run page. The timeline of a run that never held a device is empty.
func (s *Pages) RunTimeline(ctx context.Context, runID string) (timeline.Run, error) {
	var r timeline.Run
	err := s.Read(ctx, "time line of run "+runID, func(tx pgx.Tx) (err error) {
		readTo(ctx, tx, &err, &r.Spans, "page.run_spans", runID)
		readTo(ctx, tx, &err, &r.Nodes, "page.run_nodes", runID)
		readTo(ctx, tx, &err, &r.Checkpoints, "page.run_checkpoints", runID)
		readTo(ctx, tx, &err, &r.Interruptions, "page.run_interruptions", runID)
		readTo(ctx, tx, &err, &r.Prices, "page.run_prices", runID)
		return err
	})
	if err != nil {
		return timeline.Run{}, err
	}
	if err := s.runActivity(ctx, runID, &r); err != nil {
		return timeline.Run{}, fmt.Errorf("activity of run %s: %w", runID, err)
	}
	return r, nil
}

// readTo reads a list unless a read before it failed.
func readTo[T any](ctx context.Context, tx pgx.Tx, err *error, list *[]T, name, runID string) {
	if *err == nil {
		*list, *err = pg.List[T](ctx, tx, name, pg.Tenant, runID)
	}
}

// runActivity averages the samples of the devices that the run held.
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
	// A bucket is at least a minute, the resolution of samples.
	n := int(min(activityBuckets, max(1, span.Seconds()/period.Minute)))
	avg := timeline.NewAverager(span, n, r.Spans)
	type held struct {
		NodeID        ledger.ID
		Slot, SliceID int32
		Hour          period.Second
		Vectors       pg.PgxBytes
	}
	err := pg.Each(ctx, s.ReadOnly(), "page.run_samples", func(h held) error {
		vectors, err := minutes.Decode[ledger.Signal](h.Vectors)
		if err != nil {
			return fmt.Errorf("samples of slot %d at %s: %w", h.Slot, h.Hour, err)
		}
		avg.Add(timeline.Slot{NodeID: h.NodeID, Slot: h.Slot, SliceID: h.SliceID}, h.Hour, vectors)
		return nil
	}, pg.Tenant, runID, activitySlots)
	if err != nil {
		return err
	}
	r.Activity = avg.Activity()
	r.Activity.AllIn = len(slots) <= activitySlots
	return nil
}

// RunLines returns the bill lines behind a run, the largest first, and their total number.
func (s *Pages) RunLines(ctx context.Context, runID string, limit int) (timeline.Lines, error) {
	list, err := pg.List[struct {
		timeline.Line
		Total int64
	}](ctx, s.ReadOnly(), "page.run_lines", pg.Tenant, runID, limit)
	if err != nil {
		return timeline.Lines{}, fmt.Errorf("bill lines of run %s: %w", runID, err)
	}
	var r timeline.Lines
	for _, l := range list {
		r.Top, r.Total = append(r.Top, l.Line), l.Total
	}
	return r, nil
}
