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

// occurrences counts how often a row's content came before. It needs some 10
// bytes per row: the first 64 bits of the content and, for the rare repeated
// ones, a counter. It is cut into shards that grow one by one, so that growing
// takes no memory of note.
type occurrences struct {
	rows    int64 // how many there will be, as far as anybody knows
	shards  [256]shard
	again   map[uint64]int64
	touched uint64 // of no use but to have looked
}

// maxForeseen bounds the rows that room is made for before they are there.
const maxForeseen = 64 << 20

// shard is a hash table with open addressing, 0 = free.
type shard struct {
	seen []uint64
	n    int
}

// next writes to numbers how often each content came before: 0 for the first
// row with this content, 1 for the second …
func (o *occurrences) next(contents []content, numbers []int64) {
	// The tables are much larger than a processor's caches. To look at all
	// places first lets the processor fetch them side by side.
	for i := range contents {
		key := contents[i].key()
		if s := &o.shards[key>>56]; len(s.seen) > 0 {
			o.touched ^= s.seen[s.place(key)]
		}
	}
	for i := range contents {
		numbers[i] = o.number(contents[i].key())
	}
}

// key is never 0, which marks a free place.
func (c *content) key() uint64 { return binary.LittleEndian.Uint64(c[:]) | 1 }

func (o *occurrences) number(key uint64) int64 {
	s := &o.shards[key>>56]
	if 8*s.n >= 7*len(s.seen) {
		s.grow(o.rows)
	}
	for i := s.place(key); ; i++ {
		if i == len(s.seen) {
			i = 0
		}
		switch s.seen[i] {
		case 0:
			s.seen[i] = key
			s.n++
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

// place is where to look for a key first: the bits below those of the shard,
// scaled to the size of the table.
func (s *shard) place(key uint64) int {
	hi, _ := bits.Mul64(key<<8, uint64(len(s.seen)))
	return int(hi)
}

// grow makes room for a share of rows and some more, or for a quarter more.
func (s *shard) grow(rows int64) {
	old := s.seen
	size := len(old) + len(old)/4
	if old == nil {
		size = int(min(rows, maxForeseen) / 256 * 5 / 4)
	}
	s.seen = make([]uint64, max(64, size))
	for _, key := range old {
		if key == 0 {
			continue
		}
		i := s.place(key)
		for s.seen[i] != 0 {
			if i++; i == len(s.seen) {
				i = 0
			}
		}
		s.seen[i] = key
	}
}
