package dashboard

import (
	"slices"
	"sync"

	"gpuledger/metrics"
)

// figuresPages lists the pages of figures in the order of the rail.
var figuresPages = sync.OnceValue(func() []*figuresPage {
	return slices.DeleteFunc([]*figuresPage{&wastePage, &recommendationsPage, &spotPage, &commitmentsPage, &trainingPage, &experimentsPage, &modelsPage, &inferencePage, &queuePage, &devicesPage, &slicesPage, &requestsPage, &coveragePage}, func(f *figuresPage) bool {
		_, err := metrics.LookupDataset(f.Dataset)
		return err != nil
	})
})
