package records

import (
	"strings"
	"time"
)

// ReadAsUTC notes rows with a time that names no zone, where nobody said one. Jobs
// and results are known by the time as it is written, or by their names.
const ReadAsUTC = "times without a zone, read as UTC; if they are not UTC, import again with --time-zone, or with " +
	"time_zone in the configuration: that replaces these rows"

// SamplesReadAsUTC is ReadAsUTC of samples, which are known by their time alone.
const SamplesReadAsUTC = "times without a zone, read as UTC; if they are not UTC, import into a new data folder " +
	"with --time-zone, or with time_zone in the configuration: stored samples cannot be moved"

// Zoneless counts rows of which a time names no zone; zone is the one that somebody
// said, nil: nobody did. It returns 0 or 1.
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

// Clock is a time that names no zone, spelled in one way; empty for all other texts.
func Clock(text string) string {
	if text = strings.TrimSpace(text); !zoneless(text) {
		return ""
	}
	return strings.Replace(text, " ", "T", 1)
}

// zoneless reports whether a text is a date and a time of day and ends with it: in a
// digit that belongs to no offset.
func zoneless(text string) bool {
	const day = len("2026-11-01")
	if len(text) <= day || text[4] != '-' || text[7] != '-' || text[day] != 'T' && text[day] != ' ' {
		return false
	}
	clock := text[day+1:]
	return strings.Trim(clock, "0123456789:.") == ""
}
