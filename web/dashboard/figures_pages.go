package dashboard

import (
	"slices"
	"sync"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/books"
	"gpuledger/web/dashboard/costs"
	"gpuledger/web/dashboard/figures"
	"gpuledger/web/dashboard/machines"
	"gpuledger/web/dashboard/work"
)

// figuresPages lists the pages of figures in the order of the rail.
var figuresPages = sync.OnceValue(func() []*figures.Page {
	return slices.DeleteFunc(slices.Concat(costs.Pages, work.Pages, machines.Pages, books.Pages), func(f *figures.Page) bool {
		_, err := metrics.LookupDataset(f.Dataset)
		return err != nil
	})
})

// PagesInPart are the paths of the pages of figures, and whether who sees a part of the
// books sees his part there.
func PagesInPart() map[string]bool {
	all := map[string]bool{}
	for _, f := range figuresPages() {
		d, err := metrics.LookupDataset(f.Dataset)
		all[f.Path] = err == nil && d.InPart
	}
	return all
}
