package fleetsim

import "sort"

// span is [from, to) in unix seconds.
type span struct{ from, to int64 }

func (s span) has(t int64) bool { return s.from <= t && t < s.to }

func in(spans []span, t int64) bool {
	for _, s := range spans {
		if s.has(t) {
			return true
		}
	}
	return false
}

// wholeDevice is the slice id of a device without MIG instances.
const wholeDevice int32 = -1

// node is one cloud instance, in the cluster or only on the bill.
type node struct {
	idx        int
	name       string
	instanceID string // its first instance key (rule 2.1)
	providerID string
	numericID  string // Google
	nameOnly   bool   // Google: the cluster does not tell the numeric id
	setName    string // Azure: its scale set
	setIndex   int64
	typ        *instanceType
	zone       string
	pool       string
	spot       bool
	planned    bool   // bought under the savings plan, a commitment or a reservation
	block      bool   // bought as a capacity block
	reserved   string // reservation that covers it, empty: none
	halfHour   int64  // hour in which the plan covers only one half, 0 = none
	joined     bool   // appears in the cluster

	launch  int64 // billing starts
	created int64 // kube_node_created
	end     int64 // billing stops; 0 = lives on
	silent  bool  // ends without any event
	warned  int64 // interruption warning, 0 = none
	rebal   []int64
	kubeEnd int64 // the Node object disappears; 0 = stays

	modern      bool  // dcgm-exporter 4.9 from the start
	upgradeAt   int64 // 4.9 from then on; 0 = never
	profiling   bool  // PROF_* fields exist
	phase       int64
	phaseMilli  int64
	exporterPod *pod
	newExporter *pod // after the upgrade
	expFrom     int64
	replicas    int
	devices     []*device
	labels      []label
	billTeam    string

	notReady []span
	cordoned []span
	expGaps  []span
	cpuFull  []cpuStretch
	tainted  bool
}

type label struct{ key, value string }

// device is one GPU.
type device struct {
	uuid    string
	index   int
	node    *node
	layouts []layout // empty: a whole device for ever
	rogue   []span   // activity of a process that no pod runs
	occ     map[int32][]*occupancy
	energy0 int64   // mJ at the first sample
	resets  []int64 // minutes in which the driver was loaded anew

	throttled []throttling
	faults    []fault
}

// layout is a set of MIG instances from a minute on.
type layout struct {
	from   int64
	slices []slice
}

type slice struct {
	id      int32
	profile string
	lies    berth
}

// berth is the first memory slice of an instance, where the exporter tells it.
type berth struct {
	told  bool
	start int
}

// occupancy is a pod on a slice: the true time and how long the exporter's
// rows name it.
type occupancy struct {
	pod        *pod
	from, to   int64
	labelUntil int64
	vgpu       int
}

type slotRef struct {
	dev   *device
	slice int32
}

// phase is a stretch of a pod's life with one level of activity, in 1/10000.
type phase struct {
	span
	level, jitter int64
}

type exit int

const (
	exitRunning exit = iota // still there at the end of the data
	exitSucceeded
	exitFailed
	exitDeleted
	exitNode // gone with its node
)

// pod is one pod by UID with its true life.
type pod struct {
	idx                  int
	ns, name, uid        string
	node                 *node
	ownerKind, ownerName string
	container            string
	labels               []label
	requests             []request
	created, scheduled   int64
	started              int64
	end                  int64 // containers stop; end of data when running
	exit                 exit
	reason               string // terminated reason
	statusReason         string
	deletion             int64
	removed              int64 // leaves the API; 0 = stays
	slots                []slotRef
	shared               int // replicas per device on a time-sliced node
	phases               []phase
	crash                []span
	checkpoints          []int64 // true times
	restored             int64   // what the gauge says before the first one
	linger               int64
	memMiB               int64
	load                 *load  // nil: by its kind
	model                string // served name, for vLLM
	answers              string // the model behind that name; empty: who knows
	quantised            string // which the name says
	peakTokens           int64
	tritonModels         []string // served by Triton: one or two
	routed               bool     // Ray Serve stands in front, in the same pod
	rootKind, rootName   string
	member               string // gang member key
	task                 string
	booked               bool
	resetAt              int64      // the server restarts inside its pod
	restarts             []restart  // of its container
	suspendedAt          int64      // its Job is suspended, 0 = never
	life                 *slurmLife // what Slurm recorded instead
	picks                []label    // node selector; nil: the type of the machine that it got
}

// selectors are the labels by which the pod picked its machine.
func (p *pod) selectors() []label {
	if p.picks == nil {
		return []label{{"nodeselector_node_kubernetes_io_instance_type", p.node.typ.name}}
	}
	return p.picks
}

// restart is the end of a container's life, after which it begins anew in the
// same pod.
type restart struct {
	at     int64
	reason string
}

type request struct {
	resource string
	n        int64
}

// object is a Kubernetes object other than pod and node.
type object struct {
	kind, ns, name       string
	ownerKind, ownerName string
	created, removed     int64
	completions          int64
	parallelism          int64
	failedReason         string
	failedAt             int64
	suspended            []span // of a Job that Kueue takes the quota from
	labels               []label
}

// Waste is one thing that was planted on purpose for findings to find.
type Waste struct {
	Kind     string // "idle_notebook", "rogue_process", "crash_loop" …
	What     string // pod, node or run
	From, To int64
}

// world is everything that happens.
type world struct {
	cfg      Config
	site     *site
	from, to int64 // of the data
	fine     int64 // all of the fleet lives, and tells all, from here on
	end      int64 // of the story: to, or later
	live     bool  // asked by scrapes, not for files
	billTo   int64
	nodes    []*node
	pods     []*pod
	objects  []*object
	ksmGaps  []span
	waste    []Waste
	jobs     []*slurmJob // of a Slurm cluster
	bookLine int64       // of the price book: the entry of owned machines
}

// The scrape of kube-state-metrics, of vLLM and of the checkpoint gauge happen
// at fixed offsets within each minute, as Prometheus does it.
const (
	ksmSecond, ksmMilli               = 31, 207
	vllmSecond, vllmMilli             = 44, 518
	checkpointSecond, checkpointMilli = 12, 90
)

// ticks returns the first and last scrape at second-of-minute
// sec inside [from, to) that is outside gaps, both 0 when there is none.
func (w *world) ticks(sec, from, to int64, gaps []span) (first, last int64) {
	from, to = max(from, w.from), min(to, w.to)
	for t := ceilTo(from, sec); t < to; t += 60 {
		if !in(gaps, t) {
			first = t
			break
		}
	}
	for t := ceilTo(to, sec) - 60; t >= from; t -= 60 {
		if !in(gaps, t) {
			last = t
			break
		}
	}
	return first, last
}

// ceilTo returns the first instant at or after t that lies sec seconds after a
// full minute.
func ceilTo(t, sec int64) int64 {
	m := t - t%60 + sec
	if m < t {
		m += 60
	}
	return m
}

// occupy books the pod on its slots and keeps them in order of time.
func (p *pod) occupy() {
	for _, s := range p.slots {
		list := s.dev.occ[s.slice]
		o := &occupancy{pod: p, from: p.scheduled, to: p.end, labelUntil: p.end + p.linger}
		o.vgpu = freeVGPU(list, p.scheduled, p.end)
		s.dev.occ[s.slice] = append(list, o)
	}
}

// settle orders occupancies and cuts lingering labels at the next holder.
func (d *device) settle() {
	for _, list := range d.occ {
		sort.SliceStable(list, func(i, j int) bool { return list[i].from < list[j].from })
		if d.node.replicas > 1 {
			for _, o := range list {
				o.labelUntil = o.to
			}
			continue
		}
		for i := range list[:max(0, len(list)-1)] {
			list[i].labelUntil = min(list[i].labelUntil, list[i+1].from)
		}
	}
}

// freeVGPU is the lowest replica number that nobody has during [from, to).
func freeVGPU(list []*occupancy, from, to int64) int {
	for v := 0; ; v++ {
		taken := false
		for _, o := range list {
			if o.vgpu == v && o.to > from && o.from < to {
				taken = true
			}
		}
		if !taken {
			return v
		}
	}
}

// layoutAt returns the slices of the device at t, nil for a whole device.
func (d *device) layoutAt(t int64) []slice {
	var s []slice
	for i := range d.layouts {
		if i == 0 || d.layouts[i].from <= t {
			s = d.layouts[i].slices
		}
	}
	return s
}

// exporterAt is the exporter's pod at t, and whether it is of 4.9.
func (n *node) exporterAt(t int64) (p *pod, modern bool) {
	if n.upgradeAt != 0 && t >= n.upgradeAt {
		return n.newExporter, true
	}
	return n.exporterPod, n.modern
}

// told reports whether an event says when the node ends.
func (n *node) told() bool { return n.end != 0 && !n.silent }

func (n *node) until(w *world) int64 {
	if n.end != 0 {
		return min(n.end, w.to)
	}
	return w.to
}
