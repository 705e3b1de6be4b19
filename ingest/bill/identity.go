package bill

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"sort"

	"gpuledger/ingest/table"
)

// identity writes what a row is known by.
type identity struct{ columns []markedColumn }

type markedColumn struct {
	IdentityColumn
	mark [8]byte // stands for the name
}

func newIdentity(columns []IdentityColumn) *identity {
	id := &identity{}
	for _, c := range columns {
		m := markedColumn{IdentityColumn: c}
		hash := fnv.New64a()
		hash.Write([]byte(c.Name))
		binary.BigEndian.PutUint64(m.mark[:], hash.Sum64())
		id.columns = append(id.columns, m)
	}
	sort.SliceStable(id.columns, func(i, j int) bool { return string(id.columns[i].mark[:]) < string(id.columns[j].mark[:]) })
	return id
}

// append writes everything of the row that comes from the bill: per column
// with a value its mark, length and canonical value, in the order of the
// marks. It is the same for the same row in every file format, under any order
// of columns, and blind to empty columns. A value that does not have the form
// of its column enters verbatim and is handed to refuse, where that is not
// nil.
func (id *identity) append(dst []byte, r table.Row, refuse func(*table.CellError)) []byte {
	bad := func(c *markedColumn, reason string) {
		if refuse != nil {
			refuse(&table.CellError{Column: c.Name, Reason: reason, Detail: "\"" + table.Clip(r.Raw(c.Pos)) + "\""})
		}
	}
	var scratch [64]byte
	for i := range id.columns {
		c := &id.columns[i]
		value := scratch[:0]
		switch {
		case c.Canon != nil:
			if t := r.Raw(c.Pos); t != "" {
				value = c.Canon(value, t)
			}
			if len(value) == 0 {
				continue
			}
		case c.Form == Time:
			at, ok, err := r.Instant(c.Pos)
			switch {
			case err != nil:
				bad(c, "not a date")
				value = append(value, r.Raw(c.Pos)...)
			case !ok:
				continue
			default:
				value = binary.AppendVarint(value, int64(at))
			}
		case c.Form == Pairs:
			p, err := r.Pairs(c.Pos)
			if err != nil {
				bad(c, "not a map")
				value = append(value, r.Raw(c.Pos)...)
			} else {
				value = table.AppendPairs(value, p)
			}
			if len(value) == 0 {
				continue
			}
		default:
			t := r.Raw(c.Pos)
			if t == "" {
				continue
			}
			dst = append(dst, c.mark[:]...)
			if c.Form == Number {
				var ok bool
				if value, ok = table.CanonicalNumber(value, t); !ok {
					bad(c, "not a number")
				}
				dst = binary.AppendUvarint(dst, uint64(len(value)))
				dst = append(dst, value...)
			} else {
				dst = binary.AppendUvarint(dst, uint64(len(t)))
				dst = append(dst, t...)
			}
			continue
		}
		dst = append(dst, c.mark[:]...)
		dst = binary.AppendUvarint(dst, uint64(len(value)))
		dst = append(dst, value...)
	}
	return dst
}

// positions lists where the columns are.
func (id *identity) positions() []int {
	out := make([]int, 0, len(id.columns))
	for i := range id.columns {
		out = append(out, id.columns[i].Pos)
	}
	slices.Sort(out)
	return out
}
