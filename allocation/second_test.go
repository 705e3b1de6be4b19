package allocation

import (
	"fmt"
	"math/big"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/tier"

	"pgregory.net/rapid"
)

// plainStory draws whole cards held by evidence alone, with one or two
// attempts per pod that follow each other.
func plainStory(t *rapid.T) *story {
	s := newStory(t, rapid.IntRange(1, 2).Draw(t, "gpus"))
	s.node.Node.Life = period.Interval{
		From: theDay + period.Second(rapid.IntRange(-5000, 5000).Draw(t, "appeared")),
		To:   theDay + period.Second(rapid.IntRange(80_000, 90_000).Draw(t, "gone")),
	}
	for slot := range s.node.Node.GPUs {
		for range rapid.IntRange(1, 4).Draw(t, "stretches") {
			from := theDay + period.Second(rapid.IntRange(-60, 1400).Draw(t, "from"))*period.Minute
			i := period.Interval{
				From: from, To: min(from+period.Second(rapid.IntRange(1, 500).Draw(t, "minutes"))*period.Minute,
					theDay+period.Day+margin),
			}
			long := rapid.SampledFrom([]int{1, 3, 14, 15, 16, 29, 40}).Draw(t, "minutes per level")
			level := rapid.SliceOfN(rapid.SampledFrom([]int64{0, 0, 99_999, 100_000}), 1, 4).Draw(t, "levels")
			s.set(fmt.Sprintf("GPU-%d", slot), slot, ledger.WholeDevice, "", ledger.SignalGrEngine, i,
				func(m int) int64 { return level[m/long%len(level)] })
		}
	}
	for n := range rapid.IntRange(1, 4).Draw(t, "pods") {
		name := fmt.Sprint("pod-", n)
		w := s.pod(name, "0:00", "0:00", 0)
		from := theDay + period.Second(rapid.IntRange(-4000, 86_000).Draw(t, "hold from"))
		w.Hold = period.Interval{From: from, To: from + period.Second(rapid.IntRange(1, 40_000).Draw(t, "hold seconds"))}
		for slot := range s.node.Node.GPUs {
			if rapid.Bool().Draw(t, "on slot") {
				minute := uint(rapid.IntRange(0, 59).Draw(t, "evidence minute"))
				s.node.Evidence = append(s.node.Evidence,
					ledger.HoldEvidence{Device: fmt.Sprintf("GPU-%d", slot), SliceID: ledger.WholeDevice,
						Namespace: "ns", Pod: name, Hour: w.Hold.From.Floor(period.Hour), Minutes: 1 << minute})
			}
		}
		cut := w.Hold.From + period.Second(rapid.Int64Range(0, w.Hold.Seconds()).Draw(t, "cut"))
		for k, i := range []period.Interval{{From: w.Hold.From, To: cut}, {From: cut, To: w.Hold.To}} {
			if i.Empty() || rapid.IntRange(0, 3).Draw(t, "attempt") == 0 {
				continue
			}
			a := s.attempt(10*n+k, rapid.SampledFrom([]string{"", "0"}).Draw(t, "task"), "0:00", "0:00", name)
			a.Span, a.Segments[0].From, a.Segments[0].To = i, i.From, i.To
			a.GangComplete = rapid.SampledFrom([]period.Second{0, i.From, i.From + 700, i.From + 5000}).Draw(t, "complete")
			if rapid.Bool().Draw(t, "loses") {
				a.LossFrom, a.LossBasis = i.From+period.Second(rapid.Int64Range(0, i.Seconds()).Draw(t, "loss")),
					ledger.LossCheckpoint
			}
		}
		s.day.PodStates = append(s.day.PodStates, ledger.PodStateHour{
			UID: name, Hour: w.Hold.From.Floor(period.Hour), Minutes: rapid.Uint64Range(0, 1<<12).Draw(t, "crash loop"),
		})
	}
	notReady := ledger.NodeStateHour{
		State: ledger.NotReady, Hour: at("5:00"), Minutes: rapid.Uint64().Draw(t, "not ready"),
	}
	s.day.NodeStates = append([]ledger.NodeStateHour{notReady}, s.day.NodeStates...)
	s.day.Sources[7].Minutes = rapid.Uint64().Draw(t, "source")
	return s
}

// clockStory is a story with the activity of every minute looked up once.
type clockStory struct {
	*story
	class [][]ledger.Activity // slot, minute since classFrom
}

const classFrom = theDay - 100*period.Hour

func newClockStory(s *story) clockStory {
	c := clockStory{s, make([][]ledger.Activity, s.node.Node.GPUs)}
	for slot := range c.class {
		for at := classFrom; at < theDay+2*period.Day; at += period.Minute {
			c.class[slot] = append(c.class[slot], activityAt(s, slot, at))
		}
	}
	return c
}

func (c clockStory) activity(slot int, at period.Second) ledger.Activity {
	return c.class[slot][(at-classFrom)/period.Minute]
}

// secondKey is the key of one second of one holder.
type secondKey struct {
	hour     period.Second
	slot     int
	workload ledger.ID
	attempt  ledger.ID
	cause    ledger.Cause
	activity ledger.Activity
}

// perSecond is the units in a second: fine enough that up to four pods can share one.
const perSecond = 12

// bySecond applies the rules of section 7 to every second of a window, one by
// one, straight from the facts.
func bySecond(story *story, window period.Interval) map[secondKey]int64 {
	s := newClockStory(story)
	sums := make(map[secondKey]int64)
	for slot := range s.node.Node.GPUs {
		var pods []*HeldWorkload
		for i := range s.node.Workloads {
			if w := &s.node.Workloads[i]; namedOn(s.story, w, slot) {
				pods = append(pods, w)
			}
		}
		var holders []*HeldWorkload
		for at := window.From; at < window.To; at++ {
			if !s.node.Node.Life.Contains(at) {
				continue
			}
			activity := s.activity(slot, at)
			holders = holders[:0]
			for _, w := range pods {
				if w.Hold.Intersect(s.node.Node.Life).Contains(at) {
					holders = append(holders, w)
				}
			}
			key := secondKey{hour: at.Floor(period.Hour), slot: slot, activity: activity}
			if len(holders) == 0 {
				key.cause = unheldAt(s.story, activity, at)
				sums[key] += perSecond
			}
			for _, w := range holders {
				key.workload = w.ID
				key.attempt, key.cause = heldAt(s, w, slot, activity, at)
				sums[key] += perSecond / int64(len(holders))
			}
		}
	}
	return sums
}

func namedOn(s *story, w *HeldWorkload, slot int) bool {
	hold := w.Hold.Intersect(s.node.Node.Life)
	for _, e := range s.node.Evidence {
		for m := range period.Second(60) {
			minute := period.Interval{From: e.Hour + m*60, To: e.Hour + m*60 + 60}
			if e.Pod == w.Name && e.Device == fmt.Sprintf("GPU-%d", slot) && e.Minutes>>m&1 == 1 && !hold.Empty() &&
				minute.Overlaps(hold) {
				return true
			}
		}
	}
	return false
}

func activityAt(s *story, slot int, at period.Second) ledger.Activity {
	hour := at.Floor(period.Hour)
	row := s.rows[fmt.Sprint(fmt.Sprintf("GPU-%d", slot), slot, ledger.WholeDevice, "", hour)]
	if row == nil {
		return ledger.ActivityUnknown
	}
	v, m := row.Vectors[ledger.SignalGrEngine], (at-hour)/60
	switch {
	case v.Known>>m&1 == 0:
		return ledger.ActivityUnknown
	case v.Value[m] >= 100_000:
		return ledger.Active
	}
	return ledger.Idle
}

func bitAt(hour period.Second, minutes uint64, at period.Second) bool {
	return at.Floor(period.Hour) == hour && minutes>>((at-hour)/60)&1 == 1
}

func unheldAt(s *story, activity ledger.Activity, at period.Second) ledger.Cause {
	observed := false
	for _, h := range s.day.Sources {
		observed = observed || bitAt(h.Hour, h.Minutes, at)
	}
	switch n := s.day.NodeStates[0]; {
	case activity == ledger.Active:
		return ledger.Used
	case bitAt(n.Hour, n.Minutes, at):
		return ledger.Unavailable
	case !observed:
		return ledger.Unobserved
	}
	return ledger.Free
}

func heldAt(
	s clockStory, w *HeldWorkload, slot int, activity ledger.Activity, at period.Second,
) (ledger.ID, ledger.Cause) {
	hold := w.Hold.Intersect(s.node.Node.Life)
	segment, attempt := hold, (*ledger.Attempt)(nil)
	for i := range s.node.Attempts {
		a := &s.node.Attempts[i]
		if a.Segments[0].Workload != w.ID {
			continue
		}
		part := a.Span.Intersect(hold)
		switch {
		case part.Contains(at):
			segment, attempt = part, a
		case attempt == nil && part.To <= at && !part.Empty():
			segment.From = max(segment.From, part.To)
		case attempt == nil && part.From > at:
			segment.To = min(segment.To, part.From)
		}
	}
	var id ledger.ID
	if attempt != nil {
		id = attempt.ID
		if attempt.LossFrom != 0 && at >= attempt.LossFrom {
			return id, ledger.Lost
		}
		if attempt.Task == "" && at < attempt.Span.From+1800 && (attempt.GangComplete == 0 || at < attempt.GangComplete) {
			return id, ledger.Overhead
		}
	}
	for _, h := range s.day.PodStates {
		if h.UID == w.UID && bitAt(h.Hour, h.Minutes, at) {
			return id, ledger.Overhead
		}
	}
	if activity == ledger.ActivityUnknown {
		return id, ledger.Unobserved
	}
	if activity == ledger.Active {
		return id, ledger.Used
	}
	starting := at < segment.From+1800 // and no active minute of the segment up to now
	for m := segment.From.Floor(60); m <= at && starting; m += 60 {
		starting = s.activity(slot, m) != ledger.Active
	}
	if starting {
		return id, ledger.Overhead
	}
	run, minute := 1, at.Floor(60)
	for m := minute - 60; run < 15 && m+60 > hold.From && s.activity(slot, m) == ledger.Idle; m -= 60 {
		run++
	}
	for m := minute + 60; run < 15 && m < hold.To && s.activity(slot, m) == ledger.Idle; m += 60 {
		run++
	}
	if run >= 15 {
		return id, ledger.HeldIdle
	}
	return id, ledger.Used
}

// The engine cuts the day into stretches; asking every second gives the same.
func TestStretchesAgreeWithEverySecond(t *testing.T) {
	tier.Check(t, 100, func(t *rapid.T) {
		s := plainStory(t)
		from := theDay + period.Second(rapid.IntRange(0, 20).Draw(t, "hour"))*period.Hour
		window := period.Interval{From: from, To: from + 4*period.Hour}
		want := bySecond(s, window)
		got := make(map[secondKey]*big.Rat)
		c := s.allocate()
		for i := range c.Usage {
			u := &c.Usage[i]
			if !window.Contains(u.Hour) {
				continue
			}
			got[secondKey{u.Hour, int(u.Slot), u.WorkloadID, u.AttemptID, u.Cause, u.Activity}] = u.Weight
		}
		for k, n := range want {
			if w, g := big.NewRat(n, perSecond), got[k]; g == nil || g.Cmp(w) != 0 {
				t.Fatalf("%+v: %v seconds, want %s", k, g, w)
			}
		}
		for k := range got {
			if want[k] == 0 {
				t.Fatalf("%+v: %s seconds, want none", k, got[k])
			}
		}
	})
}
