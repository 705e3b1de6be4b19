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

// Proxy is a proxy in front that signs people in (web/gate).
type Proxy struct {
	SignOut string // where it ends its session; empty: nowhere
	Seeing  Seeing
}

// Seeing lets an admin whom a proxy names see as a user.
type Seeing interface {
	// SeeAsBeside begins a session for that, and returns its secret.
	SeeAsBeside(ctx context.Context, admin *access.Viewer, name string, from access.Origin, at time.Time) (
		secret string, err error)
}

// Stranger says why somebody is not let in whom a proxy names.
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

// signedInAlready goes on where a proxy says who asks: he has nothing to sign in with.
func (d *room) signedInAlready(w http.ResponseWriter, r *http.Request) bool {
	if !d.Gate.Named(r) {
		return false
	}
	w.Header().Set("Cache-Control", "no-store")
	//nolint:gosec // Local lets only paths of this server pass
	http.Redirect(w, r, page.Local(r.URL.Query().Get("back")), http.StatusSeeOther)
	return true
}

// beginSeeing lets an admin see as a user: in his session, or where a proxy names him in
// one that is begun for that.
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

// leavesProxy is where whom a proxy names goes to end its session. This server has none
// to end.
func (d *room) leavesProxy() string {
	if d.Proxy == nil || d.Proxy.SignOut == "" {
		return gate.SignIn
	}
	return d.Proxy.SignOut
}
