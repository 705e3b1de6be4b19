package bill

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// rows are some rows of a few export times, including equal ones.
func rows(t *rapid.T, label string) Reading {
	r := Reading{}
	for _, at := range rapid.SliceOfDistinct(rapid.Int64Range(-3, 1<<40), rapid.ID[int64]).Draw(t, label+" times") {
		lines := rapid.SliceOfN(rapid.Uint64Range(1, 40), 1, 12).Draw(t, label)
		for i := range lines {
			lines[i] += uint64(at) * 100 // the export time is part of a row
		}
		slices.Sort(lines)
		r[at] = lines
	}
	return r
}

func TestReadingsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rows(t, "rows")
		got, err := DecodeReading(r.Encode())
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%v, want %v (%v)", got, r, err)
		}
	})
	for _, bad := range [][]byte{{1}, {2, 1, 0}, {0x80}, {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}} {
		if _, err := DecodeReading(bad); err == nil {
			t.Errorf("% x is a reading", bad)
		}
	}
}

// Whatever increments of an export are read, in whatever order and how often, the added rows
// are exactly the export's, each once. An increment may have been read in the middle of an
// export time.
func TestIncrementsAddUpToTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rows(t, "whole")
		times := slices.Sorted(maps.Keys(whole))
		known := Reading{}
		read := func(next Reading) {
			more, conflicts := known.missing(next)
			if len(conflicts) > 0 {
				t.Fatalf("increments of one export contradict each other: %v", conflicts)
			}
			known.add(more)
		}
		for range rapid.IntRange(0, 6).Draw(t, "increments") {
			next := Reading{}
			for _, at := range times {
				switch rapid.IntRange(0, 3).Draw(t, "of a time") {
				case 0: // not in it
				case 1: // the beginning, as far as it was written
					next[at] = whole[at][:rapid.IntRange(1, len(whole[at])).Draw(t, "so many")]
				default:
					next[at] = whole[at]
				}
			}
			// Beginnings of one time contain each other, so no order contradicts.
			read(next)
			if !whole.holds(known) {
				t.Fatalf("rows from nowhere: %v of %v", known, whole)
			}
		}
		read(whole)
		if !reflect.DeepEqual(known, whole) {
			t.Fatalf("%v, want %v", known, whole)
		}
		if more, conflicts := known.missing(whole); len(more)+len(conflicts) > 0 {
			t.Fatalf("the whole once more adds %v, %v", more, conflicts)
		}
	})
}

// Two readings are refused if each has rows of one time that the other lacks, however few.
func TestOtherRowsOfOneTimeConflict(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := rows(t, "known")
		if len(known) == 0 {
			return
		}
		at := rapid.SampledFrom(slices.Sorted(maps.Keys(known))).Draw(t, "at")
		next := Reading{at: append(slices.Clone(known[at][1:]), 1<<63)}
		more, conflicts := known.missing(next)
		if len(conflicts) != 1 || conflicts[0] != (Conflict{at, 1, 1}) || len(more) != 0 {
			t.Fatalf("%v, %v", more, conflicts)
		}
	})
}

func TestShardsAreNotRepetitions(t *testing.T) {
	all := make([]uint64, 1000)
	for i := range all {
		all[i] = uint64(i + 1)
	}
	whole, half, rest := Reading{7: all}, Reading{7: all[:500]}, Reading{7: all[490:]}
	for _, c := range []struct {
		a, b Reading
		want bool
	}{
		{half, rest, true}, {whole, half, false}, {whole, whole, false},
		{half, Reading{7: all[250:]}, false}, {half, Reading{8: all}, false},
	} {
		if shards(c.a, c.b) != c.want || shards(c.b, c.a) != c.want {
			t.Errorf("%d and %d rows: want %v", c.a.rows(), c.b.rows(), c.want)
		}
	}
}

// Rows with a provider's number add up within a charge period. One number with two contents is
// a conflict, and so are rows with and without numbers at one time.
func TestNumberedRowsAddUp(t *testing.T) {
	row := func(number, content uint64) uint64 { return number<<24 | content }
	const at = 1793577600 + numberedRows
	known := Reading{at: {row(1, 7), row(2, 7)}}
	more, conflicts := known.missing(Reading{at: {row(2, 7), row(3, 9)}})
	if len(conflicts) != 0 || !reflect.DeepEqual(more, Reading{at: {row(3, 9)}}) {
		t.Errorf("a late row: %v %v", more, conflicts)
	}
	if more, conflicts = known.missing(Reading{at: {row(1, 7)}}); len(conflicts)+more.rows() != 0 {
		t.Errorf("a row again: %v %v", more, conflicts)
	}
	if _, conflicts = known.missing(Reading{at: {row(2, 8), row(3, 9)}}); len(conflicts) != 1 ||
		conflicts[0].Lacking != 1 {
		t.Errorf("a changed row: %v", conflicts)
	}
	if _, conflicts = known.missing(Reading{at - numberedRows: {12}}); len(conflicts) != 1 {
		t.Errorf("rows without numbers: %v", conflicts)
	}
}
