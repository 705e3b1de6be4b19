package access

import (
	"time"

	"gpuledger/internal/ledger"
)

// Times of sessions (OWASP ASVS 5.0, 7.3): how long one lives, and without use.
const (
	SessionLife = 12 * time.Hour
	SessionIdle = 2 * time.Hour
)

// Origin is where somebody signs in.
type Origin struct{ Address, Agent string }

// Session is one that a browser holds. Its secret is known to that browser alone.
type Session struct {
	ID      ledger.ID
	BeganAt time.Time
	SeenAt  time.Time // to the minute
	Origin            // where it was begun
	SeesAs  string    // whom an admin sees as in it; empty: himself
	This    bool      // it is the one that asks
}

// SlowDownError refuses a sign-in because too many failed before.
type SlowDownError struct{ After time.Duration }

// Error implements error.
func (e *SlowDownError) Error() string {
	return "too many failed sign-ins; try again in a few minutes"
}

// RefusedError says why something of access control is not done.
type RefusedError struct{ Reason string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }
