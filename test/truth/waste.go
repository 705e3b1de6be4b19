package truth

import (
	"cmp"
	"maps"
	"math/big"
	"slices"
	"strings"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// Finding is a finding by section 18 of docs/figures.md, planted or not.
type Finding struct {
	Kind, Subject string
	From, To      int64
	Met           int64    // seconds in between that met the criterion
	Overlaps      bool     // a risk: its money is counted elsewhere, too
	GPUHours      *big.Rat // of the time that it covers
	Cost          map[string]*big.Rat
}

// Findings lists all findings, by kind, subject and start. It takes as long
// as Truth and is for tests.
func Findings(f *fleetsim.Fleet) []Finding {
	var out []Finding
	for _, t := range truths(f) {
		out = append(out, t.waste()...)
	}
	slices.SortFunc(out, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Subject, b.Subject), cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To))
	})
	return out
}

// wasteTruth is section 18 for one cluster.
type wasteTruth struct {
	*truth
	rows    map[Key]*rowMoney
	lives   map[*hold][]*stretch
	cutsAt  map[*nodeTruth][]int64
	signal  map[deviceDay]map[int32]*fleetsim.Signals
	orphans map[Key]int64 // free seconds of orphaned nodes
	found   []*finding
}

type deviceDay struct {
	d   *world.Device
	day int64
}

// rowMoney is a usage row with its cost.
type rowMoney struct {
	seconds int64
	hours   *big.Rat
	cost    map[string]*big.Rat
}

// shortest is 15 minutes: shorter waste is not a finding.
const shortest = 900

// stretch is a part of a hold, of one minute at most, with one cause.
type stretch struct {
	key      Key
	from, to int64
	worked   bool // 18.1a
	taken    bool // by an idle finding
}

// idle reports whether the seconds are held idle and not yet in a finding.
func (s *stretch) idle() bool { return s.key.Cause == "held_idle" && !s.taken }

// wasted reports the same for idle and overhead seconds.
func (s *stretch) wasted() bool {
	return (s.key.Cause == "held_idle" || s.key.Cause == "overhead") && !s.taken
}

// finding gathers seconds of usage rows.
type finding struct {
	Finding
	parts  map[Key]*big.Rat
	beside map[string]*big.Rat // indicative cost that belongs to no row
	// instead is the cost if it is not the sum of the parts; nil: it is the sum.
	instead map[string]*big.Rat
	met     []world.Span // when the criterion was met; nil: all the time
}

func (w *wasteTruth) find(kind, subject string, from, to int64) *finding {
	f := &finding{Finding: Finding{Kind: kind, Subject: subject, From: from, To: to}, parts: map[Key]*big.Rat{}}
	w.found = append(w.found, f)
	return f
}

// risk is a finding whose money is counted elsewhere, too.
func (w *wasteTruth) risk(kind, subject string, from, to int64) *finding {
	f := w.find(kind, subject, from, to)
	f.Overlaps = true
	return f
}

func (f *finding) add(k Key, seconds *big.Rat) {
	if f.parts[k] == nil {
		f.parts[k] = new(big.Rat)
	}
	f.parts[k].Add(f.parts[k], seconds)
}

func (f *finding) addSeconds(k Key, seconds int64) { f.add(k, big.NewRat(seconds, 1)) }

// priced computes GPU-hours and money of a finding from its parts of rows.
func (w *wasteTruth) priced(f *finding) {
	f.Met = f.To - f.From
	if f.met != nil {
		f.Met = 0
		for _, g := range groups(f.met, 0) {
			f.Met += g.seconds
		}
	}
	f.GPUHours, f.Cost = new(big.Rat), map[string]*big.Rat{}
	maps.Copy(f.Cost, f.beside)
	maps.Copy(f.Cost, f.instead)
	for k, seconds := range f.parts {
		row := w.rows[k]
		if row == nil || row.seconds == 0 {
			continue
		}
		share := new(big.Rat).Quo(seconds, big.NewRat(row.seconds, 1))
		f.GPUHours.Add(f.GPUHours, new(big.Rat).Mul(row.hours, share))
		if f.instead != nil {
			continue
		}
		for currency, cost := range row.cost {
			if f.Cost[currency] == nil {
				f.Cost[currency] = new(big.Rat)
			}
			f.Cost[currency].Add(f.Cost[currency], new(big.Rat).Mul(cost, share))
		}
	}
}

func (t *truth) waste() []Finding {
	w := t.wasteLog()
	out := make([]Finding, len(w.found))
	for i, f := range w.found {
		out[i] = f.Finding
	}
	return out
}

// wasteLog finds all waste, in the order of section 18.
func (t *truth) wasteLog() *wasteTruth {
	w := &wasteTruth{truth: t, rows: map[Key]*rowMoney{}, lives: map[*hold][]*stretch{}, cutsAt: map[*nodeTruth][]int64{},
		signal: map[deviceDay]map[int32]*fleetsim.Signals{}, orphans: map[Key]int64{}}
	for i := range t.out.Usage {
		u := &t.out.Usage[i]
		w.rows[u.Key] = &rowMoney{u.Seconds, u.CapacityGPUHours, map[string]*big.Rat{}}
	}
	for i := range t.out.Postings {
		p := &t.out.Postings[i]
		row := w.rows[p.Key]
		if row == nil || p.Effective == nil {
			continue
		}
		currency := cmp.Or(p.Currency, t.Site.Currency)
		if row.cost[currency] == nil {
			row.cost[currency] = new(big.Rat)
		}
		row.cost[currency].Add(row.cost[currency], p.Effective)
	}
	for _, h := range t.held {
		for _, x := range h.holds {
			w.lives[x] = w.life(x)
		}
	}
	w.overprovisioned()
	w.holders()
	w.orphaned()
	w.freeCapacity()
	w.hourlyRisks()
	w.otherRisks()
	w.found = slices.DeleteFunc(w.found, func(f *finding) bool { return f.To-f.From < shortest })
	for _, f := range w.found {
		w.priced(f)
	}
	return w
}

// life cuts a hold into stretches.
func (w *wasteTruth) life(x *hold) []*stretch {
	h, nt := x.pod, x.pod.nt
	cuts := w.cutsAt[nt]
	if cuts == nil {
		cuts = w.cuts(nt)
		w.cutsAt[nt] = cuts
	}
	var out []*stretch
	type hourCause struct {
		hour  int64
		cause string
	}
	busy := map[hourCause]bool{}
	from := max(h.from, nt.appeared)
	i, _ := slices.BinarySearch(cuts, from)
	for a := from; a < h.to; {
		minute := a / 60 * 60
		b := min(h.to, minute+60)
		for i < len(cuts) && cuts[i] <= a {
			i++
		}
		if i < len(cuts) {
			b = min(b, cuts[i])
		}
		if shows(layoutOf(nt.layouts[x.dev], a), x.slice) {
			ppm, known := w.act(nt, x.dev, x.slice, minute)
			seg := h.segmentAt(a)
			k := Key{Hour: a / 3600 * 3600, Instance: nt.n.InstanceID, Slot: x.dev.Index, Slice: x.slice, PodUID: h.p.UID,
				RunID: h.runID,
				Cause: w.heldCause(x, seg, a, minute, ppm, known), Activity: w.activityWord(ppm, known)}
			if seg.attempt != nil {
				k.Attempt, k.Task = seg.attempt.Number, seg.attempt.Task
			}
			if k.Activity == "active" {
				busy[hourCause{k.Hour, k.Cause}] = true
			}
			out = append(out, &stretch{key: k, from: a, to: b})
		}
		a = b
	}
	for _, s := range out {
		s.worked = (s.key.Cause == "used" || s.key.Cause == "lost") && busy[hourCause{s.key.Hour, s.key.Cause}]
	}
	return out
}

// shows reports whether a layout has the slice.
func shows(layout []world.Slice, id int32) bool {
	if layout == nil {
		return id == world.WholeDevice
	}
	return slices.ContainsFunc(layout, func(s world.Slice) bool { return s.ID == id })
}

// Subjects (18.1).

func (w *wasteTruth) holder(h *heldPod) string {
	s := w.Config.Cluster + "/" + h.p.NS + "/" + h.p.Name
	if h.p.Life != nil {
		s += "/" + h.p.Node.Name
	}
	return s
}

func (w *wasteTruth) workload(p *world.Pod) string {
	return w.Config.Cluster + "/" + p.NS + "/" + p.RootKind + "/" + p.RootName
}

func (w *wasteTruth) card(d *world.Device) string {
	return w.Config.Cluster + "/" + d.Node.Name + "/" + d.UUID
}

func (w *wasteTruth) machine(n *world.Node) string { return w.Config.Cluster + "/" + n.Name }

// classOf is rule 6.2.
func classOf(p *world.Pod) string {
	if c := world.FirstLabel(p.Labels, "label_gpuledger_io_workload_class"); c != "" {
		return c
	}
	switch p.RootKind {
	case "Job", "PyTorchJob", "SlurmJob":
		return "run"
	case "Deployment":
		return "service"
	case "DaemonSet":
		return "system"
	}
	return "interactive"
}

// environment is rule 9.1: the pod's own label, else the billing tag.
func (w *wasteTruth) environment(h *heldPod) string {
	if v := world.FirstLabel(h.p.Labels, "label_environment", "label_env"); v != "" {
		return v
	}
	switch n := h.p.Node; {
	case w.Site.Provider == world.AWS && w.Billed(n):
		return n.Environment()
	case w.Site.Provider == world.GCP && w.Billed(n):
		return world.GCPEnvironment
	}
	return ""
}
