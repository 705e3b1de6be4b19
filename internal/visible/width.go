package visible

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Width is the number of columns that a shown text takes on a terminal: two for wide characters of East Asia and
// emoji, none for accents that combine with the letter before.
func Width(s string) (columns int) {
	for _, r := range s {
		columns += runeWidth(r)
	}
	return columns
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300: // the usual case; wide and combining characters come later
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut shortens a shown text to at most columns and marks the gap with "…": at the end of a sentence, but in the middle
// of a name, since names of machines, files and resources differ at both ends.
func Cut(s string, columns int) string {
	if Width(s) <= columns {
		return s
	}
	head := max(columns-1, 0)
	tail := 0
	if !strings.ContainsRune(s, ' ') {
		tail = head / 2
		head -= tail
	}
	runes := []rune(s)
	from := 0
	for used := 0; from < len(runes) && used+runeWidth(runes[from]) <= head; from++ {
		used += runeWidth(runes[from])
	}
	to := len(runes)
	for used := 0; to > from && used+runeWidth(runes[to-1]) <= tail; to-- {
		used += runeWidth(runes[to-1])
	}
	for to < len(runes) && runeWidth(runes[to]) == 0 { // an accent without its letter
		to++
	}
	return string(runes[:from]) + "…" + string(runes[to:])
}

// Wrap breaks lines of words that are longer than columns; indent begins the lines that follow. A longer word has a
// line for itself.
func Wrap(text, indent string, columns int) string {
	var b strings.Builder
	used := 0
	for i, word := range strings.Fields(text) {
		n := Width(word)
		switch {
		case i == 0:
		case used+1+n > columns:
			b.WriteString("\n" + indent)
			used = Width(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}
