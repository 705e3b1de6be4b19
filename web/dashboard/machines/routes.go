package machines

import (
	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// room answers the pages of this package.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site) {
	d := &room{site}
	r.Get("/fleet", d.fleet)
	r.Get("/fleet/now", d.fleetNow)
	r.Get("/fleet/devices/{device}", d.fleetDevice)
}

// Takes are the parameters of the pages in addition to the frame.
var Takes = page.Parameters{
	"/fleet":                  {"q", "model", "state", "page"},
	"/fleet/now":              {"q", "model", "state", "page"},
	"/fleet/devices/{device}": {"q", "model", "state", "page"},
}

// Pages are this room's pages of figures, in the order of the rail.
var Pages = []*figures.Page{&devicesPage, &slicesPage, &requestsPage}
