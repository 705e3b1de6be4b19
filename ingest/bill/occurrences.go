package bill

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// occurrences counts how often a row's content occurred before. It needs about 10 bytes per
// row: the first 64 bits of the content and, for the rare repeated ones, a counter. It is split
// into shards that grow one by one, so that growing takes little memory. Beyond maxSeen rows,
// the contents move to a temporary file, and a filter of 10 bits per row limits lookups there.
type occurrences struct {
	rows    int64 // expected in all, as far as known
	shards  [256]shard
	n       int // in all shards
	again   map[uint64]int64
	frozen  []*frozen
	filter  filter
	touched uint64 // written only so that the lookup is not optimised away
}

// maxSeen is how many contents each delivery keeps in memory; a variable for tests.
var maxSeen = 8 << 20

// shard is a hash table with open addressing, 0 = free.
type shard struct {
	seen []uint64
	n    int
}

// next writes to numbers how often each content came before: 0 for the first
// row with this content, 1 for the second …
func (o *occurrences) next(contents []content, numbers []int64) error {
	// The tables are much larger than a processor's caches. Touching all places first lets the
	// processor fetch them in parallel.
	for i := range contents {
		key := contents[i].key()
		if s := &o.shards[key>>56]; len(s.seen) > 0 {
			o.touched ^= s.seen[s.place(key)]
		}
	}
	for i := range contents {
		var err error
		if numbers[i], err = o.number(contents[i].key()); err != nil {
			return err
		}
	}
	if o.n >= maxSeen {
		return o.freeze()
	}
	return nil
}

// key is never 0, which marks a free place.
func (c *content) key() uint64 { return binary.LittleEndian.Uint64(c[:]) | 1 }

func (o *occurrences) number(key uint64) (int64, error) {
	if o.filter.has(key) {
		for _, f := range o.frozen {
			if found, err := f.has(key); err != nil || found {
				return o.repeat(key), err
			}
		}
	}
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
			o.n++
			return 0, nil
		case key:
			return o.repeat(key), nil
		}
	}
}

func (o *occurrences) repeat(key uint64) int64 {
	if o.again == nil {
		o.again = map[uint64]int64{}
	}
	o.again[key]++
	return o.again[key]
}

// freeze moves the contents in memory to a file.
func (o *occurrences) freeze() error {
	f, err := newFrozen()
	if err != nil {
		return err
	}
	if o.filter == nil {
		o.filter = newFilter(max(o.rows, int64(2*maxSeen)))
	}
	for i := range o.shards {
		s := &o.shards[i]
		keys := slices.DeleteFunc(slices.Clone(s.seen), func(key uint64) bool { return key == 0 })
		slices.Sort(keys)
		for _, key := range keys {
			o.filter.add(key)
		}
		if err := f.write(keys); err != nil {
			return err
		}
		*s = shard{seen: s.seen}
		clear(s.seen)
	}
	o.n = 0
	o.frozen = append(o.frozen, f)
	return f.end()
}

// close frees everything.
func (o *occurrences) close() error {
	var err error
	for _, f := range o.frozen {
		if cerr := f.close(); err == nil {
			err = cerr
		}
	}
	*o = occurrences{}
	return err
}

// place is the first place to look for a key: the bits below the shard's, scaled to the size of
// the table.
func (s *shard) place(key uint64) int {
	hi, _ := bits.Mul64(key<<8, uint64(len(s.seen)))
	return int(hi)
}

// grow makes room for a share of rows and some more, or for a quarter more.
func (s *shard) grow(rows int64) {
	old := s.seen
	size := len(old) + len(old)/4
	if old == nil {
		size = int(min(rows, int64(maxSeen)) / 256 * 5 / 4)
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
