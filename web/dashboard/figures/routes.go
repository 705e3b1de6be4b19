package figures

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/page"
)

// room answers pages of figures.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site, pages []*Page) {
	d := &room{site}
	for _, f := range pages {
		r.Get(f.Path, d.figures(f))
		if f.Decide {
			r.Post(f.Path, d.decide(f))
		}
	}
}

// decide records what became of a recommendation. Scripts get its row back,
// others come back to the page.
func (d *room) decide(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.decided(w, r, f) }
}

// figures answers a page of figures.
func (d *room) figures(f *Page) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { d.answer(w, r, f, http.StatusOK, decisions{}) }
}
