package access

import "context"

// Kind is how a user was identified.
type Kind string

// Kinds.
const (
	BySession Kind = "session" // signed in with a browser
	ByToken   Kind = "token"
	ByProxy   Kind = "proxy" // by headers of a proxy in front, at each request
)

// Viewer is the user or token that a request is answered for.
type Viewer struct {
	Kind Kind   `db:"-"`
	ID   string // of the user or token
	Name string
	// By is the signed-in admin who views the pages as another user: then ID, Name, Role and Scope
	// are those of the other user, and nothing may be changed. Empty otherwise.
	By   string
	Role Role
	// Scope is the UUID of the viewer's scope. Empty: everything is seen.
	Scope string
	// Members is a digest of the scope's members: answers change with it.
	Members string
}

// Seeing reports whether an admin views the pages as another user.
func (v *Viewer) Seeing() bool { return v != nil && v.By != "" }

// Actor is the name for the audit log.
func (v *Viewer) Actor() string {
	if v.By != "" {
		return v.By
	}
	return v.Name
}

// Bounded reports whether the viewer has a scope. A nil viewer has none: without access
// control, everything is seen.
func (v *Viewer) Bounded() bool { return v != nil && v.Scope != "" }

// May reports whether the viewer has a right. A nil viewer has only Anybody.
func (v *Viewer) May(right Right) bool {
	if v == nil {
		return right == Anybody
	}
	return v.Role.May(right)
}

type viewerKey struct{}

// As is a context whose queries are answered for v.
func As(ctx context.Context, v *Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// From is the viewer of a context; nil: access control is off,
// or the program itself asks.
func From(ctx context.Context) *Viewer {
	v, _ := ctx.Value(viewerKey{}).(*Viewer)
	return v
}

// RightError refuses a request for which the role lacks the right.
type RightError struct {
	Role  Role
	Right Right
}

// Error implements error.
func (e *RightError) Error() string {
	return "role " + string(e.Role) + " does not have the right " + string(e.Right)
}

// ScopeError refuses a scoped viewer something outside the scope. It reveals
// only that users with full access may see it.
type ScopeError struct{ What string }

// Error implements error.
func (e *ScopeError) Error() string {
	return e.What + " is shown only to users with full access"
}
