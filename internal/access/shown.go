package access

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shown is a name that others gave, in one line of at most LongestShown bytes, without
// what changes how others are shown. It may be empty.
func Shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	return strings.TrimSpace(Cut(strings.Join(strings.Fields(text), " "), LongestShown))
}

// Cut bounds a text to so many bytes, at the end of a character.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
