package metrics

import (
	"testing"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// A life breaks on the day on which the rest is spent at the pace of the last days.
func TestALifeBreaksAtItsPace(t *testing.T) {
	const day = period.Second(period.Day)
	stored := 100 * day
	for name, c := range map[string]struct {
		left string
		p    pace
		want period.Second // 0: none
	}{
		"two days of 10, 30 left":     {"30", pace{money.MustParse("20"), stored - 2*day, stored - day}, stored + 3*day},
		"one unit less ends before":   {"29.999999999999", pace{money.MustParse("20"), stored - 2*day, stored - day}, stored + 2*day},
		"spent already":               {"0", pace{money.MustParse("20"), stored - 2*day, stored - day}, 0},
		"a refund":                    {"30", pace{money.MustParse("-1"), stored - 2*day, stored - day}, 0},
		"last spend two days ago":     {"30", pace{money.MustParse("20"), stored - 5*day, stored - 2*day}, stored + 7*day},
		"last spend three days ago":   {"30", pace{money.MustParse("20"), stored - 5*day, stored - 3*day}, 0},
		"a day less than a year":      {"364", pace{money.MustParse("1"), stored - day, stored - day}, stored + 364*day},
		"a year is too far":           {"365", pace{money.MustParse("1"), stored - day, stored - day}, 0},
		"nothing spent in these days": {"1", pace{}, 0},
	} {
		got := c.p.breaksOn(money.MustParse(c.left), stored)
		if got.Valid != (c.want != 0) || got.Valid && period.FromTime(got.Time) != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// A life's pace from less than 7 days is a guess; without spend lately there is none.
func TestAnEarlyPaceIsAGuess(t *testing.T) {
	const day = period.Second(period.Day)
	stored := 100 * day
	for name, c := range map[string]struct {
		since, last period.Second
		days        int64 // 0: none
		early       bool
	}{
		"a day":                    {stored - day, stored - day, 1, true},
		"a second less than seven": {stored - 7*day + 1, stored - day, 7, true},
		"seven days":               {stored - 7*day, stored - day, 7, false},
		"nothing on the last two":  {stored - 7*day, stored - 3*day, 0, false},
	} {
		days, early := pace{money.MustParse("20"), c.since, c.last}.from(stored)
		if days.Valid != (c.days != 0) || days.Int != c.days || !early.Valid || early.Bool != c.early {
			t.Errorf("%s: %v days, early %v", name, days, early)
		}
	}
	if got := (pace{money.MustParse("20"), stored - 4*day, stored - day}).ahead(stored, stored+2*day); got.String() != "10" {
		t.Errorf("two days at 20 in four are %s", got)
	}
}

// A projection from a few days of a period is a guess.
func TestAnEarlyProjectionIsAGuess(t *testing.T) {
	const day = period.Second(period.Day)
	for name, c := range map[string]struct {
		length, stored period.Second
		days           int64 // 0: none
		early          bool
	}{
		"an hour of a month":           {30 * day, 3600, 1, true},
		"a second less than a week":    {30 * day, 7*day - 1, 7, true},
		"a week":                       {30 * day, 7 * day, 7, false},
		"a week of a year":             {365 * day, 7 * day, 7, true},
		"under a tenth of a year":      {365 * day, 36*day + day/2 - 1, 37, true},
		"a tenth of a year":            {365 * day, 36*day + day/2, 37, false},
		"it has ended":                 {30 * day, 30 * day, 0, false},
		"it has not begun":             {30 * day, 0, 0, false},
		"the last second of the month": {30 * day, 30*day - 1, 30, false},
	} {
		start := 100 * day
		days, early := projectedFrom(period.Interval{From: start, To: start + c.length}, start+c.stored)
		if days.Valid != (c.days != 0) || days.Int != c.days || !early.Valid || early.Bool != c.early {
			t.Errorf("%s: %v days, early %v", name, days, early)
		}
	}
	if days, early := projectedFrom(period.Interval{}, 100*day); days.Valid || early.Bool {
		t.Errorf("a life: %v days, early %v", days, early)
	}
}
