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

// Answer answers a page to whose rows its room adds a desk and what else is no row: beside
// puts it above and below them, and gets no rows where they could not be read.
func Answer(site *page.Site, w http.ResponseWriter, r *http.Request, f Page, status int, beside Beside) {
	f.beside = beside
	(&room{site}).answer(w, r, &f, status, decisions{})
}

// Beside adds to a page of figures.
type Beside func(ctx context.Context, s page.Scope, f *Reading, v *views.Figures)

// decide records what became of a recommendation. Scripts get its row back,
// others come back to the page.
func (d *room) decide(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.decided(w, r, f) }
}

// figures answers a page of figures.
func (d *room) figures(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.answer(w, r, f, http.StatusOK, decisions{}) }
}
