package remotewrite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Wire types of protobuf.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// ErrMalformed is wrapped by all errors about messages that are not protobuf or not of the
// declared type.
var ErrMalformed = errors.New("malformed message")

func malformed(what string, at int) error {
	return fmt.Errorf("%w: %s at byte %d", ErrMalformed, what, at)
}

// uvarint reads a varint at b[i:]. n is the position after it, 0 if there is none.
func uvarint(b []byte, i int) (v uint64, n int) {
	if i < len(b) && b[i] < 0x80 {
		return uint64(b[i]), i + 1
	}
	return longUvarint(b, i)
}

func longUvarint(b []byte, i int) (v uint64, n int) {
	v, k := binary.Uvarint(b[i:])
	if k <= 0 {
		return 0, 0
	}
	return v, i + k
}

// field reads a field's tag at b[i:]; end is 0 if there is none.
func field(b []byte, i int) (number uint64, wire int, end int) {
	if i < len(b) && b[i] < 0x80 && b[i] >= 1<<3 {
		return uint64(b[i] >> 3), int(b[i] & 7), i + 1
	}
	v, end := uvarint(b, i)
	if end == 0 || v>>3 == 0 || v>>3 > 1<<29-1 {
		return 0, 0, 0
	}
	return v >> 3, int(v & 7), end
}

// span reads a length and returns the range of b after it; to is 0 if b is too short.
func span(b []byte, i int) (from, to int) {
	n, from := uvarint(b, i)
	if from == 0 || n > uint64(len(b)-from) {
		return 0, 0
	}
	return from, from + int(n)
}

// skip skips the value of an unread field; 0 if it is broken.
func skip(b []byte, i, wire int) int {
	switch wire {
	case wireVarint:
		_, end := uvarint(b, i)
		return end
	case wire64:
		if len(b)-i >= 8 {
			return i + 8
		}
	case wire32:
		if len(b)-i >= 4 {
			return i + 4
		}
	case wireBytes:
		_, to := span(b, i)
		return to
	}
	return 0 // groups were never part of these messages
}

// size is the number of bytes of v as varint.
func size(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }
