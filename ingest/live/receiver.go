package live

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"gpuledger/ingest/series"
	"gpuledger/internal/ledger"
	"gpuledger/internal/seldom"
)

// Receiver receives live telemetry. It is safe for concurrent use.
type Receiver struct {
	opt   Options
	kinds map[string]Decoder
	id    ledger.ID // new for every process
	seed  uint64    // of fingerprints
	jobs  chan *job
	ready chan struct{} // a flush should start early
	m     *metrics
	words *seldom.Words // logged once a minute

	mu       sync.Mutex // guards the fields below
	to       *series.Collector
	series   seriesTable
	senders  map[string]*sender
	inFlight int64
	stopped  bool
	number   int64               // newest request given to the inbox
	applied  int64               // newest one whose samples are in the collector
	adopted  map[ledger.ID]int64 // replayed up to here
	facts    []*ledger.Telemetry // to be published unchanged
	factSize int64
	waiting  int64     // bytes of flushes that failed
	oldest   time.Time // receipt of the oldest waiting data; zero: nothing waits
	failing  time.Time // the same for flushes that failed
	// restUntil is the time before which the inbox is not tried.
	restUntil time.Time

	flushing sync.Mutex // guards the fields below
	lease    Lease
	chunks   []chunk
	settled  int64
}

// job is an accepted request on its way into the inbox.
type job struct {
	batch *Batch
	in    Stored
	done  chan error
}

// New returns a receiver. Run must be running, else it accepts nothing.
func New(opt Options) *Receiver {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.FlushEvery <= 0 {
		opt.FlushEvery = 15 * time.Second
	}
	if opt.Window <= 0 {
		opt.Window = 24 * time.Hour
	}
	opt.Limits = opt.Limits.withDefaults()
	r := &Receiver{
		opt: opt, kinds: builtin(), jobs: make(chan *job, 256), ready: make(chan struct{}, 1), words: seldom.New(time.Minute),
		to: series.NewCollector(opt.Series), series: newSeriesTable(),
		senders: map[string]*sender{}, adopted: map[ledger.ID]int64{},
	}
	maps.Copy(r.kinds, opt.Kinds)
	var room [24]byte
	_, _ = rand.Read(room[:]) // never fails
	copy(r.id[:], room[:16])
	r.seed = binary.LittleEndian.Uint64(room[16:])
	r.m = newMetrics(opt.Metrics, r)
	return r
}

// Accept takes one request. If it returns without an error, the samples that Result counts as
// accepted survive any kill; Result.Err reports whether some were refused. Errors are
// *RefusedError, of a request that is refused for good, and *RetryError.
func (r *Receiver) Accept(ctx context.Context, req Request) (Result, error) {
	decode := r.kinds[req.Kind]
	if decode == nil {
		return Result{}, &RefusedError{http.StatusUnsupportedMediaType, "unknown kind", req.Kind}
	}
	size := int64(len(req.Body))
	s, err := r.admit(req.Sender, size)
	if err != nil {
		return Result{}, err
	}
	left := false
	defer func() {
		if !left {
			r.leave(s, size)
		}
	}()
	now := r.opt.Now()
	b := r.newBatch(s, req.Cluster, now)
	if err := decode(req.Body, b); err != nil {
		return Result{}, err
	}
	if b.stored == 0 {
		return r.taken(req.Kind, b), nil
	}
	j := &job{
		batch: b, done: make(chan error, 1),
		in: Stored{Kind: req.Kind, Sender: req.Sender, ReceivedAt: now, Cluster: req.Cluster, Body: req.Body},
	}
	select {
	case r.jobs <- j:
	case <-ctx.Done():
		return Result{}, unavailable(context.Cause(ctx))
	}
	select {
	case err := <-j.done:
		if err != nil {
			return Result{}, err
		}
		return r.taken(req.Kind, b), nil
	case <-ctx.Done(): // it may be stored anyway; a retry counts once
		left = true
		go func() { // the body is in use until then
			if err := <-j.done; err != nil {
				r.opt.Log.Debug("an abandoned request was not stored", "error", err)
			}
			r.leave(s, size)
		}()
		return Result{}, unavailable(context.Cause(ctx))
	}
}

// taken finishes a handled request.
func (r *Receiver) taken(kind string, b *Batch) Result {
	r.m.count(kind, b)
	result := b.result
	b.recycle()
	return result
}

func (r *Receiver) newBatch(s *sender, cluster string, now time.Time) *Batch {
	ms := now.UnixMilli()
	b := batches.Get().(*Batch)
	b.r, b.sender, b.cluster, b.now = r, s, cluster, ms
	b.oldest, b.newest = ms-r.opt.Window.Milliseconds(), ms+futureLimit.Milliseconds()
	return b
}

// Put queues facts for the next flush. They do not survive a kill before it. The receiver owns
// t.
func (r *Receiver) Put(_ context.Context, t *ledger.Telemetry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return &RetryError{http.StatusServiceUnavailable, "the server is stopping", busyAfter, nil}
	}
	if r.held() > r.opt.Limits.Pending {
		return &RetryError{http.StatusServiceUnavailable, "too much waits to be stored", retryAfter, nil}
	}
	r.keep(t)
	return nil
}

// keep holds facts until the flush. The lock is held.
func (r *Receiver) keep(t *ledger.Telemetry) {
	r.facts = append(r.facts, t)
	r.factSize += factsSize(t)
	r.changed()
}

// changed records that data waits, and requests a flush if it is much. The lock is held.
func (r *Receiver) changed() {
	if r.oldest.IsZero() {
		r.oldest = r.opt.Now()
	}
	if r.held()-r.waiting > r.opt.Limits.Pending/4 {
		select {
		case r.ready <- struct{}{}:
		default:
		}
	}
}

// vectorBytes is the unit of Collector.Pending.
const vectorBytes = 640

// held is the approximate number of bytes that wait to be published. The lock is held.
func (r *Receiver) held() int64 {
	return int64(r.to.Pending())*vectorBytes + r.factSize + r.waiting
}

// factsSize is the approximate size of facts in memory.
func factsSize(t *ledger.Telemetry) int64 {
	n := 400 * (len(t.Nodes) + len(t.Workloads) + len(t.Objects) + len(t.Segments))
	n += 150 * (len(t.Evidence) + len(t.Placements) + len(t.Devices) + len(t.NodeStates) + len(t.Sources) +
		len(t.PodStates) + len(t.Events) + len(t.Checkpoints))
	for i := range t.Samples {
		n += 200 + vectorBytes*len(t.Samples[i].Vectors)
	}
	for i := range t.Counters {
		n += 200 + vectorBytes*len(t.Counters[i].Counters)
	}
	return int64(n)
}

// Limits of one transaction of the inbox.
const (
	groupRequests = 64
	groupBytes    = 8 << 20
	inboxTimeout  = 5 * time.Second
	// After a try that took longer than slowFailure to fail, requests are refused at once for
	// restAfter, so that they do not queue.
	slowFailure = time.Second
	restAfter   = time.Second
)

// commit stores accepted requests, waiting ones together in one transaction, and applies them
// in their order, until ctx ends.
func (r *Receiver) commit(ctx context.Context) {
	for {
		var group []*job
		select {
		case j := <-r.jobs:
			group = append(group, j)
		case <-ctx.Done():
			return
		}
		bytes := len(group[0].in.Body)
	more:
		for len(group) < groupRequests && bytes < groupBytes {
			select {
			case j := <-r.jobs:
				group = append(group, j)
				bytes += len(j.in.Body)
			default:
				break more
			}
		}
		err := r.store(ctx, group)
		for _, j := range group {
			j.done <- err
		}
	}
}

// store puts a group into the inbox and then into the collector. Numbers are used once, even
// after errors: a transaction may have been committed although its answer was lost.
func (r *Receiver) store(ctx context.Context, group []*job) error {
	list := make([]Stored, len(group))
	for i, j := range group {
		list[i] = j.in
	}
	r.mu.Lock()
	first := r.number + 1
	r.number += int64(len(group))
	last := r.number
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, inboxTimeout)
	defer cancel()
	begin := r.opt.Now()
	if err := r.opt.Store.PutInbox(ctx, r.id, first, list); err != nil {
		r.m.inboxFailed.Inc()
		if now := r.opt.Now(); now.Sub(begin) > slowFailure {
			r.mu.Lock()
			r.restUntil = now.Add(restAfter)
			r.mu.Unlock()
		}
		return unavailable(fmt.Errorf("keep requests: %w", err))
	}
	r.m.groups.Inc()
	for _, j := range group {
		r.mu.Lock()
		r.apply(j.batch)
		r.mu.Unlock()
	}
	r.mu.Lock()
	r.applied = last
	r.changed()
	r.mu.Unlock()
	return nil
}

// apply adds a request's facts to the collector. The lock is held.
func (r *Receiver) apply(b *Batch) {
	b.apply(r.to)
	for _, t := range b.facts {
		r.keep(t)
	}
}
