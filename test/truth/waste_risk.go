package truth

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// hourRisk is an hour of a subject that meets a criterion, with the slices whose money it has.
type hourRisk struct {
	kind, subject string
	hour          int64
	holds         []*hold
}

// hourlyRisks is the first table of 18.3.
func (w *wasteTruth) hourlyRisks() {
	var list []hourRisk
	for _, n := range w.machines() {
		nt := w.truth.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		for _, d := range n.Devices {
			for h := nt.appeared / 3600 * 3600; h < nt.gone; h += 3600 {
				list = append(list, w.cardHour(nt, d, h)...)
			}
		}
	}
	for _, h := range w.held {
		for _, x := range h.holds {
			for hour := (h.from + 3599) / 3600 * 3600; hour+3600 <= h.to; hour += 3600 {
				if w.alone(x, hour) {
					list = append(list, w.holderHour(x, hour)...)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b hourRisk) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.subject, b.subject), cmp.Compare(a.hour, b.hour))
	})
	for i := 0; i < len(list); {
		first := list[i]
		last, hours := first.hour, 1
		j := i + 1
		for ; j < len(list) && list[j].kind == first.kind && list[j].subject == first.subject &&
			list[j].hour-last-3600 <= 6*3600; j++ {
			if list[j].hour != last {
				hours++
			}
			last = list[j].hour
		}
		if hours >= 3 || first.kind == "xid" {
			f := w.risk(first.kind, first.subject, first.hour, last+3600)
			for _, r := range list[i:j] {
				f.met = append(f.met, world.Span{From: r.hour, To: r.hour + 3600})
				for _, x := range r.holds {
					for _, s := range w.lives[x] {
						if s.key.Hour == r.hour {
							f.addSeconds(s.key, s.to-s.from)
						}
					}
				}
			}
		}
		i = j
	}
}

// alone reports whether the slice had no other holder in the hour.
func (w *wasteTruth) alone(x *hold, hour int64) bool {
	for _, o := range x.pod.nt.holds[x.dev][x.slice] {
		if o != x && o.pod.from < hour+3600 && o.pod.to > hour {
			return false
		}
	}
	return true
}

// sampled are the values of a metric in the minutes of an hour that have one.
func (w *wasteTruth) sampled(
	nt *nodeTruth, d *world.Device, id int32, hour int64, every int, value func(s *fleetsim.Signals, m int) int64,
) []int64 {
	var out []int64
	s := w.signals(d, hour)[id]
	if s == nil || s.Coarse && every > 1 { // every minute: memory
		return nil
	}
	for minute := hour; minute < hour+3600; minute += 60 {
		m := int((minute - s.Day) / 60)
		_, there := d.Present(id, minute+nt.n.Phase)
		if s.Act[m] != world.Missing && there && (m+nt.n.Idx)%every == 0 {
			out = append(out, value(s, m))
		}
	}
	return out
}

func sumOf(list []int64) int64 {
	var sum int64
	for _, v := range list {
		sum += v
	}
	return sum
}

// p95 is the nearest rank; the list must not be empty.
func p95(list []int64) int64 {
	list = slices.Sorted(slices.Values(list))
	return list[(len(list)*95+99)/100-1]
}

// meanAtLeast and meanAtMost compare the mean of the known values; an empty list meets neither.
func meanAtLeast(list []int64, limit int64) bool {
	return len(list) > 0 && sumOf(list) >= limit*int64(len(list))
}

func meanAtMost(list []int64, limit int64) bool {
	return len(list) > 0 && sumOf(list) <= limit*int64(len(list))
}

// activities are the known minutes of an hour, in ppm.
func (w *wasteTruth) activities(nt *nodeTruth, d *world.Device, id int32, hour int64) []int64 {
	var out []int64
	for m := hour; m < hour+3600; m += 60 {
		if ppm, known := w.act(nt, d, id, m); known {
			out = append(out, ppm)
		}
	}
	return out
}

// cardHour checks a card with any hold in the hour.
func (w *wasteTruth) cardHour(nt *nodeTruth, d *world.Device, hour int64) []hourRisk {
	if d.Layouts != nil || len(d.Throttled)+len(d.Faults) == 0 {
		return nil
	}
	var holds []*hold
	for _, x := range nt.holds[d][world.WholeDevice] {
		if x.pod.from < hour+3600 && x.pod.to > hour {
			holds = append(holds, x)
		}
	}
	if holds == nil {
		return nil
	}
	var out []hourRisk
	busy := meanAtLeast(w.activities(nt, d, world.WholeDevice, hour), 100_000)
	throttled := false
	for _, thermal := range []bool{false, true} {
		list := w.sampled(nt, d, world.WholeDevice, hour, fleetsim.EveryTen, func(s *fleetsim.Signals, m int) int64 {
			return d.ThrottledMillis(s.At(m), thermal)
		})
		throttled = throttled || len(list) > 0 && slices.Max(list)-slices.Min(list) >= 360_000
	}
	var words []int64
	for _, v := range w.sampled(nt, d, world.WholeDevice, hour, fleetsim.EveryTen, func(s *fleetsim.Signals, m int) int64 {
		if _, modern := nt.n.ExporterAt(s.At(m)); !modern {
			return -1
		}
		return d.ReasonsAt(s.At(m))
	}) {
		if v >= 0 {
			words = append(words, v)
		}
	}
	throttled = throttled || len(words) > 0 && p95(words)&(world.ReasonPowerCap|world.ReasonThermal) != 0
	if throttled && busy {
		out = append(out, hourRisk{"throttled", w.card(d), hour, holds})
	}
	faults := w.sampled(nt, d, world.WholeDevice, hour, fleetsim.EveryTen,
		func(s *fleetsim.Signals, m int) int64 { return d.XidAt(s.At(m)) })
	if len(faults) > 0 && slices.Max(faults) > 0 {
		out = append(out, hourRisk{"xid", w.card(d), hour, holds})
	}
	return out
}

// holderHour checks an hour in which the holder had the slice to itself.
func (w *wasteTruth) holderHour(x *hold, hour int64) []hourRisk {
	p, nt := x.pod.p, x.pod.nt
	act := w.activities(nt, x.dev, x.slice, hour)
	if len(act) == 0 {
		return nil
	}
	var out []hourRisk
	meets := func(kind string) {
		out = append(out, hourRisk{kind, w.workload(p), hour, []*hold{x}})
	}
	memory := w.sampled(nt, x.dev, x.slice, hour, 1, func(s *fleetsim.Signals, m int) int64 { return int64(s.FB[m]) })
	if model := nt.n.Type.Model; classOf(p) == "service" && x.slice == world.WholeDevice &&
		(strings.Contains(model, "H100") || strings.Contains(model, "A100")) &&
		p95(act) <= 300_000 && len(memory) > 0 && p95(memory) <= 24<<10 {
		meets("training_grade_inference")
	}
	if !meanAtLeast(act, 100_000) {
		return out
	}
	if classOf(p) == "run" && sumOf(act) < 500_000*int64(len(act)) && meanAtLeast(w.hostCPUs(nt.n, hour), 9_000) {
		meets("input_starved")
	}
	free := w.sampled(nt, x.dev, x.slice, hour, fleetsim.EveryTen,
		func(s *fleetsim.Signals, m int) int64 { return s.Free(m) })
	if len(free) > 0 && len(memory) > 0 { // P95 ≥ 97 % × (mean used + mean free)
		all := new(big.Rat).Add(big.NewRat(sumOf(memory), int64(len(memory))), big.NewRat(sumOf(free), int64(len(free))))
		if big.NewRat(p95(memory)*100, 97).Cmp(all) >= 0 {
			meets("memory_saturated")
		}
	}
	if !nt.n.Profiling || !meanAtLeast(act, 800_000) {
		return out
	}
	of := func(every int, thousandths func(*world.Load) int64) []int64 {
		return w.sampled(nt, x.dev, x.slice, hour, every, func(s *fleetsim.Signals, m int) int64 {
			return int64(s.Loads[m].Share(s.Act[m], thousandths(s.Loads[m])))
		})
	}
	if meanAtLeast(of(fleetsim.EveryFive, func(l *world.Load) int64 { return l.DRAM }), 6_000) &&
		meanAtMost(of(1, func(l *world.Load) int64 { return l.Tensor }), 1_500) {
		meets("memory_bound")
	}
	if len(x.pod.holds) > 1 && meanAtMost(of(fleetsim.EveryFive, func(l *world.Load) int64 { return l.SM }), 4_000) &&
		w.onLinks(x, hour) {
		meets("communication_bound")
	}
	return out
}

// onLinks reports whether NVLink or PCIe carry 50 GB/s, both directions together.
func (w *wasteTruth) onLinks(x *hold, hour int64) bool {
	if x.slice != world.WholeDevice {
		return false
	}
	nt := x.pod.nt
	nvlink := w.sampled(nt, x.dev, x.slice, hour, fleetsim.EveryFive, func(s *fleetsim.Signals, m int) int64 {
		return 2 * s.Loads[m].Traffic(s.Act[m], s.Loads[m].NVLink)
	})
	pcie := w.sampled(nt, x.dev, x.slice, hour, fleetsim.EveryTen, func(s *fleetsim.Signals, m int) int64 {
		return 2 * s.Loads[m].Traffic(s.Act[m], s.Loads[m].PCIe)
	})
	return nt.n.Type.GPUs == 8 && meanAtLeast(nvlink, 50_000_000_000) || meanAtLeast(pcie, 50_000_000_000)
}

// hostCPUs are the samples of the machine's CPU in the hour, in 1/10000.
func (w *wasteTruth) hostCPUs(n *world.Node, hour int64) []int64 {
	if w.Site.Slurm {
		return nil
	}
	var out []int64
	for t := hour + fleetsim.HostSecond; t < min(hour+3600, w.truth.World.To); t += 60 {
		if (t/60+int64(n.Idx))%fleetsim.EveryFive == 0 && fleetsim.HostTold(w.truth.World, n, t) {
			out = append(out, int64(fleetsim.HostCPUAt(w.truth.World, n, t)))
		}
	}
	return out
}
