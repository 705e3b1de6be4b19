package store

import (
	"encoding/binary"
	"math/bits"
)

// figures are what the minute values of a signal were in an hour, in its unit.
type figures struct {
	code    int // minutes.Code of the signal, 1 to 127
	minutes int // that are known, 1 to 60
	total   int64
	low     int64
	high    int64
	p50     int64 // nearest rank
	p95     int64
}

// figureSteps are common divisors: stored units are finer than what exporters
// print. Their places, and all that follows, are part of the stored form, which
// the database reads with sample_figures (003_telemetry.sql):
//
// bit by bit, the highest first, per signal: code(7) · minutes(6) · step(3) ·
// width of low(7) · width of range(7) · low, zigzag · when the range is not
// empty, high, p50 and p95 less low, and total less minutes × low in 6 bits
// more. Width 127 says that low, high, p50, p95 and total follow in 64 bits
// each. A code 0, or the end, ends it.
var figureSteps = [8]int64{1, 100, 1000, 10_000, 1 << 20, 1_000_000, 1 << 30, 1_000_000_000}

const (
	figureRaw  = 127     // width that says: as they are
	figureEdge = 1 << 56 // below, 60 values add up within 63 bits
)

// figureWriter appends bits, the highest first.
type figureWriter struct {
	dst  []byte
	acc  uint64
	free int // bits that are left of acc
}

func newFigureWriter(dst []byte) figureWriter { return figureWriter{dst: dst, free: 64} }

func (w *figureWriter) put(u uint64, width int) {
	if width > w.free {
		over := width - w.free
		w.acc |= u >> over
		w.dst = binary.BigEndian.AppendUint64(w.dst, w.acc)
		w.acc, w.free, width = 0, 64, over
		u &= 1<<over - 1
	}
	if width > 0 {
		w.free -= width
		w.acc |= u << w.free
	}
}

// done flushes the last bits, padded with zeros to a byte.
func (w *figureWriter) done() []byte {
	for ; w.free < 64; w.free += 8 {
		w.dst = append(w.dst, byte(w.acc>>56))
		w.acc <<= 8
	}
	return w.dst
}

// add appends the figures of one signal.
func (w *figureWriter) add(f *figures) {
	w.put(uint64(f.code), 7)
	w.put(uint64(f.minutes), 6)
	if f.low <= -figureEdge || f.low >= figureEdge || uint64(f.high)-uint64(f.low) >= figureEdge {
		w.put(0, 3)
		w.put(figureRaw, 7)
		w.put(0, 7)
		for _, v := range [...]int64{f.low, f.high, f.p50, f.p95, f.total} {
			w.put(uint64(v), 64)
		}
		return
	}
	step := 0
	for i, s := range figureSteps {
		if s > figureSteps[step] && f.low%s == 0 && f.high%s == 0 && f.p50%s == 0 && f.p95%s == 0 && f.total%s == 0 {
			step = i
		}
	}
	by := figureSteps[step]
	low, spread := f.low/by, uint64(f.high-f.low)/uint64(by)
	zigzag := uint64(low<<1) ^ uint64(low>>63)
	lowWidth, width := bits.Len64(zigzag), bits.Len64(spread)
	w.put(uint64(step), 3)
	w.put(uint64(lowWidth), 7)
	w.put(uint64(width), 7)
	w.put(zigzag, lowWidth)
	if width == 0 {
		return
	}
	w.put(spread, width)
	w.put(uint64(f.p50-f.low)/uint64(by), width)
	w.put(uint64(f.p95-f.low)/uint64(by), width)
	w.put(uint64(f.total-int64(f.minutes)*f.low)/uint64(by), width+6)
}

// readFigures calls f for every signal of packed figures.
func readFigures(packed []byte, f func(*figures)) {
	r := figureReader{b: packed}
	for r.left() >= 30 {
		v := figures{code: int(r.take(7))}
		if v.code == 0 {
			return
		}
		v.minutes = int(r.take(6))
		step := figureSteps[r.take(3)]
		lowWidth, width := int(r.take(7)), int(r.take(7))
		if lowWidth == figureRaw {
			for _, into := range [...]*int64{&v.low, &v.high, &v.p50, &v.p95, &v.total} {
				*into = int64(r.take(64))
			}
			f(&v)
			continue
		}
		zigzag := r.take(lowWidth)
		low := int64(zigzag>>1) ^ -int64(zigzag&1)
		v.high, v.p50, v.p95, v.total = low, low, low, int64(v.minutes)*low
		if width > 0 {
			v.high += int64(r.take(width))
			v.p50 += int64(r.take(width))
			v.p95 += int64(r.take(width))
			v.total += int64(r.take(width + 6))
		}
		v.low = low
		for _, into := range [...]*int64{&v.low, &v.high, &v.p50, &v.p95, &v.total} {
			*into *= step
		}
		f(&v)
	}
}

// figureReader takes bits, the highest first; beyond the end there are zeros.
type figureReader struct {
	b  []byte
	at int // bit
}

func (r *figureReader) left() int { return 8*len(r.b) - r.at }

func (r *figureReader) take(width int) (u uint64) {
	for width > 0 {
		var octet byte
		if r.at>>3 < len(r.b) {
			octet = r.b[r.at>>3]
		}
		n := min(8-r.at&7, width)
		u = u<<n | uint64(octet>>(8-r.at&7-n))&(1<<n-1)
		r.at += n
		width -= n
	}
	return u
}
