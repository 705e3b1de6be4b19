package outgoing

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gpuledger/internal/export"
	"gpuledger/metrics"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTicks(t *testing.T) {
	for _, c := range []struct{ every, now, tick, next string }{
		{"hourly", "2026-11-29T21:35:04Z", "2026-11-29T21:00:00Z", "2026-11-29T22:00:00Z"},
		{"hourly", "2026-11-29T00:35:04+01:00", "2026-11-28T23:00:00Z", "2026-11-29T00:00:00Z"},
		{"daily", "2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"},
		{"weekly", "2026-11-29T21:35:04Z", "2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"}, // a Sunday
		{"weekly", "2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z", "2026-12-07T00:00:00Z"}, // a Monday
		{"monthly", "2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
	} {
		tick := Cadence(c.every).Tick(at(t, c.now))
		if next := Cadence(c.every).Next(tick); !tick.Equal(at(t, c.tick)) || !next.Equal(at(t, c.next)) {
			t.Errorf("%s at %s: %s, then %s", c.every, c.now, tick, next)
		}
	}
}

// A scheduled time is worked on until it is done; a failed try waits 1, 2, 4 … minutes, an hour at most.
func TestDue(t *testing.T) {
	s := Stored{Schedule: Schedule{Every: Daily}}
	now := at(t, "2026-11-29T10:00:00Z")
	tick := at(t, "2026-11-29T00:00:00Z")
	expect := func(want bool) {
		t.Helper()
		if got, due := s.Due(now); due != want || !got.Equal(tick) {
			t.Errorf("%+v is due: %v at %s", s, due, got)
		}
	}
	expect(true)
	s.Last = &Run{Tick: tick, State: Running, Tries: 1} // of a process that was killed: its lock is free
	expect(true)
	for tries, wait := range map[int]time.Duration{1: time.Minute, 2: 2 * time.Minute, 6: 32 * time.Minute, 7: time.Hour,
		90: time.Hour} {
		ended := now.Add(-wait)
		s.Last = &Run{Tick: tick, State: Failed, Tries: tries, EndedAt: &ended}
		expect(true)
		ended = ended.Add(time.Second)
		expect(false)
		if next := s.Next(now); !next.Equal(now.Add(time.Second)) {
			t.Errorf("after %d tries, next at %s", tries, next)
		}
	}
	old := at(t, "2026-11-28T00:00:00Z") // a day that failed does not delay the next
	s.Last, s.Done = &Run{Tick: old, State: Failed, Tries: 5, EndedAt: &now}, nil
	expect(true)
	s.Done = &tick
	expect(false)
	if next := s.Next(now); !next.Equal(at(t, "2026-11-30T00:00:00Z")) {
		t.Errorf("next at %s", next)
	}
}

func sound() Schedule {
	return Schedule{Name: "finance", Dataset: "costs", Format: export.Parquet, Target: "s3://bucket/costs", Every: Daily,
		Months: 3, Keep: 24, Options: metrics.Options{GroupBy: "team"}}
}

func TestWrongSchedulesAreRefused(t *testing.T) {
	if err := sound().Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Schedule){
		"name":            func(s *Schedule) { s.Name = "a b" },
		"every":           func(s *Schedule) { s.Every = "yearly" },
		"unknown dataset": func(s *Schedule) { s.Dataset = "cost" },
		"group-by":        func(s *Schedule) { s.Options.GroupBy = "taem" },
		"format":          func(s *Schedule) { s.Format = "json" },
		"for-excel":       func(s *Schedule) { s.ForExcel = true },
		"months":          func(s *Schedule) { s.Months = 0 },
		"keep":            func(s *Schedule) { s.Keep = 2 },
		"to:":             func(s *Schedule) { s.Target = "s3://" },
		"to: must be a f": func(s *Schedule) { s.Target = "s3://bucket/\x00" },
		"absolute path":   func(s *Schedule) { s.Target = "out" },
		"file://out":      func(s *Schedule) { s.Target = "file://out" },
		"signature":       func(s *Schedule) { s.Target = "az://account/c?sig=hush" },
	} {
		s := sound()
		change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// All faults are found at once; what only follows from another fault is not one.
func TestEveryFaultOfAScheduleIsListed(t *testing.T) {
	wrong := Schedule{Name: "a b", Dataset: "costs", Format: "parqet", ForExcel: true, Target: "out", Every: "dayly",
		Months: 200, Keep: 2, Options: metrics.Options{GroupBy: "taem", Filter: "taem = a", Currency: "gold",
			CurrencyMissing: "keep", TZ: "Mars"}}
	var got []string
	for _, err := range wrong.Faults() {
		got = append(got, strings.Fields(err.Error())[0])
	}
	if text := strings.Join(got, " "); text != "name every months to format tz group-by filter currency" {
		t.Errorf("%s in %v", text, wrong.Faults())
	}
	for _, want := range []string{"did you mean daily?", "did you mean parquet?", "did you mean team?"} {
		if all := errors.Join(wrong.Faults()...).Error(); !strings.Contains(all, want) {
			t.Errorf("%q is missing in %s", want, all)
		}
	}
}

func TestOptionsAsText(t *testing.T) {
	o := metrics.Options{GroupBy: "team,cause", Filter: "team = 'a & b'"}
	back, err := ParseOptions(OptionsText(o))
	if err != nil || back != o {
		t.Errorf("%s is read as %+v, %v", OptionsText(o), back, err)
	}
	for _, text := range []string{"limit=5", "from=2026-10-01", "x=1", "group-by=a&group-by=b", "%zz"} {
		if _, err := ParseOptions(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
