package access

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown is a name from outside made safe to display: one line of at most LongestShown bytes, without
// characters that change the display of other text. It may be empty.
func Shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	return strings.TrimSpace(Cut(strings.Join(strings.Fields(text), " "), LongestShown))
}

// Cut shortens a text to at most most bytes, at a character boundary.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
