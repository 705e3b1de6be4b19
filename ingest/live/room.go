package live

import (
	"net/http"
	"sync"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// room is memory that the next request reuses.
type room struct {
	msg     []byte
	decoder remotewrite.Decoder
}

// batches are empty batches with reusable memory.
var batches = sync.Pool{New: func() any { return new(Batch) }}

// keepRows bounds the memory that a batch keeps, in series and samples.
const keepRows = 1 << 14

// recycle returns a batch that is no longer used.
func (b *Batch) recycle() {
	if cap(b.rows) > keepRows || cap(b.samples) > keepRows {
		return
	}
	clear(b.rows) // release the series
	clear(b.labels[:cap(b.labels)])
	*b = Batch{rows: b.rows[:0], samples: b.samples[:0], labels: b.labels[:0], room: b.room[:0]}
	batches.Put(b)
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// keepRoom bounds the memory kept for the next request.
const keepRoom = 4 << 20

// Borrow reserves bytes of the memory that all requests share, in addition to their bodies.
// give returns them.
func (b *Batch) Borrow(bytes int64) (give func(), err error) {
	if b.replay {
		return func() {}, nil
	}
	r := b.r
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.inFlight+bytes > r.opt.Limits.InFlight && r.inFlight > 0 {
		return nil, &RetryError{http.StatusServiceUnavailable, "too many requests at once", busyAfter, nil}
	}
	r.inFlight += bytes
	return func() {
		r.mu.Lock()
		r.inFlight -= bytes
		r.mu.Unlock()
	}, nil
}

// Fault is the reason why the current series is refused, nil if it is not.
func (b *Batch) Fault() *series.Fault { return b.fault }
