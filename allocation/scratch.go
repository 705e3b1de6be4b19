package allocation

import (
	"slices"
	"sync"

	"gpuledger/allocation/split"
	"gpuledger/allocation/timeline"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// scratch holds buffers for computing a day; later days, of any node, reuse them. No chunk points into it.
type scratch struct {
	memory  timeline.Memory
	samples []*ledger.SampleHour
	slots   []timeline.Rows

	rows  []row
	hours [hoursPerDay]hourRows
	more  map[rowKey]int32 // rows too far back for the linear search
	sums  []*split.Sum

	walker  walker
	weights split.Weights
	split   money.Splitter
	shares  []money.Amount
	id      []byte
	prefix  ledger.IDPrefix // of usage ids
}

// hourRows are the rows of one hour of the day, by number.
type hourRows struct {
	list []int32
	slot int // where the rows of the latest slot begin
}

var scratches = sync.Pool{New: func() any { return &scratch{more: make(map[rowKey]int32)} }}

// free drops pointers to the day's data and returns the buffers.
func (s *scratch) free() {
	s.memory.Reset()
	clear(s.samples)
	clear(s.slots)
	clear(s.rows)
	clear(s.sums)
	clear(s.more)
	s.walker.forget()
	s.samples, s.slots, s.rows, s.sums = s.samples[:0], s.slots[:0], s.rows[:0], s.sums[:0]
	for h := range s.hours {
		s.hours[h] = hourRows{list: s.hours[h].list[:0]}
	}
	scratches.Put(s)
}

// near is how many rows or spans a linear search goes back before it uses the map.
const near = 32

// find returns the row of a key and creates it if it is missing. Keys come slot by slot, so the rows of one slot and
// hour are neighbours.
func (s *scratch) find(key *rowKey) *row {
	h := &s.hours[key.hour]
	n := len(h.list)
	if n == 0 || s.rows[h.list[n-1]].key.slot != key.slot {
		h.slot = n
	}
	for i := n - 1; i >= max(h.slot, n-near); i-- {
		if r := &s.rows[h.list[i]]; r.key == *key {
			return r
		}
	}
	if n-h.slot > near {
		if at, ok := s.more[*key]; ok {
			return &s.rows[at]
		}
	}
	at := int32(len(s.rows))
	s.rows = append(s.rows, row{key: *key})
	h.list = append(h.list, at)
	if far := n - near; far >= h.slot {
		s.more[s.rows[h.list[far]].key] = h.list[far]
	}
	return &s.rows[at]
}

// findAgain is find after the last slot.
func (s *scratch) findAgain(key *rowKey) *row {
	h := &s.hours[key.hour]
	for _, at := range h.list {
		if r := &s.rows[at]; r.key == *key {
			return r
		}
	}
	h.list = append(h.list, int32(len(s.rows)))
	s.rows = append(s.rows, row{key: *key})
	return &s.rows[len(s.rows)-1]
}

// sorted returns the rows of an hour in row-key order.
func (s *scratch) sorted(hour int) []int32 {
	list := s.hours[hour].list
	less := func(a, b int32) bool { return s.rows[a].key.before(&s.rows[b].key) }
	if len(list) > 4*near {
		slices.SortFunc(list, func(a, b int32) int {
			switch {
			case less(a, b):
				return -1
			case less(b, a):
				return 1
			}
			return 0
		})
		return list
	}
	for i := 1; i < len(list); i++ { // nearly in order already
		for k := i; k > 0 && less(list[k], list[k-1]); k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	return list
}

// openSpans finds the last span of a slot by key.
type openSpans struct {
	keys []spanKey
	at   []int32 // per key: its last span
	more map[spanKey]int32
}

func (o *openSpans) forget() {
	o.keys, o.at = o.keys[:0], o.at[:0]
	clear(o.more)
}

// find returns a pointer to the index of the last span of a key, nil if there is none.
func (o *openSpans) find(key spanKey) *int32 {
	for i := len(o.keys) - 1; i >= max(0, len(o.keys)-near); i-- {
		if o.keys[i] == key {
			return &o.at[i]
		}
	}
	if i, ok := o.more[key]; ok {
		return &o.at[i]
	}
	return nil
}

func (o *openSpans) add(key spanKey, span int32) {
	o.keys, o.at = append(o.keys, key), append(o.at, span)
	if far := len(o.keys) - 1 - near; far >= 0 {
		if o.more == nil {
			o.more = make(map[spanKey]int32)
		}
		o.more[o.keys[far]] = int32(far)
	}
}
