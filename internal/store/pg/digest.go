package pg

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest identifies a set of stored rows regardless of their order: it is the sum of the rows' hashes. Hashes cover the
// fields as binary COPY writes them, so stored rows can be checked without decoding.
type Digest struct {
	sum  [4]uint64
	Rows uint64
}

// Add adds the bytes of one tuple's fields and returns the first word of their hash.
func (d *Digest) Add(fields []byte) uint64 {
	h := sha256.Sum256(fields)
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(h[8*i:])
	}
	d.Rows++
	return binary.BigEndian.Uint64(h[:])
}

// AddTo adds a tuple to the digest of its key.
func AddTo[K comparable](digests map[K]*Digest, k K, fields []byte) {
	if digests[k] == nil {
		digests[k] = &Digest{}
	}
	digests[k].Add(fields)
}

// Value is the digest of all rows added.
func (d *Digest) Value() []byte {
	var b [40]byte
	for i, v := range d.sum {
		binary.BigEndian.PutUint64(b[8*i:], v)
	}
	binary.BigEndian.PutUint64(b[32:], d.Rows)
	h := sha256.Sum256(b[:])
	return h[:]
}
