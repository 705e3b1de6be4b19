package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
)

// MaxRow is the longest row that is read, in bytes: an unclosed quote would otherwise take the
// rest of the file into memory.
const MaxRow = 16 << 20

// MaxColumns is the largest number of columns of a file, since each takes memory.
const MaxColumns = 1 << 14

var errTooWide = fmt.Errorf("the row has more than %d fields; export fewer columns (docs/connect/… list "+
	"the columns that are read)", MaxColumns)

var errRowTooLong = errors.New("the row is longer than 16 MiB, so a quote is probably not closed")

// csvLines splits CSV text (RFC 4180) into rows, exactly as encoding/csv does, but without
// copying each field. Malformed text is passed to encoding/csv for its error.
type csvLines struct {
	in     io.Reader
	buf    []byte
	from   int // start of the unconsumed bytes
	to     int // end of the bytes read
	ended  error
	begun  bool
	line   int64      // number of the line that begins at from
	at     int64      // number of the line at which the current row begins
	fields []csvField // of the current rows, one after the other
}

// csvField is the position of a field in a current row, without its quotes.
type csvField struct {
	from, to int32
	// doubled means that it contains doubled quotes, or CRLF line ends.
	doubled bool
}

func (c *csvLines) text(f csvField) []byte { return c.buf[f.from:f.to] }

const csvBuffer = 256 << 10

func newCSVLines(in io.Reader) *csvLines {
	return &csvLines{in: in, buf: make([]byte, csvBuffer), line: 1}
}

// next makes the next row the only current one. It returns io.EOF after the last. fields are
// valid until the next call.
func (c *csvLines) next() error {
	if !c.begun {
		c.begun = true
		for c.ended == nil && c.to < 3 {
			c.fill()
		}
		c.from += len(c.buf[:c.to]) - len(bytes.TrimPrefix(c.buf[:c.to], []byte("\ufeff")))
	}
	for {
		final := c.ended != nil
		if final && !errors.Is(c.ended, io.EOF) && c.from == c.to {
			return c.ended
		}
		c.fields = c.fields[:0]
		n, err := c.row(errors.Is(c.ended, io.EOF))
		switch {
		case err != nil:
			return err
		case len(c.fields) > MaxColumns:
			return errTooWide
		case n >= 0:
			c.from += n
			if len(c.fields) == 0 {
				return io.EOF
			}
			return nil
		case final:
			return c.ended // in the middle of a row
		case c.to-c.from >= MaxRow:
			c.at = c.line
			return errRowTooLong
		}
		c.fill()
	}
}

// more adds the next row to the current ones if it is already read and well formed. Otherwise
// it adds no fields.
func (c *csvLines) more() (fields []csvField) {
	before, at, line := len(c.fields), c.at, c.line
	n, err := c.row(errors.Is(c.ended, io.EOF))
	if n < 0 || err != nil || len(c.fields) == before || len(c.fields)-before > MaxColumns {
		c.fields, c.at, c.line = c.fields[:before], at, line // next will report it
		return nil
	}
	c.from += n
	return c.fields[before:]
}

// fill reads more after the unconsumed bytes.
func (c *csvLines) fill() {
	if c.from > 0 && c.to == len(c.buf) {
		c.to = copy(c.buf, c.buf[c.from:c.to])
		c.from = 0
	}
	if c.to == len(c.buf) {
		c.buf = append(c.buf, make([]byte, len(c.buf))...)
	}
	for range 100 {
		n, err := c.in.Read(c.buf[c.to:])
		c.to += n
		if err != nil {
			c.ended = err
			return
		}
		if n > 0 {
			return
		}
	}
	c.ended = io.ErrNoProgress
}

// lineEnd finds the end of data's first line: where its text ends and where the next line
// begins; next is -1 if data ends before that.
func lineEnd(data []byte, final bool) (end, next int) {
	end = bytes.IndexByte(data, '\n')
	switch {
	case end >= 0:
		next = end + 1
	case final:
		end, next = len(data), len(data)
	default:
		return 0, -1
	}
	if end > 0 && data[end-1] == '\r' {
		end--
	}
	return end, next
}

// row splits the first unconsumed row and returns its number of bytes, -1 if more must be read.
// No fields mean the end of the text.
func (c *csvLines) row(final bool) (int, error) {
	data := c.buf[c.from:c.to]
	start, line := 0, c.line
	for { // skip empty lines
		if start == len(data) && final {
			c.line = line
			return start, nil
		}
		end, next := lineEnd(data[start:], final)
		if next < 0 {
			return -1, nil
		}
		if end > 0 {
			break
		}
		start += next
		line++
	}
	c.at = line
	n, lines, err := c.split(data[start:], c.from+start, final)
	if n < 0 || err != nil {
		return n, err
	}
	c.line = line + lines
	return start + n, nil
}

// split splits the row at the start of data, which is at base in the buffer.
func (c *csvLines) split(data []byte, base int, final bool) (n int, lines int64, err error) {
	end, next := lineEnd(data, final)
	lines = 1
	at, before := 0, len(c.fields)
	quote := indexFrom(data, at, next, '"')
	for {
		if len(c.fields)-before > MaxColumns {
			return -1, 0, nil // refused by next
		}
		if at < next && data[at] == '"' {
			field, after, ok, odd := quoted(data, at+1, final)
			if odd {
				return 0, 0, c.judge(data)
			}
			if !ok {
				return -1, 0, nil
			}
			if after >= next { // there were line ends inside the quotes
				lines += int64(bytes.Count(data[next-1:after], []byte("\n")))
				rest, more := lineEnd(data[after:], final)
				if more < 0 {
					return -1, 0, nil
				}
				end, next = after+rest, after+more
			}
			c.fields = append(c.fields, csvField{int32(base) + field.from, int32(base) + field.to, field.doubled})
			if at = after; at >= end {
				return next, lines, nil
			}
			at++ // the comma
			quote = indexFrom(data, at, next, '"')
			continue
		}
		stop := bytes.IndexByte(data[at:end], ',')
		if stop < 0 {
			stop = end - at
		}
		if quote >= 0 && quote < at+stop {
			return 0, 0, c.judge(data)
		}
		c.fields = append(c.fields, csvField{from: int32(base + at), to: int32(base + at + stop)})
		if at += stop; at == end {
			return next, lines, nil
		}
		at++
	}
}

func indexFrom(data []byte, from, to int, b byte) int {
	if i := bytes.IndexByte(data[from:to], b); i >= 0 {
		return from + i
	}
	return -1
}

// quoted reads a field after its opening quote. after is the position of its comma or line end;
// ok is false if data ends before that; odd means text that encoding/csv will refuse.
func quoted(data []byte, from int, final bool) (f csvField, after int, ok, odd bool) {
	for at := from; ; {
		i := bytes.IndexByte(data[at:], '"')
		if i < 0 {
			return f, 0, false, final
		}
		at += i + 1
		rest := data[at:]
		switch {
		case len(rest) == 0 && !final, len(rest) == 1 && rest[0] == '\r' && !final:
			return f, 0, false, false
		case len(rest) > 0 && rest[0] == '"':
			f.doubled = true
			at++
			continue
		case len(rest) > 0 && rest[0] != ',' && rest[0] != '\n' && !(rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n')):
			return f, 0, false, true
		}
		f.from, f.to = int32(from), int32(at-1)
		f.doubled = f.doubled || bytes.IndexByte(data[from:at-1], '\r') >= 0
		return f, at, true, false
	}
}

// judge returns the error of the row at the start of data.
func (c *csvLines) judge(data []byte) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	_, err := r.Read()
	if pe, ok := errors.AsType[*csv.ParseError](err); ok {
		return &csv.ParseError{
			StartLine: pe.StartLine + int(c.at) - 1, Line: pe.Line + int(c.at) - 1, Column: pe.Column, Err: pe.Err,
		}
	}
	return &csv.ParseError{StartLine: int(c.at), Line: int(c.at), Column: 1, Err: csv.ErrQuote}
}

// unquote writes the text between quotes.
func unquote(dst, text []byte) []byte {
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '"':
			i++
		case b == '\r' && i+1 < len(text) && text[i+1] == '\n':
			continue
		}
		dst = append(dst, b)
	}
	return dst
}

// string is a copy of the text of a field.
func (c *csvLines) string(f csvField) string {
	if f.doubled {
		return string(unquote(nil, c.text(f)))
	}
	return string(c.text(f))
}
