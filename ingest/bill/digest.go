package bill

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// multiset is a digest of rows that does not depend on their order or on how
// they are spread over files: the sum of the SHA-256 of the rows' hashes modulo 2^256.
type multiset struct {
	limbs [4]uint64
	rows  int64
}

func (m *multiset) add(h *content) {
	var carry uint64
	for i := range m.limbs {
		m.limbs[i], carry = bits.Add64(m.limbs[i], binary.LittleEndian.Uint64(h[8*i:]), carry)
	}
	m.rows++
}

// digest closes the sum together with the number of rows.
func (m *multiset) digest() [32]byte {
	out := []byte("gpuledger delivery 2\n")
	out = binary.LittleEndian.AppendUint64(out, uint64(m.rows))
	for _, l := range m.limbs {
		out = binary.LittleEndian.AppendUint64(out, l)
	}
	return sha256.Sum256(out)
}

// occurrences counts how often a row's content came before. It needs 16 bytes
// per row: the first 64 bits of the content's hash and, for the rare repeated
// ones, a counter.
type occurrences struct {
	seen  []uint64 // open addressing, 0 = free
	n     int
	again map[uint64]int64
}

// next returns 0 for the first row with this content, 1 for the second …
func (o *occurrences) next(h *content) int64 {
	key := binary.LittleEndian.Uint64(h[:]) | 1 // 0 marks a free place
	if 2*o.n >= len(o.seen) {
		o.grow()
	}
	mask := uint64(len(o.seen) - 1)
	for i := (key >> 1) & mask; ; i = (i + 1) & mask {
		switch o.seen[i] {
		case 0:
			o.seen[i] = key
			o.n++
			return 0
		case key:
			if o.again == nil {
				o.again = map[uint64]int64{}
			}
			o.again[key]++
			return o.again[key]
		}
	}
}

func (o *occurrences) grow() {
	old := o.seen
	o.seen = make([]uint64, max(1024, 2*len(old)))
	mask := uint64(len(o.seen) - 1)
	for _, key := range old {
		if key == 0 {
			continue
		}
		i := (key >> 1) & mask
		for o.seen[i] != 0 {
			i = (i + 1) & mask
		}
		o.seen[i] = key
	}
}
