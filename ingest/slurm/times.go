package slurm

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"gpuledger/ingest/table"
	"gpuledger/internal/period"
)

var errTime = errors.New("a time such as 2026-11-01T00:00:00 is expected; leave SLURM_TIME_FORMAT unset, or set it " +
	"to %s or %FT%T%z")

// moments are the possible instants of a time: none if it is unknown, two in the hour that a
// clock change repeats, the earlier first.
type moments []period.Second

func (m moments) first() period.Second {
	if len(m) == 0 {
		return 0
	}
	return m[0]
}

// parseTime reads a time: local to zone, with an offset, or in seconds since 1970. Unknown,
// None and similar words give no moment.
func parseTime(s string, zone *time.Location) (moments, error) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "unknown", "none", "n/a", "(null)", "invalid", "0", "noval":
		return nil, nil
	}
	if len(s) >= 9 && strings.Trim(s, "0123456789") == "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n > maxTime {
			return nil, errTime
		}
		return moments{period.Second(n)}, nil
	}
	if len(s) == len("2026-11-01T00:00:00") { // the usual form, without the cost of layouts
		if at, err := table.ParseInstant(s); err == nil {
			return local(at.Time(), zone), nil
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return moments{period.FromTime(t)}, nil
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		return local(t, zone), nil
	}
	return nil, errTime
}

// maxTime is 9999-12-31.
const maxTime = 253402300799

// local lists the instants at which a clock in zone showed wall.
func local(wall time.Time, zone *time.Location) moments {
	if zone == nil || zone == time.UTC {
		return moments{period.FromTime(wall)}
	}
	guess := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(),
		zone)
	var out moments
	for _, shift := range []time.Duration{
		-2 * time.Hour, -time.Hour, -30 * time.Minute, 0, 30 * time.Minute, time.Hour, 2 * time.Hour,
	} {
		t := guess.Add(shift)
		if t.Format(time.DateTime) == wall.Format(time.DateTime) {
			out = append(out, period.FromTime(t))
		}
	}
	if len(out) == 0 { // the hour that a clock change skips
		out = moments{period.FromTime(guess)}
	}
	return out
}

// fit picks the start and end whose distance is the job's run time; if that decides nothing,
// the first ones.
func fit(start, end moments, elapsed int64, known bool) (from, to period.Second) {
	if known {
		for _, s := range start {
			for _, e := range end {
				if int64(e-s) == elapsed {
					return s, e
				}
			}
		}
	}
	from, to = start.first(), end.first()
	if len(end) > 1 && to < from { // an end cannot be before its start
		to = end[len(end)-1]
	}
	return from, to
}

// parseElapsed reads [D-]HH:MM:SS, MM:SS and MM:SS.mmm, in seconds; fractions are cut off.
func parseElapsed(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	days, clock, hasDays := strings.Cut(s, "-")
	if !hasDays {
		days, clock = "0", s
	}
	total, err := strconv.ParseUint(days, 10, 20)
	if err != nil {
		return 0, false
	}
	clock, _, _ = strings.Cut(clock, ".")
	parts := strings.Split(clock, ":")
	if len(parts) < 2 && !hasDays || len(parts) > 3 {
		return 0, false
	}
	if hasDays {
		for len(parts) < 3 { // D-HH and D-HH:MM
			parts = append(parts, "0")
		}
	}
	for i := range 3 {
		total *= []uint64{24, 60, 60}[i]
		at := i - (3 - len(parts))
		if at < 0 {
			continue
		}
		n, err := strconv.ParseUint(parts[at], 10, 24)
		if err != nil {
			return 0, false
		}
		total += n
	}
	return int64(total), true
}
