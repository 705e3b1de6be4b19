package sketch

import (
	"math/big"
	"slices"
)

// Packed counts are lists of (bin + 1) << 40 | count, ascending, as the database merges
// them.
const countBits = 40

// Pack is the packed form of a bin and its count.
func Pack(bin int32, count uint64) int64 { return (int64(bin)+1)<<countBits | int64(count) }

// Packed are the counts of a sketch; nil if it is empty.
func (s *Sketch) Packed() (packed []int64) {
	s.Each(func(bin int32, count uint64) { packed = append(packed, Pack(bin, count)) })
	return packed
}

// Unpacked is the sketch with these counts.
func Unpacked(packed []int64) (s Sketch) {
	for _, p := range packed {
		s.bins = append(s.bins, bin{int32(p>>countBits - 1), uint64(countOf(p))})
	}
	return s
}

func countOf(packed int64) int64 { return packed & (1<<countBits - 1) }

// MergePacked adds packed counts.
func MergePacked(a, b []int64) []int64 {
	if len(a) == 0 || len(b) == 0 {
		return slices.Concat(a, b)
	}
	out := make([]int64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0]>>countBits, b[0]>>countBits; {
		case x < y:
			out, a = append(out, a[0]), a[1:]
		case x > y:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]+countOf(b[0])), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// SplitPacked distributes the values of packed counts by weight, the smallest first and each to the part that is
// furthest behind its share, so that all parts have similar values. On a tie the first part gets it. Together the parts
// are the whole.
func SplitPacked(packed []int64, weights []*big.Int) [][]int64 {
	parts := make([][]int64, len(weights))
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, w)
	}
	if len(weights) == 1 || total.Sign() == 0 {
		parts[0] = packed
		return parts
	}
	behind := make([]*big.Int, len(weights)) // × total
	for i := range behind {
		behind[i] = new(big.Int)
	}
	for _, p := range packed {
		bin := p - countOf(p)
		for range countOf(p) {
			most := 0
			for i, w := range weights {
				if behind[i].Add(behind[i], w); behind[i].Cmp(behind[most]) > 0 {
					most = i
				}
			}
			behind[most].Sub(behind[most], total)
			if n := len(parts[most]); n > 0 && parts[most][n-1]-countOf(parts[most][n-1]) == bin {
				parts[most][n-1]++
			} else {
				parts[most] = append(parts[most], bin|1)
			}
		}
	}
	return parts
}
