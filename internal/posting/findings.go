package posting

import (
	"slices"
	"sync"

	"gpuledger/allocation"
)

// examplesPerCode is how many details are kept per diagnostic code.
const examplesPerCode = 5

// findings counts the diagnostics of several workers. It keeps the smallest details, so that the result does not
// depend on the workers' order.
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
		f.keep(d.Code, d.Detail)
	}
}

// merge adds the findings of another process.
func (f findings) merge(counts map[string]int64, examples map[string][]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for code, n := range counts {
		f.counts[code] += n
	}
	for code, list := range examples {
		for _, detail := range list {
			f.keep(code, detail)
		}
	}
}

func (f findings) keep(code, detail string) {
	kept := f.examples[code]
	at, found := slices.BinarySearch(kept, detail)
	if found || at == examplesPerCode {
		return
	}
	kept = slices.Insert(kept, at, detail)
	f.examples[code] = kept[:min(len(kept), examplesPerCode)]
}

func (f findings) result() (map[string]int64, map[string][]string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.counts, f.examples
}
