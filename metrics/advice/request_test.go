package advice

import "testing"

// A request is suggested after 14 days: P99 + 20 %, in whole thousandths of a core and MiB.
func TestSuggestedRequests(t *testing.T) {
	of := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		days                     int
		cpu, memory, cores, size *int64
	}{
		{13, of(1000), of(1 << 30), nil, nil},
		{14, of(1000), of(1 << 30), of(1200), of(1229)}, // 1228.8 MiB
		{14, of(1), nil, of(2), nil},
		{14, nil, of(1), nil, of(1)},
		{14, of(0), of(0), of(0), of(0)},
		{14, of(5), of(5 << 20), of(6), of(6)}, // to the unit
	} {
		got := SuggestRequest(c.days, c.cpu, c.memory)
		same := func(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }
		if got.Enough != (c.days >= RequestDays) || !same(got.CPU, c.cores) || !same(got.Memory, c.size) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}
