package confirm

import (
	"fmt"
	"time"
)

// WaitsError says that a change is not made yet: its request is recorded, and waits for a second person.
type WaitsError struct{ Request Request }

// Error implements error.
func (e *WaitsError) Error() string {
	page := "Policy"
	if e.Request.Kind == Reopen {
		page = "Periods"
	}
	return fmt.Sprintf("%s %s is not done yet: the policy requires a second person. It is recorded as change %s; "+
		"another person can confirm it until %s on the page %s, or with POST /api/v1/changes/%[3]s/confirm",
		e.Request.Kind, e.Request.Subject, e.Request.ID, e.Request.Expires.UTC().Format(time.RFC3339), page)
}

// RefusedError says why a request is not made, confirmed, declined or taken back.
type RefusedError struct {
	Reason   string
	Denied   bool // this person may not, but others may
	Outdated bool // no one may any more
}

// Error implements error.
func (e *RefusedError) Error() string { return e.Reason }

// UnknownError says that no request has the id.
type UnknownError struct{ ID string }

// Error implements error.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no change %q; dataset changes lists all changes", e.ID)
}

func refuse(format string, args ...any) error {
	return &RefusedError{Reason: fmt.Sprintf(format, args...)}
}

func deny(format string, args ...any) error {
	return &RefusedError{Reason: fmt.Sprintf(format, args...), Denied: true}
}

// AsksAlready refuses a second request for the same change while r waits.
func (r *Request) AsksAlready() error {
	return refuse("%s asked for %s %s at %s, and it waits for a second person as change %s: decide on that change first",
		r.By.Name, r.Kind, r.Subject, r.At.UTC().Format(time.RFC3339), r.ID)
}
