package config

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Schedule is when a source is imported: at whole multiples of a span since
// midnight UTC (of the epoch), or once a day. The zero value is never.
type Schedule struct {
	Every  time.Duration // a multiple of a minute; 0 = none
	Offset time.Duration // of each tick after the multiple: the time of day
}

var (
	everyForm = regexp.MustCompile(`^every ([1-9][0-9]{0,4})(m|h|d)$`)
	dailyForm = regexp.MustCompile(`^daily ([01][0-9]|2[0-3]):([0-5][0-9])(?: UTC)?$`)
)

// Bounds of a span.
const (
	shortest = time.Minute
	longest  = 31 * 24 * time.Hour
)

// ParseSchedule reads "every 6h", "every 30m", "every 2d" or "daily 04:00 UTC".
func ParseSchedule(text string) (Schedule, error) {
	if m := everyForm.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return Schedule{}, err
		}
		every := time.Duration(n) * map[string]time.Duration{"m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[m[2]]
		if every < shortest || every > longest {
			return Schedule{}, fmt.Errorf("schedule %q: the span must be between a minute and 31 days", text)
		}
		return Schedule{Every: every}, nil
	}
	if m := dailyForm.FindStringSubmatch(text); m != nil {
		at, err := time.Parse("15:04", m[1]+":"+m[2])
		if err != nil {
			return Schedule{}, err
		}
		return Schedule{
			Every: 24 * time.Hour, Offset: time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute,
		}, nil
	}
	return Schedule{}, fmt.Errorf("schedule %q: write \"every 6h\", \"every 30m\", \"every 2d\" or \"daily 04:00 UTC\"",
		text)
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (s *Schedule) UnmarshalYAML(n *yaml.Node) error {
	parsed, err := ParseSchedule(n.Value)
	if err != nil {
		return oneFault(n, "%s", err)
	}
	*s = parsed
	return nil
}

// MarshalYAML implements yaml.Marshaler.
func (s Schedule) MarshalYAML() (any, error) { return s.String(), nil }

// IsZero reports whether the source is imported only by hand.
func (s Schedule) IsZero() bool { return s.Every == 0 }

// String is the form that ParseSchedule reads.
func (s Schedule) String() string {
	const day = 24 * time.Hour
	switch {
	case s.Every == 0:
		return ""
	case s.Offset != 0 || s.Every == day:
		return fmt.Sprintf("daily %02d:%02d UTC", int(s.Offset.Hours()), int(s.Offset.Minutes())%60)
	case s.Every%day == 0:
		return fmt.Sprintf("every %dd", s.Every/day)
	case s.Every%time.Hour == 0:
		return fmt.Sprintf("every %dh", s.Every/time.Hour)
	default:
		return fmt.Sprintf("every %dm", s.Every/time.Minute)
	}
}

// Tick returns the last tick at or before now, which must have run by now.
// It depends only on now, so a restart does not move it.
func (s Schedule) Tick(now time.Time) time.Time {
	span, offset := int64(s.Every/time.Second), int64(s.Offset/time.Second)
	if span <= 0 {
		return time.Time{}
	}
	since := now.Unix() - offset
	floor := since / span * span
	if since < 0 && since%span != 0 {
		floor -= span
	}
	return time.Unix(floor+offset, 0).UTC()
}

// Next returns the first tick after now.
func (s Schedule) Next(now time.Time) time.Time { return s.Tick(now).Add(s.Every) }
