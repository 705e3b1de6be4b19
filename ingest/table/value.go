package table

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// IsNull reports whether a cell's text is one of the spellings of "no value".
func IsNull(s string) bool {
	switch s {
	case "", "NULL", "null":
		return true
	}
	return false
}

// ParseInstant reads the usual date formats of bills: RFC 3339, or date and time separated by a
// blank, in UTC if there is no zone. Fractions of a second are cut off.
func ParseInstant(s string) (period.Second, error) {
	if at, ok := plainInstant(s); ok {
		return at, nil
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999 MST", "2006-01-02 15:04:05.999999999 -0700",
	} {
		t, err := time.Parse(layout, s)
		if err == nil && (t.Location() == time.UTC || !strings.Contains(layout, "MST")) {
			return period.FromTime(t), nil
		}
	}
	return 0, errors.New("a date such as 2026-11-01T00:00:00Z is expected")
}

// plainInstant reads YYYY-MM-DD[(T| )hh:mm:ss[.fff]][Z| UTC|+00:00] without the cost of
// time.Parse.
func plainInstant(s string) (period.Second, bool) {
	num := func(from, to int) (int, bool) {
		n := 0
		for _, c := range []byte(s[from:to]) {
			if c < '0' || c > '9' {
				return 0, false
			}
			n = n*10 + int(c-'0')
		}
		return n, true
	}
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	y, ok1 := num(0, 4)
	m, ok2 := num(5, 7)
	d, ok3 := num(8, 10)
	var hh, mm, ss int
	ok4, ok5, ok6 := true, true, true
	rest := s[10:]
	if len(rest) >= 9 && (rest[0] == 'T' || rest[0] == ' ') && rest[3] == ':' && rest[6] == ':' {
		hh, ok4 = num(11, 13)
		mm, ok5 = num(14, 16)
		ss, ok6 = num(17, 19)
		rest = rest[9:]
		if strings.HasPrefix(rest, ".") {
			rest = strings.TrimLeft(rest[1:], "0123456789")
		}
	}
	digits := ok1 && ok2 && ok3 && ok4 && ok5 && ok6
	if rest != "" && rest != "Z" && rest != " UTC" && rest != "+00:00" || !digits || hh > 23 || mm > 59 || ss > 59 ||
		m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	t := time.Date(y, time.Month(m), d, hh, mm, ss, 0, time.UTC)
	if t.Day() != d { // 31 February
		return 0, false
	}
	return period.FromTime(t), true
}

// CanonicalNumber writes a text's decimal without superfluous zeros and exponents, so that the
// same value has one identity in every file. Text that is not a number stays unchanged, and ok
// is false.
func CanonicalNumber(dst []byte, s string) (out []byte, ok bool) {
	if plainDecimal(s) {
		return append(dst, s...), true
	}
	a, err := money.Parse(s)
	if err != nil {
		return append(dst, s...), false
	}
	return append(dst, a.String()...), true
}

// plainDecimal reports whether s is already in the form of money.Amount.String.
func plainDecimal(s string) bool {
	t := strings.TrimPrefix(s, "-")
	whole, frac, dot := strings.Cut(t, ".")
	if whole == "" || len(whole) > 1 && whole[0] == '0' || dot && (frac == "" || frac[len(frac)-1] == '0') {
		return false
	}
	if s == "-0" {
		return false
	}
	for _, part := range [2]string{whole, frac} {
		for i := range len(part) {
			if part[i] < '0' || part[i] > '9' {
				return false
			}
		}
	}
	return true
}

// Pair is an entry of a map column.
type Pair struct{ Key, Value string }

// ParsePairs reads the text of a map column: a JSON object, or an array of {"key": …, "value":
// …} objects. Values other than strings keep their JSON text; null values are left out.
func ParsePairs(text string) ([]Pair, error) {
	switch text {
	case "{}", "[]":
		return nil, nil
	}
	if pairs, ok := plainPairs(text); ok {
		return pairs, nil
	}
	return jsonPairs(text)
}

// jsonPairs is ParsePairs for any JSON.
func jsonPairs(text string) ([]Pair, error) {
	var out []Pair
	add := func(key string, raw json.RawMessage) error {
		value, ok, err := scalar(raw)
		if err != nil {
			return err
		}
		if ok {
			out = append(out, Pair{key, value})
		}
		return nil
	}
	switch trimmed := strings.TrimLeft(text, " \t\r\n"); {
	case strings.HasPrefix(trimmed, "{"):
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return nil, notPairs(err)
		}
		for k, raw := range object {
			if err := add(k, raw); err != nil {
				return nil, err
			}
		}
	case strings.HasPrefix(trimmed, "["):
		var list []struct {
			Key   *string         `json:"key"`
			Value json.RawMessage `json:"value"`
		}
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return nil, notPairs(err)
		}
		for _, e := range list {
			if e.Key == nil {
				return nil, errors.New(`an entry of the list has no "key"`)
			}
			if err := add(*e.Key, e.Value); err != nil {
				return nil, err
			}
		}
	default:
		return nil, errors.New("neither a JSON object nor a list of key/value pairs")
	}
	sortPairs(out)
	return out, nil
}

func notPairs(err error) error {
	return fmt.Errorf("neither a JSON object nor a list of key/value pairs: %w", err)
}

func scalar(raw json.RawMessage) (string, bool, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return "", false, nil
	case raw[0] == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return "", false, notPairs(err)
		}
		return s, true, nil
	case raw[0] == '{' || raw[0] == '[':
		return string(raw), true, nil
	default:
		text, _ := CanonicalNumber(nil, string(raw)) // true and false stay words
		return string(text), true, nil
	}
}

func sortPairs(pairs []Pair) { slices.SortFunc(pairs, comparePairs) }

func comparePairs(a, b Pair) int {
	if c := strings.Compare(a.Key, b.Key); c != 0 {
		return c
	}
	return strings.Compare(a.Value, b.Value)
}

// AppendPairs writes sorted pairs, length-prefixed.
func AppendPairs(dst []byte, pairs []Pair) []byte {
	for _, p := range pairs {
		dst = binary.AppendUvarint(dst, uint64(len(p.Key)))
		dst = append(dst, p.Key...)
		dst = binary.AppendUvarint(dst, uint64(len(p.Value)))
		dst = append(dst, p.Value...)
	}
	return dst
}
