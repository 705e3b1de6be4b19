package script

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is an error in a case, with its place. Column counts characters from 1; 0 is the whole line.
type Error struct {
	File         string
	Line, Column int
	Text         string
}

// Error gives file:line:column: text.
func (e *Error) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// word is a word of a line and the column at which it starts.
type word struct {
	text   string
	column int
}

// words splits a line: words are separated by blanks, "…" keeps blanks together, and # begins a comment where a word
// could begin. bad is the column of an unclosed quotation mark, else 0.
func words(line string) (list []word, bad int) {
	for at := 0; at < len(line); {
		rest := line[at:]
		column := utf8.RuneCountInString(line[:at]) + 1
		switch c := rest[0]; c {
		case ' ', '\t':
			at++
		case '#':
			return list, 0
		case '"':
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				return list, column
			}
			list = append(list, word{rest[1 : 1+end], column})
			at += end + 2
		default:
			end := strings.IndexAny(rest, " \t")
			if end < 0 {
				end = len(rest)
			}
			list = append(list, word{rest[:end], column})
			at += end
		}
	}
	return list, 0
}
