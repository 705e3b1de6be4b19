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
	// Sender is the sender for the limits: see SenderOf.
	Sender string
	// Cluster overrides the series' label; empty: the label counts.
	Cluster string
	// Body is owned by the receiver.
	Body []byte
}

// Decoder reads the body of a request of one kind into b. It must read the same body in the
// same way at any time, since a replay calls it again; b.Now is the first receipt. An error
// refuses the whole request for good; b.Refuse refuses single samples.
type Decoder func(body []byte, b *Batch) error

// Result is the result of a request that was accepted, wholly or in part.
type Result struct {
	// Samples, Histograms and Exemplars that were handled: stored, without a value, or of unread
	// series.
	Samples, Histograms, Exemplars int
	// Refused lists the refused rest by reason. It can never be accepted.
	Refused []Refusal
}

// Refusal counts samples (or series without samples) refused for one reason.
type Refusal struct {
	Reason string // stable, countable
	Detail string // what to do, of the first one
	Count  int
}

// Err is an error for the sender if anything was refused, else nil.
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

// RefusedError refuses a request for good: a retry does not help.
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

// RetryError asks the sender to retry later: nothing was accepted.
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

// unavailable is the answer while the database accepts no requests.
func unavailable(err error) *RetryError {
	return &RetryError{http.StatusServiceUnavailable, "the database is away", retryAfter, err}
}

// Times after which a sender should retry.
const (
	retryAfter = 5 * time.Second
	busyAfter  = time.Second
)

// status is the HTTP status of an error of Accept.
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
