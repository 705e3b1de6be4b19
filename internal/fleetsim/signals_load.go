package fleetsim

// load is how a pod uses the part of a card that it keeps busy, in
// thousandths of the engine's activity, and what it sends over the links at
// full activity, in MiB per second.
type load struct {
	sm, dram, tensor int64
	nvlink, pcie     int64
}

// The loads that workloads have. Their limits are those of rule 18.3; the near
// ones stay just below one of them.
var (
	loadOrdinary     = load{sm: 860, dram: 420, tensor: 610, nvlink: 21_000, pcie: 3_100}
	loadServing      = load{sm: 720, dram: 480, tensor: 300, nvlink: 1_200, pcie: 900}
	loadMemory       = load{sm: 800, dram: 740, tensor: 90, nvlink: 9_000, pcie: 2_200}
	loadNearMemory   = load{sm: 800, dram: 560, tensor: 90, nvlink: 9_000, pcie: 2_200}
	loadNearTensor   = load{sm: 840, dram: 730, tensor: 240, nvlink: 9_000, pcie: 2_200}
	loadLinks        = load{sm: 330, dram: 310, tensor: 260, nvlink: 96_000, pcie: 7_400}
	loadNearLinks    = load{sm: 480, dram: 310, tensor: 330, nvlink: 96_000, pcie: 7_400}
	loadQuietLinks   = load{sm: 330, dram: 310, tensor: 260, nvlink: 23_000, pcie: 7_400} // few SMs for another reason
	loadOfStrangers  = load{sm: 700, dram: 300, tensor: 100, nvlink: 0, pcie: 400}
	loadsOfRuns      = []load{loadOrdinary, loadOrdinary, loadOrdinary, loadOrdinary, loadMemory, loadNearMemory, loadNearTensor}
	loadsOfManyCards = []load{loadOrdinary, loadOrdinary, loadOrdinary, loadOrdinary, loadLinks, loadNearLinks, loadQuietLinks, loadMemory}
)

// loadOf is the load of a pod; all pods of a run have the same.
func (w *world) loadOf(p *pod) load {
	if p.load != nil {
		return *p.load
	}
	r := newRNG(w.cfg.Seed, 60, wordHash(p.ns+"/"+p.rootKind+"/"+p.rootName))
	switch p.rootKind {
	case "Deployment":
		return loadServing
	case "Pod":
		return loadOrdinary
	}
	if p.node.typ.gpus == 8 && len(p.slots) > 1 {
		return pick(r, loadsOfManyCards)
	}
	return pick(r, loadsOfRuns)
}

// wordHash is FNV-1a.
func wordHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// loads are the loads on a slice at each minute of a day: that of who came
// first, where several share.
func (w *world) loads(d *device, id int32, day int64) []*load {
	out := make([]*load, dayMinutes)
	for _, o := range d.occ[id] {
		from, to := max(o.from, day), min(o.to, day+86400)
		if from >= to {
			continue
		}
		l := w.loadOf(o.pod)
		for m := (from - day) / 60; m < (to-day+59)/60; m++ {
			if out[m] == nil {
				out[m] = &l
			}
		}
	}
	for m := range out {
		if out[m] == nil {
			out[m] = &loadOfStrangers
		}
	}
	return out
}

// share is so many thousandths of an activity in 1/10000.
func (l *load) share(act int32, thousandths int64) int32 {
	return int32(int64(max(0, act)) * thousandths / 1000)
}

// traffic is what links carry at an activity, in bytes per second and whole
// MiB, as readers round it.
func (l *load) traffic(act int32, mib int64) int64 {
	return int64(max(0, act)) * mib / 10_000 << 20
}
