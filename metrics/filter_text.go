package metrics

import (
	"slices"
	"strings"
)

// FilterText writes a filter so that ParseFilter reads it back.
func FilterText(e Expr) string {
	switch e := e.(type) {
	case And:
		left := FilterText(e.Left)
		if _, or := e.Left.(Or); or {
			left = "(" + left + ")"
		}
		return left + " and " + inside(e.Right)
	case Or:
		return inside(e.Left) + " or " + inside(e.Right)
	case Not:
		if c, ok := e.Of.(Compare); ok && (c.Op == In || c.Op == Like) {
			return plain(c.Key) + " not " + tested(c)
		}
		return "not " + inside(e.Of)
	case Compare:
		if e.Values[0] == "" && e.Op == Equal {
			return plain(e.Key) + " is null"
		}
		if e.Values[0] == "" && e.Op == NotEqual {
			return plain(e.Key) + " is not null"
		}
		return plain(e.Key) + " " + tested(e)
	}
	return ""
}

// inside is an operand; parentheses keep its terms together.
func inside(e Expr) string {
	switch e.(type) {
	case And, Or:
		return "(" + FilterText(e) + ")"
	}
	return FilterText(e)
}

// tested is the operator and the values of a comparison.
func tested(c Compare) string {
	if c.Op != In {
		return string(c.Op) + " " + plain(c.Values[0])
	}
	values := make([]string, len(c.Values))
	for i, v := range c.Values {
		values[i] = plain(v)
	}
	return "in (" + strings.Join(values, ", ") + ")"
}

// plain quotes a word unless the grammar takes it as it is.
func plain(text string) string {
	odd := func(c byte) bool { return !wordByte(c) }
	if text != "" && !slices.ContainsFunc([]byte(text), odd) && !isReserved(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
