package fleetsim

const dayMinutes = 1440

// counterMost is the largest engine activity reported: the hardware counters
// overshoot 1 a little now and then.
const counterMost = 10_024

// missing marks a minute without a sample.
const missing int32 = -1

// activity returns what the exporter reports for each minute of the day that
// starts at day: PROF_GR_ENGINE_ACTIVE of the slice in 1/10000, or missing.
// The file writer and the true ledger both start from it.
func (w *world) activity(d *device, id int32, day int64) []int32 {
	n := d.node
	out := make([]int32, dayMinutes)
	for i, o := range d.occ[id] {
		if o.to > day && o.from < day+86400 {
			fillHolder(out, o, day, n.phase, newRNG(w.cfg.Seed, 9, uint64(n.idx), uint64(d.index), uint64(id+2), uint64(day/86400), uint64(i)))
		}
	}
	if id == wholeDevice {
		r := newRNG(w.cfg.Seed, 10, uint64(n.idx), uint64(d.index), uint64(day/86400))
		for _, s := range d.rogue {
			for t := max(day, s.from) / 60 * 60; t < min(s.to, day+86400); t += 60 {
				if at := t + n.phase; s.has(at) && at >= day {
					out[(t-day)/60] += int32(r.between(5000, 8000))
				}
			}
		}
	}
	until := n.until(w)
	for m := range out {
		at := day + int64(m)*60 + n.phase
		switch {
		case at < n.expFrom || at >= until || in(n.expGaps, at):
			out[m] = missing
		case out[m] > counterMost:
			out[m] = counterMost
		}
	}
	return out
}

// fillHolder adds what one pod does on a slice during the day.
func fillHolder(out []int32, o *occupancy, day, phaseSec int64, r *rng) {
	from, to := max(o.from, day), min(o.to, day+86400)
	k := 0
	phases := o.pod.phases
	for at := ceilTo(from, phaseSec); at < to; at += 60 {
		for k < len(phases) && phases[k].to <= at {
			k++
		}
		m := (at - day) / 60
		if k < len(phases) && phases[k].from <= at {
			p := &phases[k]
			v := p.level + int64(r.next()>>32)%(2*p.jitter+1) - p.jitter
			out[m] += int32(max(0, v))
		} else {
			out[m] += int32(r.next() % 64)
		}
	}
}

// deviceUtil is the whole-percent GPU_UTIL that goes with an engine activity.
func deviceUtil(act int32) int32 { return min(100, (act+50)/100) }

// present reports whether the slice exists at t.
func (d *device) present(id int32, t int64) (profile string, ok bool) {
	s := d.layoutAt(t)
	if s == nil {
		return "", id == wholeDevice
	}
	for _, x := range s {
		if x.id == id {
			return x.profile, true
		}
	}
	return "", false
}
