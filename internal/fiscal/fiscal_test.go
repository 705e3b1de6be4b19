package fiscal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"gpuledger/internal/period"
)

// Calendars that companies publish.
var (
	retail = Calendar{Start: time.February, Weeks: [3]int{4, 5, 4}} // NRF: the Sunday nearest to 1 February
	apple  = Calendar{Start: time.October, Weeks: [3]int{4, 4, 5}, Last: true}
	june   = Calendar{Start: time.June}
)

func day(t *testing.T, text string) period.Second {
	t.Helper()
	at, err := period.ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func days(i period.Interval) string {
	return i.From.Time().Format(time.DateOnly) + " " + (i.To - 1).Time().Format(time.DateOnly)
}

// The dates are published: NRF's 4-5-4 calendars, Apple's annual reports (last Saturday of September), and a company
// whose year is June to May.
func TestPublishedCalendars(t *testing.T) {
	for _, c := range []struct {
		calendar Calendar
		length   Length
		at, want string
	}{
		{retail, Year, "2022-06-01", "2022-01-30 2023-01-28"},
		{retail, Year, "2023-06-01", "2023-01-29 2024-02-03"}, // 53 weeks
		{retail, Year, "2024-06-01", "2024-02-04 2025-02-01"},
		{retail, Year, "2025-06-01", "2025-02-02 2026-01-31"},
		{retail, Month, "2015-10-10", "2015-10-04 2015-10-31"},
		{retail, Month, "2024-01-31", "2023-12-31 2024-02-03"}, // the 53rd week is January's
		{retail, Month, "2024-02-03", "2023-12-31 2024-02-03"},
		{retail, Month, "2025-01-31", "2025-01-05 2025-02-01"},
		{retail, Quarter, "2024-01-31", "2023-10-29 2024-02-03"},
		{retail, Quarter, "2024-02-04", "2024-02-04 2024-05-04"},
		{apple, Year, "2022-01-01", "2021-09-26 2022-09-24"},
		{apple, Year, "2022-12-31", "2022-09-25 2023-09-30"}, // 53 weeks
		{apple, Year, "2023-10-01", "2023-10-01 2024-09-28"},
		{apple, Year, "2025-09-27", "2024-09-29 2025-09-27"},
		{apple, Year, "2025-09-28", "2025-09-28 2026-09-26"},
		{june, Year, "2026-05-31", "2025-06-01 2026-05-31"},
		{june, Year, "2026-06-01", "2026-06-01 2027-05-31"},
		{june, Quarter, "2026-11-30", "2026-09-01 2026-11-30"},
		{june, Quarter, "2026-02-01", "2025-12-01 2026-02-28"},
		{june, Month, "2024-02-29", "2024-02-01 2024-02-29"},
	} {
		if got := days(c.calendar.Around(c.length, day(t, c.at))); got != c.want {
			t.Errorf("%+v: %d months around %s are %s, want %s", c.calendar, c.length, c.at, got, c.want)
		}
	}
}

// NRF's years of 53 weeks are published up to 2023; later ones follow from its rule.
func TestYearsOf53Weeks(t *testing.T) {
	var long []int
	for year := 2000; year < 2050; year++ {
		if retail.Around(Year, day(t, fmt.Sprint(year, "-06-01"))).Seconds() == 53*7*period.Day {
			long = append(long, year)
		}
	}
	if want := []int{2000, 2006, 2012, 2017, 2023, 2028, 2034, 2040, 2045}; !slices.Equal(long, want) {
		t.Errorf("%v, want %v", long, want)
	}
}

// drawn draws a calendar.
func drawn(t *rapid.T) Calendar {
	c := Calendar{Start: time.Month(rapid.IntRange(1, 12).Draw(t, "start"))}
	if pattern := rapid.SampledFrom([][3]int{{}, {4, 4, 5}, {4, 5, 4}, {5, 4, 4}}).Draw(t, "weeks"); pattern != [3]int{} {
		c.Weeks, c.Weekday = pattern, time.Weekday(rapid.IntRange(0, 6).Draw(t, "weekday"))
		c.Last = rapid.Bool().Draw(t, "last")
	}
	return c
}

func TestPeriodsFollowEachOtherWithoutGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn(t)
		at := period.Second(rapid.Int64Range(int64(period.Earliest), int64(period.Latest)).Draw(t, "at"))
		for _, l := range []Length{Month, Quarter, Year} {
			i := c.Around(l, at)
			if !i.Contains(at) || i.From%period.Day != 0 {
				t.Fatalf("%v is not around %v", i, at)
			}
			if before, after := c.Around(l, i.From-1), c.Around(l, i.To); before.To != i.From || after.From != i.To {
				t.Fatalf("%v, %v, %v do not follow each other", before, i, after)
			}
			if own, ok := c.From(l, i.From); !ok || own != i {
				t.Fatalf("%v does not start at its first day: %v", i, own)
			}
			if _, ok := c.From(l, i.From+period.Day); ok {
				t.Fatalf("a period starts on the second day of %v", i)
			}
			parts, n := i.From, 0
			for ; parts < i.To; n++ {
				parts = c.Around(Month, parts).To
			}
			if parts != i.To || n != int(l) {
				t.Fatalf("%v is %d months up to %v", i, n, parts)
			}
		}
	})
}

func TestWeeksAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawn(t)
		at := period.Second(rapid.Int64Range(int64(period.Earliest), int64(period.Latest)).Draw(t, "at"))
		year := c.Around(Year, at)
		if c.Weeks == [3]int{} {
			if from := year.From.Time(); from.Day() != 1 || from.Month() != c.Start || from.AddDate(1, 0, 0) != year.To.Time() {
				t.Fatalf("%v is not a year from %v", year, c.Start)
			}
			return
		}
		if year.From.Time().Weekday() != c.Weekday {
			t.Fatalf("%v starts on a %v, want %v", year, year.From.Time().Weekday(), c.Weekday)
		}
		var weeks []string
		for at := year.From; at < year.To; {
			month := c.Around(Month, at)
			weeks, at = append(weeks, fmt.Sprint(month.Seconds()/(7*period.Day))), month.To
		}
		quarter := fmt.Sprintf("%d %d %d ", c.Weeks[0], c.Weeks[1], c.Weeks[2])
		want := strings.TrimSuffix(strings.Repeat(quarter, 4), " ")
		long := want[:len(want)-1] + fmt.Sprint(c.Weeks[2]+1)
		if got := strings.Join(weeks, " "); got != want && got != long {
			t.Fatalf("months of %s weeks, want %s or %s", got, want, long)
		}
		first := time.Date(year.From.Time().AddDate(0, 0, 10).Year(), c.Start, 1, 0, 0, 0, 0, time.UTC)
		off := int(year.From.Time().Sub(first).Hours()) / 24
		if c.Last && (off > 0 || off <= -7) || !c.Last && (off > 3 || off < -3) {
			t.Fatalf("%v starts %d days from %v (last: %t)", year, off, first, c.Last)
		}
	})
}

func TestNoCalendarHasNoPeriods(t *testing.T) {
	if _, ok := (Calendar{}).From(Month, day(t, "2026-11-01")); ok || (Calendar{}).Set() {
		t.Error("no calendar has a month")
	}
}

func TestPeriodsAreRecognised(t *testing.T) {
	i := retail.Around(Quarter, day(t, "2026-11-10"))
	if l, ok := retail.Is(i); !ok || l != Quarter {
		t.Errorf("%v: %d, %t", i, l, ok)
	}
	i.To -= period.Day
	if _, ok := retail.Is(i); ok {
		t.Error("a quarter less a day is a period")
	}
}
