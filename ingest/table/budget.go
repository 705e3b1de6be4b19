package table

import (
	"fmt"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
)

// Bounds of what is taken for the pages of one Parquet file: its headers say
// how large they are, and a damaged or hostile one may say anything.
const (
	maxPacked   = 64 << 20  // of a page as stored
	maxUnpacked = 128 << 20 // of a page
	maxPages    = 256 << 20 // of all pages that are open
	pageBuffer  = 32 << 10  // read at once
)

func readerProperties() *parquet.ReaderProperties {
	props := parquet.NewReaderProperties(&budget{of: memory.NewGoAllocator()})
	props.BufferedStreamEnabled = true // pages, not whole column chunks
	props.BufferSize = pageBuffer
	props.MaxCompressedPageSize, props.MaxUncompressedPageSize = maxPacked, maxUnpacked
	return props
}

// budget is an allocator that refuses to take more than maxPages. The refusal
// is a panic, which whoever reads the file turns into an error, because an
// allocator has no other way to say no.
type budget struct {
	of    memory.Allocator
	taken atomic.Int64
}

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
	return b.of.Allocate(size)
}

// Reallocate implements memory.Allocator.
func (b *budget) Reallocate(size int, old []byte) []byte {
	b.take(size - len(old))
	return b.of.Reallocate(size, old)
}

// Free implements memory.Allocator.
func (b *budget) Free(old []byte) {
	b.take(-len(old))
	b.of.Free(old)
}
