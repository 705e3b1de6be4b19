package minutes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"gpuledger/internal/ledger"
)

// The stored form:
//
//	version(1) · number of vectors(uvarint) · per vector, names ascending:
//	  name:   code(1) of wellKnown, or 0 · length(uvarint) · text
//	  flags:  full, sameAt, constant, second
//	  known:  8 bytes little endian, left out when full
//	  at:     uvarint when sameAt, else zigzag deltas from 0
//	  values: step(uvarint), the common divisor; then the first value and
//	          the zigzag deltas (second: deltas of deltas), divided by it;
//	          only the first value when constant
//
// Divisors matter because stored units are finer than what exporters print:
// memory comes in MiB and ratios with four digits.
const version = 1

// Bounds of a set of vectors: Encode refuses more, so that Decode need not
// allocate more for hostile bytes.
const (
	MaxVectors = 1024 // vectors in a set
	MaxName    = 256  // bytes of a name
)

const (
	flagFull     = 1 << iota // all 60 minutes known
	flagSameAt               // one offset for all minutes
	flagConstant             // one value for all minutes
	flagSecond               // values as deltas of deltas
	flagsAll     = 1<<iota - 1
)

// ErrCorrupt is wrapped by every error of Decode.
var ErrCorrupt = errors.New("corrupt minute vectors")

// Encode appends the packed form of vectors to dst. Equal maps give equal
// bytes; values of unknown minutes do not count; vectors without any known
// minute are left out. Names beyond MaxName and more than MaxVectors vectors
// are refused, so that whatever was written can be read.
func Encode[K ~string](dst []byte, vectors map[K]ledger.Minutes) ([]byte, error) {
	var room [32]K
	names := room[:0]
	for k, v := range vectors {
		if len(k) > MaxName {
			return dst, fmt.Errorf("encode minute vectors: name of %d bytes, at most %d allowed", len(k), MaxName)
		}
		if v.Known&AllKnown != 0 {
			names = append(names, k)
		}
	}
	if len(names) > MaxVectors {
		return dst, fmt.Errorf("encode minute vectors: %d vectors, at most %d allowed", len(names), MaxVectors)
	}
	slices.Sort(names)
	dst = append(dst, version)
	dst = binary.AppendUvarint(dst, uint64(len(names)))
	for _, k := range names {
		dst = appendName(dst, string(k))
		v := vectors[k]
		dst = appendVector(dst, &v)
	}
	return dst, nil
}

// Decode reads what Encode wrote.
func Decode[K ~string](b []byte) (map[K]ledger.Minutes, error) {
	r := reader{b: b}
	if v := r.byte(); r.err == nil && v != version {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrCorrupt, v, version)
	}
	n := r.uvarint()
	if r.err == nil && n > MaxVectors {
		return nil, fmt.Errorf("%w: %d vectors, at most %d allowed", ErrCorrupt, n, MaxVectors)
	}
	if r.err != nil {
		return nil, r.err
	}
	out := make(map[K]ledger.Minutes, min(n, uint64(len(b)/4+1)))
	var last string
	for i := range n {
		name := r.name()
		var m ledger.Minutes
		r.vector(&m)
		if r.err != nil {
			return nil, r.err
		}
		if i > 0 && name <= last {
			return nil, fmt.Errorf("%w: vector %q after %q", ErrCorrupt, name, last)
		}
		last = name
		out[K(name)] = m
	}
	if len(r.b) != 0 {
		return nil, fmt.Errorf("%w: %d bytes left over", ErrCorrupt, len(r.b))
	}
	return out, nil
}

// MergeEncoded returns the packed merge of two packed sets. Equal bytes and an
// empty side cost nothing.
func MergeEncoded(a, b []byte) ([]byte, error) {
	switch {
	case len(a) == 0, bytes.Equal(a, b):
		return b, nil
	case len(b) == 0:
		return a, nil
	}
	x, err := Decode[string](a)
	if err != nil {
		return nil, err
	}
	y, err := Decode[string](b)
	if err != nil {
		return nil, err
	}
	return Encode(nil, MergeMaps(x, y))
}

func zigzag(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// width is the number of bytes of u as uvarint.
func width(u uint64) int { return (bits.Len64(u|1) + 6) / 7 }

// appendUvarint is binary.AppendUvarint with its short cases inlined.
func appendUvarint(dst []byte, u uint64) []byte {
	switch {
	case u < 1<<7:
		return append(dst, byte(u))
	case u < 1<<14:
		return append(dst, byte(u)|0x80, byte(u>>7))
	case u < 1<<21:
		return append(dst, byte(u)|0x80, byte(u>>7)|0x80, byte(u>>14))
	}
	return binary.AppendUvarint(dst, u)
}
