package openmetrics

import (
	"bytes"
	"errors"
	"io"
)

const (
	blockSize = 256 << 10
	// maxLine bounds the memory that one line can take.
	maxLine = 1 << 20
)

// scanner splits a stream into lines without copying them.
type scanner struct {
	r        io.Reader
	buf      []byte
	from, to int // unread part of buf
	eof      bool
	err      error
}

func newScanner(r io.Reader) *scanner { return &scanner{r: r, buf: make([]byte, blockSize)} }

// next returns the next line without its line feed, valid until the following call. cut: the
// input ended before a line feed. long: the line was longer than maxLine, and only its start is
// returned. ok is false at the end or after an error.
func (s *scanner) next() (line []byte, cut, long, ok bool) {
	if i := bytes.IndexByte(s.buf[s.from:s.to], '\n'); i >= 0 {
		line = s.buf[s.from : s.from+i]
		s.from += i + 1
		return line, false, false, true
	}
	return s.slow()
}

func (s *scanner) slow() (line []byte, cut, long, ok bool) {
	searched := 0
	for {
		if i := bytes.IndexByte(s.buf[s.from+searched:s.to], '\n'); i >= 0 {
			line = s.buf[s.from : s.from+searched+i]
			s.from += searched + i + 1
			return line, false, false, true
		}
		searched = s.to - s.from
		switch {
		case s.err != nil:
			return nil, false, false, false
		case s.eof:
			if searched == 0 {
				return nil, false, false, false
			}
			line = s.buf[s.from:s.to]
			s.from = s.to
			return line, true, false, true
		case searched >= maxLine:
			return s.skip()
		}
		s.fill()
	}
}

// skip drops the rest of an overlong line.
func (s *scanner) skip() (line []byte, cut, long, ok bool) {
	line = bytes.Clone(s.buf[s.from : s.from+64])
	s.from = s.to
	for s.err == nil && !s.eof {
		s.fill()
		if i := bytes.IndexByte(s.buf[s.from:s.to], '\n'); i >= 0 {
			s.from += i + 1
			return line, false, true, true
		}
		s.from = s.to
	}
	return line, s.eof, true, s.err == nil
}

// fill reads more after the unread part, and makes room first.
func (s *scanner) fill() {
	if s.from > 0 {
		copy(s.buf, s.buf[s.from:s.to])
		s.to -= s.from
		s.from = 0
	}
	if s.to == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.to:])
		s.to += n
		switch {
		case errors.Is(err, io.EOF):
			s.eof = true
			return
		case err != nil:
			s.err = err
			return
		case n > 0:
			return
		}
	}
	s.err = io.ErrNoProgress
}
