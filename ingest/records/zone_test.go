package records

import (
	"strings"
	"testing"
	"time"
)

func TestTimesWithoutAZone(t *testing.T) {
	for text, want := range map[string]int64{
		"2026-11-01T00:00:00": 1, "2026-11-01 00:00": 1, "2026-11-01T00:00:00.5": 1, " 2026-11-01T00:00:00 ": 1,
		"2026-11-01T00:00:00Z": 0, "2026-11-01T00:00:00+01:00": 0,
		"2026-11-01 00:00:00 -0700": 0, "2026-11-01 00:00:00 UTC": 0,
		"1793581200": 0, "1793581200.5": 0, "": 0, "Unknown": 0, "2026-11-01": 0, "yesterday at noon": 0,
	} {
		if got := Zoneless(nil, "", text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
		if clock := Clock(text); (clock != "") != (want == 1) || clock != Clock(strings.Replace(text, "T", " ", 1)) &&
			want == 1 {
			t.Errorf("%q on the clock: %q", text, clock)
		}
		if got := Zoneless(time.UTC, text); got != 0 {
			t.Errorf("%q where the zone was said: %d", text, got)
		}
	}
}
