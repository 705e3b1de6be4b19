package table

import (
	"fmt"
	"hash/maphash"
	"slices"
)

// mapChunk reads a map column in one row group. Rows of a bill have few
// different maps, so each is made once: keys and values are numbered words,
// and a map is a sequence of their numbers.
type mapChunk struct {
	keys, values entryReader
	entryDef     int32 // definition level from which on there is an entry
	known        *wordTable
	sets         setTable
	all          values
	facets       *facets
	want         *Want
	sequence     []int32
}

// Bounds of what a map column remembers; then it begins anew.
const (
	maxSets      = 1 << 15
	maxWordBytes = 8 << 20
)

var errEntries = fmt.Errorf("a map has more than %d entries", maxEntries)

func newMapChunk(keys, items *chunk, entryDef int32, w *Want) *mapChunk {
	m := &mapChunk{keys: entryReader{chunk: keys}, values: entryReader{chunk: items}, entryDef: entryDef, want: w}
	m.begin()
	return m
}

func (m *mapChunk) begin() {
	m.known, m.sets, m.all = newWordTable(), newSetTable(), values{stored: storedPairs}
	m.facets = &facets{values: values{stored: storedPairs}, want: m.want, lasting: &words{}}
	m.keys.use(m.known)
	m.values.use(m.known)
}

func (m *mapChunk) close() error {
	err := m.keys.close()
	if verr := m.values.close(); err == nil {
		err = verr
	}
	return err
}

// rows reads the next rows into col.
func (m *mapChunk) rows(col *column, rows int) error {
	if len(m.all.sets) >= maxSets || m.known.bytes >= maxWordBytes {
		m.begin()
	}
	col.index = col.room(rows)
	if err := m.fill(col.index); err != nil {
		return err
	}
	for _, k := range col.index {
		if k >= 0 {
			m.facets = m.facets.with(&m.all)
			col.f = m.facets
			return nil
		}
	}
	col.null()
	return nil
}

// fill reads the maps of rows and writes down their numbers, -1 for none. A row
// ends where the next one begins.
func (m *mapChunk) fill(index []int32) error {
	m.sequence = m.sequence[:0]
	started, row := false, 0
	for row < len(index) {
		more, err := m.keys.ready()
		if err != nil {
			return err
		}
		other, err := m.values.ready()
		switch {
		case err != nil:
			return err
		case more != other:
			return errLevels
		case !more && (!started || row < len(index)-1):
			return errPages
		case !more:
			index[row] = m.set()
			return nil
		}
		n := min(len(m.keys.rep)-m.keys.at, len(m.values.rep)-m.values.at)
		reps, others := m.keys.rep[m.keys.at:][:n], m.values.rep[m.values.at:][:n]
		defs := m.keys.def[m.keys.at:][:n]
		keys, values := m.keys.word[m.keys.at:][:n], m.values.word[m.values.at:][:n]
		taken := n
		for i, rep := range reps {
			if rep != others[i] || !started && rep != 0 {
				return errLevels
			}
			if rep == 0 {
				if started {
					index[row] = m.set()
					m.sequence = m.sequence[:0]
					if row++; row == len(index) {
						taken = i
						break
					}
				}
				started = true
			}
			if defs[i] >= m.entryDef && values[i] >= 0 {
				m.sequence = append(m.sequence, keys[i], values[i])
			}
		}
		if len(m.sequence) > 2*maxEntries {
			return errEntries
		}
		m.keys.at += taken
		m.values.at += taken
	}
	return nil
}

// set is the number of the map in hand.
func (m *mapChunk) set() int32 {
	if len(m.sequence) == 0 {
		return -1
	}
	k, fresh := m.sets.number(m.sequence)
	if fresh {
		pairs := make([]Pair, 0, len(m.sequence)/2)
		for i := 0; i < len(m.sequence); i += 2 {
			pairs = append(pairs, Pair{m.known.text(m.sequence[i]), m.known.text(m.sequence[i+1])})
		}
		sortPairs(pairs)
		m.all.sets = append(m.all.sets, pairs)
	}
	return k
}

// entryReader reads a leaf below a map entry by entry, its texts as numbers of
// a word table.
type entryReader struct {
	*chunk
	known *wordTable
	of    []int32 // per word of the chunk's dictionary its number
	rep   []int32
	def   []int32
	word  []int32 // -1 = null
	at    int
	local values
}

// use makes all further numbers those of a table. What is read ahead is
// numbered anew.
func (e *entryReader) use(t *wordTable) {
	old := e.known
	e.known, e.of = t, nil
	for i := e.at; i < len(e.word); i++ {
		if w := e.word[i]; w >= 0 {
			e.word[i] = t.number(old.text(w))
		}
	}
}

// ready makes sure that the entry at is read; more is false after the last.
func (e *entryReader) ready() (more bool, err error) {
	if e.at < len(e.rep) {
		return true, nil
	}
	more, err = e.nextPage()
	if !more || err != nil {
		return false, err
	}
	n := min(e.left, batchRows)
	e.rep, e.def, e.word, e.at = grow(e.rep, n), grow(e.def, n), grow(e.word, n), 0
	if err := e.chunk.rep.fill(e.rep); err != nil {
		return false, err
	}
	if err := e.chunk.def.fill(e.def); err != nil {
		return false, err
	}
	present := 0
	for _, d := range e.def {
		if d == e.maxDef {
			present++
		}
	}
	e.ids = grow(e.ids, present)
	e.local = values{stored: storedText, text: e.local.text[:0]}
	if err := e.numbers(e.ids, &e.local); err != nil {
		return false, err
	}
	e.left -= n
	e.name(e.ids)
	if present == n {
		e.word, e.ids = e.ids, e.word
		return true, nil
	}
	next := 0
	for i, d := range e.def {
		e.word[i] = -1
		if d == e.maxDef {
			e.word[i] = e.ids[next]
			next++
		}
	}
	return true, nil
}

// name turns numbers of the dictionary or of local texts into those of the
// word table.
func (e *entryReader) name(ids []int32) {
	if !e.coded {
		for i, k := range ids {
			ids[i] = e.known.number(e.local.text[k])
		}
		return
	}
	if len(e.of) != e.dictionary.len() {
		e.of = make([]int32, e.dictionary.len())
		for i := range e.of {
			e.of[i] = -1
		}
	}
	of := e.of
	for i, k := range ids {
		w := of[k]
		if w < 0 {
			w = e.known.number(e.dictionary.text[k])
			of[k] = w
		}
		ids[i] = w
	}
}

// wordTable numbers words.
type wordTable struct {
	numbers map[string]int32
	texts   []string
	bytes   int
}

func newWordTable() *wordTable { return &wordTable{numbers: map[string]int32{}} }

func (t *wordTable) text(k int32) string { return t.texts[k] }

func (t *wordTable) number(s string) int32 {
	if k, ok := t.numbers[s]; ok {
		return k
	}
	s = string([]byte(s)) // does not keep its page
	k := int32(len(t.texts))
	t.numbers[s] = k
	t.texts = append(t.texts, s)
	t.bytes += len(s) + 32
	return k
}

// setTable numbers sequences of words.
type setTable struct {
	slots  []int32 // number + 1, 0 = free; a power of two
	hashes []uint64
	ends   []int32 // of the sequence in all
	all    []int32
	seed   uint64
}

func newSetTable() setTable {
	return setTable{slots: make([]int32, 256), seed: maphash.Bytes(maphash.MakeSeed(), nil)}
}

// number returns the number of a sequence, and whether it is a new one.
func (t *setTable) number(sequence []int32) (k int32, fresh bool) {
	h := t.seed
	for i := 0; i < len(sequence); i += 2 {
		h = (h ^ uint64(uint32(sequence[i]))<<32 ^ uint64(uint32(sequence[i+1]))) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	mask := uint64(len(t.slots) - 1)
	at := h >> 7 & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if k := t.slots[at] - 1; t.hashes[k] == h && slices.Equal(t.sequence(k), sequence) {
			return k, false
		}
	}
	k = int32(len(t.hashes))
	t.slots[at] = k + 1
	t.hashes = append(t.hashes, h)
	t.all = append(t.all, sequence...)
	t.ends = append(t.ends, int32(len(t.all)))
	if 2*len(t.hashes) > len(t.slots) {
		t.double()
	}
	return k, true
}

func (t *setTable) sequence(k int32) []int32 {
	from := int32(0)
	if k > 0 {
		from = t.ends[k-1]
	}
	return t.all[from:t.ends[k]]
}

func (t *setTable) double() {
	t.slots = make([]int32, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k, h := range t.hashes {
		at := h >> 7 & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = int32(k) + 1
	}
}
