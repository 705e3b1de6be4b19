package metrics

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gpuledger/internal/money"
)

// Matches evaluates a filter on one row; get returns the value of a key, ok false for NULL. It defines the meaning of
// the filter language: compiled filters are tested against it.
func Matches(e Expr, get func(key string) (value string, ok bool)) bool {
	switch e := e.(type) {
	case nil:
		return true
	case And:
		return Matches(e.Left, get) && Matches(e.Right, get)
	case Or:
		return Matches(e.Left, get) || Matches(e.Right, get)
	case Not:
		return !Matches(e.Of, get)
	case Compare:
		v, ok := get(e.Key)
		if !ok {
			v = ""
		}
		switch e.Op {
		case Equal:
			return v == e.Values[0]
		case NotEqual:
			return v != e.Values[0]
		case In:
			return slices.Contains(e.Values, v)
		case Like:
			return ok && matchLike(v, e.Values[0])
		case Less:
			return ok && e.compare(v) < 0
		case AtMost:
			return ok && e.compare(v) <= 0
		case Greater:
			return ok && e.compare(v) > 0
		case AtLeast:
			return ok && e.compare(v) >= 0
		}
	}
	return false
}

// compare orders a value against the test's, by their kind. An invalid number is below all numbers.
func (c Compare) compare(v string) int {
	if c.Kind == Time {
		a, aErr := time.Parse(time.RFC3339Nano, v)
		b, bErr := time.Parse(time.RFC3339Nano, c.Values[0])
		if aErr == nil && bErr == nil {
			return a.Compare(b)
		}
	}
	if !c.Kind.Decimal() && !c.Kind.Integer() {
		return strings.Compare(v, c.Values[0])
	}
	a, aErr := money.Parse(v)
	b, bErr := money.Parse(c.Values[0])
	if aErr != nil || bErr != nil {
		return -1 // an invalid number is below all numbers
	}
	return a.Cmp(b)
}

// matchLike is SQL's LIKE with \ as the escape. It backtracks to the last % only, so it takes at most len(s) ×
// len(pattern) steps.
func matchLike(s, pattern string) bool {
	retryPattern, retryText := "", ""
	retry := false
	for {
		if pattern == "" {
			if s == "" {
				return true
			}
		} else if pattern[0] == '%' {
			pattern = pattern[1:]
			retryPattern, retryText, retry = pattern, s, true
			continue
		} else if s != "" {
			literal := pattern
			any := pattern[0] == '_'
			if pattern[0] == '\\' && len(pattern) > 1 {
				literal = pattern[1:]
			}
			want, wantSize := utf8.DecodeRuneInString(literal)
			got, gotSize := utf8.DecodeRuneInString(s)
			if any || want == got {
				pattern, s = literal[wantSize:], s[gotSize:]
				continue
			}
		}
		if !retry || retryText == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(retryText)
		retryText = retryText[size:]
		pattern, s = retryPattern, retryText
	}
}

// Implied reports whether a filter matches every row that has the known values, whatever its others are.
func Implied(e Expr, known map[string]string) bool {
	_, must := decided(e, known)
	return must
}

// decided evaluates a filter on rows of which only some values are known: may if it can match one, must if it matches
// all. A filter of nil matches all.
func decided(e Expr, known map[string]string) (may, must bool) {
	switch e := e.(type) {
	case nil:
		return true, true
	case And:
		lMay, lMust := decided(e.Left, known)
		rMay, rMust := decided(e.Right, known)
		return lMay && rMay, lMust && rMust
	case Or:
		lMay, lMust := decided(e.Left, known)
		rMay, rMust := decided(e.Right, known)
		return lMay || rMay, lMust || rMust
	case Not:
		may, must = decided(e.Of, known)
		return !must, !may
	case Compare:
		v, ok := known[e.Key]
		if !ok {
			return true, false
		}
		holds := Matches(e, func(string) (string, bool) { return v, true })
		return holds, holds
	}
	return true, false
}
