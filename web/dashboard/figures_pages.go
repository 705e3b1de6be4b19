package dashboard

import (
	"net/http"
	"slices"
	"sync"

	"gpuledger/internal/access"
	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/costs"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/machines"
	"gpuledger/web/dashboard/people"
	"gpuledger/web/dashboard/work"
	"gpuledger/web/gate"
)

// figuresPages lists the pages of figures in the order of the rail.
var figuresPages = sync.OnceValue(func() []*figures.Page {
	pages := slices.Concat(costs.Pages, work.Pages, machines.Pages, books.Pages, people.Pages)
	for _, f := range pages {
		f.Check()
	}
	return pages
})

// PageNeeds returns, by method and path, what a viewer needs for the pages of figures: the
// right to the dataset, and full access if the dataset cannot be shown in part.
func PageNeeds() map[string]gate.Need {
	all := map[string]gate.Need{}
	for _, f := range figuresPages() {
		d, _ := metrics.LookupDataset(f.Dataset) // Check has found it
		all[http.MethodGet+" "+f.Path] = gate.Need{Right: access.RightTo(f.Dataset), Whole: !d.InPart}
		if f.Decide { // a decision counts for all users
			all[http.MethodPost+" "+f.Path] = gate.Need{Right: access.Advise, Whole: true}
		}
	}
	return all
}
