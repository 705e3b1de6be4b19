package records

import (
	"strings"
	"time"
)

// ReadAsUTC notes rows with a time without a zone, if no zone was given. Jobs and results are
// identified by the time as written, or by their names.
const ReadAsUTC = "times without a zone, read as UTC; if they are not UTC, import again with --time-zone, or with " +
	"time_zone in the configuration: that replaces these rows"

// SamplesReadAsUTC is ReadAsUTC for samples, which are identified by their time alone.
const SamplesReadAsUTC = "times without a zone, read as UTC; if they are not UTC, import into a new data folder " +
	"with --time-zone, or with time_zone in the configuration: stored samples cannot be moved"

// Zoneless returns 1 if the request has no zone (zone is nil) and one of a row's times has none
// either, else 0.
func Zoneless(zone *time.Location, times ...string) int64 {
	if zone != nil {
		return 0
	}
	for _, text := range times {
		if zoneless(strings.TrimSpace(text)) {
			return 1
		}
	}
	return 0
}

// Clock is a time without a zone, in one spelling; empty for all other texts.
func Clock(text string) string {
	if text = strings.TrimSpace(text); !zoneless(text) {
		return ""
	}
	return strings.Replace(text, " ", "T", 1)
}

// zoneless reports whether a text is a date and a time of day and nothing else: it ends in a
// digit that is not part of an offset.
func zoneless(text string) bool {
	const day = len("2026-11-01")
	if len(text) <= day || text[4] != '-' || text[7] != '-' || text[day] != 'T' && text[day] != ' ' {
		return false
	}
	clock := text[day+1:]
	return strings.Trim(clock, "0123456789:.") == ""
}
