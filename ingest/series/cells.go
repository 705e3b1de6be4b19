package series

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// blockCells is how many minutes of one signal a block holds: a live receiver gets a minute or
// two between two flushes.
const blockCells = 4

// cellBlock is a few minutes of one signal of one hour.
type cellBlock struct {
	value  [blockCells]int64
	at     [blockCells]uint16
	minute [blockCells]uint8
	n      uint8
	next   uint32 // place of the previous block, counted from 1; 0: none
}

// cellVec is an hour of one signal, as far as known: with one minute it takes a hundredth of a
// vector.
type cellVec struct {
	known uint64
	head  uint32
}

// chunkBlocks is how many blocks are allocated at once.
const chunkBlocks = 512

// blockBytes is the approximate size of a cellBlock.
const blockBytes = 56

// cells is the memory of one epoch's blocks. It holds no pointers, so the garbage collector
// skips it.
type cells struct {
	chunks []*[chunkBlocks]cellBlock
	used   uint32
}

func (c *cells) block(place uint32) *cellBlock {
	place--
	return &c.chunks[place/chunkBlocks][place%chunkBlocks]
}

// set records a sample by the rule of minutes.Set. It returns the bytes that it allocated.
func (c *cells) set(v *cellVec, minute, at int, value int64) int {
	bit := uint64(1) << uint(minute)
	if v.known&bit != 0 {
		c.replace(v, uint8(minute), uint16(at), value)
		return 0
	}
	v.known |= bit
	took := 0
	var b *cellBlock
	if v.head != 0 {
		b = c.block(v.head)
	}
	if b == nil || b.n == blockCells {
		if int(c.used) == len(c.chunks)*chunkBlocks {
			c.chunks = append(c.chunks, new([chunkBlocks]cellBlock))
		}
		c.used++
		b = c.block(c.used)
		*b = cellBlock{next: v.head}
		v.head = c.used
		took = blockBytes
	}
	b.value[b.n], b.at[b.n], b.minute[b.n] = value, uint16(at), uint8(minute)
	b.n++
	return took
}

// replace decides between a minute's value and a new one.
func (c *cells) replace(v *cellVec, minute uint8, at uint16, value int64) {
	for place := v.head; place != 0; {
		b := c.block(place)
		for i := range b.n {
			if b.minute[i] != minute {
				continue
			}
			if b.at[i] < at || b.at[i] == at && b.value[i] < value {
				b.at[i], b.value[i] = at, value
			}
			return
		}
		place = b.next
	}
}

// unpack writes the vector into m, which is empty.
func (c *cells) unpack(v *cellVec, m *ledger.Minutes) {
	for place := v.head; place != 0; {
		b := c.block(place)
		for i := range b.n {
			minutes.Set(m, int(b.minute[i]), int(b.at[i]), b.value[i])
		}
		place = b.next
	}
}
