package storetest

import (
	"slices"
	"time"

	"gpuledger/internal/period"
	"gpuledger/internal/store/report"
)

// Second parses an instant.
func Second(text string) period.Second {
	at, err := time.Parse("2006-01-02T15", text)
	if err != nil {
		panic(err)
	}
	return period.FromTime(at)
}

// November are all days of a month, clean, with or without the month itself.
func November(inMonth bool, without ...int) []report.CleanDay {
	var days []report.CleanDay
	for day := Second("2026-11-01T00"); day < Second("2026-12-01T00"); day += period.Day {
		if !slices.Contains(without, day.Time().Day()) {
			days = append(days, report.CleanDay{Day: day, InMonth: inMonth && len(without) == 0})
		}
	}
	return days
}
