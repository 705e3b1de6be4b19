package pg

import (
	"strings"
	"unicode/utf8"
)

// CleanText makes s valid PostgreSQL text: no NUL, valid UTF-8. It replaces invalid parts with U+FFFD, so that one bad
// tag does not reject a whole bill.
func CleanText(s string) string {
	if strings.IndexByte(s, 0) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// CleanMap is CleanText for keys and values; a valid map is returned unchanged.
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

// OrEmpty returns *s, or empty for nil.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Known returns nil for an empty text.
func Known(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
