package bills

import (
	"bytes"
	"unsafe"
)

// sightings remember which keys were seen at which addresses: parsers that
// keep every text once hand out the same strings again and again, and
// addresses compare faster than texts. What is remembered is held, so that
// nothing else gets its address; where a parser does not keep its texts that
// would only hold on to its buffers, so nothing is remembered for long.
type sightings[K scopeKey | itemKey] struct {
	slots []sighting[K]
	trust trust
}

type sighting[K scopeKey | itemKey] struct {
	key K
	id  int32
}

// sightingBits says how many keys are remembered.
const sightingBits = 14

// slot returns where the key is remembered, if it is: id is 0 otherwise. It is
// nil when nothing is to be remembered.
func (s *sightings[K]) slot(k *K) *sighting[K] {
	if s.trust.lost {
		s.slots = nil
		return nil
	}
	if s.slots == nil {
		s.slots = make([]sighting[K], 1<<sightingBits)
	}
	// Keys are strings and numbers of a word each, without gaps: equal bytes
	// are the same addresses and lengths.
	var sum, factor uint64 = 0, 0x9E3779B97F4A7C15
	for _, word := range unsafe.Slice((*uint64)(unsafe.Pointer(k)), unsafe.Sizeof(*k)/8) { //nolint:gosec // within *k
		sum += word * factor
		factor += 0x2545F4914F6CDD1E
	}
	at := &s.slots[sum*0x9E3779B97F4A7C15>>(64-sightingBits)]
	if at.id != 0 && bytes.Equal(bytesOf(&at.key), bytesOf(k)) {
		s.trust.hit()
		return at
	}
	s.trust.miss()
	at.key, at.id = *k, 0
	return at
}

func bytesOf[K any](k *K) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(k)), unsafe.Sizeof(*k)) } //nolint:gosec // within *k

// trust is lost when most of many sightings were new.
type trust struct {
	tries, hits int
	lost        bool
}

// trustAfter is how many tries are judged at once: each key of a large bill
// comes several times among so many, from each of its readers.
const trustAfter = 1 << 17

func (t *trust) hit() {
	t.hits++
	t.tries++
}

func (t *trust) miss() {
	if t.tries++; t.tries >= trustAfter {
		t.lost = 2*t.hits < t.tries
		t.tries, t.hits = 0, 0
	}
}
