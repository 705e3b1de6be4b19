package remotewrite

import (
	"encoding/binary"
	"math"
)

// Sample is one value at one time.
type Sample struct {
	Ms    int64 // unix milliseconds
	Value float64
}

// Decoder walks over messages. It reuses memory from one message to the next and is not safe
// for concurrent use.
type Decoder struct {
	version Version
	msg     []byte
	symbols []symbol
	refs    []uint32
	samples []Sample
	joined  []byte
}

// symbol is a text of a 2.0 message, with its fingerprint once computed.
type symbol struct {
	from, to int
	known    bool
	print    [2]uint64
}

// Series is one series of a message. It is valid during the visit only.
type Series struct {
	// Samples of the series in the order of the message.
	Samples []Sample
	// Histograms and Exemplars are counted only.
	Histograms, Exemplars int

	d      *Decoder
	labels []byte   // 1.0: the label fields as encoded
	refs   []uint32 // 2.0: numbers of symbols
}

// Totals counts what a message holds.
type Totals struct{ Series, Samples, Histograms, Exemplars int }

// Walk visits every series of a message. An error of the message, which wraps ErrMalformed, or
// of visit ends it. After a broken field, the series visited before must not be used either.
func (d *Decoder) Walk(v Version, msg []byte, visit func(*Series) error) (Totals, error) {
	d.version, d.msg = v, msg
	d.symbols = d.symbols[:0]
	seriesField := uint64(1)
	if v == V2 {
		seriesField = 5
		if err := d.readSymbols(); err != nil {
			return Totals{}, err
		}
	}
	var t Totals
	s := &Series{d: d}
	for i := 0; i < len(msg); {
		number, wire, next := field(msg, i)
		if next == 0 {
			return t, malformed("a field without a tag", i)
		}
		if number != seriesField {
			if i = skip(msg, next, wire); i == 0 {
				return t, malformed("a field that does not end", next)
			}
			continue
		}
		if wire != wireBytes {
			return t, malformed("a series that is no message", i)
		}
		from, to := span(msg, next)
		if to == 0 {
			return t, malformed("a series that does not end", next)
		}
		var err error
		if v == V2 {
			err = d.series2(s, from, to)
		} else {
			err = d.series1(s, from, to)
		}
		if err != nil {
			return t, err
		}
		t.Series++
		t.Samples += len(s.Samples)
		t.Histograms += s.Histograms
		t.Exemplars += s.Exemplars
		if err := visit(s); err != nil {
			return t, err
		}
		i = to
	}
	return t, nil
}

// series1 reads TimeSeries{1 labels, 2 samples, 3 exemplars, 4 histograms}.
func (d *Decoder) series1(s *Series, from, to int) error {
	b := d.msg[:to]
	s.Histograms, s.Exemplars, s.labels, s.refs = 0, 0, nil, nil
	d.samples = d.samples[:0]
	labelsFrom, labelsTo, apart := -1, -1, false
	for i := from; i < to; {
		number, wire, next := field(b, i)
		if next == 0 {
			return malformed("a field of a series without a tag", i)
		}
		if number < 1 || number > 4 {
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
			switch {
			case labelsFrom < 0:
				labelsFrom = i
			case labelsTo != i:
				apart = true
			}
			labelsTo = end
		case 2:
			if err := d.sample(f, end); err != nil {
				return err
			}
		case 3:
			s.Exemplars++
		case 4:
			s.Histograms++
		}
		i = end
	}
	s.Samples = d.samples
	if labelsFrom >= 0 {
		s.labels = b[labelsFrom:labelsTo]
	}
	if apart {
		d.join(b, from, to)
		s.labels = d.joined
	}
	return nil
}

// join copies label fields that are not contiguous. The message was already validated.
func (d *Decoder) join(b []byte, from, to int) {
	d.joined = d.joined[:0]
	for i := from; i < to; {
		number, wire, next := field(b, i)
		end := skip(b, next, wire)
		if number == 1 {
			d.joined = append(d.joined, b[i:end]...)
		}
		i = end
	}
}

// sample reads Sample{1 double value, 2 int64 timestamp}, in 2.0 with {3 int64
// start_timestamp}. Both default to 0, as protobuf omits zeros.
func (d *Decoder) sample(from, to int) error {
	b := d.msg[:to]
	var x Sample
	// The usual order, without the loop's checks.
	if to-from > 10 && b[from] == 1<<3|wire64 && b[from+9] == 2<<3|wireVarint {
		if v, end := uvarint(b, from+10); end == to {
			x.Value = math.Float64frombits(binary.LittleEndian.Uint64(b[from+1:]))
			x.Ms = int64(v)
			d.samples = append(d.samples, x)
			return nil
		}
	}
	for i := from; i < to; {
		number, wire, next := field(b, i)
		if next == 0 {
			return malformed("a field of a sample without a tag", i)
		}
		switch {
		case number == 1 && wire == wire64 && to-next >= 8:
			x.Value = math.Float64frombits(binary.LittleEndian.Uint64(b[next:]))
			i = next + 8
		case number == 2 && wire == wireVarint:
			v, end := uvarint(b, next)
			if end == 0 {
				return malformed("a timestamp that does not end", next)
			}
			x.Ms, i = int64(v), end
		case number <= 2:
			return malformed("a broken field of a sample", i)
		default:
			if i = skip(b, next, wire); i == 0 {
				return malformed("a field of a sample that does not end", next)
			}
		}
	}
	d.samples = append(d.samples, x)
	return nil
}
