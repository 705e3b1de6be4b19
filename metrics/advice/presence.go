package advice

import (
	"math/bits"

	"gpuledger/internal/period"
)

// Presence is the hours in which something existed, by UTC day: bit h of a day is its hour h. It counts hours of the
// clock, however many GPUs were held in them.
type Presence map[period.Second]uint32

// Day adds hours of a day.
func (p Presence) Day(day period.Second, hours uint32) {
	if hours != 0 {
		p[day] |= hours
	}
}

// Span adds the hours that an interval touches.
func (p Presence) Span(i period.Interval) {
	for h := i.From.Floor(period.Hour); h < i.To; h += period.Hour {
		p.Day(h.Floor(period.Day), HourBit(h))
	}
}

// Merge adds the hours of another presence.
func (p Presence) Merge(o Presence) {
	for day, hours := range o {
		p.Day(day, hours)
	}
}

// HourBit is the bit of an hour in its day.
func HourBit(hour period.Second) uint32 { return 1 << ((hour - hour.Floor(period.Day)) / period.Hour) }

// In is the life of the subject within a window.
func (p Presence) In(window period.Interval) Life {
	l := Life{Interval: period.Interval{From: window.To, To: window.To}}
	for day, hours := range p {
		seen := false
		for ; hours != 0; hours &= hours - 1 {
			h := day + period.Second(bits.TrailingZeros32(hours))*period.Hour
			if h < window.From.Floor(period.Hour) || h >= window.To {
				continue
			}
			l.Seen++
			l.From = min(l.From, max(h, window.From))
			seen = true
		}
		if seen {
			l.Days++
		}
	}
	return l
}

// Life is the time from the subject's first appearance in the window of the evidence to the window's end. It may have
// been away in between, or be gone: its share of this time is then its share of a month, too.
type Life struct {
	period.Interval
	Seen int64 // hours in which it existed and was observed
	Days int64 // days with any of these hours
}

// Hours counts from the first appearance; 0 if it never appeared.
func (l Life) Hours() int64 { return (l.Seconds() + period.Hour - 1) / period.Hour }
