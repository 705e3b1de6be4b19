package page

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
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
	// PanelTimeout bounds the queries of a panel.
	PanelTimeout = 10 * time.Second
	// ThemeCookie is the cookie with the chosen theme.
	ThemeCookie = "theme"
)

// Site is shared by all pages.
type Site struct {
	Reader Reader
	Assets *assets.Set
	Log    *slog.Logger
	Tenant string
	Now    func() time.Time
	Desk   operate.Desk
	Away   func(error) bool
	Limits Limits
	// Pending is a sentence about figures that are still being computed; empty when all are there.
	Pending func() string
	Rail    []RailPage // in addition to the pages that are always in the rail
	// Signs means that access control is on; without it the rail says so.
	Signs bool
	// Leaves means that proxied users can sign out at the proxy.
	Leaves bool
	// Shows reports whether a page shows anything to a viewer; nil: every page does.
	Shows func(v *access.Viewer, path string) bool
}

// Render writes a component. It renders into a buffer first, so that a failure gives an
// error page and not half a page.
func (d *Site) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	if err := c.Render(r.Context(), &b); err != nil {
		d.Log.ErrorContext(r.Context(), "page could not be rendered", "path", r.URL.Path, "error", err)
		http.Error(w, "the page could not be rendered", http.StatusInternalServerError)
		return
	}
	pageHead(w)
	w.WriteHeader(status)
	// A failed write means that the client is gone.
	_, _ = w.Write(b.Bytes())
}

// pageHead sets the headers of all pages.
func pageHead(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Cookie, HX-Request")
}

// Refused names the invalid parameter and the reason.
func (d *Site) Refused(w http.ResponseWriter, r *http.Request, err error) {
	sub := "A parameter in the address is not valid."
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		sub = option.Error()
	}
	if unknown, ok := errors.AsType[*metrics.UnknownDatasetError](err); ok {
		sub = unknown.Error()
	}
	d.Render(w, r, http.StatusBadRequest, views.MessagePage(views.Message{
		Shell:    d.Shell(r, Scope{Basis: "effective"}, "", "Invalid address"),
		Sentence: "This address is not valid.", Sub: sub,
		Link: views.Link{Text: "Remove all filters", Href: r.URL.EscapedPath()},
	}))
}

// Policy is the version of the policy in force, or empty if it could not be read.
func (d *Site) Policy(ctx context.Context) string {
	v, err := d.Reader.Version(ctx)
	if err != nil {
		d.Log.WarnContext(ctx, "policy version could not be read", "error", err)
		return ""
	}
	return v.Policy
}

// Broken answers for a page none of whose panels could be read, be it for an invalid
// address, missing rights or an unreachable database.
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

// Forbidden answers a viewer who may not see a page or may not make a change.
func (d *Site) Forbidden(w http.ResponseWriter, r *http.Request) {
	sub := "Your role does not allow this."
	switch v := access.From(r.Context()); {
	case v.Seeing() && r.Method == http.MethodPost:
		sub = "You are viewing this as " + v.Name + ", so nothing can be changed."
	case v.Bounded():
		sub = "This page covers the whole ledger, and your access is limited to a part of it. The other pages show your part."
	}
	d.Render(w, r, http.StatusForbidden, views.MessagePage(views.Message{
		Shell:    d.Shell(r, Scope{Basis: "effective"}, "", "No access"),
		Sentence: "You don't have access to this. Ask an admin.", Sub: sub, Link: views.Link{Text: "To the overview", Href: "/"},
	}))
}

// Failing is the HTTP status of a page that an error leaves without figures.
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

// denied reports whether an error means that the viewer lacks access.
func denied(err error) bool {
	_, part := errors.AsType[*access.ScopeError](err)
	_, right := errors.AsType[*access.RightError](err)
	return part || right
}

// PanelError is what the page shows for a failed panel; the log has the cause under the same
// ref.
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
		e.Tag, e.What = "timed out", what+" timed out after "+d.Limits.part().String()+"."
		e.Holds = "Try a shorter period. The rest of the page is current."
		if day := s.lastDay(); !day.Empty() && day != s.Window {
			e.Narrow = views.Link{
				Text: "Narrow to " + format.ShortDays(day), Href: s.With("from", Address(day.From), "to", Address(day.To)),
			}
		}
	}
	return e
}

// Parallel runs functions in parallel and waits for all. A panic of one becomes one of the caller, who can recover.
func Parallel(work ...func()) {
	var wg sync.WaitGroup
	faults := make(chan string, len(work))
	for _, f := range work {
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					faults <- fmt.Sprintf("%v\n%s", v, debug.Stack())
				}
			}()
			f()
		})
	}
	wg.Wait()
	if len(faults) > 0 {
		panic(<-faults)
	}
}

// DeskRefusal is the desk's response to a failed change. Internal errors go to the log.
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
