package saved

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/page"
)

// Path is the page of saved views.
const Path = "/views"

// room answers the pages of this package.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site) {
	d := &room{site}
	r.Get(Path, d.views)
	r.Post(Path, d.save)
	r.Get(Path+"/{id}", d.open)
	r.Post(Path+"/{id}", d.change)
}

// Start is a middleware that opens the viewer's start page in place of the overview, if its address has
// no parameters. An unreadable start page is no reason not to show the overview.
func Start(site *page.Site) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" || r.URL.RawQuery != "" {
				next.ServeHTTP(w, r)
				return
			}
			at, err := site.Desk.Shelf.Start(r.Context())
			if err != nil {
				site.Log.WarnContext(r.Context(), "start page could not be read", "error", err)
			}
			if at == "" || at == "/" || at == "/?" { // these are the overview
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Cache-Control", "no-store")
			//nolint:gosec // Local passes only paths of this server
			http.Redirect(w, r, page.Local(at), http.StatusSeeOther)
		})
	}
}
