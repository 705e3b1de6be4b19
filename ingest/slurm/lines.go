package slurm

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gpuledger/internal/ledger"
)

// maxLine bounds a line: a submit line may be long.
const maxLine = 4 << 20

// lineSource reads lines, and can look one ahead.
type lineSource struct {
	file  string
	in    *bufio.Reader
	line  int64 // of the last one returned
	ahead *string
	dirty int64 // lines with bytes that are not UTF-8
}

func newLineSource(in io.Reader, file string) *lineSource {
	return &lineSource{file: file, in: bufio.NewReaderSize(in, 256<<10)}
}

// firstText returns the first byte that is neither byte order mark nor white space, 0 if there
// is none, without consuming it.
func (s *lineSource) firstText() (byte, error) {
	if mark, err := s.in.Peek(3); err == nil && bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = s.in.Discard(3) // already peeked
	}
	for n := 1; n <= 4096; n++ {
		head, err := s.in.Peek(n)
		if len(head) < n {
			if errors.Is(err, io.EOF) {
				return 0, nil
			}
			return 0, err
		}
		switch c := head[n-1]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c, nil
		}
	}
	return 0, nil
}

// rest is the unread rest.
func (s *lineSource) rest() io.Reader { return s.in }

// next returns the next line without its end; ok is false at the end.
func (s *lineSource) next() (text string, ok bool, err error) {
	if s.ahead != nil {
		text, s.ahead = *s.ahead, nil
		s.line++
		return text, true, nil
	}
	text, ok, err = s.fetch()
	if ok {
		s.line++
	}
	return text, ok, err
}

// peek returns the next line without consuming it.
func (s *lineSource) peek() (text string, ok bool, err error) {
	if s.ahead == nil {
		text, ok, err = s.fetch()
		if !ok || err != nil {
			return "", false, err
		}
		s.ahead = &text
	}
	return *s.ahead, true, nil
}

func (s *lineSource) fetch() (string, bool, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return "", false, &ledger.FileError{Rejection: ledger.Rejection{File: s.file, Line: s.line + 1,
				Reason: "line too long",
				Detail: fmt.Sprintf("more than %d MiB; this is not output of sacct", maxLine>>20)}}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return "", false, err
		}
		if err != nil && len(line) == 0 {
			return "", false, nil
		}
		break
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	if !utf8.Valid(line) {
		s.dirty++
		line = bytes.ToValidUTF8(line, []byte("\ufffd"))
	}
	return string(line), true, nil
}

// split splits a row.
func (l *layout) split(text string) []string {
	if l.csv && strings.Contains(text, `"`) {
		return splitQuoted(text, l.delimiter[0])
	}
	parts := strings.Split(text, l.delimiter)
	if n := len(parts); n == len(l.columns)+1 && strings.TrimSpace(parts[n-1]) == "" {
		parts = parts[:n-1]
	}
	return parts
}

// splitQuoted splits a row whose fields may be quoted. If a quote is still open at the end, the
// rest of the row is the last field.
func splitQuoted(text string, delimiter byte) []string {
	var out []string
	var field strings.Builder
	quoted, start := false, true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '"' && quoted && i+1 < len(text) && text[i+1] == '"':
			field.WriteByte('"')
			i++
		case c == '"' && quoted:
			quoted = false
		case c == '"' && start:
			quoted = true
		case c == delimiter && !quoted:
			out = append(out, field.String())
			field.Reset()
			start = true
			continue
		default:
			field.WriteByte(c)
		}
		start = false
	}
	return append(out, field.String())
}

// openQuote reports whether a row of CSV ends inside a quoted field.
func openQuote(text string) bool { return strings.Count(text, `"`)%2 == 1 }
