package live

import (
	"gpuledger/ingest/series"
)

// seriesTable finds series by their fingerprints. It holds only series that are read.
type seriesTable struct {
	byPrint map[Print]uint32
	slots   []slot
	free    []uint32
	seen    []uint64 // bit per slot: a sample came since the last sweep
	// meaningless remembers valid series that are not read, each at one place: a newer one
	// replaces it.
	meaningless []Print
}

// meaninglessKept is how many are remembered; a power of two, 8 MB.
const meaninglessKept = 1 << 19

// means reports whether a series is not known to be unread.
func (t *seriesTable) means(p Print) bool {
	return t.meaningless == nil || t.meaningless[p[1]%meaninglessKept] != p
}

// forgo remembers that a series is not read.
func (t *seriesTable) forgo(p Print) {
	if t.meaningless == nil {
		t.meaningless = make([]Print, meaninglessKept)
	}
	t.meaningless[p[1]%meaninglessKept] = p
}

type slot struct {
	print Print
	to    *series.Series // nil: free
	owner *sender        // who sent it first
}

func newSeriesTable() seriesTable { return seriesTable{byPrint: map[Print]uint32{}} }

// find returns a known series, else nil.
func (t *seriesTable) find(p Print) *series.Series {
	i, ok := t.byPrint[p]
	if !ok {
		return nil
	}
	t.seen[i/64] |= 1 << (i % 64)
	return t.slots[i].to
}

// put adds a series.
func (t *seriesTable) put(p Print, s *series.Series, owner *sender) {
	var i uint32
	if n := len(t.free); n > 0 {
		i = t.free[n-1]
		t.free = t.free[:n-1]
		t.slots[i] = slot{p, s, owner}
	} else {
		i = uint32(len(t.slots))
		t.slots = append(t.slots, slot{p, s, owner})
		if int(i/64) >= len(t.seen) {
			t.seen = append(t.seen, 0)
		}
	}
	t.seen[i/64] |= 1 << (i % 64)
	t.byPrint[p] = i
	owner.series++
}

func (t *seriesTable) len() int { return len(t.byPrint) }

// sweepStep is how many slots are checked in one go.
const sweepStep = 8192

// sweep drops series without a sample since the last sweep, a step at a time from slot at. It
// returns where to continue, and whether it is done.
func (t *seriesTable) sweep(at int) (next int, done bool) {
	end := min(at+sweepStep, len(t.slots))
	for i := at; i < end; i++ {
		s := &t.slots[i]
		bit := uint64(1) << (uint(i) % 64)
		if t.seen[i/64]&bit != 0 {
			t.seen[i/64] &^= bit
			continue
		}
		if s.to == nil {
			continue
		}
		delete(t.byPrint, s.print)
		s.owner.series--
		*s = slot{}
		t.free = append(t.free, uint32(i))
	}
	return end, end == len(t.slots)
}
