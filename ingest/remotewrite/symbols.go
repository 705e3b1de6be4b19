package remotewrite

import "github.com/zeebo/xxh3"

// readSymbols finds the symbols of a 2.0 message, anywhere in it.
func (d *Decoder) readSymbols() error {
	b := d.msg
	for i := 0; i < len(b); {
		number, wire, next := field(b, i)
		if next == 0 {
			return malformed("a field without a tag", i)
		}
		if number == 4 {
			from, to := span(b, next)
			if wire != wireBytes || to == 0 {
				return malformed("a broken symbol", i)
			}
			d.symbols = append(d.symbols, symbol{from: from, to: to})
			i = to
			continue
		}
		if i = skip(b, next, wire); i == 0 {
			return malformed("a field that does not end", next)
		}
	}
	if len(d.symbols) > 0 && d.symbols[0].from != d.symbols[0].to {
		return malformed("a first symbol that is not empty", d.symbols[0].from)
	}
	return nil
}

// series2 reads TimeSeries{1 labels_refs, 2 samples, 3 histograms,
// 4 exemplars, 5 metadata}.
func (d *Decoder) series2(s *Series, from, to int) error {
	b := d.msg[:to]
	s.Histograms, s.Exemplars, s.labels = 0, 0, nil
	d.samples, d.refs = d.samples[:0], d.refs[:0]
	for i := from; i < to; {
		number, wire, next := field(b, i)
		if next == 0 {
			return malformed("a field of a series without a tag", i)
		}
		switch {
		case number == 1 && wire == wireVarint:
			v, end := uvarint(b, next)
			if end == 0 {
				return malformed("a reference that does not end", next)
			}
			d.refs = append(d.refs, clamp32(v))
			i = end
			continue
		case number > 4:
			if i = skip(b, next, wire); i == 0 {
				return malformed("a field of a series that does not end", next)
			}
			continue
		}
		f, end := span(b, next)
		if wire != wireBytes || end == 0 {
			return malformed("a broken field of a series", i)
		}
		switch number {
		case 1:
			for j := f; j < end; {
				v, k := uvarint(b[:end], j)
				if k == 0 {
					return malformed("a reference that does not end", j)
				}
				d.refs = append(d.refs, clamp32(v))
				j = k
			}
		case 2:
			if err := d.sample(f, end); err != nil {
				return err
			}
		case 3:
			s.Histograms++
		case 4:
			s.Exemplars++
		}
		i = end
	}
	s.Samples, s.refs = d.samples, d.refs
	return nil
}

// clamp32 keeps an out-of-range reference out of range.
func clamp32(v uint64) uint32 { return uint32(min(v, 1<<32-1)) }

// Print is a fingerprint of the labels, which identifies a series: equal for equal labels in
// the same version of the protocol, whatever the message's symbol numbers. seed prevents
// strangers from constructing collisions.
func (s *Series) Print(seed uint64) [2]uint64 {
	d := s.d
	if d.version == V1 {
		h := xxh3.Hash128Seed(s.labels, seed)
		return [2]uint64{h.Hi, h.Lo}
	}
	room := d.joined[:0]
	for _, r := range s.refs {
		var p [2]uint64
		if int64(r) < int64(len(d.symbols)) {
			y := &d.symbols[r]
			if !y.known {
				h := xxh3.Hash128Seed(d.msg[y.from:y.to], seed)
				y.print, y.known = [2]uint64{h.Hi, h.Lo}, true
			}
			p = y.print
		}
		room = appendPrint(room, p)
	}
	d.joined = room
	h := xxh3.Hash128Seed(room, ^seed)
	return [2]uint64{h.Hi, h.Lo}
}

func appendPrint(b []byte, p [2]uint64) []byte {
	return append(b, byte(p[0]), byte(p[0]>>8), byte(p[0]>>16), byte(p[0]>>24), byte(p[0]>>32), byte(p[0]>>40),
		byte(p[0]>>48), byte(p[0]>>56),
		byte(p[1]), byte(p[1]>>8), byte(p[1]>>16), byte(p[1]>>24),
		byte(p[1]>>32), byte(p[1]>>40), byte(p[1]>>48), byte(p[1]>>56))
}
