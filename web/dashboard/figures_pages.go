package dashboard

import (
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
	return slices.DeleteFunc(slices.Concat(costs.Pages, work.Pages, machines.Pages, books.Pages, people.Pages), func(f *figures.Page) bool {
		_, err := metrics.LookupDataset(f.Dataset)
		return err != nil
	})
})

// PageNeeds says what the pages of figures need of whoever comes, by path: the right to
// their dataset, and all of the books where that cannot be seen in part.
func PageNeeds() map[string]gate.Need {
	all := map[string]gate.Need{}
	for _, f := range figuresPages() {
		d, err := metrics.LookupDataset(f.Dataset)
		all[f.Path] = gate.Need{Right: access.RightTo(f.Dataset), Whole: err != nil || !d.InPart}
	}
	return all
}
