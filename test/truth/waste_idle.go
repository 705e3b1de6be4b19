package truth

import (
	"cmp"
	"math/big"
	"slices"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

const (
	aDay    = int64(86400)
	bridged = 300 // seconds of an idle span that may have another cause
)

// overprovisioned is the first kind of 18.2: per service and day.
func (w *wasteTruth) overprovisioned() {
	services := map[string][]*heldPod{}
	var names []string
	for _, h := range w.held {
		if classOf(h.p) == "service" && len(h.holds) > 0 {
			name := w.workload(h.p)
			if services[name] == nil {
				names = append(names, name)
			}
			services[name] = append(services[name], h)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		var last *finding
		for d := w.truth.From; d < w.truth.To; d += aDay {
			hours, fewest, needed := w.replicas(services[name], d)
			if len(hours) < 20 || fewest < 2 || needed >= fewest {
				last = nil
				continue
			}
			from, to := hours[0].at, hours[len(hours)-1].at+3600
			if last == nil {
				last = w.find("overprovisioned_service", name, from, to)
			}
			last.To = to
			for _, o := range hours {
				last.met = append(last.met, world.Span{From: o.at, To: o.at + 3600})
			}
			for _, h := range services[name] {
				for _, x := range h.holds {
					for _, s := range w.lives[x] {
						if s.from/aDay*aDay != d {
							continue
						}
						s.taken = s.taken || s.wasted()
						if i := slices.IndexFunc(hours, func(o replicaHour) bool { return o.at == s.key.Hour }); i >= 0 {
							last.add(s.key, big.NewRat((s.to-s.from)*(fewest-needed), hours[i].n))
						}
					}
				}
			}
		}
	}
}

// replicaHour is an hour that counts, with the replicas that held all of it.
type replicaHour struct{ at, n int64 }

// replicas counts a day's replicas: the fewest at a time, and the number needed.
func (w *wasteTruth) replicas(holders []*heldPod, d int64) (hours []replicaHour, fewest, needed int64) {
	needed = 1
	for h := d; h < d+aDay; h += 3600 {
		sum, n, known := new(big.Rat), int64(0), true
		for _, p := range holders {
			if p.from <= h && p.to >= h+3600 {
				n++
				mean := w.meanOf(p, h)
				if mean == nil {
					known = false
					continue
				}
				sum.Add(sum, mean)
			}
		}
		if n == 0 || !known {
			continue
		}
		if hours == nil || n < fewest {
			fewest = n
		}
		hours = append(hours, replicaHour{h, n})
		want := sum.Quo(sum, big.NewRat(600_000, 1))
		up := new(big.Int).Add(want.Num(), new(big.Int).Sub(want.Denom(), big.NewInt(1)))
		needed = max(needed, up.Quo(up, want.Denom()).Int64())
	}
	return hours, fewest, needed
}

// meanOf is a holder's mean activity in an hour: for several slices the mean of their means; nil if no minute is known.
func (w *wasteTruth) meanOf(p *heldPod, hour int64) *big.Rat {
	total, slots := new(big.Rat), int64(0)
	for _, x := range p.holds {
		sum, n := int64(0), int64(0)
		for m := hour; m < hour+3600; m += 60 {
			if ppm, known := w.act(p.nt, x.dev, x.slice, m); known {
				sum, n = sum+ppm, n+1
			}
		}
		if n > 0 {
			total.Add(total, big.NewRat(sum, n))
			slots++
		}
	}
	if slots == 0 {
		return nil
	}
	return total.Quo(total, big.NewRat(slots, 1))
}

// claim is the part of one slice of a holder that goes to a finding.
type claim struct {
	kind     string
	from, to int64
	parts    []*stretch
}

// holders handles the kinds of 18.2 that holders have, slice by slice, and joins adjacent stretches.
func (w *wasteTruth) holders() {
	for _, h := range w.held {
		var claims []*claim
		for _, x := range h.holds {
			claims = append(claims, w.crashLoops(x)...)
			claims = append(claims, w.neverUsed(x)...)
			claims = append(claims, w.idleSpans(x)...)
		}
		slices.SortStableFunc(claims, func(a, b *claim) int {
			return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.from, b.from))
		})
		var f *finding
		for i, c := range claims {
			joins := i > 0 && claims[i-1].kind == c.kind && c.from <= f.To
			if !joins {
				f = w.find(c.kind, w.holder(h), c.from, c.to)
			}
			f.To = max(f.To, c.to)
			for _, s := range c.parts {
				f.addSeconds(s.key, s.to-s.from)
				f.met = append(f.met, world.Span{From: s.from, To: s.to})
			}
		}
	}
}

// take claims stretches and marks them.
func take(kind string, from, to int64, parts []*stretch) *claim {
	for _, s := range parts {
		s.taken = true
	}
	return &claim{kind: kind, from: from, to: to, parts: parts}
}

// wastedIn are the idle and overhead stretches inside an interval.
func (w *wasteTruth) wastedIn(x *hold, from, to int64) []*stretch {
	var out []*stretch
	for _, s := range w.lives[x] {
		if s.wasted() && s.from >= from && s.to <= to {
			out = append(out, s)
		}
	}
	return out
}

func (w *wasteTruth) crashLoops(x *hold) []*claim {
	h := x.pod
	if len(h.p.Crash) == 0 {
		return nil
	}
	var out []*claim
	var first, last, n int64
	end := func() {
		if n >= 30 {
			from, to := max(first, h.from), min(last+60, h.to)
			out = append(out, take("crash_loop", from, to, w.wastedIn(x, from, to)))
		}
		n = 0
	}
	for m := h.from / 60 * 60; m < h.to; m += 60 {
		if !w.waiting(h.p, m) {
			continue
		}
		if n > 0 && m-last-60 > 600 {
			end()
		}
		if n == 0 {
			first = m
		}
		last, n = m, n+1
	}
	end()
	return out
}

// neverUsed is hoarding, pre-provisioned and crashed.
func (w *wasteTruth) neverUsed(x *hold) []*claim {
	h, life := x.pod, w.lives[x]
	class := classOf(h.p)
	begin, end := int64(0), int64(0) // of its work
	for _, s := range life {
		if s.worked {
			if begin == 0 {
				begin = s.from
			}
			end = s.to
		}
	}
	bare := h.p.RootKind == "Pod"
	if (class == "run" || bare) && h.to-h.from >= 4*3600 && begin == 0 && w.littleMemory(x) {
		if parts := w.wastedIn(x, h.from, h.to); len(parts) > 0 {
			return []*claim{take("hoarding", parts[0].from, parts[len(parts)-1].to, parts)}
		}
	}
	if class != "run" && class != "service" {
		return nil
	}
	var out []*claim
	before := h.to
	if begin != 0 {
		before = begin
	}
	parts := w.wastedIn(x, h.from, before)
	if secondsOf(parts) > 1800 {
		out = append(out, take("preprovisioned", parts[0].from, parts[len(parts)-1].to, parts))
	}
	if class == "run" && begin != 0 {
		var after []*stretch
		for _, s := range life {
			if s.idle() && s.from >= end {
				after = append(after, s)
			}
		}
		if secondsOf(after) >= 3600 {
			out = append(out, take("crashed_job", after[0].from, after[len(after)-1].to, after))
		}
	}
	return out
}

func secondsOf(parts []*stretch) int64 {
	var sum int64
	for _, s := range parts {
		sum += s.to - s.from
	}
	return sum
}

// littleMemory reports whether the memory used is known and never above 1 GiB, in hours without another holder of the
// slice.
func (w *wasteTruth) littleMemory(x *hold) bool {
	known := false
	for hour := x.pod.from / 3600 * 3600; hour < x.pod.to; hour += 3600 {
		if !w.alone(x, hour) {
			continue
		}
		for m := hour; m < hour+3600; m += 60 {
			used, there := w.memoryAt(x, m)
			if there && used > 1024 {
				return false
			}
			known = known || there
		}
	}
	return known
}

// memoryAt is the exporter's value of a minute, in MiB.
func (w *wasteTruth) memoryAt(x *hold, minute int64) (int64, bool) {
	if _, known := w.act(x.pod.nt, x.dev, x.slice, minute); !known {
		return 0, false
	}
	s := w.signals(x.dev, minute)[x.slice]
	return int64(s.FB[(minute-s.Day)/60]), true
}

// signals are the signals of a device on the day of a minute.
func (w *wasteTruth) signals(d *world.Device, minute int64) map[int32]*fleetsim.Signals {
	k := deviceDay{d, minute / aDay * aDay}
	if w.signal[k] == nil {
		_, w.signal[k] = fleetsim.DeviceSignals(w.truth.World, d, k.day, map[*world.Device]int64{})
		for id, s := range w.signal[k] {
			s.Loads = w.Loads(d, id, k.day)
		}
	}
	return w.signal[k]
}

// idleSpans is forgotten notebooks and other holds without use.
func (w *wasteTruth) idleSpans(x *hold) []*claim {
	var out []*claim
	var parts []*stretch
	end := func() {
		if len(parts) == 0 {
			return
		}
		from, to, idle := parts[0].from, parts[len(parts)-1].to, secondsOf(parts)
		switch {
		case classOf(x.pod.p) == "interactive" && idle >= 2*3600:
			out = append(out, take("forgotten_notebook", from, to, parts))
		case idle >= 1800:
			out = append(out, take("held_not_used", from, to, parts))
		}
		parts = nil
	}
	for _, s := range w.lives[x] {
		switch {
		case s.idle():
			if len(parts) > 0 && s.from-parts[len(parts)-1].to >= bridged {
				end()
			}
			parts = append(parts, s)
		case s.key.Cause == "unobserved", s.key.Cause == "used" && !s.worked:
		default:
			end()
		}
	}
	end()
	return out
}
