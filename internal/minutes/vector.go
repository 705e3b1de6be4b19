package minutes

import (
	"math/bits"

	"gpuledger/internal/ledger"
)

// A vector:
//
//	form(1): how values are predicted (2 bits) · blocks as a power of two (2 bits) · step follows (1 bit)
//	constant: the value, zigzag uvarint
//	mirror:   the sum with the vector before, zigzag uvarint
//	else:     step(uvarint) if flagged, the common divisor of all values
//	          delta, delta of deltas: the first value, zigzag uvarint; then the
//	          others are their differences, or the differences of these
//	          per block: smallest(zigzag uvarint) · width(1)
//	          all values less their block's smallest, width bits each
//
// Divisors matter because stored units are finer than exporters' values:
// memory comes in MiB. Used and free memory mirror each other.
const (
	formRaw = iota
	formDelta
	formSecond
	formConstant
	formMirror = formConstant | 1<<2 // a constant has no blocks
	formMask   = 1<<2 - 1
	blockShift = 2
	blockMask  = 1<<2 - 1
	stepFlag   = 1 << 4
	formBits   = 1<<5 - 1
	maxBlocks  = 4
)

// encoder packs the vectors of a set one after another.
type encoder struct {
	before [60]int64 // values of the previous vector, in known minutes
}

// plan is the shortest way to pack values.
type plan struct {
	form, blocks int // blocks as a power of two
	bits         int
	low          [maxBlocks]int64
	width        [maxBlocks]uint8
}

// append packs one vector. sameTiming means that the previous vector has the same minutes.
func (e *encoder) append(dst []byte, m *ledger.Minutes, known uint64, sameTiming bool) []byte {
	var val [60]int64
	n := gather(&val, m, known)
	mirrored := sameTiming && isMirror(val[:n], e.before[:n])
	sum := val[0] + e.before[0]
	e.before = val
	constant := true
	for _, v := range val[1:n] {
		if v != val[0] {
			constant = false
			break
		}
	}
	switch {
	case constant:
		return appendUvarint(append(dst, formConstant), zigzag(val[0]))
	case mirrored:
		return appendUvarint(append(dst, formMirror), zigzag(sum))
	}
	step := divisor(val[:n])
	if step > 1 {
		for i := range n {
			val[i] /= step
		}
	}
	return appendValues(dst, val[:n], step)
}

// gather collects the values of known minutes.
func gather(val *[60]int64, m *ledger.Minutes, known uint64) int {
	if known == AllKnown {
		*val = m.Value
		return 60
	}
	n := 0
	for i := range indices(known) {
		val[n] = m.Value[i]
		n++
	}
	return n
}

// isMirror reports whether the sums of two vectors are all equal.
func isMirror(a, b []int64) bool {
	sum := a[0] + b[0]
	for i := range a {
		if a[i]+b[i] != sum {
			return false
		}
	}
	return true
}

// appendValues packs values in the shortest of all forms.
func appendValues(dst []byte, val []int64, step int64) []byte {
	var delta, second [60]int64
	n := len(val)
	for i := 1; i < n; i++ {
		delta[i] = val[i] - val[i-1]
	}
	for i := 2; i < n; i++ {
		second[i] = delta[i] - delta[i-1]
	}
	second[1] = delta[1]
	best := plan{form: formRaw}
	best.measure(val)
	for form, list := range map2(delta[1:n], second[1:n]) {
		p := plan{form: form}
		p.measure(list)
		p.bits += 8 * width(zigzag(val[0]))
		if p.bits < best.bits {
			best = p
		}
	}
	list := val
	switch best.form {
	case formDelta:
		list = delta[1:n]
	case formSecond:
		list = second[1:n]
	}
	form := byte(best.form | best.blocks<<blockShift)
	if step > 1 {
		dst = appendUvarint(append(dst, form|stepFlag), uint64(step))
	} else {
		dst = append(dst, form)
	}
	if best.form != formRaw {
		dst = appendUvarint(dst, zigzag(val[0]))
	}
	blocks := 1 << best.blocks
	for b := range blocks {
		dst = appendUvarint(dst, zigzag(best.low[b]))
		dst = append(dst, best.width[b])
	}
	w := bitWriter{dst: dst}
	for b := range blocks {
		from, to := block(len(list), b, blocks)
		w.put(list[from:to], best.low[b], uint(best.width[b]))
	}
	return w.done()
}

// map2 yields the differences with their forms, in that order.
func map2(delta, second []int64) func(func(int, []int64) bool) {
	return func(yield func(int, []int64) bool) {
		if yield(formDelta, delta) {
			yield(formSecond, second)
		}
	}
}

// block is the part of n values that block b of blocks covers.
func block(n, b, blocks int) (from, to int) { return n * b / blocks, n * (b + 1) / blocks }

// measure finds the number of blocks that takes the fewest bits.
func (p *plan) measure(list []int64) {
	n := len(list)
	var low, high [maxBlocks]int64
	for b := range maxBlocks {
		from, to := block(n, b, maxBlocks)
		if from == to { // of very few values
			p.one(list)
			return
		}
		low[b], high[b] = list[from], list[from]
		for _, v := range list[from+1 : to] {
			low[b], high[b] = min(low[b], v), max(high[b], v)
		}
	}
	p.bits = -1
	for blocks := 2; blocks >= 0; blocks-- {
		count := 1 << blocks
		if count < maxBlocks { // join pairs of the finer cut
			for b := range count {
				low[b], high[b] = min(low[2*b], low[2*b+1]), max(high[2*b], high[2*b+1])
			}
		}
		total := 0
		var widths [maxBlocks]uint8
		for b := range count {
			from, to := block(n, b, count)
			w := bits.Len64(uint64(high[b]) - uint64(low[b]))
			widths[b] = uint8(w)
			total += 8*(1+width(zigzag(low[b]))) + (to-from)*w
		}
		if p.bits < 0 || total <= p.bits {
			p.bits, p.blocks, p.low, p.width = total, blocks, low, widths
		}
	}
}

// one is measure for a single block.
func (p *plan) one(list []int64) {
	low, high := list[0], list[0]
	for _, v := range list {
		low, high = min(low, v), max(high, v)
	}
	w := bits.Len64(uint64(high) - uint64(low))
	p.low[0], p.width[0], p.blocks = low, uint8(w), 0
	p.bits = 8*(1+width(zigzag(low))) + len(list)*w
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

// width is the number of bytes of u as uvarint.
func width(u uint64) int { return (bits.Len64(u|1) + 6) / 7 }

// decoder unpacks the vectors of a set one after another.
type decoder struct {
	m      ledger.Minutes
	before [60]int64 // values of the vector before
	n      int       // how many; 0 if there is none
	start  reader    // where it begins, if it was skipped
	timing *timing
	filled bool // before has its values
}

// next reads the vector at r. Without keep it is only skipped.
func (d *decoder) next(r *reader, t *timing, keep bool) {
	form := r.byte()
	if form&^byte(formBits) != 0 {
		r.fail("unknown form")
		return
	}
	n := bits.OnesCount64(t.known)
	if form == formMirror {
		sum := unzigzag(r.uvarint())
		if d.timing != t {
			r.fail("mirror of another timing")
			return
		}
		if !keep { // only another mirror can refer to a skipped mirror
			d.mirror(sum)
			return
		}
		d.mirror(sum)
		d.give(t, n)
		return
	}
	d.start, d.timing, d.filled, d.n = *r, t, keep, n
	d.start.form = form
	r.values(form, n, &d.before, keep)
	if keep && r.err == nil {
		d.give(t, n)
	}
}

// mirror replaces the previous vector's values by sum minus them.
func (d *decoder) mirror(sum int64) {
	if !d.filled {
		again := d.start
		again.values(again.form, d.n, &d.before, true)
		d.filled = true
	}
	for i := range d.n {
		d.before[i] = sum - d.before[i]
	}
}

// give turns the values into minutes.
func (d *decoder) give(t *timing, n int) {
	d.m.Known, d.m.At = t.known, t.at
	if n == 60 {
		d.m.Value = d.before
		return
	}
	d.m.Value = [60]int64{}
	k := 0
	for i := range indices(t.known) {
		d.m.Value[i] = d.before[k]
		k++
	}
}

// values reads n values into val, or skips them.
func (r *reader) values(form byte, n int, val *[60]int64, keep bool) {
	if form&formMask == formConstant {
		if form != formConstant {
			r.fail("unknown form")
			return
		}
		v := unzigzag(r.uvarint())
		if keep {
			for i := range n {
				val[i] = v
			}
		}
		return
	}
	step := uint64(1)
	if form&stepFlag != 0 {
		if step = r.uvarint(); step < 2 || step > 1<<62 {
			r.fail("bad divisor")
			return
		}
	}
	kind, skip := int(form&formMask), 0
	var first int64
	if kind != formRaw {
		first, skip = unzigzag(r.uvarint()), 1
	}
	blocks := 1 << (form >> blockShift & blockMask)
	if blocks > maxBlocks || n <= skip && blocks > 1 {
		r.fail("too many blocks")
		return
	}
	var low [maxBlocks]int64
	var widths [maxBlocks]uint8
	total := 0
	for b := range blocks {
		low[b], widths[b] = unzigzag(r.uvarint()), r.byte()
		if widths[b] > 64 {
			r.fail("numbers wider than 64 bits")
			return
		}
		from, to := block(n-skip, b, blocks)
		total += (to - from) * int(widths[b])
	}
	packed := r.take((total + 7) / 8)
	if r.err != nil || !keep {
		return
	}
	u := bitReader{b: packed}
	for b := range blocks {
		from, to := block(n-skip, b, blocks)
		u.get(val[from+skip:to+skip], low[b], uint(widths[b]))
	}
	val[0] = pick(skip == 1, first, val[0])
	restore(val[:n], kind, int64(step))
}

func pick(yes bool, a, b int64) int64 {
	if yes {
		return a
	}
	return b
}

// restore turns differences into values and undoes the divisor.
func restore(val []int64, kind int, step int64) {
	switch kind {
	case formDelta:
		for i := 1; i < len(val); i++ {
			val[i] += val[i-1]
		}
	case formSecond:
		var d int64
		for i := 1; i < len(val); i++ {
			d += val[i]
			val[i] = val[i-1] + d
		}
	}
	if step != 1 {
		for i := range val {
			val[i] *= step
		}
	}
}
