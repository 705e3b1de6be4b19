package script

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// fields are the named values of a statement: key value key value …
type fields struct {
	c      *Case
	s      *statement
	day    period.Second // of clock times
	values map[string][]word
	keys   map[string]word
}

// fields reads the words after the first skip ones as pairs. Keys that may repeat have a * after their name.
func (w *world) fields(s *statement, skip int, allowed ...string) (*fields, error) {
	f := &fields{c: w.c, s: s, day: w.day, values: map[string][]word{}, keys: map[string]word{}}
	if len(s.args) < skip {
		return nil, w.c.fault(s, s.word, "%s needs %d words before its named values", s.text, skip)
	}
	args := s.args[skip:]
	for len(args) > 0 {
		key := args[0]
		many := slices.Contains(allowed, key.text+"*")
		switch {
		case !many && !slices.Contains(allowed, key.text):
			return nil, w.c.fault(s, key, "%s has no key %q: known are %s", s.text, key.text,
				strings.ReplaceAll(strings.Join(allowed, ", "), "*", ""))
		case len(args) == 1:
			return nil, w.c.fault(s, key, "%s needs a value", key.text)
		case len(f.values[key.text]) > 0 && !many:
			return nil, w.c.fault(s, key, "%s is given twice", key.text)
		}
		f.keys[key.text] = key
		f.values[key.text] = append(f.values[key.text], args[1])
		args = args[2:]
	}
	return f, nil
}

func (f *fields) has(key string) bool { return len(f.values[key]) > 0 }

// text is a value, fallback if it is missing.
func (f *fields) text(key, fallback string) string {
	if !f.has(key) {
		return fallback
	}
	return f.values[key][0].text
}

// fault is an error at the value of a key.
func (f *fields) fault(key, format string, args ...any) error {
	at := f.s.word
	if f.has(key) {
		at = f.values[key][0]
	}
	return f.c.fault(f.s, at, "%s: %s", key, fmt.Sprintf(format, args...))
}

func (f *fields) need(keys ...string) error {
	for _, key := range keys {
		if !f.has(key) {
			return f.c.fault(f.s, f.s.word, "%s needs %s", f.s.text, key)
		}
	}
	return nil
}

func (f *fields) number(key string, fallback, least, most int64) (int64, error) {
	if !f.has(key) {
		return fallback, nil
	}
	n, err := strconv.ParseInt(f.text(key, ""), 10, 64)
	if err != nil || n < least || n > most {
		return 0, f.fault(key, "%q is not a whole number from %d to %d", f.text(key, ""), least, most)
	}
	return n, nil
}

// amount is nil if the key is missing.
func (f *fields) amount(key string) (*money.Amount, error) {
	if !f.has(key) {
		return nil, nil
	}
	a, err := money.Parse(f.text(key, ""))
	if err != nil {
		return nil, f.fault(key, "%s", err)
	}
	return &a, nil
}

// ppm reads "22%" or "99.95%" as millionths.
func (f *fields) ppm(key string, fallback int64) (int64, error) {
	if !f.has(key) {
		return fallback, nil
	}
	text, ok := strings.CutSuffix(f.text(key, ""), "%")
	a, err := money.Parse(text)
	if units, small := a.Units(); ok && err == nil && small && units >= 0 && units%(money.UnitsPerOne/10_000) == 0 {
		if ppm := units / (money.UnitsPerOne / 10_000); ppm <= 100*1_000_000 {
			return ppm, nil
		}
	}
	return 0, f.fault(key, "%q is not a share such as 22%% or 99.95%%", f.text(key, ""))
}

// time reads 09:00, 09:00:30 (of the case's day, up to 47:59:59), 2026-11-04
// or 2026-11-04T09:00.
func (f *fields) time(key string, fallback period.Second) (period.Second, error) {
	if !f.has(key) {
		return fallback, nil
	}
	t, ok := readTime(f.text(key, ""), f.day)
	if !ok {
		return 0, f.fault(key, "%q is not a time: write 09:00, 09:00:30, 2026-11-04 or 2026-11-04T09:00 (UTC)", f.text(key, ""))
	}
	return t, nil
}

func readTime(text string, day period.Second) (period.Second, bool) {
	if date, clock, both := strings.Cut(text, "T"); both {
		t, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return 0, false
		}
		return readClock(clock, period.FromTime(t))
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return period.FromTime(t), true
	}
	return readClock(text, day)
}

func readClock(text string, day period.Second) (period.Second, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	t := day
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || len(p) != 2 || i == 0 && n >= 48 || i > 0 && n >= 60 {
			return 0, false
		}
		t += period.Second(n) * []period.Second{period.Hour, period.Minute, 1}[i]
	}
	return t, true
}

// span reads from and to.
func (f *fields) span(fallback period.Interval) (period.Interval, error) {
	from, err := f.time("from", fallback.From)
	if err != nil {
		return period.Interval{}, err
	}
	to, err := f.time("to", fallback.To)
	if err != nil {
		return period.Interval{}, err
	}
	most := period.Second(40 * period.Day)
	if f.s.text == "charge" || f.s.text == "rate" { // they have no minutes
		most = 6 * 366 * period.Day
	}
	if to <= from || to-from > most {
		return period.Interval{},
			f.c.fault(f.s, f.s.word, "from %s to %s is not a period of at most %d days: check from and to", clock(from, f.day),
				clock(to, f.day), most/period.Day)
	}
	return period.Interval{From: from, To: to}, nil
}

// clock writes an instant as cases write it.
func clock(t, day period.Second) string {
	if t == 0 {
		return "-"
	}
	text := t.Time().Format("15:04:05")
	text = strings.TrimSuffix(text, ":00")
	if base := t.Floor(period.Day); base != day {
		return base.Time().Format(time.DateOnly) + "T" + text
	}
	return text
}

// indices reads "0-3,6" as slots below most.
func (f *fields) indices(key string, most int) ([]int, error) {
	if !f.has(key) {
		return nil, nil
	}
	var out []int
	for part := range strings.SplitSeq(f.text(key, ""), ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, errA := strconv.Atoi(first)
		b, errB := strconv.Atoi(last)
		if errA != nil || errB != nil || a < 0 || b < a || b >= most {
			return nil, f.fault(key, "%q is not a list of numbers from 0 to %d such as 0-3,6", f.text(key, ""), most-1)
		}
		for i := a; i <= b; i++ {
			out = append(out, i)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// pairs reads key=value words.
func (f *fields) pairs(key string) (map[string]string, error) {
	out := map[string]string{}
	for _, v := range f.values[key] {
		name, value, ok := strings.Cut(v.text, "=")
		if !ok || name == "" {
			return nil, f.c.fault(f.s, v, "%s: %q is not name=value", key, v.text)
		}
		out[name] = value
	}
	return out, nil
}

// hours is a length as hours.
func hours(i period.Interval) money.Amount {
	return money.FromUnits(money.UnitsPerOne).MulRat(big.NewRat(i.Seconds(), period.Hour))
}
