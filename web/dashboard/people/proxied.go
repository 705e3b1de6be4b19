package people

import (
	"context"
	"net/http"
	"time"

	"gpuledger/internal/access"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/gate"
	"gpuledger/web/views"
)

// Proxy is a proxy in front of the server that signs users in (web/gate).
type Proxy struct {
	SignOut string // address that ends its session; empty: it has none
	Seeing  Seeing
}

// Seeing lets a proxied admin see as a user.
type Seeing interface {
	// SeeAsBeside begins a session for it, and returns its secret.
	SeeAsBeside(ctx context.Context, admin *access.Viewer, name string, from access.Origin, at time.Time) (
		secret string, err error)
}

// Stranger says why a proxied user is refused.
func Stranger(s *page.Site, proxy *Proxy) func(
	w http.ResponseWriter, r *http.Request, status int, name, reason string) {
	return func(w http.ResponseWriter, r *http.Request, status int, name, reason string) {
		p := views.Stranger{Name: name, Reason: sentence(reason)}
		p.Shell = s.Shell(r, page.Scope{Basis: "effective"}, "", "Not let in")
		if proxy != nil {
			p.SignOut = proxy.SignOut
		}
		s.Render(w, r, status, views.StrangerPage(p))
	}
}

// signedInAlready redirects proxied users, who cannot sign in here.
func (d *room) signedInAlready(w http.ResponseWriter, r *http.Request) bool {
	if !d.Gate.Named(r) {
		return false
	}
	w.Header().Set("Cache-Control", "no-store")
	//nolint:gosec // Local passes only paths of this server
	http.Redirect(w, r, page.Local(r.URL.Query().Get("back")), http.StatusSeeOther)
	return true
}

// beginSeeing lets an admin see as a user: in their session or, for a proxied admin, in a new
// session.
func (d *room) beginSeeing(w http.ResponseWriter, r *http.Request, name string) error {
	v := access.From(r.Context())
	if v.Kind != access.ByProxy || d.Proxy == nil {
		return d.Keeper.SeeAs(r.Context(), d.Gate.SessionOf(r), name, d.now())
	}
	secret, err := d.Proxy.Seeing.SeeAsBeside(r.Context(), v, name, d.origin(r), d.now())
	if err == nil {
		d.Gate.SetSession(w, r, secret, access.SessionLife)
	}
	return err
}

// leavesProxy is where proxied users sign out. This server has no session of theirs to end.
func (d *room) leavesProxy() string {
	if d.Proxy == nil || d.Proxy.SignOut == "" {
		return gate.SignIn
	}
	return d.Proxy.SignOut
}
