package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxDepth is how deep JSON and nested records may go. Bills need three.
const maxDepth = 32

// maxItems bounds the values of one repeated field of one row.
const maxItems = 1 << 16

var (
	errDepth = fmt.Errorf("nested deeper than %d levels", maxDepth)
	errItems = fmt.Errorf("a repeated field with more than %d values", maxItems)
	errJSON  = errors.New("not JSON")
)

type jsonKind byte

const (
	jsonNull jsonKind = iota
	jsonString
	jsonNumber
	jsonWord // true, false
	jsonObject
	jsonArray
)

// jsonValue is a JSON value as a tree.
type jsonValue struct {
	kind    jsonKind
	text    string // of scalars: unescaped, numbers as written
	members []jsonMember
	items   []jsonValue
}

type jsonMember struct {
	name  string
	value jsonValue
}

// jsonParser reads strict JSON from a complete text.
type jsonParser struct {
	s     string
	pos   int
	items int // values read by value
}

func (p *jsonParser) fail(what string) error {
	return fmt.Errorf("%w: %s at byte %d", errJSON, what, p.pos+1)
}

func (p *jsonParser) blank() {
	for p.pos < len(p.s) {
		switch p.s[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

// peek skips blanks and returns the next byte, 0 at the end.
func (p *jsonParser) peek() byte {
	p.blank()
	if p.pos < len(p.s) {
		return p.s[p.pos]
	}
	return 0
}

// open consumes the bracket of an object or array. more is false if it is empty.
func (p *jsonParser) open(closing byte) (more bool) {
	p.pos++
	if p.peek() == closing {
		p.pos++
		return false
	}
	return true
}

// next consumes the token after an element: a comma, or the closing bracket.
func (p *jsonParser) next(closing byte) (more bool, err error) {
	switch p.peek() {
	case ',':
		p.pos++
		return true, nil
	case closing:
		p.pos++
		return false, nil
	}
	return false, p.fail("a comma or " + string(closing) + " is expected")
}

// key reads a member's name and the colon after it.
func (p *jsonParser) key() (string, error) {
	if p.peek() != '"' {
		return "", p.fail("a member name is expected")
	}
	name, err := p.quoted()
	if err != nil {
		return "", err
	}
	if p.peek() != ':' {
		return "", p.fail("a colon is expected")
	}
	p.pos++
	return name, nil
}

func (p *jsonParser) quoted() (string, error) {
	from := p.pos
	escaped := false
	for p.pos++; p.pos < len(p.s); p.pos++ {
		switch c := p.s[p.pos]; {
		case c == '\\':
			escaped = true
			p.pos++
		case c < 0x20:
			return "", p.fail("a control character in a string")
		case c == '"':
			p.pos++
			raw := p.s[from:p.pos]
			if !escaped {
				return strings.ToValidUTF8(raw[1:len(raw)-1], "\ufffd"), nil
			}
			var out string
			if err := json.Unmarshal([]byte(raw), &out); err != nil {
				p.pos = from
				return "", p.fail("a broken escape in a string")
			}
			return out, nil
		}
	}
	return "", p.fail("a string is not closed")
}

// scalar reads a string, number or word.
func (p *jsonParser) scalar() (jsonKind, string, error) {
	if p.peek() == '"' {
		text, err := p.quoted()
		return jsonString, text, err
	}
	from := p.pos
	for p.pos < len(p.s) && strings.IndexByte(" \t\r\n,:]}[{\"", p.s[p.pos]) < 0 {
		p.pos++
	}
	switch word := p.s[from:p.pos]; {
	case word == "null":
		return jsonNull, "", nil
	case word == "true" || word == "false":
		return jsonWord, word, nil
	case numberText(word):
		return jsonNumber, word, nil
	}
	p.pos = from
	return 0, "", p.fail("a value is expected")
}

// numberText reports whether s is a JSON number.
func numberText(s string) bool {
	s = strings.TrimPrefix(s, "-")
	digits := func() bool {
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n > 0
	}
	zero := strings.HasPrefix(s, "0")
	if before := len(s); !digits() || zero && before-len(s) > 1 {
		return false
	}
	if strings.HasPrefix(s, ".") {
		if s = s[1:]; !digits() {
			return false
		}
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if !digits() {
			return false
		}
	}
	return s == ""
}

// value reads any value as a tree.
func (p *jsonParser) value(depth int) (v jsonValue, err error) {
	if p.items++; depth > maxDepth {
		return v, errDepth
	} else if p.items > maxItems {
		return v, errItems
	}
	switch p.peek() {
	case '{':
		v.kind = jsonObject
		for more := p.open('}'); more && err == nil; {
			var m jsonMember
			if m.name, err = p.key(); err != nil {
				return v, err
			}
			if m.value, err = p.value(depth + 1); err != nil {
				return v, err
			}
			v.members = append(v.members, m)
			more, err = p.next('}')
		}
	case '[':
		v.kind = jsonArray
		for more := p.open(']'); more && err == nil; {
			var item jsonValue
			if item, err = p.value(depth + 1); err != nil {
				return v, err
			}
			v.items = append(v.items, item)
			more, err = p.next(']')
		}
	default:
		v.kind, v.text, err = p.scalar()
	}
	return v, err
}

// skip reads any value and discards it.
func (p *jsonParser) skip(depth int) (err error) {
	if depth > maxDepth {
		return errDepth
	}
	var closing byte
	switch p.peek() {
	case '{':
		closing = '}'
	case '[':
		closing = ']'
	default:
		_, _, err = p.scalar()
		return err
	}
	for more := p.open(closing); more && err == nil; {
		if closing == '}' {
			if _, err = p.key(); err != nil {
				return err
			}
		}
		if err = p.skip(depth + 1); err != nil {
			return err
		}
		more, err = p.next(closing)
	}
	return err
}

// parseJSON reads a whole text as one value.
func parseJSON(text string) (jsonValue, error) {
	p := &jsonParser{s: text}
	v, err := p.value(0)
	if err == nil && p.peek() != 0 {
		err = p.fail("there is text after the value")
	}
	return v, err
}
