package gate

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/internal/problem"
	"gpuledger/internal/seldom"
)

// Keeper looks up the owners of secrets.
type Keeper interface {
	// Session and Token return the viewer of a secret; nil if it is unknown or no longer valid.
	Session(ctx context.Context, secret string, at time.Time) (*access.Viewer, error)
	Token(ctx context.Context, token string, at time.Time) (*access.Viewer, error)
	// Denied records in the audit log that a viewer asked for something without the right to it.
	Denied(ctx context.Context, v *access.Viewer, what, address string, at time.Time) error
	// Saw records in the audit log that a viewer saw or exported a statement.
	Saw(ctx context.Context, v *access.Viewer, what, address string, at time.Time) error
}

// Options configure a gate.
type Options struct {
	Keeper    Keeper
	Now       func() time.Time
	Log       *slog.Logger
	Proxies   []netip.Prefix   // believed about addresses and TLS
	Proxy     *Proxy           // believed about users; nil: none
	Away      func(error) bool // reports whether an error means that the database is away
	Receivers []string         // paths that take telemetry
	Pages     map[string]Need  // needs of pages of figures, by method and pattern
	Changes   map[string]Need  // needs of changes by REST, likewise
}

// Gate lets requests pass. It is safe for concurrent use.
type Gate struct {
	Options
	words  *seldom.Words
	forbid http.HandlerFunc
	// stranger tells a user whom the proxy signed in why this server turns them away.
	stranger func(w http.ResponseWriter, r *http.Request, status int, name, reason string)
	bound    func(w http.ResponseWriter, r *http.Request, client string) bool
}

// Bounding sets the function that refuses clients which send too many requests. It gets the client's name: of a
// user, a token, or else an address.
func (g *Gate) Bounding(bound func(w http.ResponseWriter, r *http.Request, client string) bool) {
	g.bound = bound
}

// Forbidding sets the page for users without the right to a route.
func (g *Gate) Forbidding(page http.HandlerFunc) { g.forbid = page }

// TurningAway sets the page for users whom the proxy signed in but this server turns away.
func (g *Gate) TurningAway(page func(w http.ResponseWriter, r *http.Request, status int, name, reason string)) {
	g.stranger = page
}

// New returns a gate.
func New(o Options) *Gate {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Gate{Options: o, words: seldom.New(time.Minute)}
}

// Check is the middleware of all routes of a router.
func (g *Gate) Check(routes chi.Routes) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			need, routed := g.need(routes, r)
			if routed && (need.Right == access.Anybody || need.Local && g.local(r)) {
				if !g.refuses(w, r, need, nil) {
					next.ServeHTTP(w, r)
				}
				return
			}
			v, err := g.viewer(r)
			why, away := errors.AsType[*turnedAwayError](err)
			switch {
			case away:
				if !g.refuses(w, r, need, nil) {
					g.turnAway(w, r, why)
				}
			case err != nil:
				g.broken(w, r, err)
			case g.refuses(w, r, need, v):
			case v == nil:
				g.unidentified(w, r)
			case !routed:
				next.ServeHTTP(w, r.WithContext(access.As(r.Context(), v))) // answers that there is no such address
			case !v.May(need.Right) || need.Whole && v.Bounded() || changes(r) && v.Seeing() && !need.Seeing:
				g.denied(w, r, v, need)
			default:
				if err := g.saw(r, v); err != nil {
					g.broken(w, r, err)
					return
				}
				next.ServeHTTP(w, r.WithContext(access.As(r.Context(), v)))
			}
		})
	}
}

// saw records each access to a statement before the statement is sent. If the record fails, the statement is
// not sent.
func (g *Gate) saw(r *http.Request, v *access.Viewer) error {
	if !ofStatements(r) {
		return nil
	}
	what := r.URL.RequestURI()
	return g.Keeper.Saw(r.Context(), v, what[:min(len(what), longestQuestion)], g.Address(r), g.Now())
}

// longestQuestion bounds the recorded part of an address, in bytes.
const longestQuestion = 500

// ofStatements reports whether a request reads statements of closed months: the
// page of a statement, the datasets of statements, or another dataset with the option statement.
func ofStatements(r *http.Request) bool {
	return r.Method == http.MethodGet &&
		(r.URL.Path == "/statement" || strings.HasPrefix(r.URL.Path, "/api/v1/statement") ||
			strings.HasPrefix(r.URL.Path, odata+"v4/statement") ||
			r.URL.Query().Get("statement") != "")
}

// refuses reports whether a client sends too many requests, and then has answered.
func (g *Gate) refuses(w http.ResponseWriter, r *http.Request, need Need, v *access.Viewer) bool {
	if need.Unbounded || g.bound == nil {
		return false
	}
	return g.bound(w, r, g.client(r, v))
}

// client names the client of a request: a user, a token, or else an address.
func (g *Gate) client(r *http.Request, v *access.Viewer) string {
	switch {
	case v.Seeing():
		return "who is " + v.By
	case v != nil:
		return string(v.Kind) + " " + v.ID
	}
	return "at " + network(g.Address(r))
}

// Client names the client of a request that has passed the gate.
func (g *Gate) Client(r *http.Request) string { return g.client(r, access.From(r.Context())) }

// need returns the need of a request's route; false: there is no route. A route that is
// in no table needs access.Nothing, a right that no role has.
func (g *Gate) need(routes chi.Routes, r *http.Request) (Need, bool) {
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	pattern := routes.Find(chi.NewRouteContext(), method, path)
	if pattern == "" {
		return Need{}, false
	}
	need, ok := g.Needs(method, pattern)
	if !ok {
		need = Need{Right: access.Nothing}
	}
	return need, true
}

// Needs returns the need of a route; false: it is in no table.
func (g *Gate) Needs(method, pattern string) (Need, bool) {
	if slices.Contains(g.Receivers, pattern) && method == http.MethodPost {
		return Need{Right: access.Write, Unbounded: true}, true
	}
	route := method + " " + pattern
	for _, declared := range []map[string]Need{needs, g.Pages, g.Changes} {
		if need, ok := declared[route]; ok {
			return need, true
		}
	}
	return Need{}, false
}

// Shows reports whether a viewer may see a page.
func (g *Gate) Shows(v *access.Viewer, path string) bool {
	need, ok := g.Needs(http.MethodGet, path)
	return ok && v.May(need.Right) && !(need.Whole && v.Bounded())
}

// changes reports whether a request may change anything.
func changes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions
}

// viewer identifies the user by a token, by the proxy's headers, or else by a session.
func (g *Gate) viewer(r *http.Request) (*access.Viewer, error) {
	if token := g.token(r); token != "" { // an invalid token fails, even with a valid cookie
		return g.Keeper.Token(r.Context(), token, g.Now())
	}
	if claims := g.claims(r); len(claims) > 0 {
		return g.proxied(r, claims)
	}
	if secret := g.SessionOf(r); secret != "" {
		return g.Keeper.Session(r.Context(), secret, g.Now())
	}
	return nil, nil
}

// token is the request's token, empty without one. Proxies that sign users in may send their own
// bearer token, which is ignored.
func (g *Gate) token(r *http.Request) string {
	token := Bearer(r)
	if _, password, basic := r.BasicAuth(); basic && forOData(r) {
		token = password
	}
	if g.Named(r) && !access.LooksLikeToken(token) {
		return ""
	}
	return token
}

// odata begins the addresses for spreadsheets. They cannot send a bearer token, so it may be the password there, with
// any user name. A browser repeats a password by itself, so it is taken for reading only.
const odata = "/odata/"

func forOData(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, odata) && !changes(r) }

// Bearer is the token of an Authorization header, empty without one.
func Bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// forPrograms reports whether the request comes from a program rather than a browser.
func (g *Gate) forPrograms(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/v1/") ||
		strings.HasPrefix(r.URL.Path, odata) || r.URL.Path == "/openapi.json" || r.URL.Path == "/metrics" || g.token(r) != ""
}

// unidentified answers a request without a user: 401 for programs, the sign-in page for browsers.
func (g *Gate) unidentified(w http.ResponseWriter, r *http.Request) {
	if g.forPrograms(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="gpuledger"`)
		if forOData(r) { // the one that spreadsheets know comes first
			w.Header()["Www-Authenticate"] = []string{`Basic realm="gpuledger", charset="UTF-8"`, `Bearer realm="gpuledger"`}
		}
		detail := "send a token: Authorization: Bearer …; `gpuledger token create` creates one"
		if _, _, basic := r.BasicAuth(); basic && forOData(r) {
			detail = "the password is not a valid token; it may have expired or been revoked. Give a token as the password, " +
				"with any user name; `gpuledger token create` creates one"
		}
		problem.Answer(w, r, http.StatusUnauthorized, "not signed in", detail)
		return
	}
	to := SignIn
	if r.Method == http.MethodGet && r.URL.Path != "/" {
		to += "?back=" + url.QueryEscape(r.URL.RequestURI())
	}
	w.Header().Set("Cache-Control", "no-store")
	if r.Header.Get("HX-Request") == "true" { // redirect the whole page: a part of it must not show the sign-in form
		w.Header().Set("HX-Redirect", to)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// SignIn is the address of the sign-in page.
const SignIn = "/login"

// denied refuses a viewer without the right.
func (g *Gate) denied(w http.ResponseWriter, r *http.Request, v *access.Viewer, need Need) {
	what := r.Method + " " + r.URL.Path
	if _, due := g.words.Due(v.ID+" "+what, g.Now()); due { // at most one entry a minute for each viewer and route
		if err := g.Keeper.Denied(r.Context(), v, what, g.Address(r), g.Now()); err != nil {
			g.Log.ErrorContext(r.Context(), "could not record a refusal", "path", r.URL.Path, "error", err)
		}
	}
	reason := (&access.RightError{Role: v.Role, Right: need.Right}).Error()
	switch {
	case changes(r) && v.Seeing():
		reason = "you cannot change anything while you view the pages as another user"
	case v.May(need.Right):
		reason = "this covers the whole fleet, so only users with full access see it"
	}
	if g.forPrograms(r) || g.forbid == nil {
		problem.Answer(w, r, http.StatusForbidden, "not allowed", reason)
		return
	}
	g.forbid(w, r.WithContext(access.As(r.Context(), v)))
}

// broken answers when the user cannot be identified because of an error.
func (g *Gate) broken(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(r.Context().Err(), context.Canceled) {
		return
	}
	if g.Away != nil && g.Away(err) {
		w.Header().Set("Retry-After", "5")
		problem.Answer(w, r, http.StatusServiceUnavailable, "service unavailable",
			"the database does not answer; try again")
		return
	}
	g.Log.ErrorContext(r.Context(), "could not identify the user, or not record the access", "path", r.URL.Path,
		"error", err)
	problem.Answer(w, r, http.StatusInternalServerError, "internal error", "the server's log says what happened")
}
