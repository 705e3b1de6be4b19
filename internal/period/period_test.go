package period

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCutsAreInUTC(t *testing.T) {
	s := FromTime(time.Date(2026, 2, 28, 23, 59, 59, 999, time.FixedZone("", -8*3600)))
	if got := s.String(); got != "2026-03-01T07:59:59Z" {
		t.Errorf("%s", got)
	}
	if got := MonthOf(s).String(); got != "2026-03-01T00:00:00Z/2026-04-01T00:00:00Z" {
		t.Errorf("month %s", got)
	}
	if got := MonthName(s); got != "2026-03" {
		t.Errorf("month name %s", got)
	}
	if got := DayOf(s).String(); got != "2026-03-01T00:00:00Z/2026-03-02T00:00:00Z" {
		t.Errorf("day %s", got)
	}
	if got := HourOf(s).From.String(); got != "2026-03-01T07:00:00Z" {
		t.Errorf("hour %s", got)
	}
	if got := FromMillis(-1); got != -1 {
		t.Errorf("a millisecond before the epoch is in second %d", got)
	}
}

func TestMonthNames(t *testing.T) {
	i, err := Month("2024-02").Interval()
	if err != nil || i.Seconds() != 29*Day {
		t.Errorf("%v %v", i, err)
	}
	for _, bad := range []Month{"", "2024-13", "2024-2", "feb", "2024-02-01"} {
		if _, err := bad.Interval(); err == nil {
			t.Errorf("%q is taken for a month", bad)
		}
	}
}

func TestIntervalsAreHalfOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Interval {
			from := rapid.Int64Range(-500, 500).Draw(t, name)
			return Interval{Second(from), Second(from + rapid.Int64Range(-10, 300).Draw(t, name+" length"))}
		}
		a, b := draw("a"), draw("b")
		common := 0
		for s := Second(-600); s < 900; s++ {
			if a.Contains(s) && b.Contains(s) {
				common++
			}
		}
		if got := a.Intersect(b).Seconds(); got != int64(common) {
			t.Fatalf("%v and %v share %d seconds, not %d", a, b, common, got)
		}
		if !a.Empty() && !b.Empty() && a.Overlaps(b) != (common > 0) {
			t.Fatalf("overlap of %v and %v", a, b)
		}
		steps := slices.Collect(a.Steps(Minute))
		covered := int64(0)
		for _, s := range steps {
			if s != s.Floor(Minute) {
				t.Fatalf("step %d is not a whole minute", s)
			}
			covered += a.Intersect(Interval{s, s + Minute}).Seconds()
		}
		if covered != a.Seconds() {
			t.Fatalf("the minutes of %v cover %d seconds", a, covered)
		}
	})
}
