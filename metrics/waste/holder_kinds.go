package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// The kinds of findings of holders, in the order in which they take seconds
// (docs/figures.md 18.2).

func crashLoop(h *held) (out []claim) {
	for _, w := range crashWindows(h.Crash) {
		for _, s := range h.slices {
			c, n := s.take(CrashLoop, func(p Piece) bool { return w.From <= p.From && p.To <= w.To })
			if n > 0 {
				c.from, c.to = w.From, w.To
				c.numbers = []Number{{"crash_minutes", "minutes", w.minutes}}
				out = append(out, c)
			}
		}
	}
	return out
}

// crashWindow is from the first to the last minute of a loop.
type crashWindow struct {
	period.Interval
	minutes int64
}

func crashWindows(minutes []period.Interval) (out []crashWindow) {
	list := union(minutes, 0)
	for _, v := range union(append([]period.Interval(nil), list...), CrashGapSeconds) {
		w := crashWindow{Interval: v}
		for _, m := range list {
			w.minutes += (v.Intersect(m).Seconds() + period.Minute - 1) / period.Minute
		}
		if w.minutes >= CrashMinutes {
			out = append(out, w)
		}
	}
	return out
}

func anyPiece(Piece) bool { return true }

func hoarding(h *held) (out []claim) {
	if h.Class != ledger.ClassRun && !h.Bare {
		return nil
	}
	for _, s := range h.slices {
		if _, _, worked := s.worked(); worked || s.Held < HoardSeconds || s.Memory < 0 || s.Memory > HoardBytes {
			continue
		}
		if c, n := s.take(Hoarding, anyPiece); n > 0 {
			c.numbers = []Number{{"held", "seconds", s.Held}, {"memory_used", "bytes", s.Memory}}
			out = append(out, c)
		}
	}
	return out
}

func preprovisioned(h *held) (out []claim) {
	if h.Class != ledger.ClassRun && h.Class != ledger.ClassService {
		return nil
	}
	for _, s := range h.slices {
		first, _, worked := s.worked()
		before := func(p Piece) bool { return !worked || p.To <= first.From }
		if n := s.open(before); n > StartSeconds {
			c, _ := s.take(Preprovisioned, before)
			c.numbers = []Number{{"before_work", "seconds", n}}
			out = append(out, c)
		}
	}
	return out
}

func crashedJob(h *held) (out []claim) {
	if h.Class != ledger.ClassRun {
		return nil
	}
	for _, s := range h.slices {
		_, last, worked := s.worked()
		after := func(p Piece) bool { return worked && p.Doing == Idle && p.From >= last.To }
		if n := s.open(after); n >= CrashedSeconds {
			c, _ := s.take(CrashedJob, after)
			c.numbers = []Number{{"idle_at_end", "seconds", n}}
			out = append(out, c)
		}
	}
	return out
}

func forgottenNotebook(h *held) (out []claim) {
	if h.Class != ledger.ClassInteractive {
		return nil
	}
	for _, s := range h.slices {
		for _, v := range s.idleSpans() {
			if v.idle < NotebookSeconds {
				continue
			}
			c, _ := s.take(ForgottenNotebook, within(v.Interval))
			c.numbers = []Number{{"idle", "seconds", v.idle}}
			out = append(out, c)
		}
	}
	return out
}

func heldNotUsed(h *held) (out []claim) {
	for _, s := range h.slices {
		for _, v := range s.idleSpans() {
			if v.idle < IdleSeconds {
				continue
			}
			c, _ := s.take(HeldNotUsed, within(v.Interval))
			c.numbers = []Number{{"idle", "seconds", v.idle}}
			out = append(out, c)
		}
	}
	return out
}

func within(v period.Interval) func(Piece) bool {
	return func(p Piece) bool { return p.Doing == Idle && v.From <= p.From && p.To <= v.To }
}

// idleSpan runs from the first to the last idle second, across short gaps without work; idle counts the seconds without
// the gaps.
type idleSpan struct {
	period.Interval
	idle int64
}

// idleSpans are the idle spans of pieces that no finding has yet.
func (s *heldSlice) idleSpans() (out []idleSpan) {
	broken := true // there is no span to continue
	for i, p := range s.Pieces {
		if p.Doing != Idle || s.taken[i] {
			broken = true
			continue
		}
		if n := len(out); !broken && p.From-out[n-1].To < BridgeSeconds {
			out[n-1].To = p.To
			out[n-1].idle += int64(p.To - p.From)
		} else {
			out = append(out, idleSpan{period.Interval{From: p.From, To: p.To}, int64(p.To - p.From)})
		}
		broken = false
	}
	return out
}
