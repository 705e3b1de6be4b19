package store

import (
	"strings"
	"unicode/utf8"
)

// cleanText makes s fit a PostgreSQL text: no NUL, valid UTF-8. What does not
// fit is replaced by U+FFFD, so that one odd tag does not refuse a bill.
func cleanText(s string) string {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// cleanMap is cleanText for keys and values; a map that fits is returned as is.
func cleanMap(m map[string]string) map[string]string {
	for k, v := range m {
		if cleanText(k) == k && cleanText(v) == v {
			continue
		}
		clean := make(map[string]string, len(m))
		for k, v := range m {
			clean[cleanText(k)] = cleanText(v)
		}
		return clean
	}
	return m
}

// orEmpty is a text, empty where there is none.
func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// known is a text, nil where it is empty.
func known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
