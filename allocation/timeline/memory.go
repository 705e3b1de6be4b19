package timeline

// Memory is room that the slots of a day are built in and those of the next
// day again: what was made in it is overwritten after Reset. The zero value is
// ready, and nil is room that is used once. It is not for several goroutines.
type Memory struct {
	words  room[uint64]
	values room[int32]
	times  room[uint16]
	counts room[int64]
	series room[series]
}

// Reset makes everything that was built in m free to be overwritten.
func (m *Memory) Reset() {
	if m == nil {
		return
	}
	m.words.used, m.values.used, m.times.used, m.counts.used = 0, 0, 0, 0
	clear(m.series.block[:m.series.used]) // lets go of the names
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
		// What was cut from the old block keeps it; the next day starts with the
		// new one, which is larger.
		r.block, r.used = make([]T, max(n, blockSize, 2*len(r.block))), 0
	}
	cut := r.block[r.used : r.used+n : r.used+n]
	r.used += n
	clear(cut)
	return cut
}

// orNew is m, or room that is used once.
func (m *Memory) orNew() *Memory {
	if m == nil {
		return new(Memory)
	}
	return m
}

// Bits returns an empty set over g.
func (m *Memory) Bits(g Grid) Bits { return Bits{g, m.words.take(g.Hours)} }
