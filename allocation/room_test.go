package allocation

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// A reused chunk equals a new one.
func TestRoomUsedAgainChangesNothing(t *testing.T) {
	used := new(Chunk) // over all cases: small days follow large ones
	rapid.Check(t, func(t *rapid.T) {
		s := anyStory(t)
		in := s.dayInput()
		want := run(t, s, s.node, in)
		engine, err := NewNode(s.node, s.policy)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.DayInto(used, in); err != nil {
			t.Fatal(err)
		}
		got := *used
		got.room, want.room = chunkRoom{}, chunkRoom{}
		for _, c := range []*Chunk{&got, want} { // nil and empty are equal, whatever the capacity
			if len(c.Parts) == 0 {
				c.Parts = nil
			}
			if len(c.Spans) == 0 {
				c.Spans = nil
			}
			if len(c.Diagnostics) == 0 {
				c.Diagnostics = nil
			}
		}
		if !reflect.DeepEqual(&got, want) {
			t.Fatal("another chunk")
		}
	})
}

// Rows are found whatever the order in which slices and hours come, even if there are more than the linear search
// covers.
func TestRowsAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &scratch{more: make(map[rowKey]int32)}
		want := make(map[rowKey]int64)
		for slot := range int32(3) {
			for range rapid.IntRange(0, 300).Draw(t, "stretches") {
				key := rowKey{hour: rapid.Int32Range(0, 2).Draw(t, "hour"), slot: slot,
					slice:    rapid.Int32Range(-1, 6).Draw(t, "slice"),
					workload: rapid.Int32Range(-1, 20).Draw(t, "workload"), attempt: none}
				s.find(&key).seconds++
				want[key]++
			}
		}
		key := rowKey{hour: 1, slot: 0, slice: -1, workload: -1, attempt: none}
		s.findAgain(&key).seconds++
		want[key]++
		got := 0
		for hour := range s.hours {
			list := s.sorted(hour)
			for i, at := range list {
				r := &s.rows[at]
				if i > 0 && !s.rows[list[i-1]].key.before(&r.key) {
					t.Fatalf("row %d of hour %d is out of order", i, hour)
				}
				if want[r.key] != r.seconds {
					t.Fatalf("%+v has %d, want %d", r.key, r.seconds, want[r.key])
				}
				got++
			}
		}
		if got != len(want) {
			t.Fatalf("%d rows, want %d", got, len(want))
		}
	})
}

func TestOpenSpansAgainstAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o openSpans
		for range 2 { // slot after slot
			o.forget()
			want := make(map[spanKey]int32)
			for n := range int32(rapid.IntRange(0, 300).Draw(t, "spans")) {
				key := spanKey{workload: rapid.Int32Range(0, 60).Draw(t, "workload")}
				at := o.find(key)
				last, known := want[key]
				if known != (at != nil) || known && *at != last {
					t.Fatalf("%+v: found %v, want %d %v", key, at, last, known)
				}
				if known {
					*at = n
				} else {
					o.add(key, n)
				}
				want[key] = n
			}
		}
	})
}
