package explain

import (
	"github.com/go-chi/chi/v5"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
)

// room answers the pages of this package.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site) {
	d := &room{site}
	r.Get("/explain/*", d.explained)
	r.Get(metrics.ReferencePath, d.metricsDoc)
}
