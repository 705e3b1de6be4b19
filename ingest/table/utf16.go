package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

var errUTF16 = errors.New("the text is marked as UTF-16 but is not valid UTF-16; export the file again as UTF-8")

// Byte order marks of UTF-16.
var (
	littleEndian = []byte{0xff, 0xfe}
	bigEndian    = []byte{0xfe, 0xff}
)

// utf8Reader returns text as UTF-8: text that begins with a UTF-16 byte order mark is
// converted, all other text stays unchanged.
type utf8Reader struct {
	in     io.Reader
	begun  bool
	wide   bool // UTF-16
	swap   bool // big endian
	raw    []byte
	have   int // unconverted bytes of raw
	out    []byte
	failed error
}

func newUTF8Reader(in io.Reader) *utf8Reader { return &utf8Reader{in: in} }

// Read implements io.Reader.
func (u *utf8Reader) Read(p []byte) (int, error) {
	if !u.begun {
		u.begin()
	}
	for len(u.out) == 0 {
		if u.failed != nil {
			return 0, u.failed
		}
		if !u.wide {
			return u.in.Read(p)
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// begin looks for the byte order mark.
func (u *utf8Reader) begin() {
	u.begun = true
	var mark [2]byte
	n, err := io.ReadFull(u.in, mark[:])
	u.wide, u.swap = bytes.Equal(mark[:n], littleEndian), false
	if bytes.Equal(mark[:n], bigEndian) {
		u.wide, u.swap = true, true
	}
	if !u.wide {
		u.out = bytes.Clone(mark[:n])
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		u.failed = io.EOF
	case err != nil:
		u.failed = err
	}
	if u.wide {
		u.raw = make([]byte, 64<<10)
	}
}

// fill converts the data of the next read. A truncated code unit or surrogate pair waits for
// its rest.
func (u *utf8Reader) fill() {
	n, err := u.in.Read(u.raw[u.have:])
	data := u.raw[:u.have+n]
	out, used, bad := appendUTF8(nil, data, u.swap)
	u.out = out
	u.have = copy(u.raw, data[used:])
	switch {
	case bad:
		u.failed = errUTF16
	case errors.Is(err, io.EOF) && u.have > 0:
		u.failed = fmt.Errorf("%w: it ends in the middle of a character", errUTF16)
	case err != nil:
		u.failed = err
	}
}

// appendUTF8 converts whole characters of UTF-16 text and returns the number of bytes used. bad
// reports half of a surrogate pair.
func appendUTF8(dst, data []byte, swap bool) (out []byte, used int, bad bool) {
	unit := func(at int) rune {
		if swap {
			return rune(data[at])<<8 | rune(data[at+1])
		}
		return rune(data[at+1])<<8 | rune(data[at])
	}
	for used+1 < len(data) {
		r, size := unit(used), 2
		if utf16.IsSurrogate(r) {
			if used+3 >= len(data) {
				return dst, used, r >= 0xdc00
			}
			if r = utf16.DecodeRune(r, unit(used+2)); r == utf8.RuneError {
				return dst, used, true
			}
			size = 4
		}
		dst = utf8.AppendRune(dst, r)
		used += size
	}
	return dst, used, false
}

// utf8Head is the beginning of a file as UTF-8, without a truncated character at its end.
func utf8Head(head []byte) []byte {
	switch {
	case bytes.HasPrefix(head, littleEndian):
		head, _, _ = appendUTF8(nil, head[2:], false)
	case bytes.HasPrefix(head, bigEndian):
		head, _, _ = appendUTF8(nil, head[2:], true)
	}
	return head
}
