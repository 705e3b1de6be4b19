package bill

import (
	"fmt"
	"hash/maphash"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Subject is implemented by bindings that know the subject and time of a row, independent of
// its cost and number. Files that bill the same subjects at the same times are several
// deliveries or exports, not parts of one: some providers use new line ids in each delivery,
// and daily and hourly exports of one bill have no row in common.
type Subject interface {
	// Subject lists the positions of the columns for the used item, the user and the terms, and
	// those of the start and the end.
	Subject() (what, when []int)
}

// subjects are the subjects of a unit's rows.
type subjects struct {
	things []uint64         // hashes of subject and time, one per row
	spans  map[uint64]spans // by hash of the subject, maxSpans at most
}

// spans is a set of lengths of charge periods.
type spans byte

const (
	spanHour spans = 1 << iota
	spanDay
	spanLonger

	maxSpans = 1 << 18
)

func spanOf(length period.Second) spans {
	switch {
	case length <= period.Hour:
		return spanHour
	case length <= period.Day:
		return spanDay
	}
	return spanLonger
}

// note remembers a row's subject.
func (s *subjects) note(r table.Row, what, when []int, buf []byte) []byte {
	buf = buf[:0]
	for _, pos := range what {
		buf = append(append(buf, r.Raw(pos)...), 0)
	}
	thing := maphash.Bytes(lineSeed, buf)
	for _, pos := range when {
		buf = append(append(buf, r.Raw(pos)...), 0)
	}
	s.things = append(s.things, maphash.Bytes(lineSeed, buf))
	if len(when) != 2 || len(s.spans) == maxSpans && s.spans[thing] == 0 {
		return buf
	}
	from, ok1, err1 := r.Instant(when[0])
	to, ok2, err2 := r.Instant(when[1])
	if ok1 && ok2 && err1 == nil && err2 == nil { // otherwise the mapping rejects the row
		if s.spans == nil {
			s.spans = map[uint64]spans{}
		}
		s.spans[thing] |= spanOf(to - from)
	}
	return buf
}

// fewThings are too few to exclude lines that are alike by chance.
const fewThings = 10

// sameSubjects refuses files that share no row but are not parts of one delivery either: others
// bill at least half of the things that one of them bills.
func (p *Plan) sameSubjects(load []*candidate) *ledger.FileError {
	things, lengths := newShared[bool](), newShared[spans]()
	subjects := func(c *candidate) *subjects { return &p.files[c.parts[0].file].sv.units[c.parts[0].unit].subjects }
	for _, c := range load {
		s, file := subjects(c), c.parts[0].file
		slices.Sort(s.things)
		s.things = slices.Compact(s.things)
		for _, h := range s.things {
			things.add(file, h, true, func(bool, bool) bool { return true })
		}
		for h, set := range s.spans {
			lengths.add(file, h, set, func(a, b spans) bool { return a&b == 0 })
		}
	}
	half := func(n, of int) bool { return n >= fewThings && 2*n >= of }
	for _, c := range load {
		s, file := subjects(c), c.parts[0].file
		switch n, m := things.in[file], lengths.in[file]; {
		case half(n, len(s.things)):
			return p.undecidedBecause(load, "the same usage twice", fmt.Sprintf(
				"these files are in one folder and share no line, but %d of the %d things that %s bills are billed by "+
					"the others at the same times: "+
					"they are several deliveries, or several exports, of one bill; import each delivery separately, oldest first, "+
					"with "+
					"--delivered-at, or import one of the exports",
				n, len(s.things), p.files[file].sv.File.Name))
		case half(m, len(s.spans)):
			return p.undecidedBecause(load, "two time units", fmt.Sprintf(
				"these files are in one folder, and %d of the %d things that %s bills are billed by the others over longer or "+
					"shorter times, such as days and hours: "+
					"they are two exports of one bill; import one of them", m, len(s.spans), p.files[file].sv.File.Name))
		}
	}
	return nil
}

// shared counts, for each of several files, the entries that conflict with other files.
type shared[V any] struct {
	first map[uint64]holder[V]
	in    map[int]int
}

type holder[V any] struct {
	file    int
	value   V
	counted bool
}

func newShared[V any]() *shared[V] { return &shared[V]{map[uint64]holder[V]{}, map[int]int{}} }

// add adds an entry of a file.
func (s *shared[V]) add(file int, h uint64, v V, conflict func(a, b V) bool) {
	known, ok := s.first[h]
	if !ok {
		s.first[h] = holder[V]{file: file, value: v}
		return
	}
	if known.file == file || !conflict(known.value, v) {
		return
	}
	s.in[file]++
	if !known.counted {
		s.in[known.file]++
		known.counted = true
		s.first[h] = known
	}
}
