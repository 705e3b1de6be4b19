package world

// Load is how a pod uses the part of a card that it keeps busy, in
// thousandths of the engine's activity, and what it sends over the links at
// full activity, in MiB per second.
type Load struct {
	SM, DRAM, Tensor int64
	NVLink, PCIe     int64
}

// The loads of workloads. Their limits are those of rule 18.3; the near ones stay just below one of them.
var (
	loadOrdinary    = Load{SM: 860, DRAM: 420, Tensor: 610, NVLink: 21_000, PCIe: 3_100}
	loadServing     = Load{SM: 720, DRAM: 480, Tensor: 300, NVLink: 1_200, PCIe: 900}
	loadMemory      = Load{SM: 800, DRAM: 740, Tensor: 90, NVLink: 9_000, PCIe: 2_200}
	loadNearMemory  = Load{SM: 800, DRAM: 560, Tensor: 90, NVLink: 9_000, PCIe: 2_200}
	loadNearTensor  = Load{SM: 840, DRAM: 730, Tensor: 240, NVLink: 9_000, PCIe: 2_200}
	loadLinks       = Load{SM: 330, DRAM: 310, Tensor: 260, NVLink: 96_000, PCIe: 7_400}
	loadNearLinks   = Load{SM: 480, DRAM: 310, Tensor: 330, NVLink: 96_000, PCIe: 7_400}
	loadQuietLinks  = Load{SM: 330, DRAM: 310, Tensor: 260, NVLink: 23_000, PCIe: 7_400} // few SMs for another reason
	loadOfStrangers = Load{SM: 700, DRAM: 300, Tensor: 100, NVLink: 0, PCIe: 400}
	loadsOfRuns     = []Load{
		loadOrdinary, loadOrdinary, loadOrdinary, loadOrdinary, loadMemory, loadNearMemory, loadNearTensor,
	}
	loadsOfManyCards = []Load{
		loadOrdinary, loadOrdinary, loadOrdinary, loadOrdinary, loadLinks, loadNearLinks, loadQuietLinks, loadMemory,
	}
)

// loadOf is the load of a pod; all pods of a run have the same.
func (w *World) loadOf(p *Pod) Load {
	if p.load != nil {
		return *p.load
	}
	r := NewRNG(w.Config.Seed, 60, WordHash(p.NS+"/"+p.RootKind+"/"+p.RootName))
	switch p.RootKind {
	case "Deployment":
		return loadServing
	case "Pod":
		return loadOrdinary
	}
	if p.Node.Type.GPUs == 8 && len(p.Slots) > 1 {
		return Pick(r, loadsOfManyCards)
	}
	return Pick(r, loadsOfRuns)
}

// WordHash is FNV-1a.
func WordHash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// Loads are the loads on a slice at each minute of a day; if several pods share it, the first one's.
func (w *World) Loads(d *Device, id int32, day int64) []*Load {
	out := make([]*Load, DayMinutes)
	for _, o := range d.Occ[id] {
		from, to := max(o.From, day), min(o.To, day+86400)
		if from >= to {
			continue
		}
		l := w.loadOf(o.Pod)
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

// Share is the given number of thousandths of an activity in 1/10000.
func (l *Load) Share(act int32, thousandths int64) int32 {
	return int32(int64(max(0, act)) * thousandths / 1000)
}

// Traffic is the load on links at an activity, in bytes per second and whole MiB, as readers round it.
func (l *Load) Traffic(act int32, mib int64) int64 {
	return int64(max(0, act)) * mib / 10_000 << 20
}
