package jobs

import (
	"slices"
	"sync"

	"gpuledger/allocation"
)

// examplesPerCode is how many details of one diagnostic are kept.
const examplesPerCode = 5

// findings counts diagnostics of many workers; it keeps the smallest details,
// so that their order does not show.
type findings struct {
	mu       *sync.Mutex
	counts   map[string]int64
	examples map[string][]string
}

func newFindings() findings {
	return findings{&sync.Mutex{}, map[string]int64{}, map[string][]string{}}
}

func (f findings) add(list ...allocation.Diagnostic) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, d := range list {
		f.counts[d.Code]++
		kept := f.examples[d.Code]
		at, found := slices.BinarySearch(kept, d.Detail)
		if found || at == examplesPerCode {
			continue
		}
		kept = slices.Insert(kept, at, d.Detail)
		f.examples[d.Code] = kept[:min(len(kept), examplesPerCode)]
	}
}

func (f findings) result() (map[string]int64, map[string][]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts, f.examples
}
