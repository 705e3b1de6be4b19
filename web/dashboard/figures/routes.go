package figures

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
)

// room answers pages of figures.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site, pages []*Page) {
	d := &room{site}
	r.Get(page.FilterPath, d.filtering)
	for _, f := range pages {
		if f.Own {
			continue
		}
		r.Get(f.Path, d.figures(f))
		if f.Decide {
			r.Post(f.Path, d.decide(f))
		}
	}
}

// Takes are the parameters of the page that chooses a filter.
var Takes = page.Parameters{page.FilterPath: {"back", "of", "key", "value"}}

// Takes are the parameters of the page in addition to the frame.
func (f *Page) Takes() []string {
	own := []string{"group", "within", "order", "page"}
	if f.Search != nil {
		own = append(own, "q")
	}
	if f.Decide {
		own = append(own, "decide", "row")
	}
	for _, pick := range f.Picks {
		own = append(own, pick.param())
	}
	return own
}

// Answer serves a page to which its room adds other content, such as a desk, above and below
// the rows. The Beside function gets no rows if they could not be read.
func Answer(site *page.Site, w http.ResponseWriter, r *http.Request, f Page, status int, beside Beside) {
	f.beside = beside
	(&room{site}).answer(w, r, &f, status, decisions{})
}

// Beside adds content above and below the rows of a page.
type Beside func(ctx context.Context, s page.Scope, f *Reading, v *views.Figures)

// decide records a decision on a recommendation. Scripts get its row back, browsers without
// scripts are redirected to the page.
func (d *room) decide(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.decided(w, r, f) }
}

// figures answers a page of figures.
func (d *room) figures(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.answer(w, r, f, http.StatusOK, decisions{}) }
}
