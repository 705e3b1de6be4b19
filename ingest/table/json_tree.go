package table

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// none reports whether a value is empty: null, or a list or record of empty values.
func (v *jsonValue) none() bool {
	switch v.kind {
	case jsonNull:
		return true
	case jsonArray:
		return len(v.items) == 0
	case jsonObject:
		return !slices.ContainsFunc(v.members, func(m jsonMember) bool { return !m.value.none() })
	}
	return false
}

// append writes the value in canonical form: no blanks, members sorted by name and without
// empty ones, numbers without superfluous zeros.
func (v *jsonValue) append(dst []byte) []byte {
	switch v.kind {
	case jsonString:
		return AppendQuoted(dst, v.text)
	case jsonNumber:
		dst, _ = CanonicalNumber(dst, v.text)
		return dst
	case jsonWord:
		return append(dst, v.text...)
	case jsonObject:
		members := v.members
		byName := func(a, b jsonMember) int { return strings.Compare(a.name, b.name) }
		if !slices.IsSortedFunc(members, byName) {
			members = slices.Clone(members)
			slices.SortStableFunc(members, byName)
		}
		dst = append(dst, '{')
		for i := range members {
			if members[i].value.none() {
				continue
			}
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(AppendQuoted(dst, members[i].name), ':')
			dst = members[i].value.append(dst)
		}
		return append(dst, '}')
	case jsonArray:
		dst = append(dst, '[')
		for i := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.items[i].append(dst)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

// AppendQuoted writes s as a JSON string; invalid UTF-8 is replaced.
func AppendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	if !utf8.ValidString(s) {
		s = string(bytes.ToValidUTF8([]byte(s), []byte("\ufffd")))
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
