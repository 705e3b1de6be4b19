package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"gpuledger/ingest/series"
)

// Options of an agent.
type Options struct {
	Server  string // base URL of the gpuledger server, or a full remote_write URL
	Token   string // bearer token, empty for none
	Node    string // the machine's name: Kubernetes node name, Slurm NodeName, host name
	Cluster string // empty: the server decides

	Interval time.Duration // between samples; 15 s when 0
	Batch    time.Duration // samples are sent together after this time; 30 s when 0

	Dir   string // of the buffer
	Limit int64  // bytes of the buffer; 256 MiB when 0

	NvidiaSMI Command
	Proc      fs.FS // /proc
	Client    *http.Client
	Clock     Clock
	Log       *slog.Logger
	// Random is in [0, 1): it spreads the actions of many agents over time.
	Random func() float64
}

// Clock is the time and its timers.
type Clock interface {
	Now() time.Time
	// After returns a channel that gets the time once d has passed.
	After(d time.Duration) <-chan time.Time
}

func (o Options) withDefaults() (Options, error) {
	if o.Node == "" {
		return o, errors.New("the machine has no name: name it with --node")
	}
	if o.Interval == 0 {
		o.Interval = 15 * time.Second
	}
	if o.Interval < time.Second {
		return o, fmt.Errorf("interval %s: at least 1s", o.Interval)
	}
	if o.Batch == 0 {
		o.Batch = 30 * time.Second
	}
	if o.Limit == 0 {
		o.Limit = 256 << 20
	}
	return o, nil
}

// Run samples and sends until ctx ends; then it writes the current batch to the buffer and returns nil. An error means
// that it could not start.
func Run(ctx context.Context, o Options) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	b, err := openBuffer(o.Dir, o.Limit)
	if err != nil {
		return err
	}
	s, err := newSender(o)
	if err != nil {
		return err
	}
	a := &agent{o: o, sampler: sampler{o: &o, host: host{proc: o.Proc}}, buffer: b, sender: s}
	if n := len(b.batches); n > 0 {
		o.Log.Info("batches of an earlier agent are waiting", "batches", n, "bytes", b.size)
	}
	a.run(ctx)
	return nil
}

type agent struct {
	o       Options
	sampler sampler
	buffer  *buffer
	sender  *sender

	batch      batch
	batchSince time.Time
	failing    bool // the last sampling failed: logged only once
	sendAt     time.Time
	failures   int
}

func (a *agent) run(ctx context.Context) {
	// Agents that start together spread over an interval.
	tick := a.o.Clock.After(time.Duration(a.o.Random() * float64(a.o.Interval)))
	for {
		select {
		case <-ctx.Done():
			a.keep()
			return
		case <-tick:
		}
		at := a.o.Clock.Now()
		a.sample(ctx, at)
		// By the next sample this batch would be older than allowed.
		if !a.batchSince.IsZero() && at.Sub(a.batchSince)+a.o.Interval > a.o.Batch-a.o.Interval/2 {
			a.keep()
		}
		a.send(ctx)
		next := at.Truncate(a.o.Interval).Add(a.o.Interval)
		tick = a.o.Clock.After(max(0, next.Sub(a.o.Clock.Now())))
	}
}

// sample adds the current values to the batch. A failure is logged when it begins, not each time.
func (a *agent) sample(ctx context.Context, at time.Time) {
	if a.batchSince.IsZero() {
		a.batchSince = at
	}
	err := a.sampler.sample(ctx, at, func(at time.Time, name string, ls series.Labels, value series.Decimal) {
		a.batch.add(name, a.o.Cluster, ls, at.UnixMilli(), value)
	})
	switch {
	case err != nil && ctx.Err() == nil && !a.failing:
		a.o.Log.Error("sampling fails; it is tried again at each interval", "error", err)
		a.failing = true
	case err == nil && a.failing:
		a.o.Log.Info("sampling works again")
		a.failing = false
	}
}

// keep writes the batch to the buffer.
func (a *agent) keep() {
	a.batchSince = time.Time{}
	body := a.batch.encode()
	if body == nil {
		return
	}
	dropped := a.buffer.dropped
	if err := a.buffer.add(body); err != nil {
		a.o.Log.Error("a batch could not be kept and is lost", "error", err)
	}
	if n := a.buffer.dropped - dropped; n > 0 {
		a.o.Log.Warn("the buffer is full: the oldest batches were dropped", "batches", n, "limit_bytes", a.o.Limit)
	}
}

// backoff is the longest pause after a failing request.
const backoff = 5 * time.Minute

// send sends from the buffer as long as the server accepts.
func (a *agent) send(ctx context.Context) {
	for a.o.Clock.Now().Compare(a.sendAt) >= 0 && ctx.Err() == nil {
		body, ok, err := a.buffer.oldest()
		if err != nil {
			a.o.Log.Error("the buffer cannot be read", "error", err)
			return
		}
		if !ok {
			return
		}
		again, after, err := a.sender.send(ctx, body)
		if again {
			a.failures++
			wait := min(time.Second<<min(a.failures, 20), backoff)
			wait = max(after, time.Duration(float64(wait)*(0.5+a.o.Random()/2)))
			a.sendAt = a.o.Clock.Now().Add(wait)
			if ctx.Err() == nil {
				a.o.Log.Warn("the server does not accept batches; they stay in the buffer",
					"error", err, "again_in", wait, "batches", len(a.buffer.batches))
			}
			return
		}
		if err != nil {
			a.o.Log.Error("the server refused a batch for good; it is dropped", "error", err)
		}
		if a.failures > 0 && err == nil {
			a.o.Log.Info("the server accepts batches again")
		}
		a.failures = 0
		if err := a.buffer.remove(); err != nil {
			a.o.Log.Error("a batch that was sent cannot be removed; it is sent again", "error", err)
			return
		}
	}
}
