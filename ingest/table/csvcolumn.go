package table

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// csvColumn numbers the values of a column of text: while they repeat, those
// of a list that lasts over batches; where nearly every row has another one,
// those of the batch.
type csvColumn struct {
	want   *Want
	list   *facets // that lasts
	texts  []string
	keys   []string // the texts as they are written in the file
	slots  []int32  // number + 1, 0 = free; a power of two
	bytes  int
	rows   int // since the list began
	last   int32
	loose  bool // values are those of the batch
	buffer []byte
	ends   []int32
}

// Bounds of a list.
const (
	listWords = 1 << 16
	listBytes = 2 << 20
	// listSample is how many values tell whether they repeat.
	listSample = 1 << 13
	// allBytes bounds the lists of all columns, with what belongs to a value.
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
	c.texts, c.keys, c.slots = nil, nil, make([]int32, 64)
	c.bytes, c.rows, c.last = 0, 0, -1
}

// size is the memory of the list.
func (c *csvColumn) size() int { return c.bytes + len(c.texts)*valueCost }

// batch begins a batch.
func (c *csvColumn) batch() {
	if c.loose {
		c.buffer, c.ends = c.buffer[:0], c.ends[:0]
		return
	}
	switch n := len(c.texts); {
	case n > listSample && 2*n > c.rows:
		c.loose = true
		c.texts, c.keys, c.slots, c.list = nil, nil, nil, nil
	case n > listWords || c.bytes > listBytes:
		c.begin()
	}
}

// add returns the number of a value, -1 when it is empty.
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
	if c.last >= 0 && string(text) == c.keys[c.last] {
		return c.last
	}
	c.last = c.number(text, doubled)
	return c.last
}

func (c *csvColumn) number(text []byte, doubled bool) int32 {
	mask := uint64(len(c.slots) - 1)
	at := xxh3.Hash(text) & mask
	for ; c.slots[at] != 0; at = (at + 1) & mask {
		if k := c.slots[at] - 1; string(text) == c.keys[k] {
			return k
		}
	}
	key := string(text)
	value := key
	if doubled {
		value = string(unquote(nil, text))
	}
	k := int32(len(c.texts))
	c.texts, c.keys = append(c.texts, value), append(c.keys, key)
	c.bytes += len(key)
	c.slots[at] = k + 1
	if 2*len(c.texts) > len(c.slots) {
		c.double()
	}
	return k
}

func (c *csvColumn) double() {
	c.slots = make([]int32, 2*len(c.slots))
	mask := uint64(len(c.slots) - 1)
	for k, key := range c.keys {
		at := xxh3.HashString(key) & mask
		for c.slots[at] != 0 {
			at = (at + 1) & mask
		}
		c.slots[at] = int32(k) + 1
	}
}

// end gives the column of a batch what its values mean.
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

// hasCarriageReturn finds a name with a lone carriage return in it: a file
// whose lines end so looks like a header without rows.
func hasCarriageReturn(names []string) bool {
	for _, n := range names {
		if bytes.IndexByte([]byte(n), '\r') >= 0 {
			return true
		}
	}
	return false
}
