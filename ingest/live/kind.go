package live

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Request is one request of a sender.
type Request struct {
	Kind string // which Decoder reads the body
	// Sender is whom the limits count: see SenderOf.
	Sender string
	// Cluster overrules what the series say; empty: they say it.
	Cluster string
	// Body passes to the receiver.
	Body []byte
}

// Decoder reads the body of a request of one kind into b. It must read the
// same body the same way at any time, for it is called again when the request
// is replayed: b.Now is when it was first received. An error refuses the whole
// request for good; single samples are refused by b.Refuse.
type Decoder func(body []byte, b *Batch) error

// Result is what became of a request that was taken, wholly or in part.
type Result struct {
	// Samples, Histograms and Exemplars that were understood and dealt with:
	// stored, without a value, or of series that mean nothing here.
	Samples, Histograms, Exemplars int
	// Refused says what was not, by reason. It can never be accepted.
	Refused []Refusal
}

// Refusal counts samples (or series without samples) refused for one reason.
type Refusal struct {
	Reason string // stable, countable
	Detail string // what to do; the first one's
	Count  int
}

// Err is an error for the sender when anything was refused, else nil.
func (r *Result) Err() error {
	if len(r.Refused) == 0 {
		return nil
	}
	var parts []string
	n := 0
	for _, f := range r.Refused {
		n += f.Count
		parts = append(parts, fmt.Sprintf("%d %s (%s)", f.Count, f.Reason, f.Detail))
	}
	return &RefusedError{http.StatusBadRequest, r.Refused[0].Reason,
		fmt.Sprintf("%d refused: %s; the other %d were accepted", n, strings.Join(parts, "; "), r.Samples)}
}

// RefusedError refuses a request for good: sending it again does not help.
type RefusedError struct {
	Status int    // 400, 413 or 415
	Reason string // stable, countable
	Detail string
}

// Error is reason and detail.
func (e *RefusedError) Error() string {
	if e.Detail == "" {
		return e.Reason
	}
	return e.Reason + ": " + e.Detail
}

// RetryError asks the sender to come again later: nothing was taken.
type RetryError struct {
	Status int // 429 or 503
	Reason string
	After  time.Duration
	Err    error // the cause, for the log; nil when there is none
}

// Error is the reason.
func (e *RetryError) Error() string { return e.Reason + "; send it again" }

// Unwrap returns the cause.
func (e *RetryError) Unwrap() error { return e.Err }

// unavailable is the answer while the database does not take requests.
func unavailable(err error) *RetryError {
	return &RetryError{http.StatusServiceUnavailable, "the database is away", retryAfter, err}
}

// Times after which a sender should come again.
const (
	retryAfter = 5 * time.Second
	busyAfter  = time.Second
)

// status is the HTTP status that an error of Accept stands for.
func status(err error) int {
	var refused *RefusedError
	var retry *RetryError
	switch {
	case err == nil:
		return http.StatusNoContent
	case errors.As(err, &refused):
		return refused.Status
	case errors.As(err, &retry):
		return retry.Status
	}
	return http.StatusInternalServerError
}
