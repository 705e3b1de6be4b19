package ingest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"gpuledger/ingest/openmetrics"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// pendingHours bounds what one parser of telemetry holds before it emits, in
// hours of one signal of about 640 bytes: some 20 MB.
const pendingHours = 1 << 15

// openMetrics imports telemetry. Rejected lines are counted and the rest is
// published; a file that is cut off or damaged refuses all.
func (r *run) openMetrics(ctx context.Context) error {
	r.phase("read")
	stage, err := r.im.Store.StageTelemetry(ctx, r.rec.ID)
	if err != nil {
		return fmt.Errorf("stage telemetry: %w", err)
	}
	if err := r.stageTelemetry(ctx, stage); err != nil {
		return errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
	}
	return nil
}

func (r *run) stageTelemetry(ctx context.Context, stage TelemetryStage) error {
	names := newIdentities(defaultCluster)
	seen := sightings{}
	var mu sync.Mutex
	var unlabelled int64
	broken := false
	err := pipeline(ctx, r.parsers(), len(r.files),
		func(ctx context.Context, i int, emit func(*ledger.Telemetry) error) error {
			f := r.files[i]
			stats, err := r.parseMetrics(ctx, f.File, emit)
			mu.Lock()
			defer mu.Unlock()
			r.countMetrics(&stats)
			unlabelled += stats.Unlabelled
			if err != nil {
				broken = true
				return r.refuse(f.Name, err)
			}
			r.fileDone(f.File)
			return nil
		},
		func(ctx context.Context, t *ledger.Telemetry) error {
			names.add(t)
			seen.add(t)
			rows := int64(len(t.Samples))
			if err := stage.Write(ctx, t); err != nil {
				return fmt.Errorf("stage telemetry: %w", err)
			}
			r.rowsDone(rows)
			return nil
		})
	if err != nil {
		return err
	}
	if broken {
		return errRejected
	}
	if unlabelled > 0 {
		known, err := r.im.Store.NodeIdentities(ctx, defaultCluster, names.names())
		if err != nil {
			return fmt.Errorf("read known nodes: %w", err)
		}
		if err := names.check(known); err != nil {
			return err
		}
	}
	if err := seen.check(ctx, r.im.Store); err != nil {
		return err
	}
	if r.rec.Accepted == 0 && r.tally.RejectedRows() > 0 {
		return errRejected
	}
	r.phase("publish")
	if err := stage.Publish(ctx); err != nil {
		return fmt.Errorf("publish telemetry: %w", err)
	}
	r.rec.State = ImportPublished
	return nil
}

func (r *run) parseMetrics(ctx context.Context, f blob.File, emit func(*ledger.Telemetry) error) (stats openmetrics.Stats, err error) {
	err = r.open(f, func(in *blob.Reader) error {
		stats, err = openmetrics.Parse(ctx, in, f.Name, openmetrics.Options{Cluster: r.req.Cluster, MaxPending: pendingHours}, emit)
		return err
	})
	return stats, err
}

// countMetrics adds what became of the lines of one file.
func (r *run) countMetrics(s *openmetrics.Stats) {
	r.rec.RowsRead += s.Samples
	r.rec.Accepted += s.Accepted
	t := ledger.Tally{Rejected: s.RejectedBy, Ignored: s.IgnoredBy, First: s.Rejections}
	r.tally.Merge(&t)
	r.tally.Ignore("without a value", s.Absent)
	r.tally.Note("older than the sample before", s.Unsorted)
	r.tally.Note("repeated sample", s.Duplicates)
}
