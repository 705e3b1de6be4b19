package review

import (
	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/page"
)

// room answers the pages of this package.
type room struct{ *page.Site }

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site) {
	d := &room{site}
	r.Get("/explore", d.explore)
	r.Get("/variance", d.variance)
	r.Get("/budgets", d.budgets)
	r.Post("/budgets", d.setBudget)
}

// Takes are the parameters of the pages in addition to the frame.
var Takes = page.Parameters{
	"/explore": {"dataset", "measure", "by", "chart", "granularity", "groups", "pin", "vs", "change", "order",
		page.Parts},
	"/variance": {"by", "measure", "order", page.Parts},
	"/budgets":  {"budget", "set", "order", page.Parts},
}

// Rail are this room's pages in the rail.
var Rail = []page.RailPage{
	{Group: page.RailMoney, Title: "Budgets", Path: "/budgets"},
	{Group: page.RailMoney, Title: "Variance", Path: "/variance"},
	{Group: page.RailMoney, Title: "Explore", Path: "/explore"},
}
