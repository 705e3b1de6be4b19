package period

import (
	"fmt"
	"time"
)

// Lengths in seconds.
const (
	Minute = 60
	Hour   = 3600
	Day    = 86400
)

// Second is a UTC instant in whole seconds since the Unix epoch. Zero means "unknown" if a field's comment says so.
type Second int64

// FromTime rounds t down to the second.
func FromTime(t time.Time) Second { return Second(t.Unix()) }

// FromMillis rounds a millisecond timestamp down to the second.
func FromMillis(ms int64) Second { return Second(floorDiv(ms, 1000)) }

// Time returns the instant in UTC.
func (s Second) Time() time.Time { return time.Unix(int64(s), 0).UTC() }

// Floor rounds down to a multiple of step seconds (Minute, Hour or Day).
func (s Second) Floor(step int64) Second { return Second(floorDiv(int64(s), step) * step) }

// String is RFC 3339 in UTC.
func (s Second) String() string { return s.Time().Format(time.RFC3339) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Interval is the half-open [From, To).
type Interval struct{ From, To Second }

// Seconds is the interval's length, never negative.
func (i Interval) Seconds() int64 { return max(0, int64(i.To-i.From)) }

// Empty reports whether no second lies inside.
func (i Interval) Empty() bool { return i.To <= i.From }

// Contains reports whether s lies inside.
func (i Interval) Contains(s Second) bool { return i.From <= s && s < i.To }

// Intersect returns the common part, empty when there is none.
func (i Interval) Intersect(o Interval) Interval {
	r := Interval{max(i.From, o.From), min(i.To, o.To)}
	if r.Empty() {
		return Interval{}
	}
	return r
}

// Overlaps reports whether the two share a second.
func (i Interval) Overlaps(o Interval) bool { return max(i.From, o.From) < min(i.To, o.To) }

// String is "from/to" in RFC 3339.
func (i Interval) String() string { return fmt.Sprintf("%s/%s", i.From, i.To) }

// DayOf returns the UTC day that contains s.
func DayOf(s Second) Interval { f := s.Floor(Day); return Interval{f, f + Day} }

// ParseDay reads the start of a UTC day, written 2006-01-02.
func ParseDay(text string) (Second, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a day of the form YYYY-MM-DD", text)
	}
	return FromTime(t), nil
}

// HourOf returns the UTC hour that contains s.
func HourOf(s Second) Interval { f := s.Floor(Hour); return Interval{f, f + Hour} }

// MonthOf returns the UTC calendar month that contains s.
func MonthOf(s Second) Interval {
	t := s.Time()
	from := time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	return Interval{FromTime(from), FromTime(from.AddDate(0, 1, 0))}
}

// Month is a billing month such as "2026-10".
type Month string

// MonthName returns the month that contains s.
func MonthName(s Second) Month { return Month(s.Time().Format("2006-01")) }

// Interval returns the UTC calendar month, or an error when the name is not
// of the form YYYY-MM.
func (m Month) Interval() (Interval, error) {
	t, err := time.Parse("2006-01", string(m))
	if err != nil {
		return Interval{}, fmt.Errorf("billing period %q is not of the form YYYY-MM", string(m))
	}
	return MonthOf(FromTime(t)), nil
}

// Steps yields the starts of the step-second buckets that overlap i.
func (i Interval) Steps(step int64) func(yield func(Second) bool) {
	return func(yield func(Second) bool) {
		if i.Empty() {
			return
		}
		for s := i.From.Floor(step); s < i.To; s += Second(step) {
			if !yield(s) {
				return
			}
		}
	}
}
