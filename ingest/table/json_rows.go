package table

import (
	"errors"
	"fmt"
	"io"

	"gpuledger/internal/ledger"
)

// jsonRows splits a stream into its JSON objects, which follow each other or are in one list,
// without holding more than one.
type jsonRows struct {
	in     io.Reader
	file   string
	chunk  []byte // read but not yet parsed
	store  []byte
	line   int64 // of the next byte, from 1
	offset int64 // of the next byte
	begin  int64 // line of the current object
	start  int64 // its offset
	list   bool  // the objects are in a list
	comma  bool  // in a list: after an object, before a comma
	closed bool  // the list ended
	any    bool
	row    []byte
}

func newJSONRows(in io.Reader, file string) *jsonRows {
	return &jsonRows{in: in, file: file, store: make([]byte, 64<<10), line: 1}
}

// broken refuses the file because of the current object.
func (r *jsonRows) broken(err error) error {
	return r.refuse(r.begin, "broken json", fmt.Sprintf("the record at byte %d: %v", r.start, err))
}

func (r *jsonRows) refuse(line int64, reason, detail string) error {
	return &ledger.FileError{Rejection: ledger.Rejection{File: r.file, Line: line, Reason: reason, Detail: detail}}
}

func (r *jsonRows) unexpected(c byte) error {
	return r.refuse(r.line, "broken json",
		fmt.Sprintf("%q at byte %d, where a JSON object is expected", string(rune(c)), r.offset))
}

// fill reads more.
func (r *jsonRows) fill() error {
	for range 100 {
		n, err := r.in.Read(r.store)
		r.chunk = r.store[:n]
		if n > 0 {
			return nil // an error is returned again by the next read
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

func (r *jsonRows) take(n int) {
	r.chunk = r.chunk[n:]
	r.offset += int64(n)
}

// next returns the text of the next object, valid until the one after, or
// io.EOF.
func (r *jsonRows) next() ([]byte, error) {
	for {
		if len(r.chunk) == 0 {
			err := r.fill()
			if errors.Is(err, io.EOF) && r.list && !r.closed {
				return nil, r.refuse(r.line, "truncated file",
					fmt.Sprintf("the file ends inside its list of records, at byte %d", r.offset))
			}
			if err != nil {
				return nil, err
			}
		}
		switch c := r.chunk[0]; {
		case c == '\n':
			r.line++
		case c == ' ' || c == '\t' || c == '\r':
		case r.offset < 3 && (c == 0xef || c == 0xbb || c == 0xbf): // byte order mark
		case c == '[' && !r.any && !r.list:
			r.list = true
		case c == ',' && r.list && r.comma && !r.closed:
			r.comma = false
		case c == ']' && r.list && !r.closed && r.comma == r.any:
			r.closed = true
		case c == '{' && !r.closed && !(r.list && r.comma):
			r.any, r.comma = true, true
			return r.object()
		default:
			return nil, r.unexpected(c)
		}
		r.take(1)
	}
}

// object reads from an opening brace to the one that closes it.
func (r *jsonRows) object() ([]byte, error) {
	r.begin, r.start, r.row = r.line, r.offset, r.row[:0]
	depth, quoted, escaped := 0, false, false
	for {
		for i, c := range r.chunk {
			if c == '\n' {
				r.line++
			}
			switch {
			case escaped:
				escaped = false
			case quoted:
				quoted, escaped = c != '"', c == '\\'
			case c == '"':
				quoted = true
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				if depth--; depth == 0 {
					r.row = append(r.row, r.chunk[:i+1]...)
					r.take(i + 1)
					return r.row, nil
				}
			}
		}
		r.row = append(r.row, r.chunk...)
		r.take(len(r.chunk))
		if len(r.row) > MaxRow {
			return nil, r.refuse(r.begin, "broken json",
				fmt.Sprintf("the record at byte %d is longer than 16 MiB, so a quote or bracket is probably not closed", r.start))
		}
		err := r.fill()
		if errors.Is(err, io.EOF) {
			return nil, r.refuse(r.begin, "truncated file",
				fmt.Sprintf("the file ends at byte %d, inside the record that begins at byte %d", r.offset, r.start))
		}
		if err != nil {
			return nil, err
		}
	}
}
