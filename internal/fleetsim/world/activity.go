package world

// DayMinutes are the samples of a day.
const DayMinutes = 1440

// counterMost is the largest engine activity reported: the hardware counters overshoot 1 a little now and then.
const counterMost = 10_024

// Missing marks a minute without a sample.
const Missing int32 = -1

// Activity returns the exporter's value for each minute of the day that starts at day: PROF_GR_ENGINE_ACTIVE of the
// slice in 1/10000, or missing. The file writer and the true ledger both start from it.
func (w *World) Activity(d *Device, id int32, day int64) []int32 {
	n := d.Node
	out := make([]int32, DayMinutes)
	for i, o := range d.Occ[id] {
		if o.To > day && o.From < day+86400 {
			fillHolder(out, o, day, n.Phase,
				NewRNG(w.Config.Seed, 9, uint64(n.Idx), uint64(d.Index), uint64(id+2), uint64(day/86400), uint64(i)))
		}
	}
	if id == WholeDevice {
		r := NewRNG(w.Config.Seed, 10, uint64(n.Idx), uint64(d.Index), uint64(day/86400))
		for _, s := range d.rogue {
			for t := max(day, s.From) / 60 * 60; t < min(s.To, day+86400); t += 60 {
				if at := t + n.Phase; s.Has(at) && at >= day {
					out[(t-day)/60] += int32(r.Between(5000, 8000))
				}
			}
		}
	}
	until := n.Until(w)
	for m := range out {
		at := day + int64(m)*60 + n.Phase
		switch {
		case at < n.ExpFrom || at >= until || In(n.ExpGaps, at):
			out[m] = Missing
		case out[m] > counterMost:
			out[m] = counterMost
		}
	}
	return out
}

// fillHolder adds one pod's activity on a slice during the day.
func fillHolder(out []int32, o *Occupancy, day, phaseSec int64, r *RNG) {
	from, to := max(o.From, day), min(o.To, day+86400)
	k := 0
	phases := o.Pod.phases
	for at := CeilTo(from, phaseSec); at < to; at += 60 {
		for k < len(phases) && phases[k].To <= at {
			k++
		}
		m := (at - day) / 60
		if k < len(phases) && phases[k].From <= at {
			p := &phases[k]
			v := p.level + int64(r.Next()>>32)%(2*p.jitter+1) - p.jitter
			out[m] += int32(max(0, v))
		} else {
			out[m] += int32(r.Next() % 64)
		}
	}
}

// DeviceUtil is the whole-percent GPU_UTIL that goes with an engine activity.
func DeviceUtil(act int32) int32 { return min(100, (act+50)/100) }

// Present reports whether the slice exists at t.
func (d *Device) Present(id int32, t int64) (profile string, ok bool) {
	s := d.layoutAt(t)
	if s == nil {
		return "", id == WholeDevice
	}
	for _, x := range s {
		if x.ID == id {
			return x.Profile, true
		}
	}
	return "", false
}
