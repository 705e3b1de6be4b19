package costs

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
	r.Get("/", d.overview)
}

// Takes are the parameters of the overview in addition to the frame.
var Takes = page.Parameters{"/": {"by", "tree", "attention", page.Parts}}

// Pages are this room's pages of figures, in the order of the rail.
var Pages = []*figures.Page{
	&chargebackPage, &wastePage, &recommendationsPage, &spotPage, &commitmentsPage,
}
