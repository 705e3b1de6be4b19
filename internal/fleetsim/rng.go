package fleetsim

import "fmt"

// rng is splitmix64: cheap, seedable per series, the same on every machine.
type rng struct{ s uint64 }

// newRNG derives a generator of its own from the seed and a path of keys, so
// that adding one series never changes another.
func newRNG(seed int64, path ...uint64) *rng {
	r := &rng{uint64(seed) ^ 0x6a09e667f3bcc909}
	for _, p := range path {
		r.s = r.next() ^ (p+1)*0x9e3779b97f4a7c15
	}
	r.next()
	return r
}

func (r *rng) next() uint64 {
	r.s += 0x9e3779b97f4a7c15
	z := r.s
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// between returns an integer in [lo, hi].
func (r *rng) between(lo, hi int64) int64 {
	if hi <= lo {
		return lo
	}
	return lo + int64(r.next()%uint64(hi-lo+1))
}

// chance is true in pct of 100 cases.
func (r *rng) chance(pct int64) bool { return r.between(0, 99) < pct }

// uuid returns a version 4 UUID.
func (r *rng) uuid() string {
	a, b := r.next(), r.next()
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(a>>32), uint16(a>>16), uint16(a)&0xfff, 0x8000|uint16(b>>48)&0x3fff, b&0xffffffffffff)
}

// word returns n lower-case letters and digits as Kubernetes appends to names.
func (r *rng) word(n int) string {
	const set = "bcdfghjklmnpqrstvwxz2456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = set[r.next()%uint64(len(set))]
	}
	return string(b)
}

func pick[T any](r *rng, of []T) T { return of[r.next()%uint64(len(of))] }
