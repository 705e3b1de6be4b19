package sketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// The bins: every |v| < 64 has a separate bin; beyond, every power of two is cut into 64. Negative values mirror
// positive ones.
const (
	subBits  = 6
	subCount = 1 << subBits
	lastBin  = (64 - subBits) * subCount // of math.MinInt64
)

// MaxBins bounds a sketch, so that Decode need not allocate more for hostile
// bytes.
const MaxBins = 2*lastBin + 1

// ErrCorrupt is wrapped by every error of Decode.
var ErrCorrupt = errors.New("corrupt sketch")

// Sketch counts values. The zero value is empty and ready. It is not safe for
// concurrent use.
type Sketch struct {
	bins []bin // by index, counts > 0
}

type bin struct {
	index int32
	count uint64
}

// indexOf returns the bin of a value.
func indexOf(v int64) int32 {
	if v < 0 {
		return -magnitude(-uint64(v))
	}
	return magnitude(uint64(v))
}

func magnitude(u uint64) int32 {
	if u < subCount {
		return int32(u)
	}
	shift := bits.Len64(u) - subBits - 1
	return int32(shift<<subBits) + int32(u>>shift)
}

// middle returns the representative value of a bin: the one in its middle.
func middle(index int32) int64 {
	if index < 0 {
		u := middleOf(-index)
		if u > math.MaxInt64 {
			return math.MinInt64
		}
		return -int64(u)
	}
	return int64(middleOf(index))
}

func middleOf(index int32) uint64 {
	if index < 2*subCount {
		return uint64(index)
	}
	shift := uint(index>>subBits) - 1
	low := uint64(index&(subCount-1)|subCount) << shift
	return low + (1<<shift-1)/2
}

// Of returns the sketch of values.
func Of(values []int64) Sketch {
	var s Sketch
	s.AddAll(values)
	return s
}

// AddAll counts values.
func (s *Sketch) AddAll(values []int64) {
	indexes := make([]int32, len(values))
	for i, v := range values {
		indexes[i] = indexOf(v)
	}
	if !slices.IsSorted(indexes) {
		slices.Sort(indexes)
	}
	added := make([]bin, 0, len(indexes))
	for _, x := range indexes {
		if n := len(added); n > 0 && added[n-1].index == x {
			added[n-1].count++
			continue
		}
		added = append(added, bin{x, 1})
	}
	s.merge(added)
}

// Merge adds o's counts.
func (s *Sketch) Merge(o *Sketch) { s.merge(o.bins) }

func (s *Sketch) merge(added []bin) {
	if len(added) == 0 {
		return
	}
	if len(s.bins) == 0 {
		s.bins = slices.Clone(added)
		return
	}
	// If all bins exist already, as is usual after a while, no new list is needed.
	missing := 0
	for i, j := 0, 0; j < len(added); j++ {
		for i < len(s.bins) && s.bins[i].index < added[j].index {
			i++
		}
		if i == len(s.bins) || s.bins[i].index != added[j].index {
			missing++
		}
	}
	if missing == 0 {
		i := 0
		for _, b := range added {
			for s.bins[i].index < b.index {
				i++
			}
			s.bins[i].count += b.count
		}
		return
	}
	out := make([]bin, 0, len(s.bins)+missing)
	i := 0
	for _, b := range added {
		for i < len(s.bins) && s.bins[i].index < b.index {
			out = append(out, s.bins[i])
			i++
		}
		if i < len(s.bins) && s.bins[i].index == b.index {
			b.count += s.bins[i].count
			i++
		}
		out = append(out, b)
	}
	s.bins = append(out, s.bins[i:]...)
}

// Count is the number of added values.
func (s *Sketch) Count() uint64 {
	var n uint64
	for _, b := range s.bins {
		n += b.count
	}
	return n
}

// Quantile returns the value at rank ⌈percent / 100 × count⌉, within 0.8 %; false if no value was added or percent is
// not in 0..100.
func (s *Sketch) Quantile(percent int) (int64, bool) {
	n := s.Count()
	if n == 0 || percent < 0 || percent > 100 {
		return 0, false
	}
	high, low := bits.Mul64(n, uint64(percent))
	rank, rest := bits.Div64(high, low, 100)
	if rest > 0 || rank == 0 {
		rank++
	}
	for _, b := range s.bins {
		if b.count >= rank {
			return middle(b.index), true
		}
		rank -= b.count
	}
	return 0, false
}

// Append appends the packed form: number of bins, then per bin its distance from the previous one and its count. Equal
// sketches have equal bytes.
func (s *Sketch) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.bins)))
	last := int32(0)
	for i, b := range s.bins {
		if i == 0 {
			dst = binary.AppendVarint(dst, int64(b.index))
			dst = binary.AppendUvarint(dst, b.count-1)
		} else {
			// Usually bins are neighbours and counts small: both fit in one byte.
			dst = appendStep(dst, uint64(b.index-last-1), b.count-1)
		}
		last = b.index
	}
	return dst
}

// AppendSorted appends the packed form of the sketch of values in ascending order, without building the sketch.
func AppendSorted(dst []byte, sorted []int64) []byte {
	bins := 0
	last := int32(lastBin + 1)
	for _, v := range sorted {
		if x := indexOf(v); x != last {
			last = x
			bins++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(bins))
	for i := 0; i < len(sorted); {
		x, from := indexOf(sorted[i]), i
		for i++; i < len(sorted) && indexOf(sorted[i]) == x; i++ {
		}
		if from == 0 {
			dst = binary.AppendVarint(dst, int64(x))
			dst = binary.AppendUvarint(dst, uint64(i-from-1))
		} else {
			dst = appendStep(dst, uint64(x-last-1), uint64(i-from-1))
		}
		last = x
	}
	return dst
}

// appendStep writes a gap below 7 and a count below 31 as one byte; 7 or 31 mean that the rest follows.
func appendStep(dst []byte, gap, count uint64) []byte {
	g, c := min(gap, 7), min(count, 31)
	dst = append(dst, byte(g<<5|c))
	if g == 7 {
		dst = binary.AppendUvarint(dst, gap-7)
	}
	if c == 31 {
		dst = binary.AppendUvarint(dst, count-31)
	}
	return dst
}

// Decode reads the output of Append and returns the bytes after it.
func Decode(b []byte) (Sketch, []byte, error) {
	var s Sketch
	r := reader{b: b}
	n := r.uvarint()
	if n > MaxBins || n > uint64(len(b)) {
		return s, nil, fmt.Errorf("%w: %d bins", ErrCorrupt, n)
	}
	s.bins = make([]bin, 0, n)
	var index int64
	var total uint64
	for i := range n {
		var count uint64
		if i == 0 {
			index = r.varint()
			count = r.uvarint()
		} else {
			var gap uint64
			gap, count = r.step()
			index += int64(min(gap, 2*lastBin)) + 1
		}
		if r.failed || index < -lastBin || index > lastBin {
			return Sketch{}, nil, fmt.Errorf("%w: bin %d of %d", ErrCorrupt, i+1, n)
		}
		if count >= math.MaxInt64 || total+count+1 > math.MaxInt64 {
			return Sketch{}, nil, fmt.Errorf("%w: more values than can be counted", ErrCorrupt)
		}
		total += count + 1
		s.bins = append(s.bins, bin{int32(index), count + 1})
	}
	if r.failed {
		return Sketch{}, nil, fmt.Errorf("%w: ends too early", ErrCorrupt)
	}
	return s, r.b, nil
}

// reader walks packed bytes; after a failure zeros follow.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) uvarint() uint64 {
	u, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.failed, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return u
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.failed, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) step() (gap, count uint64) {
	if len(r.b) == 0 {
		r.failed = true
		return 0, 0
	}
	gap, count = uint64(r.b[0]>>5), uint64(r.b[0]&31)
	r.b = r.b[1:]
	if gap == 7 {
		gap += r.uvarint()
	}
	if count == 31 {
		more := r.uvarint()
		count += min(more, math.MaxUint64-31)
	}
	return gap, count
}

// Rank returns the value at rank ⌈percent / 100 × n⌉ of sorted values, which Quantile approximates. sorted must not be
// empty.
func Rank(sorted []int64, percent int) int64 {
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(min(rank, len(sorted)), 1)-1]
}
