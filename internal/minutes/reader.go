package minutes

import (
	"encoding/binary"
	"fmt"
)

// reader walks packed bytes; the first error sticks and zeros follow.
type reader struct {
	b    []byte
	err  error
	form byte // of the vector that a copy was made at
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCorrupt, what)
	}
	r.b = nil
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail("ends too early")
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

// take returns the next n bytes, nil when there are fewer.
func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.fail("ends too early")
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) uvarint() uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 {
		u := uint64(r.b[0])
		r.b = r.b[1:]
		return u
	}
	u, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("bad number")
		return 0
	}
	r.b = r.b[n:]
	return u
}

func (r *reader) name() string {
	c := r.byte()
	if c != 0 {
		if s := wellKnownName(c); s != "" {
			return s
		}
		r.fail(fmt.Sprintf("name code %d is not known to this program", c))
		return ""
	}
	n := r.uvarint()
	if n > MaxName || n > uint64(len(r.b)) {
		r.fail("name too long")
		return ""
	}
	return string(r.take(int(n)))
}
