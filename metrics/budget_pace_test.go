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
