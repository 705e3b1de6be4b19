package access

import (
	"time"

	"gpuledger/internal/ledger"
)

// Lifetimes of a session (OWASP ASVS 5.0, 7.3): in total, and without use.
const (
	SessionLife = 12 * time.Hour
	SessionIdle = 2 * time.Hour
)

// Origin is the address and browser of a sign-in.
type Origin struct{ Address, Agent string }

// Session is a browser's session. Only that browser knows its secret.
type Session struct {
	ID      ledger.ID
	BeganAt time.Time
	SeenAt  time.Time // to the minute
	Origin            // of the sign-in
	SeesAs  string    // user whom an admin views the pages as in this session; empty: none
	This    bool      // it is the session of the request
}

// SlowDownError refuses a sign-in because too many failed before.
type SlowDownError struct{ After time.Duration }

// Error implements error.
func (e *SlowDownError) Error() string {
	return "too many failed sign-ins; try again in a few minutes"
}

// RefusedError says why access control refuses a change or a sign-in.
type RefusedError struct{ Reason string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }
