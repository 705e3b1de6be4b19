package minutes

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// indices yields the set bits of a mask, ascending.
func indices(mask uint64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for ; mask != 0; mask &= mask - 1 {
			if !yield(bits.TrailingZeros64(mask)) {
				return
			}
		}
	}
}

// bitWriter appends numbers of some bits each, the lowest bit first.
type bitWriter struct {
	dst  []byte
	acc  uint64
	have uint
}

// put appends each value less low in width bits.
func (w *bitWriter) put(list []int64, low int64, width uint) {
	if width == 0 {
		return
	}
	acc, have, dst := w.acc, w.have, w.dst
	for _, v := range list {
		u := uint64(v) - uint64(low)
		acc |= u << have
		if have+width < 64 {
			have += width
			continue
		}
		dst = binary.LittleEndian.AppendUint64(dst, acc)
		acc = 0
		if have > 0 {
			acc = u >> (64 - have)
		}
		have = have + width - 64
	}
	w.acc, w.have, w.dst = acc, have, dst
}

// done flushes the last bits, padded with zeros to a byte.
func (w *bitWriter) done() []byte {
	for ; w.have > 0; w.have -= min(w.have, 8) {
		w.dst = append(w.dst, byte(w.acc))
		w.acc >>= 8
	}
	return w.dst
}

// bitReader reads the output of bitWriter; the bytes must suffice.
type bitReader struct {
	b   []byte
	bit uint
}

// get reads numbers of width bits and adds low to each.
func (r *bitReader) get(out []int64, low int64, width uint) {
	if width == 0 {
		for i := range out {
			out[i] = low
		}
		return
	}
	mask := ^uint64(0) >> (64 - width)
	bit := r.bit
	for i := range out {
		at, shift := bit>>3, bit&7
		var u uint64
		if at+9 <= uint(len(r.b)) {
			u = binary.LittleEndian.Uint64(r.b[at:]) >> shift
			if shift+width > 64 {
				u |= uint64(r.b[at+8]) << (64 - shift)
			}
		} else {
			u = r.slow(at, shift)
		}
		out[i] = int64(u&mask + uint64(low))
		bit += width
	}
	r.bit = bit
}

// slow reads at the end, where eight bytes are not left.
func (r *bitReader) slow(at, shift uint) uint64 {
	var room [16]byte
	copy(room[:], r.b[min(at, uint(len(r.b))):])
	u := binary.LittleEndian.Uint64(room[:]) >> shift
	if shift > 0 {
		u |= uint64(room[8]) << (64 - shift)
	}
	return u
}

func appendTiming(dst []byte, t *timing) []byte {
	var list [60]int64
	n := 0
	low, high := int64(60000), int64(0)
	for i := range indices(t.known) {
		v := int64(t.at[i])
		list[n] = v
		low, high = min(low, v), max(high, v)
		n++
	}
	flags := byte(0)
	if t.known == AllKnown {
		flags |= flagFull
	}
	if low == high {
		flags |= flagSameAt
	}
	dst = append(dst, flags)
	if t.known != AllKnown {
		dst = binary.LittleEndian.AppendUint64(dst, t.known)
	}
	dst = appendUvarint(dst, uint64(low))
	if low == high {
		return dst
	}
	width := uint(bits.Len64(uint64(high - low)))
	w := bitWriter{dst: append(dst, byte(width))}
	w.put(list[:n], low, width)
	return w.done()
}

// timing reads the output of appendTiming.
func (r *reader) timing(t *timing) {
	flags := r.byte()
	if flags&^byte(flagFull|flagSameAt) != 0 {
		r.fail("unknown flags")
		return
	}
	t.known = r.mask(flags)
	low := r.uvarint()
	if low >= 60000 {
		r.fail("offset beyond the minute")
	}
	if r.err != nil {
		return
	}
	var list [60]int64
	n := bits.OnesCount64(t.known)
	width := uint(0)
	if flags&flagSameAt == 0 {
		if width = uint(r.byte()); width == 0 || width > 16 {
			r.fail("bad width of offsets")
			return
		}
	}
	u := bitReader{b: r.take((n*int(width) + 7) / 8)}
	if r.err != nil {
		return
	}
	u.get(list[:n], int64(low), width)
	k := 0
	for i := range indices(t.known) {
		if list[k] >= 60000 {
			r.fail("offset beyond the minute")
			return
		}
		t.at[i] = uint16(list[k])
		k++
	}
}

// mask reads which minutes are known.
func (r *reader) mask(flags byte) uint64 {
	if flags&flagFull != 0 {
		return AllKnown
	}
	b := r.take(8)
	if r.err != nil {
		return 0
	}
	known := binary.LittleEndian.Uint64(b)
	if known == 0 || known&^AllKnown != 0 {
		r.fail("minutes outside the hour")
		return 0
	}
	return known
}

// count reads how many there are of something that takes least bytes each.
func (r *reader) count(what string, least int) int {
	n := r.uvarint()
	if r.err == nil && (n > MaxVectors || n > uint64(len(r.b)/least)) {
		r.fail(fmt.Sprintf("%d %s", n, what))
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}
