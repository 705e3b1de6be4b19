package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"gpuledger/web/assets"
	"gpuledger/web/dashboard"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/gate"
	"gpuledger/web/limit"
	"gpuledger/web/once"
	"gpuledger/web/operate"
)

// Deps are the parts of the server.
type Deps struct {
	// Reader answers pages.
	Reader page.Reader
	// API adds /api/… and /openapi.json; nil: there is none.
	API Routes
	// Metrics answers /metrics; nil: there is none.
	Metrics http.Handler
	// Receivers answer POST at the paths that take telemetry.
	Receivers map[string]http.Handler
	// Ready returns an error while the server cannot answer yet; nil: always ready.
	Ready func(context.Context) error
	// Log gets errors; nil: they are not logged.
	Log *slog.Logger
	// Tenant is the name shown on pages.
	Tenant string
	// Sources reads the configured sources with their last results; nil: pages
	// show no sources.
	Sources func(context.Context) ([]books.Source, error)
	// Pending is a sentence about figures that are still being computed, for every page; empty when all are there. May
	// be nil.
	Pending func() string
	// Limits are how long a page and each of its panels take.
	Limits page.Limits
	// Now is the clock that pages use to detect a running import that has gone
	// silent; nil: they do not detect it.
	Now func() time.Time
	// Gate checks access, for users whom Door signs in; nil: access control is off.
	Gate *gate.Gate
	Door people.Door
	// Keeper changes users, tokens and scopes; nil: pages cannot change them.
	Keeper people.Keeper
	// OIDC signs users in at a provider; nil: there is none. Without Gate it is not used.
	OIDC *people.OIDC
	// Proxy is the proxy in front that signs users in, as the Gate has it; nil: there is none.
	Proxy *people.Proxy
	// Cast are a demo's users, who sign in by links; nil: this is not a demo.
	Cast people.Cast
	// Hosts are the host names of this server, in addition to its addresses and localhost; nil: any.
	Hosts []string
	// Desk changes the books for users with the right, and for operators without access control.
	Desk operate.Desk
	// Settings are the settings of a policy document.
	Settings []books.Setting
	// Once stores answers to changes with an idempotency key; nil: such keys mean nothing.
	Once once.Keeper
	// Guard keeps clients from starving each other; nil: one with the default limits.
	Guard *limit.Guard
	// Away reports whether an error means that the database is away; nil: no error does.
	Away func(error) bool
}

// Routes adds its routes to a router.
type Routes interface{ Routes(chi.Router) }

const (
	contentSecurityPolicy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
		"object-src 'none'; base-uri 'none'; frame-ancestors 'none'"
	readyTimeout   = 2 * time.Second
	longestAddress = 16 << 10 // bytes of path and query
)

// New returns the handler of the whole server. It fails only when the build
// lacks a static file.
func New(deps Deps) (http.Handler, error) {
	r, err := Router(deps)
	if err != nil {
		return nil, err
	}
	return headAsGet(r), nil
}

// Router is the router of New, whose routes can be walked.
func Router(deps Deps) (chi.Router, error) {
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	if deps.Now == nil {
		deps.Now = func() time.Time { return time.Time{} }
	}
	options := dashboard.Options{Reader: deps.Reader, Log: deps.Log, Tenant: deps.Tenant, Now: deps.Now, Desk: deps.Desk,
		Away: deps.Away, Pending: deps.Pending, Limits: deps.Limits,
		Books: books.Options{Sources: deps.Sources, Settings: deps.Settings}}
	if deps.Gate != nil {
		options.Shows = deps.Gate.Shows
		options.People = &people.Options{Door: deps.Door, Keeper: deps.Keeper, Gate: deps.Gate, Now: deps.Now,
			OIDC: deps.OIDC, Proxy: deps.Proxy, Cast: deps.Cast}
	}
	pages, err := dashboard.New(options)
	if err != nil {
		return nil, err
	}
	static, err := assets.Load()
	if err != nil {
		return nil, err
	}
	guard := deps.Guard
	if guard == nil {
		guard = limit.New(limit.Options{Log: deps.Log})
	}
	r := chi.NewRouter()
	r.Use(securityHeaders(deps.Gate), guard.Whole, recoverPanics(deps.Log))
	if deps.Hosts != nil {
		r.Use(gate.Hosts(deps.Hosts))
	}
	r.Use(soundAddress, sameOrigin)
	if deps.Gate != nil {
		deps.Gate.Forbidding(pages.Forbidden)
		deps.Gate.TurningAway(people.Stranger(pages.Site, deps.Proxy))
		deps.Gate.Bounding(guard.TooMany)
		guard.ClientsBy(deps.Gate.Client)
		r.Use(deps.Gate.Check(r))
	}
	if deps.Once != nil {
		r.Use(once.Changes(once.Options{Keeper: deps.Once, Now: deps.Now, Log: deps.Log, Away: deps.Away}))
	}
	r.Get("/livez", livez)
	r.Get("/readyz", readyz(deps.Ready))
	r.Method(http.MethodGet, assets.Prefix+"*", static)
	r.Method(http.MethodHead, assets.Prefix+"*", static)
	if deps.Metrics != nil {
		r.Method(http.MethodGet, "/metrics", guard.OwnMetrics(deps.Metrics))
	}
	for path, h := range deps.Receivers {
		r.Method(http.MethodPost, path, h)
	}
	if deps.API != nil {
		deps.API.Routes(r)
	}
	r.Group(func(r chi.Router) {
		// Pages contain no secret next to text that a client controls, so compression leaks nothing (BREACH).
		r.Use(guard.Questions, soundForm, middleware.Compress(5, "text/html"))
		pages.Routes(r)
	})
	r.NotFound(pages.NotFound)
	return r, nil
}

// securityHeaders are set before anything else, so that errors carry them too. Responses are not
// cached unless a handler allows it. The gate knows whether a proxy in front speaks TLS.
func securityHeaders(passing *gate.Gate) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Cache-Control", "no-store")
			h.Set("Content-Security-Policy", contentSecurityPolicy)
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "same-origin")
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
			h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
			if r.TLS != nil || passing != nil && passing.Secure(r) {
				h.Set("Strict-Transport-Security", "max-age=63072000")
			}
			next.ServeHTTP(w, r)
		})
	}
}

// recoverPanics turns a panic into a 500; the log gets the stack.
func recoverPanics(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() { //nolint:contextcheck // it uses the request's
				v := recover()
				if v == nil {
					return
				}
				if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) { // the handler wants the connection cut
					panic(v)
				}
				log.ErrorContext(r.Context(), "handler panicked", "path", r.URL.Path, "panic", v, "stack", string(debug.Stack()))
				http.Error(w, "internal error", http.StatusInternalServerError)
			}()
			next.ServeHTTP(w, r)
		})
	}
}

// soundAddress refuses addresses that are not UTF-8 or contain NUL: no stored name has such a text,
// and the database fails on a query with one.
func soundAddress(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.RequestURI) > longestAddress {
			limit.Refuse(w, r, http.StatusRequestURITooLong, 0, "the address is longer than 16 KiB")
			return
		}
		query, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil {
			query = "" // the handler reports the error
		}
		if !isText(r.URL.Path) || !isText(query) {
			limit.Refuse(w, r, http.StatusBadRequest, 0, "the address is not UTF-8 text without NUL")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// soundForm refuses forms that are not UTF-8 or contain NUL. The guard has already read the body.
func soundForm(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		form, err := io.ReadAll(r.Body)
		if err != nil {
			limit.Refuse(w, r, http.StatusBadRequest, 0, "the form could not be read")
			return
		}
		if values, err := url.QueryUnescape(string(form)); err == nil && !isText(values) {
			limit.Refuse(w, r, http.StatusBadRequest, 0, "the form is not UTF-8 text without NUL")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(form))
		next.ServeHTTP(w, r)
	})
}

func isText(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// sameOrigin refuses changes that another site makes a browser send.
func sameOrigin(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(next)
}

// headAsGet answers HEAD wherever GET is answered; the server drops the body.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead && !strings.HasPrefix(r.URL.Path, "/api/") &&
			!strings.HasPrefix(r.URL.Path, assets.Prefix) {
			get := r.Clone(r.Context())
			get.Method = http.MethodGet
			next.ServeHTTP(w, get)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func livez(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok\n") }

func readyz(ready func(context.Context) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if ready == nil {
			plain(w, http.StatusOK, "ok\n")
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := ready(ctx); err != nil {
			// The reason may name hosts, so it is not shown.
			w.Header().Set("Retry-After", "1")
			plain(w, http.StatusServiceUnavailable, "the database does not answer\n")
			return
		}
		plain(w, http.StatusOK, "ok\n")
	}
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A failed write means that the client has gone.
	_, _ = w.Write([]byte(text))
}
