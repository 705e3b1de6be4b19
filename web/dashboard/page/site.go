package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/a-h/templ"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/assets"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	// PanelTimeout bounds what a page asks for a part of it.
	PanelTimeout = 10 * time.Second
	// ThemeCookie keeps the chosen theme.
	ThemeCookie = "theme"
)

// Site is what all pages share.
type Site struct {
	Reader Reader
	Assets *assets.Set
	Log    *slog.Logger
	Tenant string
	Now    func() time.Time
	Desk   operate.Desk
	Away   func(error) bool
	Rail   []RailPage // beside the pages that the rail always has
	// Signs is on where people sign in; off, the rail says that nobody does.
	Signs bool
	// Leaves is on where whom a proxy names can sign out of it.
	Leaves bool
	// Shows reports whether a page shows anything to whoever asks; nil: it does.
	Shows func(v *access.Viewer, path string) bool
}

// Render writes a component. It is rendered whole first, so that a failure is
// an error page and not half a page.
func (d *Site) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	if err := c.Render(r.Context(), &b); err != nil {
		d.Log.ErrorContext(r.Context(), "page could not be rendered", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be rendered", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Cookie, HX-Request")
	w.WriteHeader(status)
	// A failed write means that the reader has gone; there is nobody to tell.
	_, _ = w.Write(b.Bytes())
}

// Refused says which parameter cannot be honoured and why.
func (d *Site) Refused(w http.ResponseWriter, r *http.Request, err error) {
	sub := "A parameter in the address is not valid."
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		sub = option.Error()
	}
	d.Render(w, r, http.StatusBadRequest, views.MessagePage(views.Message{
		Shell:    d.Shell(r, Scope{Basis: "effective"}, "", "Invalid address"),
		Sentence: "This address is not valid.", Sub: sub,
		Link: views.Link{Text: "Remove all filters", Href: r.URL.EscapedPath()},
	}))
}

// Policy is the version of the policy in force; without it a page only says less.
func (d *Site) Policy(ctx context.Context) string {
	v, err := d.Reader.Version(ctx)
	if err != nil {
		d.Log.WarnContext(ctx, "policy version could not be read", "error", err)
		return ""
	}
	return v.Policy
}

// Broken is a page without any panel that could be made.
// What the address asks for may be at fault, or the database be away.
func (d *Site) Broken(w http.ResponseWriter, r *http.Request, s Scope, active string, err error) {
	if _, ok := errors.AsType[*metrics.OptionError](err); ok {
		d.Refused(w, r, err)
		return
	}
	if denied(err) {
		d.Forbidden(w, r)
		return
	}
	e := d.PanelError(s, err, "The page")
	d.Render(w, r, d.Failing(w, err), views.MessagePage(views.Message{
		Shell: d.Shell(r, s, active, "Failed"), Sentence: "The ledger could not be read.",
		Sub: "Nothing in it has changed.", Error: &e,
	}))
}

// Forbidden says that whoever is signed in may not see a page, or not do what he asks.
func (d *Site) Forbidden(w http.ResponseWriter, r *http.Request) {
	sub := "Your role does not allow this."
	switch v := access.From(r.Context()); {
	case v.Seeing() && r.Method == http.MethodPost:
		sub = "You are seeing this as " + v.Name + ", so nothing can be changed."
	case v.Bounded():
		sub = "This page covers the whole ledger, and your access is limited to a part of it. The other pages show your part."
	}
	d.Render(w, r, http.StatusForbidden, views.MessagePage(views.Message{
		Shell: d.Shell(r, Scope{Basis: "effective"}, "", "No access"), Sentence: "You don't have access to this. Ask an admin.",
		Sub: sub, Link: views.Link{Text: "To the overview", Href: "/"},
	}))
}

// Failing is the status of a page that an error leaves without its figures.
func (d *Site) Failing(w http.ResponseWriter, err error) int {
	if _, ok := errors.AsType[*metrics.OptionError](err); ok {
		return http.StatusBadRequest
	}
	if denied(err) {
		return http.StatusForbidden
	}
	if d.Away(err) {
		w.Header().Set("Retry-After", "5")
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// denied reports whether an error says that whoever asks may not see it.
func denied(err error) bool {
	_, part := errors.AsType[*access.ScopeError](err)
	_, right := errors.AsType[*access.RightError](err)
	return part || right
}

// PanelError says what a reader needs; the log gets the cause under the same ref.
func (d *Site) PanelError(s Scope, err error, what string) views.PanelError {
	if _, ok := errors.AsType[*access.ScopeError](err); ok {
		return views.PanelError{
			Tag: "no access", What: what + ": only users with full access can see this.",
			Holds: "The other panels show the part that you have access to.",
		}
	}
	if denied(err) {
		return views.PanelError{
			Tag: "no access", What: what + ": your role does not include access.",
			Holds: "The other panels show what your role includes.",
		}
	}
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails (crypto/rand)
	ref := hex.EncodeToString(raw[:2]) + "-" + hex.EncodeToString(raw[2:])
	d.Log.Error("panel could not be made", "ref", ref, "path", s.Path, "error", err)
	e := views.PanelError{
		Tag: "failed", What: what + " could not be read.",
		Holds: "The rest of the page is current.", Retry: s.With(), Ref: ref,
	}
	if errors.Is(err, context.DeadlineExceeded) {
		e.Tag, e.What = "timed out", what+" timed out after "+PanelTimeout.String()+"."
		e.Holds = "Try a shorter period. The rest of the page is current."
		if day := s.lastDay(); !day.Empty() && day != s.Window {
			e.Narrow = views.Link{
				Text: "Narrow to " + format.ShortDays(day), Href: s.With("from", Address(day.From), "to", Address(day.To)),
			}
		}
	}
	return e
}

// Parallel runs all of them and waits.
func Parallel(work ...func()) {
	var wg sync.WaitGroup
	for _, f := range work {
		wg.Go(f)
	}
	wg.Wait()
}

// DeskRefusal is what the desk says when something was not done; what is
// nobody's fault outside goes to the log.
func (d *Site) DeskRefusal(r *http.Request, err error) (status int, reasons []string) {
	if denied, ok := errors.AsType[*operate.DeniedError](err); ok {
		return denied.Status, []string{denied.Reason}
	}
	if refused, ok := errors.AsType[*operate.RefusedError](err); ok {
		return http.StatusConflict, refused.Reasons
	}
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		return http.StatusBadRequest, []string{option.Error()}
	}
	d.Log.ErrorContext(r.Context(), "desk failed", "path", r.URL.Path, "error", err)
	return http.StatusInternalServerError, []string{"The change failed. The server's log has the cause."}
}
