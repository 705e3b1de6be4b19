package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/ingest/promquery"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Query is the query of a backfill. The zero value reads all new samples.
type Query struct {
	// From and To bound the samples, [From, To). nil From: the end of the last backfill, else
	// Lookback ago; nil To: now.
	From, To *period.Second
	// Lookback is the range of the first backfill; 0: 30 days.
	Lookback time.Duration
	// Access configures access to the server; its URI and cluster are the request's.
	Access promquery.Options
}

const (
	// backfillLookback is the default of Lookback.
	backfillLookback = 30 * 24 * time.Hour
	// backfillOverlap is read again by the next backfill, for late samples.
	backfillOverlap = period.Hour
	// Hours read before they are stored: a kill loses no more.
	backfillHours = 24
	backfillRows  = 4 << 20
)

// backfill reads the history of query APIs, hour by hour. It is stored every few hours: an
// interrupted backfill continues from there.
func (r *run) backfill(ctx context.Context) error {
	r.phase("read")
	for _, uri := range r.req.URIs {
		if err := r.backfillFrom(ctx, uri); err != nil {
			return err
		}
	}
	r.rec.State = ImportUnchanged
	if r.rec.Accepted > 0 {
		r.rec.State = ImportPublished
	}
	return nil
}

func (r *run) backfillFrom(ctx context.Context, uri string) error {
	access := r.req.Query.Access
	access.URI, access.Cluster, access.Series, access.Now = uri, r.req.Cluster, r.req.Series, r.im.Now
	now := r.im.Now()
	access.NotAfter = now.Add(futureSlack).UnixMilli()
	reader, err := promquery.Open(access)
	if err != nil {
		return err
	}
	plan, err := r.planBackfill(ctx, access, period.FromTime(now))
	if err != nil {
		return err
	}
	hours := hoursOf(plan.Interval)
	r.rec.Files += len(hours)
	r.progress.change(func(p *Progress) { p.Files, p.Unit = p.Files+len(hours), "hours" })
	if len(hours) == 0 {
		return nil
	}
	before, first := r.rec.Accepted, plan.through.Next == 0 || r.req.Query.From != nil
	if err := reader.Find(ctx, promquery.Window{From: int64(plan.From) * 1000, To: int64(plan.To) * 1000}); err != nil {
		return r.stopped(plan.From, r.refuseQuery(reader.Address(), err))
	}
	for len(hours) > 0 {
		done, err := r.backfillSome(ctx, reader, hours[:min(len(hours), backfillHours)])
		if err != nil {
			return r.stopped(hours[0].From, err)
		}
		if err := r.reached(ctx, plan, hours[done-1].To); err != nil {
			return err
		}
		hours = hours[done:]
	}
	if first && r.rec.Accepted == before {
		r.elsewhere(ctx, reader, plan.Interval, period.FromTime(now))
	}
	return nil
}

// futureSlack is how far a server's clock may be ahead (docs/rules.md 10.3).
const futureSlack = 10 * time.Minute

// stopped wraps an error with the time up to which everything is stored.
func (r *run) stopped(at period.Second, err error) error {
	if !r.kept || errors.Is(err, errRejected) {
		return err
	}
	return fmt.Errorf("stopped at %s; everything before is stored, and the same command continues from there: %w", at, err)
}

// refuseQuery turns a server's refusal into a rejection.
func (r *run) refuseQuery(address string, err error) error {
	if refused := (*promquery.RefusedError)(nil); errors.As(err, &refused) {
		r.tally.Refuse(ledger.Rejection{File: address, Reason: "refused by the server", Detail: refused.Error()})
		return errRejected
	}
	return err
}

// backfillSome reads and stores a few hours, fewer than requested if they hold many samples,
// and returns how many.
func (r *run) backfillSome(
	ctx context.Context, reader *promquery.Reader, hours []period.Interval,
) (done int, err error) {
	stage, err := r.im.Store.StageTelemetry(ctx, r.rec.ID)
	if err != nil {
		return 0, fmt.Errorf("stage telemetry: %w", err)
	}
	before := reader.Bytes()
	read, done, err := r.stageHours(ctx, reader, stage, hours)
	if err == nil {
		if err = stage.Publish(ctx); err != nil {
			err = fmt.Errorf("publish telemetry: %w", err)
		}
	}
	if err != nil {
		return 0, errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
	}
	r.rec.RowsRead += read.Rows
	r.rec.Accepted += read.Accepted
	r.rec.Bytes += reader.Bytes() - before
	r.tally.Merge(&read.Tally)
	r.tally.Ignore("without a value", read.Absent)
	r.tally.Note(noCluster, read.Unlabelled)
	r.kept = r.kept || read.Accepted > 0
	return done, nil
}

func (r *run) stageHours(
	ctx context.Context, reader *promquery.Reader, stage TelemetryStage, hours []period.Interval,
) (read ledger.Reading, done int, err error) {
	check := newFactCheck()
	err = pipeline(ctx, 1, len(hours),
		func(ctx context.Context, i int, emit func(*ledger.Telemetry) error) error {
			if read.Rows >= backfillRows {
				return nil
			}
			h := hours[i]
			one, err := reader.Read(ctx, promquery.Window{From: int64(h.From) * 1000, To: int64(h.To) * 1000},
				fmt.Sprintf("%s %s", reader.Address(), h.From), emit)
			if fe := (*ledger.FileError)(nil); errors.As(err, &fe) {
				r.tally.Refuse(fe.Rejection)
				return errRejected
			}
			if err != nil {
				return err // it may not occur on another try
			}
			done = i + 1
			read.Rows, read.Accepted, read.Absent, read.Unlabelled = read.Rows+one.Rows, read.Accepted+one.Accepted,
				read.Absent+one.Absent, read.Unlabelled+one.Unlabelled
			read.Merge(&one.Tally)
			r.progress.change(func(p *Progress) {
				p.FilesDone++
				p.File = h.From.String()
				r.progress.whole[p.File] = 0 // an hour has no bytes
				p.Rows, p.PhaseRows = p.Rows+one.Rows, p.PhaseRows+one.Rows
			})
			return nil
		},
		func(ctx context.Context, t *ledger.Telemetry) error {
			check.add(t)
			r.days.telemetry(t)
			if err := stage.Write(ctx, t); err != nil {
				return fmt.Errorf("stage telemetry: %w", err)
			}
			return nil
		})
	if err != nil {
		return read, done, err
	}
	return read, done, check.run(ctx, r.im.Store, read.Unlabelled)
}
