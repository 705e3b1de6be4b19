package page

import (
	"strconv"
	"testing"

	"gpuledger/internal/period"
)

// The words of a course are of its first and last known step; one step alone has no course.
func TestCourseInWords(t *testing.T) {
	days := func(i int) period.Interval {
		from := period.Second(1793491200) + period.Second(i)*period.Day // 1 November 2026
		return period.Interval{From: from, To: from + period.Day}
	}
	c := Course{
		Name: "speech", At: days, Step: "day", Href: "/explore",
		Points: []float64{Gap, 120, 0, 340, Gap}, Print: func(i int) string { return "$" + strconv.Itoa(i) },
	}
	const want = "speech, 2 – 4 Nov: from $1 to $3 a day"
	if got := c.Cell().Trend; got == nil || got.Title != want || got.Href != "/explore" || got.Path == "" {
		t.Errorf("%+v, want %q", got, want)
	}
	c.Step = "hour"
	if got := c.Cell().Trend.Title; got != "speech, 2 – 4 Nov: from $1 to $3 an hour" {
		t.Error(got)
	}
	c.Points = []float64{Gap, 120, Gap}
	if got := c.Cell().Trend; got != nil {
		t.Errorf("one step is drawn as %+v", got)
	}
}
