package work

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
	r.Get("/runs/", d.runDetail)
	r.Get("/runs/*", d.runDetail)
	r.Get("/explain/run", d.explainRun)
	r.Get("/explain/run/*", d.explainRun)
}

// Takes are the parameters of the pages in addition to the frame.
var Takes = page.Parameters{
	"/runs/": {"run"}, "/runs/*": {"run"},
	"/explain/run": {"run"}, "/explain/run/*": {"run"},
}

// Pages are this room's pages of figures, in the order of the rail.
var Pages = []*figures.Page{
	&runList, &trainingPage, &groupsPage, &experimentsPage, &modelsPage, &inferencePage, &queuePage,
}
