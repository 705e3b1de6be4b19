package table

import (
	"bytes"
	"hash/maphash"
)

// csvColumn numbers the values of a text column: while they repeat, in a list that lasts over
// batches; if nearly every row has a different one, in a list of the batch.
type csvColumn struct {
	want   *Want
	list   *facets // lasts over batches
	texts  []string
	keys   []byte   // the texts as written in the file, concatenated
	starts []uint32 // of each and of the next in keys
	slots  []csvSlot
	rows   int // since the list began
	last   int32
	loose  bool // values are those of the batch
	buffer []byte
	ends   []int32
}

// csvSlot is a place of a hash table with open addressing, whose size is a
// power of two.
type csvSlot struct {
	hash uint32
	next int32 // number of the value + 1, 0 = free
}

// csvSeed prevents writers of files from choosing texts that share a slot.
var csvSeed = maphash.MakeSeed()

// Bounds of a list.
const (
	listWords = 1 << 16
	listBytes = 2 << 20
	// listSample is how many values are checked for repetition.
	listSample = 1 << 13
	// allBytes bounds the lists of all columns, with the data of their values.
	allBytes  = 48 << 20
	valueCost = 128
)

func newCSVColumn(w *Want) *csvColumn {
	c := &csvColumn{want: w}
	c.begin()
	return c
}

func (c *csvColumn) begin() {
	c.list = &facets{values: values{stored: storedText}, want: c.want, lasting: &words{}}
	c.texts, c.keys, c.starts, c.slots = nil, nil, []uint32{0}, make([]csvSlot, 64)
	c.rows, c.last = 0, -1
}

// size is the memory of the list.
func (c *csvColumn) size() int { return len(c.keys) + len(c.texts)*valueCost }

// batch begins a batch.
func (c *csvColumn) batch() {
	if c.loose {
		c.buffer, c.ends = c.buffer[:0], c.ends[:0]
		return
	}
	switch n := len(c.texts); {
	case n > listSample && 2*n > c.rows:
		c.loose = true
		c.texts, c.keys, c.starts, c.slots, c.list = nil, nil, nil, nil, nil
	case n > listWords || len(c.keys) > listBytes:
		c.begin()
	}
}

// add returns the number of a value, -1 if it is empty.
func (c *csvColumn) add(text []byte, doubled bool) int32 {
	if len(text) == 0 {
		return -1
	}
	if c.loose {
		if doubled {
			c.buffer = unquote(c.buffer, text)
		} else {
			c.buffer = append(c.buffer, text...)
		}
		c.ends = append(c.ends, int32(len(c.buffer)))
		return int32(len(c.ends) - 1)
	}
	c.rows++
	if c.last >= 0 && bytes.Equal(text, c.key(c.last)) {
		return c.last
	}
	c.last = c.number(text, doubled)
	return c.last
}

// key is a value as written in the file.
func (c *csvColumn) key(k int32) []byte { return c.keys[c.starts[k]:c.starts[k+1]] }

func (c *csvColumn) number(text []byte, doubled bool) int32 {
	mask := uint32(len(c.slots) - 1)
	hash := uint32(maphash.Bytes(csvSeed, text))
	at := hash & mask
	for ; c.slots[at].next != 0; at = (at + 1) & mask {
		if s := c.slots[at]; s.hash == hash && bytes.Equal(text, c.key(s.next-1)) {
			return s.next - 1
		}
	}
	value := text
	if doubled {
		value = unquote(nil, text)
	}
	c.texts = append(c.texts, string(value))
	c.keys = append(c.keys, text...)
	c.starts = append(c.starts, uint32(len(c.keys)))
	c.slots[at] = csvSlot{hash, int32(len(c.texts))}
	k := int32(len(c.texts) - 1)
	if 2*len(c.texts) > len(c.slots) {
		c.double()
	}
	return k
}

func (c *csvColumn) double() {
	old := c.slots
	c.slots = make([]csvSlot, 2*len(old))
	mask := uint32(len(c.slots) - 1)
	for _, s := range old {
		if s.next == 0 {
			continue
		}
		at := s.hash & mask
		for c.slots[at].next != 0 {
			at = (at + 1) & mask
		}
		c.slots[at] = s
	}
}

// end fills the column of a batch with its values.
func (c *csvColumn) end(col *column) {
	if c.loose {
		local := values{stored: storedText, text: make([]string, len(c.ends))}
		all, from := string(c.buffer), int32(0)
		for i, to := range c.ends {
			local.text[i] = all[from:to]
			from = to
		}
		col.f = (&facets{values: values{stored: storedText}, want: c.want}).with(&local)
	} else {
		c.list = c.list.with(&values{stored: storedText, text: c.texts})
		col.f = c.list
	}
	first := col.index[0]
	for _, k := range col.index {
		if k != first {
			return
		}
	}
	if first < 0 {
		col.null()
		return
	}
	col.index, col.same = nil, first
}

// hasCarriageReturn finds a name with a lone carriage return: a file with such line ends looks
// like a header without rows.
func hasCarriageReturn(names []string) bool {
	for _, n := range names {
		if bytes.IndexByte([]byte(n), '\r') >= 0 {
			return true
		}
	}
	return false
}
