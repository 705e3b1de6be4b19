package bills

import (
	"bytes"
	"unsafe"
)

// sightings remember keys by the addresses of their strings. Parsers that intern texts return the same strings
// repeatedly, and comparing addresses is faster than comparing texts. Remembered keys stay referenced, so no other
// string gets their addresses. If a parser does not intern texts, this would only keep its buffers alive, so trust is
// soon lost and nothing is remembered.
type sightings[K scopeKey | itemKey] struct {
	slots []sighting[K]
	trust trust
}

type sighting[K scopeKey | itemKey] struct {
	key K
	id  int32
}

// 1<<sightingBits is the number of remembered keys.
const sightingBits = 14

// slot returns the slot of a key; its id is 0 if the key is not remembered. It returns nil after trust is lost.
func (s *sightings[K]) slot(k *K) *sighting[K] {
	if s.trust.lost {
		s.slots = nil
		return nil
	}
	if s.slots == nil {
		s.slots = make([]sighting[K], 1<<sightingBits)
	}
	// Keys are strings and word-sized numbers without gaps, so equal bytes mean equal addresses and lengths.
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

func bytesOf[K any](k *K) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(k)), unsafe.Sizeof(*k)) //nolint:gosec // within *k
}

// trust is lost if most of many sightings were new.
type trust struct {
	tries, hits int
	lost        bool
}

// trustAfter is how many tries are judged together. In a large bill, each key comes several times in so many tries,
// from each of its readers.
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
