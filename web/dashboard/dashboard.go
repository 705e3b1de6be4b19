package dashboard

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/web/assets"
	"gpuledger/web/operate"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

const (
	panelTimeout = 10 * time.Second
	themeCookie  = "theme"
	yearSeconds  = 365 * 24 * 3600
)

// site is what all pages share.
type site struct {
	reader Reader
	assets *assets.Set
	log    *slog.Logger
	tenant string
	now    func() time.Time
	desk   operate.Desk
	away   func(error) bool
	rail   []railPage // beside the pages that the rail always has
}

// Dashboard answers pages. It is safe for concurrent use.
type Dashboard struct {
	*site
	sources  func(context.Context) ([]Source, error)
	settings []Setting
}

// Options is what a dashboard is made of.
type Options struct {
	Reader Reader
	Log    *slog.Logger // nil: nowhere
	Tenant string       // shown in the rail
	// Sources are the configured sources, by name; nil: the server has no
	// configuration to show.
	Sources func(context.Context) ([]Source, error)
	// Now tells which running imports have gone silent; nil: none is told.
	Now func() time.Time
	// Desk is where operators change the books.
	Desk operate.Desk
	// Settings are what a policy document may say.
	Settings []Setting
	// Away reports whether an error says that the database is away; nil: none does.
	Away func(error) bool
}

// New returns a dashboard. It fails only when the build lacks a static file.
func New(o Options) (*Dashboard, error) {
	set, err := assets.Load()
	if err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	if o.Away == nil {
		o.Away = func(error) bool { return false }
	}
	s := &site{reader: o.Reader, assets: set, log: o.Log, tenant: o.Tenant, now: o.Now, desk: o.Desk, away: o.Away}
	for _, f := range figuresPages() {
		s.rail = append(s.rail, railPage{Group: f.Group, Title: f.Title, Path: f.Path})
	}
	return &Dashboard{site: s, sources: o.Sources, settings: o.Settings}, nil
}

// Routes adds the pages to a router.
func (d *Dashboard) Routes(r chi.Router) {
	r.Get("/", d.overview)
	r.Get("/runs", d.runList)
	r.Get("/runs/", d.runDetail)
	r.Get("/runs/*", d.runDetail)
	r.Get("/fleet", d.fleet)
	r.Get("/fleet/now", d.fleetNow)
	r.Get("/fleet/devices/{device}", d.fleetDevice)
	r.Get("/explain/run", d.explainRun)
	r.Get("/explain/run/*", d.explainRun)
	r.Get("/explain/*", d.explained)
	r.Get("/reconciliation", d.reconciliation)
	r.Get("/charges", d.lines)
	r.Get("/data", d.data)
	r.Get("/data/running", d.running)
	r.Get("/data/{import}", d.importDetail)
	r.Get("/policies", d.policies)
	r.Post("/policies", d.changePolicy)
	r.Get("/periods", d.periods)
	r.Post("/periods", d.changePeriod)
	r.Get("/statement", d.statement)
	r.Get(metrics.ReferencePath, d.metricsDoc)
	for _, f := range figuresPages() {
		r.Get(f.Path, d.figures(f))
		if f.Decide {
			r.Post(f.Path, d.decide)
		}
	}
	r.Post("/theme", d.theme)
}

// NotFound says that there is no such page.
func (d *Dashboard) NotFound(w http.ResponseWriter, r *http.Request) {
	shell := d.shell(r, scope{Basis: "effective"}, "", "Not found")
	d.render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
		Shell: shell, Sentence: "There is no such page.", Sub: "The address may be old or mistyped.", Link: views.Link{Text: "To the overview", Href: "/"},
	}))
}

// theme keeps the chosen theme in a cookie and goes back.
func (d *Dashboard) theme(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 8<<10)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	theme := r.PostForm.Get("theme")
	if theme != "light" && theme != "dark" && theme != "system" {
		http.Error(w, "theme must be light, dark or system", http.StatusBadRequest)
		return
	}
	//nolint:gosec // a theme is no secret, and Secure on plain http would lose it
	http.SetCookie(w, &http.Cookie{Name: themeCookie, Value: theme, Path: "/", MaxAge: yearSeconds, HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode})
	//nolint:gosec // localPath lets only paths of this server pass
	http.Redirect(w, r, localPath(r.PostForm.Get("back")), http.StatusSeeOther)
}

// localPath keeps redirects inside this site.
func localPath(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.ContainsAny(back, "\\\r\n") {
		return "/"
	}
	return back
}

// render writes a component. It is rendered whole first, so that a failure is
// an error page and not half a page.
func (d *site) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	var b bytes.Buffer
	if err := c.Render(r.Context(), &b); err != nil {
		d.log.ErrorContext(r.Context(), "page could not be rendered", "path", r.URL.Path, "error", err)
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

// refused says which parameter cannot be honoured and why.
func (d *site) refused(w http.ResponseWriter, r *http.Request, err error) {
	sub := "The address asks for something that cannot be answered."
	if option, ok := errors.AsType[*metrics.OptionError](err); ok {
		sub = option.Error()
	}
	d.render(w, r, http.StatusBadRequest, views.MessagePage(views.Message{
		Shell: d.shell(r, scope{Basis: "effective"}, "", "Not understood"), Sentence: "This address cannot be answered.", Sub: sub,
		Link: views.Link{Text: "Without filters", Href: r.URL.EscapedPath()},
	}))
}

// policy is the version of the policy in force; without it a page only says less.
func (d *site) policy(ctx context.Context) string {
	v, err := d.reader.Version(ctx)
	if err != nil {
		d.log.WarnContext(ctx, "policy version could not be read", "error", err)
		return ""
	}
	return v.Policy
}

// broken is a page without any panel that could be made.
// What the address asks for may be at fault, or the database be away.
func (d *site) broken(w http.ResponseWriter, r *http.Request, s scope, active string, err error) {
	if _, ok := errors.AsType[*metrics.OptionError](err); ok {
		d.refused(w, r, err)
		return
	}
	e := d.panelError(s, err, "The page")
	d.render(w, r, d.failing(w, err), views.MessagePage(views.Message{
		Shell: d.shell(r, s, active, "Failed"), Sentence: "The ledger could not be read.", Sub: "Nothing in it has changed.", Error: &e,
	}))
}

// failing is the status of a page that an error leaves without its figures.
func (d *site) failing(w http.ResponseWriter, err error) int {
	if _, ok := errors.AsType[*metrics.OptionError](err); ok {
		return http.StatusBadRequest
	}
	if d.away(err) {
		w.Header().Set("Retry-After", "5")
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// panelError says what a reader needs; the log gets the cause under the same ref.
func (d *site) panelError(s scope, err error, what string) views.PanelError {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails (crypto/rand)
	ref := hex.EncodeToString(raw[:2]) + "-" + hex.EncodeToString(raw[2:])
	d.log.Error("panel could not be made", "ref", ref, "path", s.path, "error", err)
	e := views.PanelError{Tag: "failed", What: what + " could not be read.", Holds: "The other panels are not affected.", Retry: s.with(), Ref: ref}
	if errors.Is(err, context.DeadlineExceeded) {
		e.Tag, e.What = "timed out", what+" took longer than "+panelTimeout.String()+"."
		e.Holds = "A shorter period answers faster; the other panels are not affected."
		if day := s.lastDay(); !day.Empty() && day != s.window {
			e.Narrow = views.Link{Text: "Narrow to " + format.ShortDays(day), Href: s.with("from", address(day.From), "to", address(day.To))}
		}
	}
	return e
}

// parallel runs all of them and waits.
func parallel(work ...func()) {
	var wg sync.WaitGroup
	for _, f := range work {
		wg.Go(f)
	}
	wg.Wait()
}
