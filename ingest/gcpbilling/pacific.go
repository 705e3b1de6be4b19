package gcpbilling

import (
	"time"

	"gpuledger/internal/period"
)

// pacificMonth is the month of an instant in US Pacific time, which bounds Google's invoice
// months. Daylight saving time runs from 2 o'clock on the second Sunday of March to 2 o'clock
// on the first Sunday of November, as it has since 2007, before the first export.
func pacificMonth(s period.Second) period.Month {
	const standard, daylight = 8 * period.Hour, 7 * period.Hour
	t := s.Time()
	begin := sunday(t.Year(), time.March, 2).Add(2*time.Hour + standard*time.Second)
	end := sunday(t.Year(), time.November, 1).Add(2*time.Hour + daylight*time.Second)
	offset := period.Second(standard)
	if !t.Before(begin) && t.Before(end) {
		offset = daylight
	}
	return period.MonthName(s - offset)
}

// sunday is midnight, in UTC, of the nth Sunday of a month.
func sunday(year int, month time.Month, nth int) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, (7-int(first.Weekday()))%7+7*(nth-1))
}
