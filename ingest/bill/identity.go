package bill

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// identity computes a row's identity from all of its values that come from the bill. Each value
// is hashed together with the name of its column, and the hashes of a row are added modulo
// 2^128. So a row is the same in every file format and under any order of columns, empty
// columns do not count, and a repeated value is hashed once.
//
// The hashes are 128-bit XXH3: two different rows of a ledger collide with a probability of
// about rows² / 2^129. They do not resist an attacker who makes two rows of a bill
// collide; these rows then get the ids of two equal lines, and both are billed.
type identity struct {
	columns  []hashedColumn
	canon    []int // columns that no table prepares
	prepared bool  // rows come with their hash
}

type hashedColumn struct {
	IdentityColumn
	seed uint64 // stands for the column name
}

func newIdentity(columns []IdentityColumn) *identity {
	id := &identity{}
	for i, c := range columns {
		if c.Canon != nil {
			id.canon = append(id.canon, i)
		}
		id.columns = append(id.columns, hashedColumn{IdentityColumn: c, seed: xxh3.HashString(c.Name)})
	}
	return id
}

// wants lists the values that a table is to prepare for reading whole rows.
func (id *identity) wants(extra []int) []table.Want {
	out := make([]table.Want, 0, len(id.columns)+len(extra))
	seen := map[int]bool{}
	for i := range id.columns {
		c := &id.columns[i]
		w := table.Want{Pos: c.Pos, Form: c.Form, Raw: c.Form == Text || c.Canon != nil}
		if c.Canon == nil { // belongs to the binding, which is used elsewhere
			w.Hash = c.hash
		}
		seen[c.Pos] = true
		out = append(out, w)
	}
	for _, pos := range extra {
		if !seen[pos] {
			seen[pos] = true
			out = append(out, table.Want{Pos: pos, Raw: true})
		}
	}
	return out
}

// of is the hash of a row. A value that does not fit the form of its column counts verbatim;
// the first such value is returned.
func (id *identity) of(r table.Row) (sum table.Hash, bad *table.CellError) {
	if !id.prepared {
		return id.each(r)
	}
	sum, bad = r.(table.Prepared).Hash()
	for _, i := range id.canon {
		c := &id.columns[i]
		h, wrong := c.hash(r, c.Pos)
		sum = sum.Plus(h)
		if bad == nil {
			bad = wrong
		}
	}
	return sum, bad
}

// each is the hash of a row that the table did not prepare, over the values read.
func (id *identity) each(r table.Row) (sum table.Hash, bad *table.CellError) {
	for i := range id.columns {
		h, wrong := id.columns[i].hash(r, id.columns[i].Pos)
		sum = sum.Plus(h)
		if bad == nil {
			bad = wrong
		}
	}
	return sum, bad
}

// hash is the hash of one cell's value, zero for no value.
func (c *hashedColumn) hash(r table.Row, pos int) (table.Hash, *table.CellError) {
	switch {
	case c.Canon != nil:
		t := r.Raw(pos)
		if t == "" {
			return table.Hash{}, nil
		}
		return c.bytes(c.Canon(nil, t)), nil
	case c.Form == Number:
		a, ok, err := r.Number(pos)
		if err != nil {
			return c.refused(r, pos, "not a number")
		}
		if !ok {
			return table.Hash{}, nil
		}
		if units, short := a.Units(); short {
			return c.number(uint64(units)), nil
		}
		return c.text(a.String()), nil
	case c.Form == Time:
		at, ok, err := r.Instant(pos)
		if err != nil {
			return c.refused(r, pos, "not a date")
		}
		if !ok {
			return table.Hash{}, nil
		}
		return c.number(uint64(at)), nil
	case c.Form == Pairs:
		p, err := r.Pairs(pos)
		if err != nil {
			return c.refused(r, pos, "not a map")
		}
		for i := range p {
			if !storable(p[i].Key) || !storable(p[i].Value) {
				return c.refused(r, pos, notText)
			}
		}
		return c.bytes(table.AppendPairs(nil, p)), nil
	}
	t := r.Raw(pos)
	if !storable(t) {
		return c.refused(r, pos, notText)
	}
	return c.text(t), nil
}

const notText = "not text"

// storable reports whether a text is UTF-8 without NUL. Other texts are damaged or in an
// undeclared encoding, and databases refuse them.
func storable(t string) bool { return utf8.ValidString(t) && strings.IndexByte(t, 0) < 0 }

func (c *hashedColumn) refused(r table.Row, pos int, reason string) (table.Hash, *table.CellError) {
	t := r.Raw(pos)
	return c.text(t), &table.CellError{Column: c.Name, Reason: reason, Detail: strconv.QuoteToGraphic(table.Clip(t))}
}

func (c *hashedColumn) text(t string) table.Hash {
	if t == "" {
		return table.Hash{}
	}
	h := xxh3.HashString128Seed(t, c.seed)
	return table.Hash{Hi: h.Hi, Lo: h.Lo}
}

func (c *hashedColumn) bytes(b []byte) table.Hash {
	if len(b) == 0 {
		return table.Hash{}
	}
	h := xxh3.Hash128Seed(b, c.seed)
	return table.Hash{Hi: h.Hi, Lo: h.Lo}
}

func (c *hashedColumn) number(n uint64) table.Hash {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h := xxh3.Hash128Seed(b[:], c.seed)
	return table.Hash{Hi: h.Hi, Lo: h.Lo}
}

// content is a hash of a row's hash, so that sums of contents do not mix values of different
// rows.
type content [32]byte

// Seeds of the two halves of a content, and of the contents of earlier lines.
const (
	seedLow, seedHigh, seedAgain = 0x6c6564676572, 0x726f7773, 0x616761696e
)

func contentOf(row table.Hash) (c content) {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], row.Lo)
	binary.LittleEndian.PutUint64(b[8:], row.Hi)
	low, high := xxh3.Hash128Seed(b[:], seedLow), xxh3.Hash128Seed(b[:], seedHigh)
	binary.LittleEndian.PutUint64(c[:], low.Lo)
	binary.LittleEndian.PutUint64(c[8:], low.Hi)
	binary.LittleEndian.PutUint64(c[16:], high.Lo)
	binary.LittleEndian.PutUint64(c[24:], high.Hi)
	return c
}

// chargeID is the id of line n of those with this content in a delivery; mask is the delivery
// key's part.
func (c *content) chargeID(mask ledger.ID, n int64) ledger.ID {
	low, high := binary.LittleEndian.Uint64(c[:]), binary.LittleEndian.Uint64(c[8:])
	if n > 0 {
		h := xxh3.Hash128Seed(binary.LittleEndian.AppendUint64(c[:len(c):len(c)], uint64(n)), seedAgain)
		low, high = h.Lo, h.Hi
	}
	binary.LittleEndian.PutUint64(mask[:], binary.LittleEndian.Uint64(mask[:])^low)
	binary.LittleEndian.PutUint64(mask[8:], binary.LittleEndian.Uint64(mask[8:])^high)
	return mask
}
