package sketch

// Each calls f for every bin with a count, in ascending order of values.
func (s *Sketch) Each(f func(bin int32, count uint64)) {
	for _, b := range s.bins {
		f(b.index, b.count)
	}
}

// BinOf is the bin of a value: one per value below 64, then 64 to every power of two. Negative values mirror positive
// ones.
func BinOf(v int64) int32 { return indexOf(v) }

// ValueOf is the representative value of a bin.
func ValueOf(bin int32) int64 { return middle(bin) }
