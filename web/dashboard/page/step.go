package page

import (
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// A chart has steps of hours for up to longestHourly days, of days for up to longestDaily, and of weeks for up to
// seven times as many.
const (
	longestHourly = 3
	longestDaily  = 62
)

// StepOf is the length of steps that a period is drawn in.
func StepOf(span period.Interval) metrics.Granularity {
	switch days := wholeDays(span); {
	case days > longestDaily*7:
		return metrics.Month
	case days > longestDaily:
		return metrics.Week
	case days > longestHourly || days == 0:
		return metrics.Day
	}
	return metrics.Hour
}

// wholeDays counts the days that a period touches, so that stored time that begins inside a day is drawn like the
// dates of its label.
func wholeDays(i period.Interval) int64 {
	if i.Empty() {
		return 0
	}
	return period.Interval{From: i.From.Floor(period.Day), To: period.DayOf(i.To - 1).To}.Seconds() / period.Day
}
