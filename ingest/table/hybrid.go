package table

import (
	"encoding/binary"
	"errors"
)

// hybrid decodes the run-length / bit-packing hybrid of Parquet, in which
// levels and dictionary indexes are stored: runs of one value, and groups of
// eight values of equal width.
type hybrid struct {
	data  []byte
	width uint // bits per value, 0 to 32
	left  int  // values left in the run
	value int32
	// Of a packed run: its bytes, and how many of its values are consumed.
	packed []byte
	taken  int
}

var errRuns = errors.New("run lengths end in the middle of a page")

func newHybrid(data []byte, width uint) hybrid { return hybrid{data: data, width: width} }

// next makes a run the current one.
func (h *hybrid) next() error {
	for h.left == 0 {
		header, n := binary.Uvarint(h.data)
		if n <= 0 || header>>1 > 1<<31 {
			return errRuns
		}
		h.data = h.data[n:]
		if header&1 == 0 {
			size := int(h.width+7) / 8
			if len(h.data) < size {
				return errRuns
			}
			var v uint32
			for i := range size {
				v |= uint32(h.data[i]) << (8 * i)
			}
			h.data, h.left, h.value, h.packed = h.data[size:], int(header>>1), int32(v), nil
			continue
		}
		groups := int(header >> 1)
		size := min(groups*int(h.width), len(h.data)) // the last group may be cut
		h.packed, h.taken, h.left = h.data[:size:size], 0, groups*8
		if h.width > 0 {
			h.left = min(h.left, size*8/int(h.width))
		}
		if h.left == 0 && groups > 0 {
			return errRuns
		}
		h.data = h.data[size:]
	}
	return nil
}

// run consumes some of the next n values, at least one, that are known to be equal, and returns
// how many; 0 if the next are packed.
func (h *hybrid) run(n int) (same int, value int32, err error) {
	if h.left == 0 {
		if err := h.next(); err != nil {
			return 0, 0, err
		}
	}
	if h.packed != nil && h.width > 0 {
		return 0, 0, nil
	}
	same, value = min(n, h.left), h.value
	if h.packed != nil {
		value = 0 // packed in 0 bits
	}
	h.left -= same
	return same, value, nil
}

// fill reads the next len(dst) values.
func (h *hybrid) fill(dst []int32) error {
	for len(dst) > 0 {
		same, value, err := h.run(len(dst))
		if err != nil {
			return err
		}
		if same > 0 {
			part := dst[:same]
			for i := range part {
				part[i] = value
			}
			dst = dst[same:]
			continue
		}
		n := min(len(dst), h.left)
		unpack(dst[:n], h.packed, h.taken, h.width)
		h.taken += n
		h.left -= n
		dst = dst[n:]
	}
	return nil
}

// unpack takes values of width bits from packed, beginning with number from.
// The caller knows that packed holds them.
func unpack(dst []int32, packed []byte, from int, width uint) {
	mask := uint64(1)<<width - 1
	bit := uint(from) * width
	i := 0
	for ; i < len(dst); i++ {
		at := bit >> 3
		if at+8 > uint(len(packed)) {
			break
		}
		dst[i] = int32(binary.LittleEndian.Uint64(packed[at:]) >> (bit & 7) & mask)
		bit += width
	}
	for ; i < len(dst); i++ {
		var word uint64
		for k, b := range packed[bit>>3:] {
			if k == 8 {
				break
			}
			word |= uint64(b) << (8 * k)
		}
		dst[i] = int32(word >> (bit & 7) & mask)
		bit += width
	}
}
