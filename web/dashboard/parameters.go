package dashboard

import (
	"maps"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/costs"
	"gpuledger/web/dashboard/explain"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/find"
	"gpuledger/web/dashboard/machines"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/dashboard/review"
	"gpuledger/web/dashboard/work"
)

// takes are the parameters of all pages in addition to the frame.
var takes = sync.OnceValue(func() page.Parameters {
	all := page.Parameters{}
	for _, f := range figuresPages() {
		all[f.Path] = f.Takes()
	}
	for _, room := range []page.Parameters{
		books.Takes, costs.Takes, explain.Takes, figures.Takes, find.Takes, machines.Takes, people.Takes, review.Takes,
		work.Takes,
	} {
		for pattern, own := range maps.All(room) {
			all[pattern] = append(all[pattern], own...)
		}
	}
	return all
})

// takenBy are the parameters of the page at a path, whose pattern the router writes without a slash at its end.
func takenBy(path, pattern string) []string {
	if path == pattern+"/" {
		pattern = path
	}
	return takes()[pattern]
}

// known refuses addresses with parameters that their page does not take.
func (d *Dashboard) known(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := page.Known(r.URL, takenBy(r.URL.Path, chi.RouteContext(r.Context()).RoutePattern())); err != nil {
			d.Refused(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}
