package minutes

import (
	"math/bits"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// CounterHour is an hour of a counter.
type CounterHour struct {
	Hour   period.Second
	Values *ledger.Minutes
	// Starts are when the counter began, in unix milliseconds; nil if unknown.
	Starts *ledger.Minutes
}

// Step is a counter's growth between two consecutive samples.
type Step struct {
	From, To int64 // unix milliseconds; From is the counter's start if it began between them
	By       int64 // ≥ 0, in the counter's unit
	Reset    bool
}

// Growth sums up the steps of a counter in a window.
type Growth struct {
	Total      int64
	Steps      int
	Resets     int // falls, and starts between two samples
	Impossible int // steps that were dropped: faster than the limit, negative, or beyond 63 bits
	Known      int // minutes of the window with a sample
}

// Increase adds up a counter's growth in a window (docs/rules.md 10.4).
//
// A step belongs to the window in which it ends, so that consecutive windows add up. A fall is a reset: the step is the
// new value. The first sample counts nothing, unless the counter began inside the window: then its whole value counts.
// Steps of more than perSecond units per second are dropped and counted (0: no limit); the sample after them is
// compared with the dropped one. Nothing is extrapolated. hours are in ascending order; those before the window give
// its first value. visit, which may be nil, sees every step that counts.
func Increase(hours []CounterHour, window period.Interval, perSecond int64, visit func(Step)) Growth {
	var g Growth
	var at, value int64 // the previous sample
	have := false
	for i := range hours {
		h := &hours[i]
		for left := h.Values.Known & AllKnown; left != 0; left &= left - 1 {
			m := bits.TrailingZeros64(left)
			now := (int64(h.Hour)+int64(m)*60)*1000 + int64(h.Values.At[m])
			v := h.Values.Value[m]
			inside := now >= int64(window.From)*1000 && now < int64(window.To)*1000
			if inside {
				g.Known++
			}
			if have && now <= at {
				continue // hours out of order
			}
			began := int64(0)
			if h.Starts != nil {
				if s, ok := At(h.Starts, m); ok && s <= now {
					began = s
				}
			}
			step := Step{From: at, To: now, By: v - value}
			counts := have
			switch {
			case have && began > at, have && v < value:
				step.By, step.Reset = v, true
				step.From = max(at, began)
			case !have && began >= int64(window.From)*1000 && began != 0:
				step.By, step.From, counts = v, began, true
			}
			negative := v < 0 || have && value < 0
			have, at, value = true, now, v
			if !inside || !counts {
				continue
			}
			if step.Reset {
				g.Resets++
			}
			if negative || impossible(step, perSecond) || g.Total+step.By < 0 {
				g.Impossible++
				continue
			}
			g.Total += step.By
			g.Steps++
			if visit != nil {
				visit(step)
			}
		}
	}
	return g
}

// impossible reports a step faster than perSecond units per second.
func impossible(s Step, perSecond int64) bool {
	if perSecond <= 0 || s.By <= 0 {
		return false
	}
	// by ÷ ms > perSecond ÷ 1000, in 128 bits. A second at least: samples have
	// jitter.
	hi, lo := bits.Mul64(uint64(s.By), 1000)
	limHi, limLo := bits.Mul64(uint64(perSecond), uint64(max(s.To-s.From, 1000)))
	return hi > limHi || hi == limHi && lo > limLo
}
