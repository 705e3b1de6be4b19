package truth

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// usageRow gathers one row of rule 8.2. Weights are sums of seconds per exact
// fraction, so that no rational grows in the loop.
type usageRow struct {
	Usage
	weights map[frac]int64 // slice weight × share → seconds
	active  map[frac]int64 // … → ppm × seconds
	energy  map[energyKey]int64
}

var causeOrder = []string{"used", "overhead", "held_idle", "lost", "free", "stranded", "unavailable", "unobserved"}

// act is the activity of a slice in a minute: known, and in ppm.
func (t *truth) act(nt *nodeTruth, d *world.Device, id int32, minute int64) (ppm int64, known bool) {
	day := minute / 86400 * 86400
	days := nt.acts[d][id]
	if days == nil {
		days = map[int64][]int32{}
		nt.acts[d][id] = days
	}
	v := days[day]
	if v == nil {
		v = t.Activity(d, id, day)
		days[day] = v
	}
	a := v[(minute-day)/60]
	if a == world.Missing {
		return 0, false
	}
	if _, ok := d.Present(id, minute+nt.n.Phase); !ok {
		return 0, false
	}
	if !nt.n.Profiling && id == world.WholeDevice {
		return int64(world.DeviceUtil(a)) * 10_000, true
	}
	return min(1_000_000, int64(a)*100), true
}

func (t *truth) activityWord(ppm int64, known bool) string {
	switch {
	case !known:
		return "unknown"
	case ppm >= t.rules.IdlePPM:
		return "active"
	}
	return "idle"
}

// prepare finds, per hold, the long idle runs (7.4) and per segment the first
// active minute (7.2b).
func (t *truth) prepare(x *hold) {
	h := x.pod
	x.longIdle, x.first = map[int64]bool{}, map[int64]int64{}
	if t.rules.IdleMean {
		t.idleWindows(x)
	}
	var run []int64
	flush := func() {
		if !t.rules.IdleMean && int64(len(run)) >= t.rules.IdleMinutes {
			for _, m := range run {
				x.longIdle[m] = true
			}
		}
		run = run[:0]
	}
	for m := h.from / 60 * 60; m < h.to; m += 60 {
		if ppm, known := t.act(h.nt, x.dev, x.slice, m); known && ppm < t.rules.IdlePPM {
			run = append(run, m)
		} else {
			flush()
		}
	}
	flush()
	for _, s := range h.segments {
		x.first[s.from] = 1 << 62
		for m := s.from / 60 * 60; m < s.to; m += 60 {
			if ppm, known := t.act(h.nt, x.dev, x.slice, m); known && ppm >= t.rules.IdlePPM {
				x.first[s.from] = m
				break
			}
		}
	}
}

// idleWindows is rule 7.4 of the kind mean: every window of known minutes of the hold is summed separately, one after
// the other.
func (t *truth) idleWindows(x *hold) {
	first, last := x.pod.from/60*60, x.pod.to
	for from := first; from+60*(t.rules.IdleMinutes-1) < last; from += 60 {
		sum, whole := int64(0), true
		for m := from; m < from+60*t.rules.IdleMinutes; m += 60 {
			ppm, known := t.act(x.pod.nt, x.dev, x.slice, m)
			sum, whole = sum+ppm, whole && known
		}
		if !whole || sum >= t.rules.IdlePPM*t.rules.IdleMinutes {
			continue
		}
		for m := from; m < from+60*t.rules.IdleMinutes; m += 60 {
			x.longIdle[m] = true
		}
	}
}

// readUsage is rules 7 and 8.1 for every node.
func (t *truth) readUsage() {
	t.rows, t.device, t.weights = map[nodeHour][]*usageRow{}, map[nodeHour]*big.Rat{}, map[*world.Slice]*weights{}
	for _, h := range t.held {
		for _, x := range h.holds {
			t.prepare(x)
		}
	}
	t.billedAt, t.firstUse = map[nodeHour]int64{}, map[string]int64{}
	for _, c := range t.charges {
		if c.Rule == bills.OfMachine && c.Seconds > 0 {
			for _, p := range t.pieces(c) {
				t.billedAt[p.nodeHour] += p.seconds
			}
		}
	}
	for _, n := range t.World.Nodes {
		t.nodeUsage(t.nodes[n])
	}
}

func (t *truth) nodeUsage(nt *nodeTruth) {
	n := nt.n
	cuts := t.cuts(nt)
	begin, end := nt.appeared, nt.gone
	if t.Billed(n) && (begin == 0 || n.Launch < begin) {
		begin = n.Launch
	}
	if n.End != 0 {
		end = max(end, n.End)
	}
	if end = max(end, min(t.BillTo, n.Until(t.World))); begin == 0 {
		return
	}
	for h := begin / 3600 * 3600; h < end; h += 3600 {
		appeared, gone := nt.lifeOn(h)
		from, to := max(h, appeared), min(h+3600, gone)
		seen := max(0, to-from)
		billed := t.billedAt[nodeHour{n, h}]
		if seen == 0 && billed == 0 {
			continue
		}
		at := map[Key]*usageRow{}
		i, _ := slices.BinarySearch(cuts, from)
		for a := from; a < to; {
			b := min(to, a/60*60+60)
			for i < len(cuts) && cuts[i] <= a {
				i++
			}
			if i < len(cuts) {
				b = min(b, cuts[i])
			}
			for _, d := range n.Devices {
				t.slot(at, nt, d, a, b)
			}
			a = b
		}
		if extra := billed - seen; extra > 0 {
			t.unseen(nt, h, extra, func(cause string, seconds int64) {
				for _, d := range n.Devices {
					t.put(at, nt, d, world.WholeDevice, nil, nil, cause, h, seconds, one, 0, false)
				}
			})
		}
		t.keep(nodeHour{n, h}, at, int64(len(n.Devices))*max(billed, seen))
	}
}

// cuts are the seconds at which something on the node changes.
func (t *truth) cuts(nt *nodeTruth) []int64 {
	var c []int64
	for _, h := range t.held {
		if h.nt != nt {
			continue
		}
		c = append(c, h.from, h.to)
		for _, s := range h.segments {
			c = append(c, s.from, s.to, s.from+t.rules.OverheadLimit)
			if s.attempt != nil {
				c = append(c, s.lossFrom, s.attempt.overheadA, s.attempt.LossFrom, s.attempt.lossTo, s.attempt.GangComplete)
			}
		}
	}
	slices.Sort(c)
	return slices.Compact(c)
}

// slot accounts for [a, b) of one device, in which nothing changes.
func (t *truth) slot(at map[Key]*usageRow, nt *nodeTruth, d *world.Device, a, b int64) {
	layout := layoutOf(nt.layouts[d], a)
	if layout == nil {
		t.piece(at, nt, d, world.WholeDevice, a, b, one)
		return
	}
	w := t.layoutWeights(layout)
	for i, s := range layout {
		t.piece(at, nt, d, s.ID, a, b, w.slices[i])
	}
	if w.placeable.n > 0 {
		t.remainder(at, nt, d, a, b, "free", w.placeable, w.assumed)
	}
	if w.stranded.n > 0 {
		t.remainder(at, nt, d, a, b, "stranded", w.stranded, w.assumed)
	}
}

// remainder accounts for [a, b) of the part of a MIG layout outside all slices.
func (t *truth) remainder(
	at map[Key]*usageRow, nt *nodeTruth, d *world.Device, a, b int64, cause string, w frac, assumed bool,
) {
	row := t.put(at, nt, d, world.WholeDevice, nil, nil, t.unheld(nt, a/60*60, cause), a, b-a, w, 0, false)
	row.Assumed = row.Assumed || assumed
	t.addEnergy(row, nt, d, a, b-a, w)
}

// unheld is rules 7.7 to 7.10 for time inside the node's life.
func (t *truth) unheld(nt *nodeTruth, minute int64, otherwise string) string {
	tick := minute + world.KSMSecond
	known := !world.In(t.KSMGaps, tick) && tick < t.World.To && tick >= nt.n.Created &&
		tick < fleetsim.NodeKubeEnd(t.World, nt.n)
	switch {
	case known && (world.In(nt.n.NotReady, tick) || world.In(nt.n.Cordoned, tick)):
		return "unavailable"
	case nt.silent(minute):
		return "unavailable"
	case !t.observed[minute] || !nt.inSource:
		return "unobserved"
	}
	return otherwise
}

// piece accounts for [a, b) of one slice of weight w.
func (t *truth) piece(at map[Key]*usageRow, nt *nodeTruth, d *world.Device, id int32, a, b int64, w frac) {
	minute := a / 60 * 60
	ppm, known := t.act(nt, d, id, minute)
	var holders []*hold
	total := frac{0, 1}
	for _, x := range nt.holds[d][id] {
		if x.pod.from <= a && a < x.pod.to {
			holders = append(holders, x)
			total = total.add(t.claim(nt, x))
		}
	}
	left := one.sub(total)
	if nt.n.Replicas <= 1 && len(holders) > 0 {
		left = frac{0, 1}
	}
	for _, x := range holders {
		share := t.claim(nt, x)
		switch {
		case nt.n.Replicas <= 1:
			share = reduce(1, int64(len(holders)))
		case total.over(one):
			share = share.div(total)
		}
		s := x.pod.segmentAt(a)
		if known && a == minute {
			t.countMinute(x.pod, s.attempt, a, ppm)
		}
		row := t.put(at, nt, d, id, x.pod, s.attempt, t.heldCause(x, s, a, minute, ppm, known), a, b-a, w.mul(share), ppm,
			known)
		row.Team = x.pod.team
		if s.attempt != nil && (s.attempt.GangComplete == 0 || a < s.attempt.GangComplete) {
			row.GangWait += b - a
		}
		t.addEnergy(row, nt, d, a, b-a, w.mul(share))
		row.Estimated = row.Estimated || x.estimated || nt.n.Replicas > 1 || len(holders) > 1
		if row.Cause == "lost" && (s.unproven || s.lossFrom == 0 && s.attempt.LossBasis == "none") {
			row.Assumed = true
		}
	}
	if left.n <= 0 {
		return
	}
	cause := "used"
	if len(holders) > 0 || !known || ppm < t.rules.IdlePPM {
		cause = t.unheld(nt, minute, "free")
	}
	row := t.put(at, nt, d, id, nil, nil, cause, a, b-a, w.mul(left), ppm, known)
	t.addEnergy(row, nt, d, a, b-a, w.mul(left))
}

// claim is rule 4.5.
func (t *truth) claim(nt *nodeTruth, x *hold) frac {
	if nt.n.Replicas <= 1 {
		return one
	}
	return x.quantity.mul(frac{1, int64(nt.n.Replicas)})
}

func (h *heldPod) segmentAt(a int64) segment {
	for _, s := range h.segments {
		if s.from <= a && a < s.to {
			return s
		}
	}
	return segment{from: h.from, to: h.to}
}

// heldCause is rules 7.1 to 7.5.
func (t *truth) heldCause(x *hold, s segment, a, minute, ppm int64, known bool) string {
	if at := s.attempt; at != nil {
		if at.LossFrom != 0 && at.LossFrom <= a && a < at.lossTo || s.lossFrom != 0 && s.lossFrom <= a {
			return "lost"
		}
		if at.StartedAt <= a && a < at.overheadA {
			return "overhead"
		}
	}
	idle := known && ppm < t.rules.IdlePPM
	switch {
	case idle && minute < x.first[s.from] && a < s.from+t.rules.OverheadLimit:
		return "overhead"
	case t.waiting(x.pod.p, minute):
		return "overhead"
	case !known:
		return "unobserved"
	case (idle || t.rules.IdleMean) && x.longIdle[minute]:
		return "held_idle"
	}
	return "used"
}

// waiting is rule 7.2 (c): a scrape of the minute shows CrashLoopBackOff.
func (t *truth) waiting(p *world.Pod, minute int64) bool {
	tick := minute + world.KSMSecond
	return world.In(p.Crash, tick) && !world.In(t.KSMGaps, tick) && tick < fleetsim.PodRemoved(t.World, p)
}

// put adds seconds of weight w to the row of the key.
func (t *truth) put(
	at map[Key]*usageRow, nt *nodeTruth, d *world.Device, id int32, h *heldPod,
	attempt *Attempt, cause string, from, seconds int64, w frac, ppm int64, known bool,
) *usageRow {
	k := Key{
		Hour: from / 3600 * 3600, Instance: nt.n.InstanceID, Slot: d.Index,
		Slice: id, Cause: cause, Activity: t.activityWord(ppm, known),
	}
	if h != nil {
		k.PodUID, k.RunID = h.p.UID, h.runID
	}
	if attempt != nil {
		k.Attempt, k.Task = attempt.Number, attempt.Task
	}
	row := at[k]
	if row == nil {
		row = &usageRow{
			Usage: Usage{Key: k, Device: d.UUID}, weights: map[frac]int64{},
			active: map[frac]int64{}, energy: map[energyKey]int64{},
		}
		if h == nil {
			row.Team = t.nodeTeam(nt.n)
		}
		at[k] = row
	}
	if cause == "used" && attempt != nil && (t.firstUse[attempt.key()] == 0 || from < t.firstUse[attempt.key()]) {
		t.firstUse[attempt.key()] = from
	}
	row.Seconds += seconds
	row.weights[w] += seconds
	if known && (h != nil || cause == "used") { // the remainder has no hold share
		row.active[w] += seconds * ppm
	}
	return row
}

// nodeTeam is rule 7.11.
func (t *truth) nodeTeam(n *world.Node) string { return t.teamOf("", n) }

// keep turns the rows of a node-hour into quantities.
func (t *truth) keep(nh nodeHour, at map[Key]*usageRow, deviceSeconds int64) {
	hour := big.NewRat(3600, 1)
	var rows []*usageRow
	for _, r := range at {
		r.Weight, r.ActiveGPUHours, r.GPUHours = new(big.Rat), new(big.Rat), new(big.Rat)
		for w, s := range r.weights {
			r.Weight.Add(r.Weight, new(big.Rat).Mul(w.rat(), big.NewRat(s, 1)))
		}
		for w, s := range r.active {
			r.ActiveGPUHours.Add(r.ActiveGPUHours, new(big.Rat).Mul(w.rat(), big.NewRat(s, 3600*1_000_000)))
		}
		r.EnergyKWh = r.kilowattHours()
		r.CapacityGPUHours = new(big.Rat).Quo(r.Weight, hour)
		if r.PodUID != "" {
			r.GPUHours.Set(r.CapacityGPUHours)
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *usageRow) int { return a.Key.compare(b.Key) })
	t.rows[nh], t.device[nh] = rows, big.NewRat(deviceSeconds, 1)
	for _, r := range rows {
		t.out.Usage = append(t.out.Usage, r.Usage)
	}
}

// compare is the row-key order of rule 8.3 inside a node-hour.
func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Hour, o.Hour), strings.Compare(k.Instance, o.Instance), cmp.Compare(k.Slot, o.Slot),
		cmp.Compare(k.Slice, o.Slice),
		strings.Compare(k.PodUID, o.PodUID), strings.Compare(k.RunID, o.RunID),
		cmp.Compare(k.Attempt, o.Attempt), strings.Compare(k.Task, o.Task),
		cmp.Compare(slices.Index(causeOrder, k.Cause), slices.Index(causeOrder, o.Cause)),
		strings.Compare(k.Activity, o.Activity))
}
