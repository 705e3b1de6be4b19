package table

import (
	"fmt"
	"hash/maphash"
	"slices"
)

// mapChunk reads a map column in one row group. Bills have few different maps, so each is built
// once: keys and values are numbered words, and a map is a sequence of their numbers.
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

// next continues with the next row group.
func (m *mapChunk) next(keys, items *chunk) {
	m.keys, m.values = entryReader{chunk: keys, known: m.known, entryDef: m.entryDef},
		entryReader{chunk: items, known: m.known}
}

// Bounds of a map column's cache; beyond them it starts from scratch.
const (
	maxSets      = 1 << 15
	maxWordBytes = 8 << 20
)

var errEntries = fmt.Errorf("a map has more than %d entries", maxEntries)

func newMapChunk(keys, items *chunk, entryDef int32, w *Want) *mapChunk {
	m := &mapChunk{
		keys: entryReader{chunk: keys, entryDef: entryDef}, values: entryReader{chunk: items}, entryDef: entryDef, want: w,
	}
	m.begin()
	return m
}

func (m *mapChunk) begin() {
	m.known, m.sets, m.all = newWordTable(), newSetTable(), values{stored: storedPairs}
	m.facets = &facets{values: values{stored: storedPairs}, want: m.want, lasting: &words{}}
	m.keys.use(m.known)
	m.values.use(m.known)
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

// fill reads the maps of rows and writes their numbers, -1 for none. A row ends where the next
// one begins.
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
		n := min(len(m.keys.word)-m.keys.at, len(m.values.word)-m.values.at)
		reps := m.keys.rep[m.keys.at:][:n]
		keys, values := m.keys.word[m.keys.at:][:n], m.values.word[m.values.at:][:n]
		taken := n
		for i, rep := range reps {
			if !started && rep != 0 {
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
			if keys[i] != noEntry && values[i] >= 0 {
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

// set is the number of the current map.
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

// word is the text of a key or value of a map.
func (v *values) word(k int) string {
	if v.stored == storedText {
		return v.text[k]
	}
	return v.rawOf(k)
}

// entryReader reads a leaf below a map entry by entry; texts become numbers of a word table.
type entryReader struct {
	*chunk
	// entryDef is the level from which on there is an entry. It belongs to the reader of keys,
	// which finds where rows begin and whether a map is empty.
	entryDef int32
	known    *wordTable
	of       []int32 // per word of the chunk's dictionary, its number
	rep      []int32 // of keys
	word     []int32 // read ahead
	at       int     // the next of them
	local    values
}

// Placeholders for a missing word.
const (
	noWord  = -1
	noEntry = -2
)

// use makes all further numbers those of a table. Entries read ahead are numbered again.
func (e *entryReader) use(t *wordTable) {
	old := e.known
	e.known, e.of = t, nil
	for i := e.at; i < len(e.word); i++ {
		if w := e.word[i]; w >= 0 {
			e.word[i] = t.number(old.text(w))
		}
	}
}

// ready makes sure that the entry at at is read; more is false after the last.
func (e *entryReader) ready() (more bool, err error) {
	if e.at < len(e.word) {
		return true, nil
	}
	more, err = e.nextPage()
	if !more || err != nil {
		return false, err
	}
	n := min(e.left, batchRows)
	e.at, e.word = 0, grow(e.word, n)
	if e.entryDef > 0 {
		e.rep = grow(e.rep, n)
		if err := e.chunk.rep.fill(e.rep); err != nil {
			return false, err
		}
	}
	same, level, err := e.def.run(n)
	if err != nil {
		return false, err
	}
	e.local = values{stored: e.stored, unit: e.unit, text: e.local.text[:0], f64: e.local.f64[:0], i64: e.local.i64[:0]}
	e.left -= n
	if same == n && level == e.maxDef {
		if err := e.numbers(e.word, &e.local); err != nil {
			return false, err
		}
		e.name(e.word)
		return true, nil
	}
	return true, e.gaps(same, level)
}

// gaps reads entries of which some are missing; the level of the first ones is known.
func (e *entryReader) gaps(same int, level int32) error {
	e.levels = grow(e.levels, len(e.word))
	for i := range same {
		e.levels[i] = level
	}
	if err := e.def.fill(e.levels[same:]); err != nil {
		return err
	}
	present := 0
	for _, d := range e.levels {
		if d == e.maxDef {
			present++
		}
	}
	e.ids = grow(e.ids, present)
	if err := e.numbers(e.ids, &e.local); err != nil {
		return err
	}
	e.name(e.ids)
	next := 0
	for i, d := range e.levels {
		switch {
		case d == e.maxDef:
			e.word[i] = e.ids[next]
			next++
		case d < e.entryDef:
			e.word[i] = noEntry
		default:
			e.word[i] = noWord
		}
	}
	return nil
}

// name maps numbers of the dictionary or of local texts to those of the word table.
func (e *entryReader) name(ids []int32) {
	if !e.coded {
		for i, k := range ids {
			ids[i] = e.known.number(e.local.word(int(k)))
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
			w = e.known.number(e.dictionary.word(int(k)))
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
	s = string([]byte(s)) // does not retain its page
	k := int32(len(t.texts))
	t.numbers[s] = k
	t.texts = append(t.texts, s)
	t.bytes += len(s) + 32
	return k
}

// setTable numbers sequences of words.
type setTable struct {
	slots  []uint64 // upper half of the hash, and number + 1; 0 = free; a power of two
	hashes []uint64
	ends   []int32 // of the sequence in all
	all    []int32
	seed   uint64
}

func newSetTable() setTable {
	return setTable{slots: make([]uint64, 256), seed: maphash.Bytes(maphash.MakeSeed(), nil)}
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
		if s := t.slots[at]; s>>32 == h>>32 {
			if k := int32(uint32(s)) - 1; slices.Equal(t.sequence(k), sequence) {
				return k, false
			}
		}
	}
	k = int32(len(t.hashes))
	t.slots[at] = h>>32<<32 | uint64(k+1)
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
	t.slots = make([]uint64, 2*len(t.slots))
	mask := uint64(len(t.slots) - 1)
	for k, h := range t.hashes {
		at := h >> 7 & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = h>>32<<32 | uint64(k+1)
	}
}
