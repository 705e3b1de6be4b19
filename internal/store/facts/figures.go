package facts

import (
	"encoding/binary"
	"math/bits"
)

// Figures summarise the minute values of a signal in an hour, in its unit.
type Figures struct {
	Code    int // minutes.Code of the signal, 1 to 127
	Minutes int // with a value, 1 to 60
	Total   int64
	Low     int64
	High    int64
	P50     int64 // nearest rank
	P95     int64
}

// figureSteps are common divisors: stored units are finer than what exporters print. Their indexes, and the encoding
// below, are part of the stored form, which sample_figures (003_telemetry.sql) reads in the database:
//
// bits, highest first, per signal: code(7) · minutes(6) · step(3) · width of low(7) · width of range(7) · low, zigzag ·
// if the range is not empty: high, p50 and p95 less low, and total less minutes × low in 6 more bits. Width 127 means
// that low, high, p50, p95 and total follow in 64 bits each. Code 0 or the end of the data ends the list.
var figureSteps = [8]int64{1, 100, 1000, 10_000, 1 << 20, 1_000_000, 1 << 30, 1_000_000_000}

const (
	figureRaw  = 127     // width for raw 64-bit values
	figureEdge = 1 << 56 // 60 values below this add up within 63 bits
)

// figureWriter appends bits, highest first.
type figureWriter struct {
	dst  []byte
	acc  uint64
	free int // free bits of acc
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

// Done flushes the last bits, padded with zeros to a byte.
func (w *figureWriter) Done() []byte {
	for ; w.free < 64; w.free += 8 {
		w.dst = append(w.dst, byte(w.acc>>56))
		w.acc <<= 8
	}
	return w.dst
}

// Add appends the figures of one signal.
func (w *figureWriter) Add(f *Figures) {
	w.put(uint64(f.Code), 7)
	w.put(uint64(f.Minutes), 6)
	if f.Low <= -figureEdge || f.Low >= figureEdge || uint64(f.High)-uint64(f.Low) >= figureEdge {
		w.put(0, 3)
		w.put(figureRaw, 7)
		w.put(0, 7)
		for _, v := range [...]int64{f.Low, f.High, f.P50, f.P95, f.Total} {
			w.put(uint64(v), 64)
		}
		return
	}
	step := 0
	for i, s := range figureSteps {
		if s > figureSteps[step] && f.Low%s == 0 && f.High%s == 0 && f.P50%s == 0 && f.P95%s == 0 && f.Total%s == 0 {
			step = i
		}
	}
	by := figureSteps[step]
	low, spread := f.Low/by, uint64(f.High-f.Low)/uint64(by)
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
	w.put(uint64(f.P50-f.Low)/uint64(by), width)
	w.put(uint64(f.P95-f.Low)/uint64(by), width)
	w.put(uint64(f.Total-int64(f.Minutes)*f.Low)/uint64(by), width+6)
}

// ReadFigures calls f for every signal of packed figures.
func ReadFigures(packed []byte, f func(*Figures)) {
	r := figureReader{b: packed}
	for r.left() >= 30 {
		v := Figures{Code: int(r.take(7))}
		if v.Code == 0 {
			return
		}
		v.Minutes = int(r.take(6))
		step := figureSteps[r.take(3)]
		lowWidth, width := int(r.take(7)), int(r.take(7))
		if lowWidth == figureRaw {
			for _, into := range [...]*int64{&v.Low, &v.High, &v.P50, &v.P95, &v.Total} {
				*into = int64(r.take(64))
			}
			f(&v)
			continue
		}
		zigzag := r.take(lowWidth)
		low := int64(zigzag>>1) ^ -int64(zigzag&1)
		v.High, v.P50, v.P95, v.Total = low, low, low, int64(v.Minutes)*low
		if width > 0 {
			v.High += int64(r.take(width))
			v.P50 += int64(r.take(width))
			v.P95 += int64(r.take(width))
			v.Total += int64(r.take(width + 6))
		}
		v.Low = low
		for _, into := range [...]*int64{&v.Low, &v.High, &v.P50, &v.P95, &v.Total} {
			*into *= step
		}
		f(&v)
	}
}

// figureReader reads bits, highest first; after the end it reads zeros.
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
