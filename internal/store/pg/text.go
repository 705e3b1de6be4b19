package pg

import (
	"strings"
	"unicode/utf8"
)

// CleanText makes s fit a PostgreSQL text: no NUL, valid UTF-8. What does not
// fit is replaced by U+FFFD, so that one odd tag does not refuse a bill.
func CleanText(s string) string {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// CleanMap is cleanText for keys and values; a map that fits is returned as is.
func CleanMap(m map[string]string) map[string]string {
	for k, v := range m {
		if CleanText(k) == k && CleanText(v) == v {
			continue
		}
		clean := make(map[string]string, len(m))
		for k, v := range m {
			clean[CleanText(k)] = CleanText(v)
		}
		return clean
	}
	return m
}

// OrEmpty is a text, empty where there is none.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Known is a text, nil where it is empty.
func Known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
