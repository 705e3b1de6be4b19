package table

import (
	"fmt"
	"slices"
	"strings"
)

// Record is one element of a repeated field: its scalar members by name, and
// the JSON text of others. Members without a value are left out.
type Record []Pair

// Get returns the member of that name, "" when it has no value.
func (r Record) Get(name string) string {
	for _, m := range r {
		if m.Key == name {
			return m.Value
		}
	}
	return ""
}

// ParseRecords reads the text of a repeated field: a JSON list of objects, one object, or the
// same in Python's syntax ('single quotes', None, True). Numbers lose superfluous zeros; null
// elements are left out.
func ParseRecords(text string) ([]Record, error) {
	v, err := parseLiteral(text)
	if err != nil {
		return nil, err
	}
	items := v.items
	switch v.kind {
	case jsonNull:
		return nil, nil
	case jsonObject:
		items = []jsonValue{v}
	case jsonArray:
	default:
		return nil, fmt.Errorf("a list of records is expected, not %q", Clip(text))
	}
	out := make([]Record, 0, len(items))
	for i := range items {
		switch items[i].kind {
		case jsonNull:
			continue
		case jsonObject:
		default:
			return nil, fmt.Errorf("a list of records is expected, not %q", Clip(text))
		}
		r := make(Record, 0, len(items[i].members))
		for j := range items[i].members {
			m := &items[i].members[j]
			if m.value.none() {
				continue
			}
			if r.Get(m.name) != "" {
				return nil, fmt.Errorf("a record has two members %q", Clip(m.name))
			}
			r = append(r, Pair{m.name, m.value.scalarText()})
		}
		out = append(out, r)
	}
	return out, nil
}

// scalarText is the text of a scalar, and the JSON text of anything else.
func (v *jsonValue) scalarText() string {
	switch v.kind {
	case jsonString, jsonWord:
		return v.text
	default:
		return string(v.append(nil))
	}
}

// AppendRecords writes the records of a repeated field so that the same records are the same
// bytes, whatever the file format: members sorted, those without a value left out, numbers
// without superfluous zeros whether they are written as numbers or as strings.
func AppendRecords(dst []byte, text string) ([]byte, error) {
	v, err := parseLiteral(text)
	if err != nil || v.none() {
		return dst, err
	}
	if v.kind == jsonObject {
		v = jsonValue{kind: jsonArray, items: []jsonValue{v}}
	}
	v.unquoteNumbers()
	return v.append(dst), nil
}

// unquoteNumbers converts strings that hold a number to numbers.
func (v *jsonValue) unquoteNumbers() {
	if v.kind == jsonString && numberText(v.text) {
		v.kind = jsonNumber
	}
	for i := range v.items {
		v.items[i].unquoteNumbers()
	}
	v.members = slices.Clone(v.members)
	for i := range v.members {
		v.members[i].value.unquoteNumbers()
	}
}

// parseLiteral reads JSON, or a Python literal of lists, dicts and scalars.
func parseLiteral(text string) (jsonValue, error) {
	if text = strings.TrimSpace(text); text == "" || text == "[]" {
		return jsonValue{}, nil
	}
	v, err := parseJSON(text)
	if err == nil {
		return v, nil
	}
	if asJSON, ok := fromPython(text); ok {
		if v, perr := parseJSON(asJSON); perr == nil {
			return v, nil
		}
	}
	return jsonValue{}, err
}

// fromPython rewrites a Python literal as JSON: strings in single quotes, and
// the words None, True and False.
func fromPython(s string) (string, bool) {
	out := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\'' || c == '"':
			inner, n, ok := pythonString(s[i:])
			if !ok {
				return "", false
			}
			out = AppendQuoted(out, inner)
			i += n
		case c >= 'A' && c <= 'Z':
			n := 1
			for i+n < len(s) && s[i+n] >= 'a' && s[i+n] <= 'z' {
				n++
			}
			word, ok := map[string]string{"None": "null", "True": "true", "False": "false"}[s[i:i+n]]
			if !ok {
				return "", false
			}
			out = append(out, word...)
			i += n
		default:
			out = append(out, c)
			i++
		}
	}
	return string(out), true
}

// pythonString reads a quoted string and returns its text and its length in s.
func pythonString(s string) (inner string, n int, ok bool) {
	quote := s[0]
	var out []byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == quote:
			return string(out), i + 1, true
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; e {
			case '\\', '\'', '"':
				out = append(out, e)
			case 'n':
				out = append(out, '\n')
			case 't':
				out = append(out, '\t')
			case 'r':
				out = append(out, '\r')
			case 'x':
				if i+2 >= len(s) {
					return "", 0, false
				}
				hi, lo := unhex(s[i+1]), unhex(s[i+2])
				if hi < 0 || lo < 0 {
					return "", 0, false
				}
				out = append(out, string(rune(hi<<4|lo))...)
				i += 2
			default:
				return "", 0, false
			}
		default:
			out = append(out, c)
		}
	}
	return "", 0, false
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
