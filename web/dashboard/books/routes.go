package books

import (
	"context"

	"github.com/go-chi/chi/v5"

	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/page"
)

// room answers the pages of this package.
type room struct {
	*page.Site
	Options
}

// Options are what the pages need in addition to the ledger.
type Options struct {
	// Sources are the configured sources, by name; nil: the server has no
	// configuration to show.
	Sources func(context.Context) ([]Source, error)
	// Settings are the settings of a policy document.
	Settings []Setting
}

// Routes adds the pages to a router.
func Routes(r chi.Router, site *page.Site, o Options) {
	d := &room{site, o}
	r.Get("/reconciliation", d.reconciliation)
	r.Get("/data", d.data)
	r.Get("/data/running", d.running)
	r.Get("/data/{import}", d.importDetail)
	r.Get("/policies", d.policies)
	r.Post("/policies", d.changePolicy)
	r.Get("/periods", d.periods)
	r.Post("/periods", d.changePeriod)
	r.Get("/statement", d.statement)
}

// Takes are the parameters of the pages in addition to the frame.
var Takes = page.Parameters{
	"/reconciliation": {"by", "billing_account", "account", "source", "metric", "delivery"},
	"/data":           {"source", "status", "newest"},
	"/data/running":   {"source", "status", "newest"},
	"/periods":        {"check", "billing_account"},
	"/statement":      {"billing_account", "version", "owner", "order"},
	"/charges":        {"billing_account", "account", "delivery", "service_name", "charge_category", "charge"},
}

// Pages are this room's pages of figures, in the order of the rail.
var Pages = []*figures.Page{&linesPage, &coveragePage, new(periodsPage(false)), &policiesPage}
