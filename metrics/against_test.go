package metrics

import (
	"strings"
	"testing"
)

func TestAgainstNamesTheEarlierPeriod(t *testing.T) {
	for _, c := range []struct{ from, to, zone, against, want string }{
		{"2026-11-01", "2026-12-01", "UTC", "", "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z"},
		{"2026-11-01", "2026-12-01", "UTC", "previous", "2026-10-01T00:00:00Z/2026-11-01T00:00:00Z"},
		{"2026-01-01", "2026-04-01", "UTC", "previous", "2025-10-01T00:00:00Z/2026-01-01T00:00:00Z"},
		{"2026-11-02", "2026-11-05", "UTC", "previous", "2026-10-30T00:00:00Z/2026-11-02T00:00:00Z"},
		{"2026-11-01", "2026-11-16", "UTC", "previous", "2026-10-17T00:00:00Z/2026-11-01T00:00:00Z"},
		// whole months of the reader's zone, over a change of summer time
		{"2026-11-01", "2026-12-01", "Europe/Berlin", "previous", "2026-09-30T22:00:00Z/2026-10-31T23:00:00Z"},
		{"2026-11-02", "2026-11-05", "UTC", "same_days", "2026-10-02T00:00:00Z/2026-10-05T00:00:00Z"},
		{"2026-03-01", "2026-04-01", "UTC", "same_days", "2026-02-01T00:00:00Z/2026-03-01T00:00:00Z"},
		{"2026-03-01", "2026-03-31", "UTC", "same_days", "2026-02-01T00:00:00Z/2026-03-01T00:00:00Z"},
		{"2026-01-05", "2026-01-06", "UTC", "same_days", "2025-12-05T00:00:00Z/2025-12-06T00:00:00Z"},
		{"2026-11-01", "2026-12-01", "UTC", "2026-08-01/2026-08-03", "2026-08-01T00:00:00Z/2026-08-03T00:00:00Z"},
	} {
		q, err := Parse("variance", Options{From: c.from, To: c.to, TZ: c.zone, Against: c.against})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
		} else if got := q.Against.String(); got != c.want {
			t.Errorf("%s to %s in %s against %q: %s, want %s", c.from, c.to, c.zone, c.against, got, c.want)
		}
	}
}

func TestAgainstRefusesOtherPeriods(t *testing.T) {
	for _, c := range []struct {
		dataset string
		o       Options
		want    string
	}{
		{"variance", Options{From: "2026-11-01", To: "2026-12-01", Against: "last"}, "must be previous, same_days"},
		{"variance", Options{From: "2026-11-01", To: "2026-12-01", Against: "2026-10-01/"}, "name both ends"},
		{"variance", Options{From: "2026-11-01", To: "2026-12-01", Against: "2026-10-02/2026-10-01"}, "later than from"},
		{"variance", Options{From: "2026-11-01"}, "needs both from and to"},
		{"variance", Options{Against: "previous"}, "needs both from and to"},
		{"costs", Options{Against: "previous"}, "variance compares two"},
		{"variance", Options{Granularity: "day"}, "not split by time"},
	} {
		if _, err := Parse(c.dataset, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %q", c.dataset, c.o, err, c.want)
		}
	}
	if q, err := Parse("variance", Options{}); err != nil || !q.Against.Empty() {
		t.Errorf("all time is compared with %v: %v", q.Against, err)
	}
}
