package timeline

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Activity is the activity of a slice per minute of a grid.
type Activity struct {
	grid   Grid
	ppm    []int32 // 0 where unknown
	known  Bits
	active Bits // known, and at or above the threshold
}

// newActivity separates active minutes from idle ones by a threshold in ppm.
func newActivity(mem *Memory, known Bits, ppm []int32, threshold int64) *Activity {
	a := &Activity{known.grid, ppm, known, mem.Bits(known.grid)}
	limit := int32(min(max(threshold, 0), fullActivity+1))
	for h, minutes := range known.words {
		if minutes == 0 {
			continue
		}
		var active uint64
		for m, v := range (*[minutesPerHour]int32)(ppm[h*minutesPerHour:]) {
			active |= uint64(uint32(^(v-limit))>>31) << m // v ≥ limit: the difference has no sign
		}
		a.active.words[h] = active & minutes
	}
	return a
}

// Class is the activity of minute m: active at or above the threshold, idle below, unknown without a sample (rule 5.2).
func (a *Activity) Class(m int) ledger.Activity {
	h, bit := m/minutesPerHour, m%minutesPerHour
	switch {
	case a.active.words[h]>>bit&1 == 1:
		return ledger.Active
	case a.known.words[h]>>bit&1 == 1:
		return ledger.Idle
	}
	return ledger.ActivityUnknown
}

// Edges returns the minutes of the hour-th hour of the grid whose class differs from the minute before.
func (a *Activity) Edges(hour int) uint64 { return a.known.Edges(hour) | a.active.Edges(hour) }

// FirstActive returns the first active minute of [from, to), to if there is none.
func (a *Activity) FirstActive(from, to int) int { return a.active.First(from, to) }

// Idle returns the minutes that are known and not active, in mem's buffers.
func (a *Activity) Idle(mem *Memory) Bits {
	idle := mem.Bits(a.grid)
	for h := range idle.words {
		idle.words[h] = a.known.words[h] &^ a.active.words[h]
	}
	return idle
}

// Sum is Σ ppm over the seconds of i whose minute is known.
func (a *Activity) Sum(i period.Interval) int64 {
	i = i.Intersect(a.grid.Window())
	if i.Empty() {
		return 0
	}
	from, to := a.grid.Index(i.From), a.grid.Index(i.To-1)
	sum := int64(0)
	for _, v := range a.ppm[from : to+1] {
		sum += int64(v)
	}
	sum *= period.Minute
	sum -= int64(a.ppm[from]) * int64(i.From-a.grid.At(from))
	return sum - int64(a.ppm[to])*int64(a.grid.At(to)+period.Minute-i.To)
}

// Activity returns the activity of a slice id over the window by a threshold in ppm, following the layouts: a minute in
// which the layout does not have the slice is unknown. If one id has two profiles in one minute, the larger value
// counts.
func (s *Slot) Activity(id int32, threshold int64) *Activity {
	if only := s.onlySeries(id); only != nil {
		return newActivity(s.mem, only.known, only.value, threshold)
	}
	known, ppm := s.mem.Bits(s.Grid), s.mem.values.take(s.Minutes())
	for i := range s.Layouts {
		l := &s.Layouts[i]
		if !l.Has(id) {
			continue
		}
		from, to := s.Overlap(l.Interval)
		for _, series := range s.series {
			if s.shows(l, series, id) {
				series.activityInto(known, ppm, from, to)
			}
		}
	}
	return newActivity(s.mem, known, ppm, threshold)
}

// shows reports whether a series is the slice id in a layout.
func (s *Slot) shows(l *Layout, of *series, id int32) bool {
	return of.key.device == l.Device && of.key.ID == id && (id == ledger.WholeDevice || l.holds(of.key.Instance))
}

// onlySeries returns the readings of a slice whose activity is one series from beginning to end, unchanged: one layout
// throughout, and one signal.
func (s *Slot) onlySeries(id int32) *readings {
	if len(s.Layouts) != 1 || !s.Layouts[0].Has(id) {
		return nil
	}
	var only *series
	for _, of := range s.series {
		if s.shows(&s.Layouts[0], of, id) {
			if only != nil {
				return nil
			}
			only = of
		}
	}
	if only == nil || len(only.engine.known.words) == 0 || len(only.util.known.words) != 0 && id == ledger.WholeDevice {
		return nil
	}
	return &only.engine
}

// activityInto writes the activity of minutes [from, to): the engine signal; else, for a whole device in an hour
// without any engine sample, the utilisation (rule 5.1). If a minute is known already, the larger value counts.
func (s *series) activityInto(known Bits, ppm []int32, from, to int) {
	for m := from; m < to; {
		hour := m / minutesPerHour
		end := min(to, (hour+1)*minutesPerHour)
		source := &s.engine
		if s.key.ID == ledger.WholeDevice && s.engine.none(hour) {
			source = &s.util
		}
		if !source.none(hour) {
			for k := m; k < end; k++ {
				ppm[k] = max(ppm[k], source.value[k])
			}
			inside := uint64(1)<<(end-hour*minutesPerHour) - uint64(1)<<(m-hour*minutesPerHour)
			known.words[hour] |= source.known.words[hour] & inside
		}
		m = end
	}
}
