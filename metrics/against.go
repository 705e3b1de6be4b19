package metrics

import (
	"strings"
	"time"

	"gpuledger/internal/period"
)

// Words of the option against.
const (
	AgainstPrevious = "previous"  // the window before: of whole calendar months as many months, else as much time
	AgainstSameDays = "same_days" // the same days one month earlier
)

// AgainstWindow is the period that w is compared with, in a time zone. An open window is compared with nothing: an
// empty period.
func AgainstWindow(text string, w period.Interval, zone string) (period.Interval, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return period.Interval{}, refuse("tz", zone, "is not an IANA time zone such as UTC or Europe/Berlin")
	}
	if from, to, ok := strings.Cut(text, "/"); ok {
		if from == "" || to == "" {
			return period.Interval{}, refuse("against", text, "must name both ends, such as 2026-10-01/2026-11-01")
		}
		return ParseWindow(from, to, zone)
	}
	if w.From == 0 || w.To == 0 {
		if text == "" {
			return period.Interval{}, nil
		}
		return period.Interval{}, refuse("against", text, "needs both from and to, or a named period, such as "+
			"2026-10-01/2026-11-01")
	}
	from, to := w.From.Time().In(loc), w.To.Time().In(loc)
	switch text {
	case "", AgainstPrevious:
		if months := wholeMonths(from, to); months > 0 {
			return period.Interval{From: period.FromTime(from.AddDate(0, -months, 0)), To: w.From}, nil
		}
		return period.Interval{From: w.From - (w.To - w.From), To: w.From}, nil
	case AgainstSameDays:
		return period.Interval{From: period.FromTime(monthBefore(from)), To: period.FromTime(monthBefore(to))}, nil
	}
	return period.Interval{}, refuse("against", text, "must be previous, same_days, or a period such as "+
		"2026-10-01/2026-11-01")
}

// wholeMonths is how many calendar months lie between two instants, 0 unless both are midnight of a first.
func wholeMonths(from, to time.Time) int {
	for _, t := range []time.Time{from, to} {
		if t.Day() != 1 || !t.Equal(time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())) {
			return 0
		}
	}
	return (to.Year()-from.Year())*12 + int(to.Month()-from.Month())
}

// monthBefore is the same time of the same day a month earlier; of a day that the month lacks its end.
func monthBefore(t time.Time) time.Time {
	before := t.AddDate(0, -1, 0)
	if before.Month() == t.Month() { // 31 March less a month is "31 February", which Go reads as 3 March
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location())
	}
	return before
}

// parseAgainst reads what a comparison is with.
func parseAgainst(q *Query, o *Options) (err error) {
	if !q.Dataset.Compared {
		if o.Against != "" {
			return refuse("against", o.Against, "%s shows one period; variance compares two", q.Dataset.Name)
		}
		return nil
	}
	if (q.Window.From == 0) != (q.Window.To == 0) {
		return refuse("to", o.To, "a comparison needs both from and to")
	}
	q.Against, err = AgainstWindow(o.Against, q.Window, q.Zone)
	return err
}
