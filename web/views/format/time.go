package format

import (
	"math/big"
	"time"

	"gpuledger/internal/period"
)

// Duration prints a length of time in its largest fitting unit: 45 s, 36 min,
// 54.3 h, 7.9 days.
func Duration(seconds int64) string {
	r := new(big.Rat).SetInt64(seconds)
	switch {
	case seconds < 60:
		return decimal(r, 0) + " s"
	case seconds < period.Hour:
		return decimal(scaled(r, 60), 0) + " min"
	case seconds < 3*period.Day:
		return decimal(scaled(r, period.Hour), 1) + " h"
	}
	return decimal(scaled(r, period.Day), 1) + " days"
}

// Instant prints "19 Nov 14:05"; the page states the zone once.
func Instant(s period.Second) string { return s.Time().Format("2 Jan 15:04") }

// Stamp prints "19 Nov 2026 14:05 UTC", for a place without other dates.
func Stamp(s period.Second) string { return s.Time().Format("2 Jan 2006 15:04 UTC") }

// Clock prints "14:05".
func Clock(s period.Second) string { return s.Time().Format("15:04") }

// Day prints "19 Nov".
func Day(s period.Second) string { return s.Time().Format("2 Jan") }

// ISODay prints "2026-11-19", as in addresses.
func ISODay(s period.Second) string { return s.Time().Format(time.DateOnly) }

// Days prints a half-open interval by its first and last day: "1 – 19 Nov 2026".
func Days(i period.Interval) string {
	if i.Empty() {
		return NA
	}
	first, last := i.From.Time(), (i.To - 1).Time()
	switch {
	case first.Year() != last.Year():
		return first.Format("2 Jan 2006") + " – " + last.Format("2 Jan 2006")
	case first.Month() != last.Month():
		return first.Format("2 Jan") + " – " + last.Format("2 Jan 2006")
	case first.Day() != last.Day():
		return first.Format("2") + " – " + last.Format("2 Jan 2006")
	}
	return last.Format("2 Jan 2006")
}

// ShortDays is Days without the year, unless there are two.
func ShortDays(i period.Interval) string {
	if i.Empty() {
		return NA
	}
	first, last := i.From.Time(), (i.To - 1).Time()
	switch {
	case first.Year() != last.Year():
		return Days(i)
	case first.Month() != last.Month():
		return first.Format("2 Jan") + " – " + last.Format("2 Jan")
	case first.Day() != last.Day():
		return first.Format("2") + " – " + last.Format("2 Jan")
	}
	return last.Format("2 Jan")
}

// Month prints the month of s: "November 2026".
func Month(s period.Second) string { return s.Time().Format("January 2006") }

// Elapsed prints how long something took: 0.2 s, 8.1 s, then as Duration.
func Elapsed(d time.Duration) string {
	if d < 10*time.Second {
		return decimal(new(big.Rat).SetFrac64(max(d.Milliseconds(), 0), 1000), 1) + " s"
	}
	return Duration(int64(d / time.Second))
}
