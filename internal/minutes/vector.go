package minutes

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"gpuledger/internal/ledger"
)

// appendVector packs one vector with at least one known minute.
func appendVector(dst []byte, m *ledger.Minutes) []byte {
	known := m.Known & AllKnown
	var val [60]int64
	var at [60]uint16
	n := 0
	sameAt, constant := true, true
	for left := known; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		val[n], at[n] = m.Value[i], m.At[i]
		sameAt = sameAt && at[n] == at[0]
		constant = constant && val[n] == val[0]
		n++
	}
	step := int64(1)
	second := false
	if !constant {
		step = divisor(val[:n])
		if step > 1 {
			for i := range n {
				val[i] /= step
			}
		}
		second = secondIsShorter(val[:n])
	}
	flags := byte(0)
	if known == AllKnown {
		flags |= flagFull
	}
	if sameAt {
		flags |= flagSameAt
	}
	if constant {
		flags |= flagConstant
	}
	if second {
		flags |= flagSecond
	}
	dst = append(dst, flags)
	if known != AllKnown {
		dst = binary.LittleEndian.AppendUint64(dst, known)
	}
	if sameAt {
		dst = appendUvarint(dst, uint64(at[0]))
	} else {
		last := int64(0)
		for _, a := range at[:n] {
			dst = appendUvarint(dst, zigzag(int64(a)-last))
			last = int64(a)
		}
	}
	if constant {
		return appendUvarint(dst, zigzag(val[0]))
	}
	dst = appendUvarint(dst, uint64(step))
	var last, lastDelta int64
	for i, v := range val[:n] {
		d := v - last
		last = v
		switch {
		case !second:
			dst = appendUvarint(dst, zigzag(d))
		case i == 0:
			dst = appendUvarint(dst, zigzag(d))
		default:
			dst = appendUvarint(dst, zigzag(d-lastDelta))
			lastDelta = d
		}
	}
	return dst
}

// divisor is the greatest common divisor of all values, at least 1.
func divisor(val []int64) int64 {
	var g uint64
	for _, v := range val {
		u := uint64(v)
		if v < 0 {
			u = -u
		}
		for u != 0 {
			g, u = u, g%u
		}
		if g == 1 {
			return 1
		}
	}
	if g == 0 || g > 1<<62 {
		return 1
	}
	return int64(g)
}

// secondIsShorter compares the packed lengths of first and second deltas.
func secondIsShorter(val []int64) bool {
	first, second := 0, 0
	var lastDelta int64
	for i := 1; i < len(val); i++ {
		d := val[i] - val[i-1]
		first += width(zigzag(d))
		second += width(zigzag(d - lastDelta))
		lastDelta = d
	}
	return second < first
}

// reader walks packed bytes; the first error sticks and zeros follow.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCorrupt, what)
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("ends too early")
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		u := uint64(r.b[0])
		r.b = r.b[1:]
		return u
	}
	u, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("bad number")
		return 0
	}
	r.b = r.b[n:]
	return u
}

func (r *reader) name() string {
	c := r.byte()
	if c != 0 {
		if s := wellKnownName(c); s != "" {
			return s
		}
		r.fail(fmt.Sprintf("name code %d is not known to this program", c))
		return ""
	}
	n := r.uvarint()
	if n > MaxName || n > uint64(len(r.b)) {
		r.fail("name too long")
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) vector(m *ledger.Minutes) {
	flags := r.byte()
	if flags&^byte(flagsAll) != 0 {
		r.fail("unknown flags")
		return
	}
	m.Known = AllKnown
	if flags&flagFull == 0 {
		if len(r.b) < 8 {
			r.fail("ends too early")
			return
		}
		m.Known = binary.LittleEndian.Uint64(r.b)
		r.b = r.b[8:]
		if m.Known == 0 || m.Known&^AllKnown != 0 {
			r.fail("minutes outside the hour")
			return
		}
	}
	r.offsets(m, flags&flagSameAt != 0)
	if flags&flagConstant != 0 {
		v := unzigzag(r.uvarint())
		for left := m.Known; left != 0; left &= left - 1 {
			m.Value[bits.TrailingZeros64(left)] = v
		}
		return
	}
	step := r.uvarint()
	if step == 0 || step > 1<<62 {
		r.fail("bad divisor")
		return
	}
	var last, lastDelta int64
	first := true
	for left := m.Known; left != 0; left &= left - 1 {
		d := unzigzag(r.uvarint())
		if flags&flagSecond != 0 && !first {
			d += lastDelta
			lastDelta = d
		}
		first = false
		last += d
		m.Value[bits.TrailingZeros64(left)] = last * int64(step)
	}
}

func (r *reader) offsets(m *ledger.Minutes, same bool) {
	last := int64(0)
	if same {
		last = int64(r.uvarint())
		if last < 0 || last >= 60000 {
			r.fail("offset beyond the minute")
			return
		}
	}
	for left := m.Known; left != 0; left &= left - 1 {
		if !same {
			last += unzigzag(r.uvarint())
			if last < 0 || last >= 60000 {
				r.fail("offset beyond the minute")
				return
			}
		}
		m.At[bits.TrailingZeros64(left)] = uint16(last)
	}
}
