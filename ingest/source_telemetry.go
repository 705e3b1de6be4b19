package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"gpuledger/ingest/attempts"
	"gpuledger/ingest/kubernetes"
	"gpuledger/ingest/nvidiasmi"
	"gpuledger/ingest/openmetrics"
	"gpuledger/ingest/otlp"
	"gpuledger/ingest/runrecords"
	"gpuledger/ingest/sagemaker"
	"gpuledger/ingest/series"
	"gpuledger/ingest/slurm"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// pendingHours bounds the data that one telemetry parser holds before it emits, in signal-hours
// of about 640 bytes: some 20 MB.
const pendingHours = 1 << 15

// telemetryFormat reads one format of telemetry.
type telemetryFormat struct {
	source string
	// looks reports whether the start of a file is of the format.
	looks func(head []byte) bool
	// parse reads one unpacked file and emits its facts in batches, which the receiver may keep.
	// Rejected rows are counted; an error refuses the file, and nothing emitted so far may be
	// published.
	parse func(ctx context.Context, in io.Reader, file string, opt telemetryOptions,
		emit func(*ledger.Telemetry) error) (ledger.Reading, error)
}

// telemetryOptions are facts that a file may lack.
type telemetryOptions struct {
	cluster string // empty: as the file says, else "default"
	// zone is that of times without one; nil: UTC.
	zone *time.Location
	// at is the time of data without a time; 0: unknown.
	at  period.Second
	now period.Second // for refusing future times
	// series configures facts that series lack.
	series series.Options
}

// ahead is the first time of a file that counts as future: clocks and zones differ by a day at
// most (docs/rules.md 10.3).
func (o telemetryOptions) ahead() period.Second { return o.now + period.Day }

// telemetryFormats, in the order in which they are tried on a file.
var telemetryFormats = []telemetryFormat{
	{SourceSlurm, slurm.Detect, parseSlurm},
	{SourceSageMaker, sagemaker.Detect, parseSageMaker},
	{SourceAttempts, attempts.Detect, parseAttempts},
	{SourceExperiments, runrecords.Detect, parseRunRecords},
	{SourceKubernetes, kubernetes.Looks, parseKubernetes},
	{SourceNvidiaSMI, nvidiasmi.Looks, parseNvidiaSMI},
	{SourceOTLP, otlp.Looks, parseOTLP},
	{SourceOpenMetrics, openmetrics.Detect, parseMetrics},
}

func telemetryFormatOf(source string) *telemetryFormat {
	for i := range telemetryFormats {
		if telemetryFormats[i].source == source {
			return &telemetryFormats[i]
		}
	}
	return nil
}

// telemetry imports telemetry. Rejected lines are counted and the rest is published; a
// truncated or damaged file refuses the whole import.
func (r *run) telemetry(ctx context.Context, format *telemetryFormat) error {
	r.phase("read")
	stage, err := r.im.Store.StageTelemetry(ctx, r.rec.ID)
	if err != nil {
		return fmt.Errorf("stage telemetry: %w", err)
	}
	if err := r.stageTelemetry(ctx, format, stage); err != nil {
		return errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
	}
	return nil
}

func (r *run) stageTelemetry(ctx context.Context, format *telemetryFormat, stage TelemetryStage) error {
	check := newFactCheck()
	var mu sync.Mutex
	var unlabelled int64
	broken, learned := false, false
	err := pipeline(ctx, r.parsers(), len(r.files),
		func(ctx context.Context, i int, emit func(*ledger.Telemetry) error) error {
			f := r.files[i]
			var read ledger.Reading
			err := r.open(f.File, func(in *blob.Reader) (err error) {
				read, err = format.parse(ctx, in, f.Name, r.telemetryOptions(), emit)
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			r.rec.RowsRead += read.Rows
			r.rec.Accepted += read.Accepted
			r.tally.Merge(&read.Tally)
			r.tally.Ignore("without a value", read.Absent)
			unlabelled += read.Unlabelled
			if err != nil {
				broken = true
				return r.refuse(f.Name, err)
			}
			r.fileDone(f.File)
			return nil
		},
		func(ctx context.Context, t *ledger.Telemetry) error {
			check.add(t)
			r.days.telemetry(t)
			learned = learned || says(t)
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
	if err := check.run(ctx, r.im.Store, unlabelled); err != nil {
		return err
	}
	r.tally.Note(noCluster, unlabelled)
	if !learned { // jobs without GPUs say which minutes are covered
		if err := r.nothing(); err != nil {
			return err
		}
	}
	r.phase("publish")
	if err := stage.Publish(ctx); err != nil {
		return fmt.Errorf("publish telemetry: %w", err)
	}
	r.rec.State = ImportPublished
	return nil
}

func (r *run) telemetryOptions() telemetryOptions {
	o := telemetryOptions{cluster: r.req.Cluster, series: r.req.Series, zone: r.req.Zone, now: period.FromTime(r.im.Now())}
	if r.req.DeliveredAt != nil {
		o.at = *r.req.DeliveredAt
	}
	if until := r.req.SimulatedUntil; until != nil {
		o.now = max(o.now, *until)
	}
	return o
}

func parseMetrics(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	s, err := openmetrics.Parse(ctx, in, file,
		openmetrics.Options{Cluster: opt.cluster, Node: opt.series.Node, GPUUtil: opt.series.GPUUtil,
			GPUUtilRatio: opt.series.GPUUtilRatio,
			Inference:    opt.series.Inference, NotAfter: opt.ahead(), MaxPending: pendingHours}, emit)
	read := ledger.Reading{
		Rows: s.Samples, Accepted: s.Accepted, Absent: s.Absent, Unlabelled: s.Unlabelled,
		Tally: ledger.Tally{Rejected: s.RejectedBy, Ignored: s.IgnoredBy, First: s.Rejections},
	}
	read.Note("older than the sample before", s.Unsorted)
	read.Note("repeated sample", s.Duplicates)
	return read, err
}

func parseNvidiaSMI(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	o := nvidiasmi.Options{Cluster: opt.cluster, Zone: opt.zone, NotAfter: opt.ahead(), MaxPending: pendingHours}
	if opt.at != 0 {
		o.At = opt.at.Time()
	}
	return nvidiasmi.Parse(ctx, in, file, o, emit)
}

func parseSlurm(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return slurm.Parse(ctx, in, file, slurm.Options{Cluster: opt.cluster, Zone: opt.zone, Now: opt.now}, emit)
}

func parseKubernetes(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return kubernetes.Parse(ctx, in, file, kubernetes.Options{Cluster: opt.cluster, At: opt.at, Now: opt.now}, emit)
}

func parseOTLP(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return otlp.Parse(ctx, in, file,
		otlp.Options{
			Cluster: opt.cluster, Series: opt.series,
			NotAfter: opt.now + period.Second(futureSlack/time.Second), MaxPending: pendingHours,
		}, emit)
}

func parseSageMaker(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return sagemaker.Parse(ctx, in, file, sagemaker.Options{Cluster: opt.cluster}, emit)
}

func parseAttempts(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return attempts.Parse(ctx, in, file, attempts.Options{Cluster: opt.cluster, Zone: opt.zone}, emit)
}

func parseRunRecords(
	ctx context.Context, in io.Reader, file string, opt telemetryOptions, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	return runrecords.Parse(ctx, in, file, runrecords.Options{Cluster: opt.cluster, Zone: opt.zone}, emit)
}
