package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/ingest"
	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
)

// chunk holds the facts of one flush until they are published.
type chunk struct {
	held    *series.Held
	facts   []*ledger.Telemetry
	upTo    int64 // the newest of this receiver's requests in it
	adopted map[ledger.ID]int64
}

// Times of Run.
const (
	adoptEvery   = time.Minute
	leaseTimeout = 10 * time.Second
	stopTimeout  = 20 * time.Second
)

// Run stores, applies and flushes until ctx ends, then flushes a last time. It keeps running
// while the database is down. The error is that of the last flush: no acknowledged sample is
// lost then, since the next receiver takes it over.
func (r *Receiver) Run(ctx context.Context) error {
	stopping, stop := context.WithCancel(context.WithoutCancel(ctx))
	committed := make(chan struct{})
	go func() {
		defer close(committed)
		r.commit(stopping)
	}()
	r.loop(ctx)
	r.mu.Lock()
	r.stopped = true
	r.mu.Unlock()
	stop()
	<-committed
	r.refuseWaiting()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	err := r.flush(last)
	r.flushing.Lock()
	defer r.flushing.Unlock()
	if r.lease != nil {
		r.lease.Close()
		r.lease = nil
	}
	if err != nil {
		return fmt.Errorf("last flush of live telemetry: %w", err)
	}
	return nil
}

// refuseWaiting answers requests that arrived too late.
func (r *Receiver) refuseWaiting() {
	for {
		select {
		case j := <-r.jobs:
			j.done <- unavailable(errors.New("the server is stopping"))
		default:
			return
		}
	}
}

func (r *Receiver) loop(ctx context.Context) {
	every := time.NewTicker(r.opt.FlushEvery)
	defer every.Stop()
	adopt := time.NewTicker(adoptEvery)
	defer adopt.Stop()
	sweep := time.NewTicker(forgetAfter)
	defer sweep.Stop()
	r.adopt(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case <-adopt.C:
			r.adopt(ctx)
			continue
		case <-sweep.C:
			r.sweep()
			continue
		case <-every.C:
		case <-r.ready:
		}
		if err := r.flush(ctx); err != nil && ctx.Err() == nil {
			r.opt.Log.Warn("the flush of live telemetry failed; it is retried", "error", err)
			r.pause(ctx)
		}
	}
}

// pause delays the next try after a failed flush.
func (r *Receiver) pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(min(time.Second, r.opt.FlushEvery)):
	}
}

// Flush publishes all accepted data.
func (r *Receiver) Flush(ctx context.Context) error { return r.flush(ctx) }

func (r *Receiver) flush(ctx context.Context) error {
	r.flushing.Lock()
	defer r.flushing.Unlock()
	r.take()
	if len(r.chunks) == 0 {
		return nil
	}
	start := r.opt.Now()
	if err := r.publish(ctx); err != nil {
		r.m.flushFailed.Inc()
		return err
	}
	r.m.flushSeconds.Observe(r.opt.Now().Sub(start).Seconds())
	newest := r.chunks[len(r.chunks)-1]
	r.settled = newest.upTo
	r.chunks = nil
	r.mu.Lock()
	r.waiting, r.failing = 0, time.Time{}
	r.mu.Unlock()
	for receiver := range newest.adopted {
		r.release(ctx, receiver)
	}
	return nil
}

// take moves the collected facts into a chunk.
func (r *Receiver) take() {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.held() - r.waiting
	if r.oldest.IsZero() && size == 0 && len(r.adopted) == 0 && r.applied == r.settled {
		return
	}
	c := chunk{held: r.to.Take(), facts: r.facts, upTo: r.applied, adopted: r.adopted}
	if n := len(r.chunks); n > 0 { // not yet published
		for receiver, upTo := range r.chunks[n-1].adopted {
			c.adopted[receiver] = max(c.adopted[receiver], upTo)
		}
	}
	r.chunks = append(r.chunks, c)
	r.waiting += size
	if r.failing.IsZero() {
		r.failing = r.oldest
	}
	r.facts, r.factSize, r.oldest = nil, 0, time.Time{}
	r.adopted = map[ledger.ID]int64{}
}

// publish stores all chunks and deletes their requests in one transaction.
func (r *Receiver) publish(ctx context.Context) (err error) {
	stage, err := r.opt.Store.StageTelemetry(ctx, r.id)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, stage.Discard(context.WithoutCancel(ctx)))
		}
	}()
	for i := range r.chunks {
		if err := r.chunks[i].write(ctx, stage); err != nil {
			return err
		}
	}
	newest := &r.chunks[len(r.chunks)-1]
	if newest.upTo > r.settled {
		if err := stage.Settle(ctx, r.id, newest.upTo); err != nil {
			return err
		}
	}
	for receiver, upTo := range newest.adopted {
		if err := stage.Settle(ctx, receiver, upTo); err != nil {
			return err
		}
	}
	return stage.Publish(ctx)
}

func (c *chunk) write(ctx context.Context, stage ingest.TelemetryStage) error {
	for _, t := range c.facts {
		again := *t // the stage may change its lists, and it may have to be written again
		if err := stage.Write(ctx, &again); err != nil {
			return err
		}
	}
	return c.held.Emit(func(t *ledger.Telemetry) error { return stage.Write(ctx, t) })
}

// sweep drops silent series and senders.
func (r *Receiver) sweep() {
	for at, done := 0, false; !done; {
		r.mu.Lock()
		at, done = r.series.sweep(at)
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetSenders()
	r.to.Age()
}
