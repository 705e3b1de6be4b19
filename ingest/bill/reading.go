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

// Reading is which rows of an append-only export somebody read: sorted hashes of
// rows, repeats included, by the time at which they were exported (nanoseconds
// since 1970; 0 where the rows do not say). Such an export never changes what it
// has written, so readings of it are told apart by these times, whatever days,
// files or deliveries they came in.
type Reading map[int64][]uint64

// numberedRows is what the times of rows begin at that have a number of the
// provider's, and below numberedEnd they end: the upper bits of a line are then a hash
// of the number, the lower ones of all of the row.
const (
	numberedRows = -1 << 62
	numberedEnd  = -1 << 61
	contentBits  = 1<<24 - 1
)

// lineOf is a hash of a row of which n knows the number; nil: rows have none.
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

// Conflict is a time of export of which two readings each have rows that the
// other lacks: one of them was changed, or cut otherwise than by time.
type Conflict struct {
	At              int64
	Lacking, Beside int // rows that the later reading lacks, and has beside
}

// rows is the number of rows.
func (r Reading) rows() (n int) {
	for _, lines := range r {
		n += len(lines)
	}
	return n
}

// add takes over the rows of more, those that are there already once more.
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

// missing are the rows of next that r lacks: all of a time that r does not
// know, none where next has no more than r of a time, the rest where it has more.
// Where both have rows of their own nobody can say which is right.
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

// otherwise is the time of rows with numbers for one of rows without, and the reverse.
func otherwise(at int64) int64 {
	if at < numberedEnd {
		return at - numberedRows
	}
	return at + numberedRows
}

// changed is how many of the rows have a number that is known, of another row.
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

// counts is how often each row is there.
func (r Reading) counts() map[uint64]int64 {
	out := make(map[uint64]int64, r.rows())
	for _, lines := range r {
		for _, line := range lines {
			out[line]++
		}
	}
	return out
}

// repeats is how often r has rows of other, as far as it has them.
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

// without are the elements of a sorted list that another lacks, one by one.
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

// Encode writes a reading for storage: per time, ascending, its distance from the
// one before, the number of rows and their hashes.
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

// shards reports whether two files hold different parts of one reading: of the
// times that both have, each has rows that the other lacks, and hardly any row is
// in both (equal rows are legal).
func shards(a, b Reading) bool {
	const few = 20 // one in so many
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

// conflictText names times and what is odd about them.
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
