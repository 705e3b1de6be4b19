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
