package bill

import (
	"strings"
	"sync"
	"time"

	"gpuledger/ingest/table"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Words keeps one copy of repeated words, so that a charge does not retain the text of its
// whole row or batch. The zero value is ready. One goroutine uses it.
type Words struct {
	known map[string]string
	lists []wordList // by position
}

// wordList caches the list of values that a column refers to.
type wordList struct {
	list table.WordList
	kept []string // by number; empty: not yet requested
}

const wordsSize = 1 << 16

// Intern returns the kept copy of s.
func (w *Words) Intern(s string) string {
	if s == "" {
		return ""
	}
	if k, ok := w.known[s]; ok {
		return k
	}
	if w.known == nil || len(w.known) >= wordsSize {
		w.known = make(map[string]string, 1024)
	}
	k := strings.Clone(s)
	w.known[k] = k
	return k
}

// Of is the kept copy of a cell's text, "" if it is null. All rows must be of one table.
func (w *Words) Of(r table.Row, pos int) string {
	p, prepared := r.(table.Prepared)
	if !prepared {
		return w.Intern(r.Raw(pos))
	}
	list, k := p.Word(pos)
	if k < 0 {
		return ""
	}
	if list == nil { // values hardly repeat
		return strings.Clone(r.Raw(pos))
	}
	for pos >= len(w.lists) {
		w.lists = append(w.lists, wordList{})
	}
	l := &w.lists[pos]
	if l.list != list {
		l.list = list
		clear(l.kept)
	}
	if k >= len(l.kept) {
		l.kept = append(l.kept, make([]string, k+1-len(l.kept))...)
	}
	if l.kept[k] == "" {
		l.kept[k] = strings.Clone(r.Raw(pos))
	}
	return l.kept[k]
}

// Amounts allocates amounts in blocks: charges hold five of them each, and all are freed
// together. The zero value is ready.
type Amounts struct{ free []money.Amount }

// Keep returns a pointer to a copy of a.
func (m *Amounts) Keep(a money.Amount) *money.Amount {
	if len(m.free) == 0 {
		m.free = make([]money.Amount, 512)
	}
	p := &m.free[0]
	m.free = m.free[1:]
	*p = a
	return p
}

// TagSets shares maps between charges that have the same tags. The zero value
// is ready.
type TagSets struct {
	known map[string]map[string]string // by pairs as they come
	buf   []byte
	list  table.WordList // of the column of Of's last call
	pos   int
	kept  []map[string]string // by number
}

const tagSetsSize = 1 << 14

// Map returns the shared map of pairs, nil if no pair has a value; the last pair of a key
// counts. The map must not be written to.
func (t *TagSets) Map(pairs []table.Pair) map[string]string {
	if len(pairs) == 0 {
		return nil
	}
	t.buf = table.AppendPairs(t.buf[:0], pairs)
	if tags, ok := t.known[string(t.buf)]; ok {
		return tags
	}
	var tags map[string]string
	for _, p := range pairs {
		if p.Value != "" {
			if tags == nil {
				tags = make(map[string]string, len(pairs))
			}
			tags[strings.Clone(p.Key)] = strings.Clone(p.Value)
		}
	}
	if t.known == nil || len(t.known) >= tagSetsSize {
		t.known = map[string]map[string]string{}
	}
	t.known[string(t.buf)] = tags
	return tags
}

// Of is Map for the pairs of a cell. Use it for one column of one table.
func (t *TagSets) Of(r table.Row, pos int) (map[string]string, error) {
	var list table.WordList
	k := -1
	if p, prepared := r.(table.Prepared); prepared {
		if list, k = p.Word(pos); k < 0 {
			return nil, nil
		}
	}
	if list == nil {
		pairs, err := r.Pairs(pos)
		return t.Map(pairs), err
	}
	if t.list != list || t.pos != pos {
		t.list, t.pos = list, pos
		clear(t.kept)
	}
	if k < len(t.kept) && t.kept[k] != nil {
		return t.kept[k], nil
	}
	pairs, err := r.Pairs(pos)
	if err != nil {
		return nil, err
	}
	if k >= len(t.kept) {
		t.kept = append(t.kept, make([]map[string]string, k+1-len(t.kept))...)
	}
	t.kept[k] = t.Map(pairs)
	return t.kept[k], nil
}

// months caches the names of months: every row needs one.
var months sync.Map

// Month is the billing month that contains an instant.
func Month(at period.Second) period.Month {
	if name, ok := months.Load(at); ok {
		return name.(period.Month)
	}
	name := period.MonthName(at)
	if t := at.Time(); t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Day() == 1 && t.Year() > 1990 &&
		t.Year() < time.Unix(1<<33, 0).Year() {
		months.Store(at, name) // months only, so that odd input cannot fill it
	}
	return name
}
