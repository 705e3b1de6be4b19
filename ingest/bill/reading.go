package bill

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"gpuledger/ingest/table"
)

// Reading holds the rows of an append-only export that were read: sorted hashes of rows,
// repeats included, by export time (nanoseconds since 1970; 0 if rows have none). Such an
// export never changes its rows, so export times identify readings, whatever days, files or
// deliveries the rows came in.
type Reading map[int64][]uint64

// numberedRows and numberedEnd bound the times of rows that have a number from the provider.
// The upper bits of such a line are a hash of the number, the lower ones a hash of the whole
// row.
const (
	numberedRows = -1 << 62
	numberedEnd  = -1 << 61
	contentBits  = 1<<24 - 1
)

// lineOf is a hash of a row, whose number n reads; nil: rows have none.
func lineOf(row table.Hash, n Numbered, r table.Row) uint64 {
	line := row.Hi ^ row.Lo
	if n == nil {
		return line
	}
	if id := n.RowID(r); id != "" {
		return xxh3.HashString(id)&^contentBits | line&contentBits
	}
	return line
}

// Conflict is an export time at which each of two readings has rows that the other lacks: one
// reading was changed, or was not split by time.
type Conflict struct {
	At              int64
	Lacking, Beside int // rows missing from, and extra in, the later reading
}

// rows is the number of rows.
func (r Reading) rows() (n int) {
	for _, lines := range r {
		n += len(lines)
	}
	return n
}

// add merges more; rows in both count once more.
func (r Reading) add(more Reading) {
	for at, lines := range more {
		if len(lines) == 0 {
			continue
		}
		all := append(slices.Clone(r[at]), lines...)
		slices.Sort(all)
		r[at] = all
	}
}

// missing returns the rows of next that r lacks: all rows of a time that r does not have, none
// if r has all of next's rows of the time, and the rest if next has more. If each has rows that
// the other lacks, it is a conflict: neither is known to be right.
func (r Reading) missing(next Reading) (Reading, []Conflict) {
	out := Reading{}
	var conflicts []Conflict
	for at, lines := range next {
		known := r[at]
		if other := r[otherwise(at)]; len(other) > 0 {
			conflicts = append(conflicts, Conflict{at, len(other), len(lines)})
			continue
		}
		if len(known) == 0 {
			out[at] = lines
			continue
		}
		beside, lacking := without(lines, known), len(without(known, lines))
		if at < numberedEnd {
			lacking = changed(beside, known)
			if lacking == 0 {
				if len(beside) > 0 {
					out[at] = beside
				}
				continue
			}
		}
		if len(beside) > 0 && lacking > 0 {
			conflicts = append(conflicts, Conflict{at, lacking, len(beside)})
		} else if len(beside) > 0 {
			out[at] = beside
		}
	}
	slices.SortFunc(conflicts, func(a, b Conflict) int { return cmp.Compare(a.At, b.At) })
	return out, conflicts
}

// otherwise converts the time of rows with numbers to that of rows without, and back.
func otherwise(at int64) int64 {
	if at < numberedEnd {
		return at - numberedRows
	}
	return at + numberedRows
}

// changed counts rows with a known number but different content.
func changed(rows, known []uint64) (n int) {
	for _, line := range rows {
		from, _ := slices.BinarySearch(known, line&^contentBits)
		if from < len(known) && known[from]&^contentBits == line&^contentBits {
			n++
		}
	}
	return n
}

// holds reports whether all rows of other are in r.
func (r Reading) holds(other Reading) bool {
	for at, lines := range other {
		if len(without(lines, r[at])) > 0 {
			return false
		}
	}
	return true
}

// counts is how often each row occurs.
func (r Reading) counts() map[uint64]int64 {
	out := make(map[uint64]int64, r.rows())
	for _, lines := range r {
		for _, line := range lines {
			out[line]++
		}
	}
	return out
}

// repeats is how often r has rows of other; rows that r lacks are absent.
func (r Reading) repeats(other Reading) map[uint64]int64 {
	out := map[uint64]int64{}
	for at, lines := range other {
		known := r[at]
		for _, line := range slices.Compact(slices.Clone(lines)) {
			from, found := slices.BinarySearch(known, line)
			for ; found && from < len(known) && known[from] == line; from++ {
				out[line]++
			}
		}
	}
	return out
}

// without returns the elements of a sorted list that another lacks, counted one by one.
func without(a, b []uint64) (out []uint64) {
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == x {
			b = b[1:]
			continue
		}
		out = append(out, x)
	}
	return out
}

// Encode writes a reading for storage: per time, ascending, its distance from the previous
// time, the number of rows and their hashes.
func (r Reading) Encode() []byte {
	out := make([]byte, 0, 8*r.rows()+12*len(r))
	before := int64(0)
	for _, at := range slices.Sorted(maps.Keys(r)) {
		out = binary.AppendVarint(out, at-before)
		out = binary.AppendUvarint(out, uint64(len(r[at])))
		for _, line := range r[at] {
			out = binary.LittleEndian.AppendUint64(out, line)
		}
		before = at
	}
	return out
}

// DecodeReading is the reverse of Encode.
func DecodeReading(b []byte) (Reading, error) {
	bad := errors.New("the stored rows of a delivery are damaged")
	out := Reading{}
	at := int64(0)
	for len(b) > 0 {
		step, n := binary.Varint(b)
		if n <= 0 {
			return nil, bad
		}
		rows, m := binary.Uvarint(b[n:])
		if b = b[n+max(m, 0):]; m <= 0 || rows > uint64(len(b)/8) {
			return nil, bad
		}
		at += step
		lines := make([]uint64, rows)
		for i := range lines {
			lines[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		out[at], b = lines, b[8*rows:]
	}
	return out, nil
}

// shards reports whether two files hold different parts of one reading: at each common time,
// each has rows that the other lacks, and hardly any row is in both (equal rows are legal).
func shards(a, b Reading) bool {
	const few = 20 // one in this many
	if len(b) < len(a) {
		a, b = b, a
	}
	apart, both, size := false, 0, 0
	for at, lines := range a {
		if other := b[at]; len(other) > 0 {
			own, theirs := len(without(lines, other)), len(without(other, lines))
			apart = apart || own > 0 && theirs > 0
			both += len(lines) - own
			size += min(len(lines), len(other))
		}
	}
	return apart && few*both <= size
}

func exportedAt(at int64) string {
	if at == 0 {
		return "without an export time"
	}
	return "exported at " + time.Unix(0, at).UTC().Format(time.RFC3339Nano)
}

func seconds(at int64) string { return time.Unix(at, 0).UTC().Format(time.RFC3339) }

// conflictText names the times, and the differences at each.
func (p *Plan) conflictText(list []Conflict) string {
	const most = 3
	var parts []string
	for _, c := range list[:min(most, len(list))] {
		parts = append(parts, fmt.Sprintf("of the rows %s, it lacks %d and has %d new ones", p.moment(c.At), c.Lacking,
			c.Beside))
	}
	text := strings.Join(parts, "; ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf("; and at %d other times", more)
	}
	return text
}
