package world

import "fmt"

// RNG is splitmix64: cheap, seedable per series, the same on every machine.
type RNG struct{ S uint64 }

// NewRNG derives a separate generator from the seed and a path of keys, so that adding one series never changes
// another.
func NewRNG(seed int64, path ...uint64) *RNG {
	r := &RNG{uint64(seed) ^ 0x6a09e667f3bcc909}
	for _, p := range path {
		r.S = r.Next() ^ (p+1)*0x9e3779b97f4a7c15
	}
	r.Next()
	return r
}

// Next is the next number of the stream.
func (r *RNG) Next() uint64 {
	r.S += 0x9e3779b97f4a7c15
	z := r.S
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Between returns an integer in [lo, hi].
func (r *RNG) Between(lo, hi int64) int64 {
	if hi <= lo {
		return lo
	}
	return lo + int64(r.Next()%uint64(hi-lo+1))
}

// Chance is true in pct of 100 cases.
func (r *RNG) Chance(pct int64) bool { return r.Between(0, 99) < pct }

// UUID returns a version 4 UUID.
func (r *RNG) UUID() string {
	a, b := r.Next(), r.Next()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a>>32), uint16(a>>16), uint16(a)&0xfff,
		0x8000|uint16(b>>48)&0x3fff, b&0xffffffffffff)
}

// Word returns n lower-case letters and digits as Kubernetes appends to names.
func (r *RNG) Word(n int) string {
	const set = "bcdfghjklmnpqrstvwxz2456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.Next()%uint64(len(set))]
	}
	return string(b)
}

// Pick is one of the values.
func Pick[T any](r *RNG, of []T) T { return of[r.Next()%uint64(len(of))] }
