package remotewrite

import (
	"encoding/binary"
	"math"

	"github.com/klauspost/compress/s2"

	"gpuledger/ingest/series"
)

// Encoder builds one message after another. It is not safe for concurrent use.
// The zero value is not ready: see NewEncoder.
type Encoder struct {
	version Version
	msg     []byte // series so far
	packed  []byte
	body    []byte

	symbols map[string]uint32 // 2.0
	order   []string
	refs    []byte
}

// NewEncoder makes an encoder of a version's messages.
func NewEncoder(v Version) *Encoder {
	e := &Encoder{version: v}
	e.Reset()
	return e
}

// Reset begins a new message.
func (e *Encoder) Reset() {
	e.msg = e.msg[:0]
	if e.version == V2 {
		if e.symbols == nil {
			e.symbols = map[string]uint32{}
		}
		clear(e.symbols)
		e.symbols[""] = 0
		e.order = append(e.order[:0], "")
	}
}

// Series adds a series. Labels must be sorted by name, with unique names other than empty and
// __name__; labels without a value are left out.
func (e *Encoder) Series(name string, ls series.Labels, samples ...Sample) {
	if e.version == V2 {
		e.series2(name, ls, samples)
		return
	}
	e.Raw(AppendLabels(nil, name, ls), samples...)
}

// AppendLabels writes the label fields of a 1.0 series, for Raw.
func AppendLabels(dst []byte, name string, ls series.Labels) []byte {
	named := false
	for _, l := range ls {
		if !named && l.Name > metricName {
			dst, named = appendLabel(dst, metricName, name), true
		}
		if l.Value != "" {
			dst = appendLabel(dst, l.Name, l.Value)
		}
	}
	if !named {
		dst = appendLabel(dst, metricName, name)
	}
	return dst
}

func appendLabel(dst []byte, k, v string) []byte {
	n := 1 + size(uint64(len(k))) + len(k) + 1 + size(uint64(len(v))) + len(v)
	dst = append(dst, 1<<3|wireBytes)
	dst = binary.AppendUvarint(dst, uint64(n))
	dst = append(dst, 1<<3|wireBytes)
	dst = binary.AppendUvarint(dst, uint64(len(k)))
	dst = append(dst, k...)
	dst = append(dst, 2<<3|wireBytes)
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	return append(dst, v...)
}

// Raw adds a series to a 1.0 message, with labels written by AppendLabels.
func (e *Encoder) Raw(labels []byte, samples ...Sample) {
	n := len(labels)
	for _, s := range samples {
		n += 2 + sampleSize(s)
	}
	e.msg = append(e.msg, 1<<3|wireBytes)
	e.msg = binary.AppendUvarint(e.msg, uint64(n))
	e.msg = append(e.msg, labels...)
	e.addSamples(samples)
}

func sampleSize(s Sample) int { return 9 + 1 + size(uint64(s.Ms)) }

func (e *Encoder) addSamples(samples []Sample) {
	for _, s := range samples {
		e.msg = append(e.msg, 2<<3|wireBytes, byte(sampleSize(s)), 1<<3|wire64)
		e.msg = binary.LittleEndian.AppendUint64(e.msg, math.Float64bits(s.Value))
		e.msg = append(e.msg, 2<<3|wireVarint)
		e.msg = binary.AppendUvarint(e.msg, uint64(s.Ms))
	}
}

func (e *Encoder) series2(name string, ls series.Labels, samples []Sample) {
	e.refs = e.refs[:0]
	named := false
	for _, l := range ls {
		if !named && l.Name > metricName {
			e.ref(metricName, name)
			named = true
		}
		if l.Value != "" {
			e.ref(l.Name, l.Value)
		}
	}
	if !named {
		e.ref(metricName, name)
	}
	n := 1 + size(uint64(len(e.refs))) + len(e.refs)
	for _, s := range samples {
		n += 2 + sampleSize(s)
	}
	e.msg = append(e.msg, 5<<3|wireBytes)
	e.msg = binary.AppendUvarint(e.msg, uint64(n))
	e.msg = append(e.msg, 1<<3|wireBytes)
	e.msg = binary.AppendUvarint(e.msg, uint64(len(e.refs)))
	e.msg = append(e.msg, e.refs...)
	e.addSamples(samples)
}

func (e *Encoder) ref(texts ...string) {
	for _, t := range texts {
		n, ok := e.symbols[t]
		if !ok {
			n = uint32(len(e.order))
			e.symbols[t] = n
			e.order = append(e.order, t)
		}
		e.refs = binary.AppendUvarint(e.refs, uint64(n))
	}
}

// Body returns the packed message. It is valid until the next call of Body.
func (e *Encoder) Body() []byte {
	msg := e.Message()
	if need := s2.MaxEncodedLen(len(msg)); cap(e.packed) < need {
		e.packed = make([]byte, need)
	}
	return s2.EncodeSnappy(e.packed[:cap(e.packed)], msg)
}

// Message returns the message before packing.
func (e *Encoder) Message() []byte {
	if e.version != V2 {
		return e.msg
	}
	e.body = e.body[:0]
	for _, t := range e.order {
		e.body = append(e.body, 4<<3|wireBytes)
		e.body = binary.AppendUvarint(e.body, uint64(len(t)))
		e.body = append(e.body, t...)
	}
	e.body = append(e.body, e.msg...)
	return e.body
}
