package people

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/oidc"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/gate"
	"gpuledger/web/views"
)

// Guests signs in users whom a provider has authenticated.
type Guests interface {
	// KeepSignIn stores a started sign-in for access.SignInLife. It returns a
	// *access.SlowDownError if too many from the address are unfinished.
	KeepSignIn(ctx context.Context, r access.SignInRequest, address string, at time.Time) error
	// TakeSignIn returns the sign-in of a state once, or nil if there is none.
	TakeSignIn(ctx context.Context, state string, at time.Time) (*access.SignInRequest, error)
	// SignInBy begins a session and returns its secret, or a *access.RefusedError with the
	// reason.
	SignInBy(ctx context.Context, who access.Identity, role access.Role, conditions []string,
		from access.Origin, at time.Time) (secret string, err error)
	// RefuseSignIn records a refused sign-in.
	RefuseSignIn(ctx context.Context, who access.Identity, reason string, from access.Origin, at time.Time) error
	// Logout ends the sessions of a user who signed out at the provider. It returns a
	// *access.RefusedError if the same logout came before.
	Logout(ctx context.Context, l access.Logout, at time.Time) error
	// ProviderOf is the issuer behind a session, empty if no provider was involved.
	ProviderOf(ctx context.Context, secret string) (issuer string, err error)
}

// OIDC signs people in at an OpenID provider.
type OIDC struct {
	Provider *oidc.Provider
	Guests   Guests
}

// Paths where a sign-in at a provider begins and ends, and of the back-channel logout.
const (
	beginPath  = "/login/oidc"
	endPath    = "/login/callback"
	logoutPath = "/login/oidc/logout"
)

func (d *room) oidcRoutes(r chi.Router) {
	r.Get(beginPath, d.beginElsewhere)
	r.Get(endPath, d.endElsewhere)
	r.Post(logoutPath, d.signedOutElsewhere)
}

// elsewhere is the link to the provider on the sign-in page; nil without a provider.
func (d *room) elsewhere(back string) *views.Link {
	if d.OIDC == nil {
		return nil
	}
	to := beginPath
	if back != "/" {
		to += "?back=" + url.QueryEscape(back)
	}
	return &views.Link{Text: "Sign in with " + d.OIDC.Provider.Host(), Href: to}
}

// longestBack bounds the address to return to, in bytes.
const longestBack = 4 << 10

// beginElsewhere sends a browser to the provider.
func (d *room) beginElsewhere(w http.ResponseWriter, r *http.Request) {
	p := views.SignIn{Back: page.Local(r.URL.Query().Get("back"))}
	if len(p.Back) > longestBack {
		p.Back = "/"
	}
	if d.OIDC == nil {
		d.noProvider(w, r, p)
		return
	}
	to, request, err := d.OIDC.Provider.Begin(r.Context())
	if err == nil {
		request.Back = p.Back
		err = d.OIDC.Guests.KeepSignIn(r.Context(), request, d.Gate.Address(r), d.Options.Now())
	}
	if err != nil {
		d.notIn(w, r, p, err)
		return
	}
	d.setState(w, r, request.State)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// endElsewhere takes a browser back from the provider and begins its session.
func (d *room) endElsewhere(w http.ResponseWriter, r *http.Request) {
	var p views.SignIn
	if d.OIDC == nil {
		d.noProvider(w, r, p)
		return
	}
	answer, kept := r.URL.Query(), d.stateOf(r)
	d.setState(w, r, "")
	// Only the browser that began a sign-in may end it. Otherwise a link could sign a user in
	// as someone else.
	state := answer.Get("state")
	if state == "" || subtle.ConstantTimeCompare([]byte(state), []byte(kept)) != 1 {
		p.Refused = "This browser did not start that sign-in, or started another one since. Sign in again."
		d.ask(w, r, http.StatusBadRequest, p)
		return
	}
	request, err := d.OIDC.Guests.TakeSignIn(r.Context(), state, d.Options.Now())
	if err != nil {
		d.failed(w, r, err)
		return
	}
	if request == nil {
		p.Refused = "That sign-in took too long or was already finished. Sign in again."
		d.ask(w, r, http.StatusBadRequest, p)
		return
	}
	p.Back = request.Back
	secret, err := d.finish(r, *request, answer)
	if err != nil {
		d.notIn(w, r, p, err)
		return
	}
	d.begin(w, r, secret, request.Back)
}

// finish begins the session of the user whom the provider names. A refusal is in the audit
// log once the provider has named the user.
func (d *room) finish(r *http.Request, request access.SignInRequest, answer url.Values) (secret string, err error) {
	ctx, now := r.Context(), d.Options.Now()
	who, err := d.OIDC.Provider.Finish(ctx, request, answer)
	if err != nil {
		return "", err
	}
	role, conditions, err := d.OIDC.Provider.Grant(who)
	if refused, is := errors.AsType[*access.RefusedError](err); is {
		return "", errors.Join(err, d.OIDC.Guests.RefuseSignIn(ctx, who, refused.Reason, d.origin(r), now))
	}
	if err != nil {
		return "", err
	}
	return d.OIDC.Guests.SignInBy(ctx, who, role, conditions, d.origin(r), now)
}

// notIn says in a sentence why a sign-in failed. The log has more detail; neither has
// secrets.
func (d *room) notIn(w http.ResponseWriter, r *http.Request, p views.SignIn, err error) {
	if slow, is := errors.AsType[*access.SlowDownError](err); is {
		w.Header().Set("Retry-After", strconv.Itoa(int(slow.After/time.Second)))
		p.Refused = "Too many sign-ins from your address are unfinished. Try again in a few minutes."
		d.ask(w, r, http.StatusTooManyRequests, p)
		return
	}
	if refused, is := errors.AsType[*access.RefusedError](err); is {
		d.Log.WarnContext(r.Context(), "sign-in at the provider refused", "issuer", d.OIDC.Provider.Issuer(), "error",
			err)
		p.Refused = sentence(refused.Reason)
		d.ask(w, r, http.StatusForbidden, p)
		return
	}
	if broken, is := errors.AsType[*oidc.Error](err); is {
		d.Log.ErrorContext(r.Context(), "sign-in at the provider failed", "issuer", d.OIDC.Provider.Issuer(), "error", err)
		p.Refused = sentence(broken.Sentence) + " Try again. The server's log has the details."
		d.ask(w, r, http.StatusBadGateway, p)
		return
	}
	d.failed(w, r, err)
}

// noProvider answers if no provider is configured.
func (d *room) noProvider(w http.ResponseWriter, r *http.Request, p views.SignIn) {
	p.Refused = "No sign-in provider is configured. Sign in with name and password."
	d.ask(w, r, http.StatusNotFound, p)
}

// sentence makes a reason a sentence. Host names keep their case.
func sentence(reason string) string {
	first, _, _ := strings.Cut(reason, " ")
	if !strings.ContainsAny(first, ".:") {
		reason = strings.ToUpper(reason[:1]) + reason[1:]
	}
	return reason + "."
}

// afterSignOut is where a browser goes after signing out: to its provider, to end the
// session there, or to the sign-in page. Call it before the session ends.
func (d *room) afterSignOut(r *http.Request) string {
	if v := access.From(r.Context()); v != nil && v.Kind == access.ByProxy {
		return d.leavesProxy()
	}
	if d.OIDC == nil {
		return gate.SignIn
	}
	issuer, err := d.OIDC.Guests.ProviderOf(r.Context(), d.Gate.SessionOf(r))
	if err != nil {
		d.Log.WarnContext(r.Context(), "provider of a session unknown: signed out here only", "error", err)
		return gate.SignIn
	}
	if issuer == d.OIDC.Provider.Issuer() {
		if to := d.OIDC.Provider.EndSession(r.Context(), gate.SignIn); to != "" {
			return to
		}
	}
	return gate.SignIn
}
