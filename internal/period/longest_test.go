package period

import (
	"testing"
	"time"
)

func TestTimesOfOneRecordLieInTenYears(t *testing.T) {
	at := func(year, month, day int) Second {
		return FromTime(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC))
	}
	for _, c := range []struct {
		times []Second
		fine  bool
	}{
		{nil, true}, {[]Second{0, 0}, true}, {[]Second{at(2026, 11, 1), 0, at(2026, 11, 2)}, true},
		{[]Second{at(2016, 11, 1), at(2026, 11, 1)}, true},
		{[]Second{at(2016, 11, 1), at(2026, 11, 2)}, false},
		{[]Second{at(2026, 11, 2), at(2016, 11, 1)}, false}, {[]Second{at(1970, 1, 2)}, false},
		{[]Second{at(1, 1, 1), at(2026, 11, 1)}, false},
		{[]Second{at(2026, 11, 1), at(9999, 12, 31)}, false}, {[]Second{at(9999, 12, 31)}, false},
	} {
		if why := Impossible(c.times...); (why == "") != c.fine {
			t.Errorf("%v: %q", c.times, why)
		}
	}
}
