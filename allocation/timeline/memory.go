package timeline

// Memory holds buffers in which the slots of a day are built and which the next day reuses: everything built in it is
// overwritten after Reset. The zero value is ready; nil means buffers that are used once. It is not safe for concurrent
// use.
type Memory struct {
	words  room[uint64]
	values room[int32]
	times  room[uint16]
	counts room[int64]
	series room[series]
}

// Reset frees everything that was built in m to be overwritten.
func (m *Memory) Reset() {
	if m == nil {
		return
	}
	m.words.used, m.values.used, m.times.used, m.counts.used = 0, 0, 0, 0
	clear(m.series.block[:m.series.used]) // drops the names
	m.series.used = 0
}

// room is a block that slices are cut from.
type room[T any] struct {
	block []T
	used  int
}

// blockSize is how many elements a block has at least.
const blockSize = 1024

// take cuts off n zero elements.
func (r *room[T]) take(n int) []T {
	if len(r.block)-r.used < n {
		// Slices cut from the old block keep it alive; the next day starts with the new one, which is larger.
		r.block, r.used = make([]T, max(n, blockSize, 2*len(r.block))), 0
	}
	cut := r.block[r.used : r.used+n : r.used+n]
	r.used += n
	clear(cut)
	return cut
}

// orNew is m, or buffers that are used once.
func (m *Memory) orNew() *Memory {
	if m == nil {
		return new(Memory)
	}
	return m
}

// Bits returns an empty set over g.
func (m *Memory) Bits(g Grid) Bits { return Bits{g, m.words.take(g.Hours)} }
