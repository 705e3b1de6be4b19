package find

import (
	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/page"
)

// room answers the page of this package.
type room struct{ *page.Site }

// Routes adds the page to a router.
func Routes(r chi.Router, site *page.Site) {
	d := &room{site}
	r.Get("/find", d.find)
}

// Takes are the parameters of the page in addition to the frame.
var Takes = page.Parameters{"/find": {"q"}}
