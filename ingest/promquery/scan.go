package promquery

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// scanner reads JSON in memory, without a copy. Errors name the byte.
type scanner struct {
	b []byte
	i int
}

var errJSON = errors.New("not the JSON of a query API")

func (s *scanner) fault(want string) error {
	return fmt.Errorf("%w: byte %d: %s expected", errJSON, s.i, want)
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// peek returns the next byte other than white space, 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i >= len(s.b) {
		return 0
	}
	return s.b[s.i]
}

// take consumes c.
func (s *scanner) take(c byte) error {
	if s.peek() != c {
		return s.fault(string(rune(c)))
	}
	s.i++
	return nil
}

// raw consumes a string and returns the text between its quotes.
func (s *scanner) raw() (text []byte, escaped bool, err error) {
	if err := s.take('"'); err != nil {
		return nil, false, err
	}
	from := s.i
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			s.i++
			return s.b[from : s.i-1], escaped, nil
		case '\\':
			escaped = true
			s.i++
		}
		s.i++
	}
	s.i = min(s.i, len(s.b))
	return nil, false, s.fault("end of a string")
}

// text consumes a string and returns a copy of its unescaped text.
func (s *scanner) text() (string, error) {
	raw, escaped, err := s.raw()
	if err != nil {
		return "", err
	}
	if !escaped {
		if !utf8.Valid(raw) {
			return "", fmt.Errorf("%w: byte %d: a string is not UTF-8", errJSON, s.i)
		}
		return string(raw), nil
	}
	var out string
	if err := json.Unmarshal(s.b[s.i-len(raw)-2:s.i], &out); err != nil {
		return "", fmt.Errorf("%w: byte %d: %w", errJSON, s.i, err)
	}
	return out, nil
}

// maxDepth bounds the nesting of skipped values.
const maxDepth = 64

// skip consumes any value and returns its text.
func (s *scanner) skip() ([]byte, error) {
	s.space()
	from, depth := s.i, 0
	for {
		switch c := s.peek(); c {
		case 0:
			return nil, s.fault("a value")
		case '"':
			if _, _, err := s.raw(); err != nil {
				return nil, err
			}
		case '{', '[':
			if depth++; depth > maxDepth {
				return nil, fmt.Errorf("%w: byte %d: nested more than %d deep", errJSON, s.i, maxDepth)
			}
			s.i++
			continue
		case '}', ']':
			if depth == 0 {
				return nil, s.fault("a value")
			}
			depth--
			s.i++
		case ',', ':':
			if depth == 0 {
				return nil, s.fault("a value")
			}
			s.i++
			continue
		default:
			for s.i < len(s.b) && !delimiter(s.b[s.i]) {
				s.i++
			}
		}
		if depth == 0 {
			return s.b[from:s.i], nil
		}
	}
}

func delimiter(c byte) bool {
	switch c {
	case ',', ':', '}', ']', '{', '[', '"', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// object calls member for each key, which consumes the value.
func (s *scanner) object(member func(key string) error) error {
	if err := s.take('{'); err != nil {
		return err
	}
	if s.peek() == '}' {
		s.i++
		return nil
	}
	for {
		key, err := s.text()
		if err != nil {
			return err
		}
		if err := s.take(':'); err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.i++
		case '}':
			s.i++
			return nil
		default:
			return s.fault("a comma or }")
		}
	}
}

// array calls item for each element, which consumes it.
func (s *scanner) array(item func() error) error {
	if err := s.take('['); err != nil {
		return err
	}
	if s.peek() == ']' {
		s.i++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.i++
		case ']':
			s.i++
			return nil
		default:
			return s.fault("a comma or ]")
		}
	}
}
