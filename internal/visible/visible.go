package visible

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// hidden reports whether a character is escaped: C0 and C1 controls, line separators, and characters that change the
// direction of writing.
func hidden(r rune) bool {
	switch {
	case r < ' ', r >= 0x7f && r < 0xa0:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r == 0xfeff: // marks of direction, and of byte order
		return true
	}
	return r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Text is a value inside one line.
func Text(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	return string(escaped([]byte(s), hidden))
}

// inLines is hidden except for line ends and tabs.
func inLines(r rune) bool { return r != '\n' && r != '\t' && hidden(r) }

func escaped(p []byte, not func(rune) bool) []byte {
	out := make([]byte, 0, len(p)+16)
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case r == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, p[0])
		case not(r):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, p[:n]...)
		}
		p = p[n:]
	}
	return out
}

// Fprintf is fmt.Fprintf with texts that are values inside one line.
func Fprintf(w io.Writer, format string, args ...any) {
	shown := make([]any, len(args))
	for i, arg := range args {
		if shown[i] = arg; arg != nil {
			if s, ok := arg.(string); ok {
				shown[i] = Text(s)
			}
		}
	}
	_, _ = fmt.Fprintf(w, format, shown...) // like fmt.Fprintf on a terminal: an error cannot be reported
}

// Writer escapes its input but keeps line ends and tabs.
type Writer struct {
	to   io.Writer
	half []byte // of a character whose rest is not written yet
}

// To returns a Writer.
func To(w io.Writer) *Writer { return &Writer{to: w} }

// Raw is the writer behind a Writer; another writer is returned unchanged.
func Raw(w io.Writer) io.Writer {
	if v, ok := w.(*Writer); ok {
		return v.to
	}
	return w
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	whole := p
	if len(w.half) > 0 {
		whole = append(w.half, p...)
		w.half = nil
	}
	if rest := incomplete(whole); rest > 0 {
		w.half = bytes.Clone(whole[len(whole)-rest:])
		whole = whole[:len(whole)-rest]
	}
	if !utf8.Valid(whole) || bytes.ContainsFunc(whole, inLines) {
		whole = escaped(whole, inLines)
	}
	if _, err := w.to.Write(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}

// incomplete is how many bytes at the end are the beginning of a character.
func incomplete(p []byte) int {
	for n := 1; n <= min(len(p), utf8.UTFMax-1); n++ {
		if tail := p[len(p)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
