package people

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/gate"
	"gpuledger/web/views"
)

// Door signs users in and out.
type Door interface {
	// SignIn begins a session and returns its secret, empty if name or password is wrong. It
	// returns a *access.SlowDownError after too many failures.
	SignIn(ctx context.Context, name, password string, from access.Origin, at time.Time) (secret string, err error)
	SignOut(ctx context.Context, secret string, at time.Time) error
	// LinkOf is the user whose link has the secret; empty if there is no such link.
	LinkOf(ctx context.Context, link string, at time.Time) (name string, err error)
	// ChoosePassword sets the password of the link's user, or returns a *access.RefusedError
	// with the reason.
	ChoosePassword(ctx context.Context, link, password string, at time.Time) (name string, err error)
}

// Options configures the room.
type Options struct {
	Door   Door
	Keeper Keeper // nil: no pages for users, tokens and the account
	Gate   *gate.Gate
	Now    func() time.Time
	OIDC   *OIDC  // nil: no sign-in provider
	Proxy  *Proxy // nil: no proxy signs users in
	Cast   Cast   // nil: not a demo
}

type room struct {
	*page.Site
	Options
}

// Routes adds the pages to a router.
func Routes(r chi.Router, s *page.Site, o Options) {
	d := &room{s, o}
	r.Get("/login", d.signInPage)
	r.Post("/login", d.signIn)
	r.Post("/logout", d.signOut)
	d.oidcRoutes(r)
	if o.Cast != nil {
		r.Get("/login/demo", d.enter)
	}
	r.Get("/welcome", d.welcome)
	r.Post("/welcome", d.choose)
	if o.Keeper == nil {
		return
	}
	r.Get("/people", d.users)
	r.Post("/people", d.addUser)
	r.Post("/people/link", d.newLink)
	r.Get("/people/change", d.changePage)
	r.Post("/people/change", d.change)
	r.Post("/people/sign-out", d.signOutUser)
	r.Post("/people/disable", d.disable)
	r.Post("/people/see-as", d.seeAs)
	r.Get("/tokens", d.tokens)
	r.Post("/tokens", d.createToken)
	r.Post("/tokens/revoke", d.revokeToken)
	r.Get("/account", d.account)
	r.Post("/account/password", d.changePassword)
	r.Post("/account/end", d.endSession)
	r.Post("/account/others", d.endOthers)
	r.Post("/account/myself", d.myself)
}

// formBytes bounds the forms of this room.
const formBytes = 8 << 10

// read reads a form, or answers with an error.
func read(w http.ResponseWriter, r *http.Request) (url.Values, bool) {
	r.Body = http.MaxBytesReader(w, r.Body, formBytes)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return nil, false
	}
	return r.PostForm, true
}

func (d *room) signInPage(w http.ResponseWriter, r *http.Request) {
	if d.signedInAlready(w, r) {
		return
	}
	d.ask(w, r, http.StatusOK, views.SignIn{Back: r.URL.Query().Get("back")})
}

func (d *room) ask(w http.ResponseWriter, r *http.Request, status int, p views.SignIn) {
	p.Shell = d.Shell(r, page.Scope{Basis: "effective"}, "", "Sign in")
	p.Back = page.Local(p.Back)
	p.Elsewhere, p.Demo = d.elsewhere(p.Back), d.Cast != nil
	d.Render(w, r, status, views.SignInPage(p))
}

func (d *room) signIn(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	p := views.SignIn{Name: form.Get("name"), Back: form.Get("back")}
	if d.Gate.Named(r) {
		p.Refused = "The proxy in front of this server signs you in, so a password has no effect. " +
			"To sign in as another user, reach the server without the proxy."
		d.ask(w, r, http.StatusConflict, p)
		return
	}
	secret, err := d.Door.SignIn(r.Context(), p.Name, form.Get("password"), d.origin(r), d.Options.Now())
	if slowedDown(w, err) {
		p.Refused = "Too many sign-ins failed. Try again in a few minutes."
		d.ask(w, r, http.StatusTooManyRequests, p)
		return
	}
	if err != nil {
		d.failed(w, r, err)
		return
	}
	if secret == "" {
		p.Refused = "Wrong name or password."
		d.ask(w, r, http.StatusUnauthorized, p)
		return
	}
	d.begin(w, r, secret, p.Back)
}

// slowedDown reports whether there were too many failures, and sets Retry-After.
func slowedDown(w http.ResponseWriter, err error) bool {
	slow, is := errors.AsType[*access.SlowDownError](err)
	if is {
		w.Header().Set("Retry-After", strconv.Itoa(int(slow.After/time.Second)))
	}
	return is
}

// begin sets the browser's session, ends its previous one and redirects.
func (d *room) begin(w http.ResponseWriter, r *http.Request, secret, back string) {
	if old := d.Gate.SessionOf(r); old != "" {
		if err := d.Door.SignOut(r.Context(), old, d.Options.Now()); err != nil {
			d.Log.WarnContext(r.Context(), "an earlier session could not be ended", "error", err)
		}
	}
	d.Gate.SetSession(w, r, secret, access.SessionLife)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, page.Local(back), http.StatusSeeOther) //nolint:gosec // Local passes only paths of this server
}

func (d *room) signOut(w http.ResponseWriter, r *http.Request) {
	to := d.afterSignOut(r)
	if err := d.Door.SignOut(r.Context(), d.Gate.SessionOf(r), d.Options.Now()); err != nil {
		d.failed(w, r, err)
		return
	}
	d.Gate.SetSession(w, r, "", 0)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Clear-Site-Data", `"cache"`)
	//nolint:gosec // the sign-in page, or an address of the configured provider
	http.Redirect(w, r, to, http.StatusSeeOther)
}

func (d *room) welcome(w http.ResponseWriter, r *http.Request) {
	d.greet(w, r, http.StatusOK, views.Welcome{Code: r.URL.Query().Get("code")})
}

func (d *room) greet(w http.ResponseWriter, r *http.Request, status int, p views.Welcome) {
	name, err := d.Door.LinkOf(r.Context(), p.Code, d.Options.Now())
	if err != nil {
		d.failed(w, r, err)
		return
	}
	if p.Name = name; name == "" && status == http.StatusOK {
		status = http.StatusNotFound
	}
	p.Shell, p.Shortest = d.Shell(r, page.Scope{Basis: "effective"}, "", "Welcome"), access.ShortestPassword
	w.Header().Set("Referrer-Policy", "no-referrer") // the address contains the code
	d.Render(w, r, status, views.WelcomePage(p))
}

func (d *room) choose(w http.ResponseWriter, r *http.Request) {
	form, ok := read(w, r)
	if !ok {
		return
	}
	p := views.Welcome{Code: form.Get("code")}
	if form.Get("password") != form.Get("again") {
		p.Refused = "The two passwords differ."
		d.greet(w, r, http.StatusUnprocessableEntity, p)
		return
	}
	name, err := d.Door.ChoosePassword(r.Context(), p.Code, form.Get("password"), d.Options.Now())
	if refused, is := errors.AsType[*access.RefusedError](err); is {
		p.Refused = sentence(refused.Reason)
		d.greet(w, r, http.StatusUnprocessableEntity, p)
		return
	}
	var secret string
	if err == nil {
		secret, err = d.Door.SignIn(r.Context(), name, form.Get("password"), d.origin(r), d.Options.Now())
	}
	if err != nil {
		d.failed(w, r, err)
		return
	}
	d.begin(w, r, secret, "/")
}

func (d *room) origin(r *http.Request) access.Origin {
	return access.Origin{Address: d.Gate.Address(r), Agent: r.UserAgent()}
}

// failed answers an internal error.
func (d *room) failed(w http.ResponseWriter, r *http.Request, err error) {
	d.Log.ErrorContext(r.Context(), "a page of people failed", "path", r.URL.Path, "error", err)
	status := http.StatusInternalServerError
	if d.Away(err) {
		w.Header().Set("Retry-After", "5")
		status = http.StatusServiceUnavailable
	}
	http.Error(w, "the request failed; the server's log has the cause", status)
}
