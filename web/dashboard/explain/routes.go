package explain

import (
	"strings"

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
	r.Get(apiPath, d.apiDoc)
}

// Takes are the parameters of the pages in addition to the frame. An explanation has the options of a report.
var Takes = page.Parameters{
	"/explain/*":          optionNames(),
	metrics.ReferencePath: {"q", "of"},
}

func optionNames() []string {
	list := []string{skipping, "list"}
	for _, o := range metrics.OptionList {
		list = append(list, o.Name, strings.ReplaceAll(o.Name, "-", "_"))
	}
	return list
}
