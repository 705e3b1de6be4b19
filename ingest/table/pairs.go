package table

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// plainPairs reads the usual form of map columns, an object of strings and plain numbers
// without escapes, at a fraction of the cost of a JSON parser. ok is false for all other texts,
// valid or not.
func plainPairs(text string) (pairs []Pair, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	s := plainScanner{text: text}
	if !s.take('{') {
		return nil, false
	}
	pairs = make([]Pair, 0, strings.Count(text, ":"))
	for {
		key, isKey := s.quoted()
		if !isKey || !s.take(':') {
			return nil, false
		}
		value, isText := s.quoted()
		if !isText {
			if value = s.number(); value == "" {
				return nil, false
			}
		}
		pairs = append(pairs, Pair{key, value})
		if s.take(',') {
			continue
		}
		if !s.take('}') || s.blank() != len(text) {
			return nil, false
		}
		break
	}
	sortPairs(pairs)
	for i := 1; i < len(pairs); i++ {
		if pairs[i].Key == pairs[i-1].Key {
			return nil, false // duplicate key: leave the decision to the parser
		}
	}
	return slices.Clip(pairs), true
}

type plainScanner struct {
	text string
	at   int
}

// blank skips white space and returns the position after it.
func (s *plainScanner) blank() int {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
	return s.at
}

func (s *plainScanner) take(b byte) bool {
	if s.blank() < len(s.text) && s.text[s.at] == b {
		s.at++
		return true
	}
	return false
}

// quoted reads a string without escapes.
func (s *plainScanner) quoted() (string, bool) {
	if s.blank() == len(s.text) || s.text[s.at] != '"' {
		return "", false
	}
	from := s.at + 1
	for i := from; i < len(s.text); i++ {
		switch b := s.text[i]; {
		case b == '"':
			s.at = i + 1
			return s.text[from:i], true
		case b == '\\' || b < ' ':
			return "", false
		}
	}
	return "", false
}

// number reads a number in canonical form.
func (s *plainScanner) number() string {
	from := s.blank()
	to := from
	for to < len(s.text) && strings.IndexByte("-.0123456789", s.text[to]) >= 0 {
		to++
	}
	if n := s.text[from:to]; plainDecimal(n) {
		s.at = to
		return n
	}
	return ""
}
