package minutes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// The stored form, version 2 (version 1, which is only read, is in old.go):
//
//	version(1)
//	number of timings(uvarint) · per timing, in order of first use:
//	  flags:  full, sameAt
//	  known:  8 bytes little endian, left out when full
//	  at:     uvarint when sameAt, else smallest(uvarint) · width(1) · packed
//	number of vectors(uvarint) · per vector, names ascending:
//	  name:   code(1) of wellKnown, or 0 · length(uvarint) · text
//	  timing: uvarint, left out when there is only one
//	  form:   see vector.go
//
// The signals of one scrape share their timing, so it is stored once. Values are packed bit by bit: exporters' values
// are mostly noise, which does not compress beyond its bit width.
const version = 2

// Bounds of a set of vectors: Encode refuses more, so that Decode need not
// allocate more for hostile bytes.
const (
	MaxVectors = 1024 // vectors in a set
	MaxName    = 256  // bytes of a name
)

// ErrCorrupt is wrapped by every error of Decode.
var ErrCorrupt = errors.New("corrupt minute vectors")

// timing is which minutes are known and when in them their samples were taken.
type timing struct {
	known uint64
	at    [60]uint16
}

// timingOf clears the offsets of unknown minutes.
func timingOf(m *ledger.Minutes, t *timing) {
	t.known = m.Known & AllKnown
	if t.known == AllKnown {
		t.at = m.At
		return
	}
	t.at = [60]uint16{}
	for i := range indices(t.known) {
		t.at[i] = m.At[i]
	}
}

// Encode appends the packed form of vectors to dst. Equal maps give equal bytes; values of unknown minutes do not
// count; vectors without any known minute are left out. Names beyond MaxName and more than MaxVectors vectors are
// refused, so that every output can be decoded.
func Encode[K ~string](dst []byte, vectors map[K]ledger.Minutes) ([]byte, error) {
	var room [40]named
	set := room[:0]
	for k, v := range vectors {
		if v.Known&AllKnown != 0 {
			set = append(set, named{name: string(k)})
		}
	}
	slices.SortFunc(set, func(a, b named) int { return strings.Compare(a.name, b.name) })
	for i := range set {
		set[i].m = vectors[K(set[i].name)]
	}
	return encode(dst, set)
}

// encode packs vectors that are in order of their names, each with a known
// minute.
func encode(dst []byte, set []named) ([]byte, error) {
	if len(set) > MaxVectors {
		return dst, fmt.Errorf("encode minute vectors: %d vectors, at most %d allowed", len(set), MaxVectors)
	}
	var few [4]timing
	timings := few[:0]
	var fewUsed [40]int
	used := fewUsed[:0]
	for i := range set {
		if n := len(set[i].name); n > MaxName {
			return dst, fmt.Errorf("encode minute vectors: name of %d bytes, at most %d allowed", n, MaxName)
		}
		timings = append(timings, timing{})
		fresh := len(timings) - 1
		timingOf(&set[i].m, &timings[fresh])
		at := slices.Index(timings, timings[fresh])
		if at < fresh {
			timings = timings[:fresh]
		}
		used = append(used, at)
	}
	dst = append(dst, version)
	dst = appendUvarint(dst, uint64(len(timings)))
	for i := range timings {
		dst = appendTiming(dst, &timings[i])
	}
	dst = appendUvarint(dst, uint64(len(set)))
	var e encoder
	for i := range set {
		dst = appendName(dst, set[i].name)
		if len(timings) > 1 {
			dst = appendUvarint(dst, uint64(used[i]))
		}
		dst = e.append(dst, &set[i].m, timings[used[i]].known, i > 0 && used[i] == used[i-1])
	}
	return dst, nil
}

// Decode reads the output of Encode, of this version and of earlier ones.
func Decode[K ~string](b []byte) (map[K]ledger.Minutes, error) {
	return decode[K](b, nil)
}

// Select is Decode for some vectors: only those that want accepts are unpacked; nil accepts all.
func Select[K ~string](b []byte, want func(name K) bool) (map[K]ledger.Minutes, error) {
	return decode(b, want)
}

// Each calls f for every vector of a packed set, in order of their names. The
// minutes are f's until it returns.
func Each(b []byte, f func(name string, m *ledger.Minutes)) error {
	return walk(b, func(int) {}, func(string) bool { return true }, f)
}

func decode[K ~string](b []byte, want func(K) bool) (map[K]ledger.Minutes, error) {
	var out map[K]ledger.Minutes
	err := walk(b, func(n int) { out = make(map[K]ledger.Minutes, n) },
		func(name string) bool { return want == nil || want(K(name)) },
		func(name string, m *ledger.Minutes) { out[K(name)] = *m })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// walk reads a packed set: size gets an upper bound on the number of vectors, then yield gets those that want accepts,
// in order of their names.
func walk(b []byte, size func(int), want func(string) bool, yield func(string, *ledger.Minutes)) error {
	r := reader{b: b}
	switch v := r.byte(); {
	case r.err != nil:
		return r.err
	case v == oldVersion:
		return walkOld(&r, size, want, yield)
	case v != version:
		return fmt.Errorf("%w: version %d, this program reads %d and %d", ErrCorrupt, v, oldVersion, version)
	}
	var few [4]timing
	n := r.count("timings", 2)
	timings := few[:0]
	for range n {
		timings = append(timings, timing{})
		r.timing(&timings[len(timings)-1])
	}
	n = r.count("vectors", 3)
	if r.err != nil {
		return r.err
	}
	size(n)
	var last string
	d := decoder{}
	for i := range n {
		name := r.name()
		if i > 0 && name <= last && r.err == nil {
			return fmt.Errorf("%w: vector %q after %q", ErrCorrupt, name, last)
		}
		last = name
		at := uint64(0)
		if len(timings) != 1 {
			at = r.uvarint()
		}
		if at >= uint64(len(timings)) {
			r.fail("no such timing")
		}
		if r.err != nil {
			return r.err
		}
		keep := want(name)
		d.next(&r, &timings[at], keep)
		if r.err != nil {
			return r.err
		}
		if keep {
			yield(name, &d.m)
		}
	}
	if len(r.b) != 0 {
		return fmt.Errorf("%w: %d bytes left over", ErrCorrupt, len(r.b))
	}
	return nil
}

// MergeEncoded returns the packed merge of two packed sets. Equal bytes and an empty side cost nothing. Of more than
// MaxVectors vectors those with the smallest names stay, whatever the order of merges: a sender of ever new names fills
// only its own sets and stops nothing else.
func MergeEncoded(a, b []byte) ([]byte, error) {
	switch {
	case len(a) == 0, bytes.Equal(a, b):
		return b, nil
	case len(b) == 0:
		return a, nil
	}
	var x, y []named
	if err := unpack(a, &x); err != nil {
		return nil, err
	}
	if err := unpack(b, &y); err != nil {
		return nil, err
	}
	set := mergeSets(x, y)
	return encode(nil, set[:min(len(set), MaxVectors)])
}

// unpack reads all vectors of a set.
func unpack(b []byte, set *[]named) error {
	return walk(b, func(n int) { *set = make([]named, 0, n) }, func(string) bool { return true },
		func(name string, m *ledger.Minutes) { *set = append(*set, named{name, *m}) })
}

// mergeSets merges two sets in order of names; a may be changed.
func mergeSets(a, b []named) []named {
	out := make([]named, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].name < b[0].name:
			out, a = append(out, a[0]), a[1:]
		case a[0].name > b[0].name:
			out, b = append(out, b[0]), b[1:]
		default:
			Merge(&a[0].m, &b[0].m)
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// named is a vector with its name.
type named struct {
	name string
	m    ledger.Minutes
}

func zigzag(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

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
