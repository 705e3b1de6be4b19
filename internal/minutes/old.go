package minutes

import (
	"fmt"
	"math/bits"

	"gpuledger/internal/ledger"
)

// Version 1, which is only read:
//
//	version(1) · number of vectors(uvarint) · per vector, names ascending:
//	  name:   code(1) of wellKnown, or 0 · length(uvarint) · text
//	  flags:  full, sameAt, constant, second
//	  known:  8 bytes little endian, left out when full
//	  at:     uvarint when sameAt, else zigzag deltas from 0
//	  values: step(uvarint), the common divisor; then the first value and
//	          the zigzag deltas (second: deltas of deltas), divided by it;
//	          only the first value when constant
const oldVersion = 1

const (
	flagFull     = 1 << iota // all 60 minutes known
	flagSameAt               // one offset for all minutes
	flagConstant             // one value for all minutes
	flagSecond               // values as deltas of deltas
	flagsAll     = 1<<iota - 1
)

// walkOld is walk for version 1.
func walkOld(r *reader, size func(int), want func(string) bool, yield func(string, *ledger.Minutes)) error {
	n := r.count("vectors", 3)
	if r.err != nil {
		return r.err
	}
	size(n)
	var last string
	for i := range n {
		name := r.name()
		var m ledger.Minutes
		r.oldVector(&m)
		if r.err != nil {
			return r.err
		}
		if i > 0 && name <= last {
			return fmt.Errorf("%w: vector %q after %q", ErrCorrupt, name, last)
		}
		last = name
		if want(name) {
			yield(name, &m)
		}
	}
	if len(r.b) != 0 {
		return fmt.Errorf("%w: %d bytes left over", ErrCorrupt, len(r.b))
	}
	return nil
}

func (r *reader) oldVector(m *ledger.Minutes) {
	flags := r.byte()
	if flags&^byte(flagsAll) != 0 {
		r.fail("unknown flags")
		return
	}
	m.Known = r.mask(flags)
	r.oldOffsets(m, flags&flagSameAt != 0)
	if flags&flagConstant != 0 {
		v := unzigzag(r.uvarint())
		for i := range indices(m.Known) {
			m.Value[i] = v
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
	for i := range indices(m.Known) {
		d := unzigzag(r.uvarint())
		if flags&flagSecond != 0 && !first {
			d += lastDelta
			lastDelta = d
		}
		first = false
		last += d
		m.Value[i] = last * int64(step)
	}
}

func (r *reader) oldOffsets(m *ledger.Minutes, same bool) {
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
