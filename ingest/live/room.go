package live

import (
	"net/http"
	"sync"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// room is what reading a request needs and the next one uses again.
type room struct {
	msg     []byte
	decoder remotewrite.Decoder
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// keepRoom bounds what is kept for the next request.
const keepRoom = 4 << 20

// Borrow takes bytes from what all requests together may use, beside their
// bodies. give returns them.
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

// Fault says why the series begun is refused, nil when it is not.
func (b *Batch) Fault() *series.Fault { return b.fault }
