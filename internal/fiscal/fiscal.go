package fiscal

import (
	"time"

	"gpuledger/internal/period"
)

// Calendar is a fiscal calendar. The zero Calendar is none.
type Calendar struct {
	// Start is the month in which years start; with weeks, the month at whose first day they start.
	Start time.Month
	// Weeks are those of the three months of a quarter, 13 together; zero: calendar months.
	Weeks [3]int
	// Weekday is the day on which years of weeks start.
	Weekday time.Weekday
	// Last years of weeks start on the last Weekday up to the first day of Start; others on the nearest one.
	Last bool
}

// Length is a kind of period.
type Length int

// Lengths, in months.
const (
	Month   Length = 1
	Quarter Length = 3
	Year    Length = 12
)

// Set reports whether there is a calendar.
func (c Calendar) Set() bool { return c.Start != 0 }

// weekly reports whether months are whole weeks.
func (c Calendar) weekly() bool { return c.Weeks != [3]int{} }

// yearStart is the first day of the year that starts in, or near, month Start of a calendar year.
func (c Calendar) yearStart(year int) time.Time {
	first := time.Date(year, c.Start, 1, 0, 0, 0, 0, time.UTC)
	if !c.weekly() {
		return first
	}
	back := (int(first.Weekday()) - int(c.Weekday) + 7) % 7
	if !c.Last && back > 3 { // the next one is nearer
		back -= 7
	}
	return first.AddDate(0, 0, -back)
}

// months are the bounds of the months of the year that contains an instant: 12 first days, then the next year's.
func (c Calendar) months(at period.Second) [13]period.Second {
	t := at.Time()
	year := t.Year() + 1 // a year of weeks may start in the calendar year before
	for c.yearStart(year).After(t) {
		year--
	}
	start := c.yearStart(year)
	var bounds [13]period.Second
	weeks := 0
	for i := range 12 {
		if c.weekly() {
			bounds[i] = period.FromTime(start.AddDate(0, 0, 7*weeks))
			weeks += c.Weeks[i%3]
		} else {
			bounds[i] = period.FromTime(start.AddDate(0, i, 0))
		}
	}
	bounds[12] = period.FromTime(c.yearStart(year + 1))
	return bounds
}

// Around is the period of a length that contains an instant. The calendar must be set.
func (c Calendar) Around(l Length, at period.Second) period.Interval {
	bounds := c.months(at)
	for i := 0; ; i += int(l) {
		if to := bounds[i+int(l)]; at < to {
			return period.Interval{From: bounds[i], To: to}
		}
	}
}

// From is the period of a length that starts at an instant; false if the instant starts no period, or no calendar is set.
func (c Calendar) From(l Length, start period.Second) (period.Interval, bool) {
	if !c.Set() {
		return period.Interval{}, false
	}
	i := c.Around(l, start)
	return i, i.From == start
}

// Is reports whether an interval is a period of the calendar.
func (c Calendar) Is(i period.Interval) (Length, bool) {
	for _, l := range []Length{Month, Quarter, Year} {
		if own, ok := c.From(l, i.From); ok && own == i {
			return l, true
		}
	}
	return 0, false
}
