package records

import (
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gpuledger/internal/period"
)

// maxText bounds a stored text.
const maxText = 1024

// Clean makes a text suitable as a name or a label: valid UTF-8 without control characters,
// without white space around it, at most 1 KiB.
func Clean(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(s, "\ufffd"))
	if s = strings.TrimSpace(s); len(s) > maxText {
		s = s[:maxText]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
		s = strings.TrimSpace(s)
	}
	return s
}

// Clip shortens a text for a message.
func Clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

var errTime = errors.New("a time such as 2026-11-01T00:00:00Z, in the years 2000 to 2099, is expected")

// maxSeconds is 9999-12-31; larger numbers are milliseconds.
const maxSeconds = 253402300799

// Moment reads an instant to the millisecond: RFC 3339, date and time separated by T or a blank
// (without offset: in zone, nil = UTC), or seconds or milliseconds since 1970. It returns
// milliseconds since 1970.
func Moment(s string, zone *time.Location) (int64, error) {
	s = strings.TrimSpace(s)
	believed := func(ms int64) (int64, error) {
		if !period.FromMillis(ms).Believable() {
			return 0, errTime
		}
		return ms, nil
	}
	if whole, fraction, _ := strings.Cut(s, "."); whole != "" && strings.Trim(whole+fraction, "0123456789") == "" &&
		!strings.Contains(fraction, ".") {
		n, err := strconv.ParseInt(whole, 10, 64)
		switch {
		case err != nil || len(whole) < 9 || n/1000 > maxSeconds:
			return 0, errTime
		case n > maxSeconds/10: // no seconds before the year 2770
			return believed(n)
		}
		ms, _ := strconv.ParseInt((fraction + "000")[:3], 10, 64) // three digits
		return believed(n*1000 + ms)
	}
	if zone == nil {
		zone = time.UTC
	}
	for _, utc := range []string{" +0000 UTC", " +0000", " UTC"} {
		if wall, found := strings.CutSuffix(s, utc); found {
			s = wall + "Z"
		}
	}
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999 Z07:00",
		"2006-01-02 15:04:05.999999999 -0700", "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04",
	} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			return believed(t.UnixMilli())
		}
	}
	return 0, errTime
}

// Instant is Moment in whole seconds, rounded down; 0 for an empty text.
func Instant(s string, zone *time.Location) (period.Second, error) {
	if strings.TrimSpace(s) == "" {
		return 0, nil
	}
	ms, err := Moment(s, zone)
	return period.Second(ms / 1000), err
}
