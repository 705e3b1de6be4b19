package bill

import (
	"fmt"
	"hash/maphash"
	"slices"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Subject is implemented by bindings that know what a row is about and when it
// was, whatever it costs and however it is numbered. Files that bill the same
// things at the same times are several deliveries, or several exports, and not
// parts of one: line ids are new in each delivery of some providers, and daily and
// hourly exports of one bill have no row in common.
type Subject interface {
	// Subject lists the positions of columns that say what was used, by whom and
	// under which terms; and those of its start and its end.
	Subject() (what, when []int)
}

// subjects is what the rows of a unit are about.
type subjects struct {
	things []uint64         // hashes of what and when, a row each
	spans  map[uint64]spans // by hash of what, maxSpans at most
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

// note remembers what a row is about.
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
	if ok1 && ok2 && err1 == nil && err2 == nil { // else the row is rejected when it is mapped
		if s.spans == nil {
			s.spans = map[uint64]spans{}
		}
		s.spans[thing] |= spanOf(to - from)
	}
	return buf
}

// fewThings are too few to tell from lines that are alike by chance.
const fewThings = 10

// sameSubjects refuses files that are no parts of one delivery although no row is
// in two of them: at least half of what one of them bills the others bill, too.
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

// shared counts, for each of several files, what other files hold in conflict.
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

// add takes what a file holds.
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
