package bill

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"gpuledger/internal/blob"
)

// frozen is a temporary file of sorted keys.
type frozen struct {
	file  *blob.Spool
	out   *bufio.Writer
	first []uint64 // key of each block
	n     int
	block [frozenBlock * 8]byte
}

const frozenBlock = 512 // keys

func newFrozen() (*frozen, error) {
	file, err := blob.NewSpool()
	if err != nil {
		return nil, err
	}
	return &frozen{file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
}

// write adds keys, which are larger than all earlier ones.
func (f *frozen) write(keys []uint64) error {
	var b [8]byte
	for _, key := range keys {
		if f.n%frozenBlock == 0 {
			f.first = append(f.first, key)
		}
		f.n++
		binary.LittleEndian.PutUint64(b[:], key)
		if _, err := f.out.Write(b[:]); err != nil {
			return fmt.Errorf("keep the rows seen so far in a temporary file: %w", err)
		}
	}
	return nil
}

// end makes the keys readable.
func (f *frozen) end() error {
	if err := f.out.Flush(); err != nil {
		return fmt.Errorf("keep the rows seen so far in a temporary file: %w", err)
	}
	f.out = nil
	return nil
}

// has reports whether a key is in the file.
func (f *frozen) has(key uint64) (bool, error) {
	at, exact := slices.BinarySearch(f.first, key)
	if exact {
		return true, nil
	}
	if at == 0 {
		return false, nil
	}
	from := (at - 1) * frozenBlock
	n := min(frozenBlock, f.n-from)
	block := f.block[:8*n]
	if _, err := f.file.ReadAt(block, int64(8*from)); err != nil {
		return false, fmt.Errorf("read the rows seen so far: %w", err)
	}
	for low, high := 0, n; low < high; {
		middle := (low + high) / 2
		switch have := binary.LittleEndian.Uint64(block[8*middle:]); {
		case have == key:
			return true, nil
		case have < key:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false, nil
}

func (f *frozen) close() error { return f.file.Close() }

// filter finds keys that were certainly not added (Bloom, 1970): 10 bits and 7 probes per key,
// about 1 % false positives. A nil filter has no keys.
type filter []uint64

const (
	filterBits  = 10
	filterLooks = 7
	maxFilter   = 1 << 30 // bits; beyond it, false positives increase
)

func newFilter(keys int64) filter {
	return make(filter, min(keys*filterBits, maxFilter)/64+1)
}

// look returns the place of a bit: word and mask.
func (f filter) look(key uint64, i int) (word int, mask uint64) {
	h := (key + uint64(i)*0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93
	h ^= h >> 32
	hi, lo := bits.Mul64(h*0xd6e8feb86659fd93, uint64(len(f)))
	return int(hi), 1 << (lo >> 58)
}

func (f filter) add(key uint64) {
	for i := range filterLooks {
		word, mask := f.look(key, i)
		f[word] |= mask
	}
}

func (f filter) has(key uint64) bool {
	if f == nil {
		return false
	}
	for i := range filterLooks {
		if word, mask := f.look(key, i); f[word]&mask == 0 {
			return false
		}
	}
	return true
}
