package access

import "context"

// Kind says how somebody showed who he is.
type Kind string

// Kinds.
const (
	BySession Kind = "session" // signed in with a browser
	ByToken   Kind = "token"
	ByProxy   Kind = "proxy" // a proxy in front says so, at each request
)

// Viewer is who a request is answered for.
type Viewer struct {
	Kind Kind   `db:"-"`
	ID   string // of the user or token
	Name string
	// By is who is really signed in, where an admin sees as somebody else: then ID,
	// Name, Role and Scope are of that one, and nothing may be changed. Empty: nobody else.
	By   string
	Role Role
	// Scope is the scope that bounds what is seen, a UUID. Empty: everything.
	Scope string
	// Members is a digest of what is in the scope: answers change with it.
	Members string
}

// Seeing reports whether somebody sees as another.
func (v *Viewer) Seeing() bool { return v != nil && v.By != "" }

// Actor is who the audit log names.
func (v *Viewer) Actor() string {
	if v.By != "" {
		return v.By
	}
	return v.Name
}

// Bounded reports whether the viewer sees a part alone. Nobody does: where access
// control is off, everything is seen.
func (v *Viewer) Bounded() bool { return v != nil && v.Scope != "" }

// May reports whether the viewer has a right. Nobody has what anybody has.
func (v *Viewer) May(right Right) bool {
	if v == nil {
		return right == Anybody
	}
	return v.Role.May(right)
}

type viewerKey struct{}

// As is a context whose questions are answered for v.
func As(ctx context.Context, v *Viewer) context.Context {
	return context.WithValue(ctx, viewerKey{}, v)
}

// From is who a context's questions are answered for; nil: access control is off,
// or the program asks for itself.
func From(ctx context.Context) *Viewer {
	v, _ := ctx.Value(viewerKey{}).(*Viewer)
	return v
}

// RightError answers what somebody asks whose role has no right to it.
type RightError struct {
	Role  Role
	Right Right
}

// Error implements error.
func (e *RightError) Error() string {
	return "role " + string(e.Role) + " does not have the right " + string(e.Right)
}

// ScopeError answers what a bounded viewer asks of what is not his: it tells no
// more than that somebody with a wider scope may see it.
type ScopeError struct{ What string }

// Error implements error.
func (e *ScopeError) Error() string {
	return e.What + " is shown only to users with full access"
}
