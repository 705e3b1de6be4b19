package dashboard

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"gpuledger/internal/access"
	"gpuledger/web/assets"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/costs"
	"gpuledger/web/dashboard/explain"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/find"
	"gpuledger/web/dashboard/machines"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/dashboard/saved"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/operate"
	"gpuledger/web/views"
)

const yearSeconds = 365 * 24 * 3600

// Dashboard answers pages. It is safe for concurrent use.
type Dashboard struct {
	*page.Site
	books  books.Options
	people *people.Options
}

// Options configures a dashboard.
type Options struct {
	Reader page.Reader
	Log    *slog.Logger // nil: logs are discarded
	Tenant string       // shown in the rail
	// Now is the clock that finds silent imports; nil: no import counts as silent.
	Now func() time.Time
	// Desk is where operators change the books.
	Desk  operate.Desk
	Books books.Options
	// People handles sign-in; nil: access control is off.
	People *people.Options
	// Shows reports whether a page shows anything to a viewer; nil: every page does.
	Shows func(v *access.Viewer, path string) bool
	// Away reports whether an error means that the database is unreachable; nil: no error does.
	Away func(error) bool
	// Pending is a sentence about figures that are still being computed, for every page; empty when all are there. May
	// be nil.
	Pending func() string
	Limits  page.Limits
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
	if o.Pending == nil {
		o.Pending = func() string { return "" }
	}
	if o.Away == nil {
		o.Away = func(error) bool { return false }
	}
	s := &page.Site{
		Reader: o.Reader, Assets: set, Log: o.Log, Tenant: o.Tenant, Now: o.Now,
		Desk: o.Desk, Away: o.Away, Pending: o.Pending, Limits: o.Limits, Signs: o.People != nil, Shows: o.Shows,
	}
	s.Leaves = o.People != nil && o.People.Proxy != nil && o.People.Proxy.SignOut != ""
	s.Rail = append(s.Rail, review.Rail...)
	if o.Desk.Shelf != nil {
		s.Rail = append(s.Rail, page.RailPage{Title: "Views", Path: saved.Path})
	}
	for _, f := range figuresPages() {
		s.Rail = append(s.Rail, page.RailPage{Group: f.Group, Title: f.Title, Path: f.Path})
	}
	return &Dashboard{s, o.Books, o.People}, nil
}

// Routes adds the pages to a router.
func (d *Dashboard) Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(d.known)
		r.Group(func(r chi.Router) {
			if d.Desk.Shelf != nil {
				r.Use(saved.Start(d.Site))
				saved.Routes(r, d.Site)
			}
			rooms(r, d.Site, d.books)
		})
		find.Routes(r, d.Site)
		r.Post("/theme", d.theme)
		if d.people != nil {
			people.Routes(r, d.Site, *d.people)
		}
	})
}

// rooms adds the pages of the ledger, which can be saved as views.
func rooms(r chi.Router, s *page.Site, o books.Options) {
	costs.Routes(r, s)
	review.Routes(r, s)
	work.Routes(r, s)
	machines.Routes(r, s)
	books.Routes(r, s, o)
	explain.Routes(r, s)
	figures.Routes(r, s, figuresPages())
}

// NotFound answers an unknown path.
func (d *Dashboard) NotFound(w http.ResponseWriter, r *http.Request) {
	shell := d.Shell(r, page.Passing(r), "", "Not found")
	d.Render(w, r, http.StatusNotFound, views.MessagePage(views.Message{
		Shell: shell, Sentence: "This page does not exist.", Sub: "The address may be old or mistyped.",
		Link: views.Link{Text: "To the overview", Href: "/"},
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
	http.SetCookie(w, &http.Cookie{
		Name: page.ThemeCookie, Value: theme, Path: "/", MaxAge: yearSeconds,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteLaxMode,
	})
	//nolint:gosec // Local passes only paths of this server
	http.Redirect(w, r, page.Local(r.PostForm.Get("back")), http.StatusSeeOther)
}
