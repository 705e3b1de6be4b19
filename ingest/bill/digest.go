package bill

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// multiset is a digest of rows that does not depend on their order or on how
// they are spread over files: the sum of the rows' contents modulo 2^256.
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
