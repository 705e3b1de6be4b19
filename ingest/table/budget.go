package table

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
)

// Bounds of the memory for one Parquet file's pages: its headers claim their sizes, and a
// damaged or hostile file may claim any.
const (
	maxPacked   = 64 << 20  // of a page as stored
	maxUnpacked = 128 << 20 // of a page
	maxPages    = 256 << 20 // of all pages that are open
	pageBuffer  = 32 << 10  // read at once
)

func readerProperties(pages *budget) *parquet.ReaderProperties {
	props := parquet.NewReaderProperties(pages)
	props.BufferedStreamEnabled = true // pages, not whole column chunks
	props.BufferSize = pageBuffer
	props.MaxCompressedPageSize, props.MaxUncompressedPageSize = maxPacked, maxUnpacked
	return props
}

// budget is an allocator that refuses to allocate more than maxPages. It panics, since an
// allocator has no other way to refuse; the reader of the file turns the panic into an error.
// If only this package reads the pages, freed memory is kept for the next row group, whose
// pages are similar.
type budget struct {
	of    memory.Allocator
	taken atomic.Int64
	keep  bool // set before the first page is read

	mu   sync.Mutex
	kept [][]byte
	size int // of kept
}

// maxKept bounds the kept memory, in bytes.
const maxKept = 64 << 20

type overBudget struct{}

func (overBudget) String() string {
	return fmt.Sprintf("its pages need more than %d MiB at once; write it with smaller pages", maxPages>>20)
}

func (b *budget) take(more int) {
	if b.taken.Add(int64(more)) > maxPages && more > 0 {
		b.taken.Add(int64(-more))
		panic(overBudget{})
	}
}

// Allocate implements memory.Allocator.
func (b *budget) Allocate(size int) []byte {
	b.take(size)
	if old := b.reuse(size); old != nil {
		return old
	}
	return b.of.Allocate(size)
}

// reuse returns kept memory that is large enough but not much too large.
func (b *budget) reuse(size int) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	best := -1
	for i, k := range b.kept {
		if cap(k) >= size && cap(k) <= 2*size+pageBuffer && (best < 0 || cap(k) < cap(b.kept[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	old := b.kept[best]
	last := len(b.kept) - 1
	b.kept[best], b.kept = b.kept[last], b.kept[:last]
	b.size -= cap(old)
	return old[:size]
}

// Reallocate implements memory.Allocator.
func (b *budget) Reallocate(size int, old []byte) []byte {
	if size <= cap(old) {
		b.take(size - len(old))
		return old[:size]
	}
	bigger := b.Allocate(size)
	copy(bigger, old)
	b.Free(old)
	return bigger
}

// Free implements memory.Allocator.
func (b *budget) Free(old []byte) {
	b.take(-len(old))
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.keep && cap(old) > 0 && b.size+cap(old) <= maxKept {
		b.kept = append(b.kept, old)
		b.size += cap(old)
	}
}
