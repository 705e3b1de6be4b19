package world

import "sort"

// Span is [from, to) in unix seconds.
type Span struct{ From, To int64 }

// Has reports whether t lies in the span.
func (s Span) Has(t int64) bool { return s.From <= t && t < s.To }

// In reports whether t lies in any of the spans.
func In(spans []Span, t int64) bool {
	for _, s := range spans {
		if s.Has(t) {
			return true
		}
	}
	return false
}

// WholeDevice is the slice id of a device without MIG instances.
const WholeDevice int32 = -1

// Node is one cloud instance, in the cluster or only on the bill.
type Node struct {
	Idx        int
	Name       string
	InstanceID string // its first instance key (rule 2.1)
	ProviderID string
	NumericID  string // Google
	NameOnly   bool   // Google: the cluster does not report the numeric id
	SetName    string // Azure: its scale set
	SetIndex   int64
	Type       *InstanceType
	Zone       string
	Pool       string
	Spot       bool
	Planned    bool   // bought under the savings plan, a commitment or a reservation
	Block      bool   // bought as a capacity block
	Reserved   string // reservation that covers it, empty: none
	HalfHour   int64  // hour in which the plan covers only one half, 0 = none
	Joined     bool   // appears in the cluster

	Launch  int64 // billing starts
	Created int64 // kube_node_created
	End     int64 // billing stops; 0 = lives on
	Silent  bool  // ends without any event
	Warned  int64 // interruption warning, 0 = none
	Rebal   []int64
	KubeEnd int64 // the Node object disappears; 0 = stays

	Modern      bool  // dcgm-exporter 4.9 from the start
	UpgradeAt   int64 // 4.9 from then on; 0 = never
	Profiling   bool  // PROF_* fields exist
	Phase       int64
	PhaseMilli  int64
	exporterPod *Pod
	newExporter *Pod // after the upgrade
	ExpFrom     int64
	Replicas    int
	Devices     []*Device
	Labels      []Label
	BillTeam    string

	NotReady []Span
	Cordoned []Span
	ExpGaps  []Span
	CPUFull  []CPUStretch
	Tainted  bool
}

// Label is one label of an object.
type Label struct{ Key, Value string }

// Device is one GPU.
type Device struct {
	UUID    string
	Index   int
	Node    *Node
	Layouts []Layout // empty: always a whole device
	rogue   []Span   // activity of a process that no pod runs
	Occ     map[int32][]*Occupancy
	Energy0 int64   // mJ at the first sample
	Resets  []int64 // minutes in which the driver was reloaded

	Throttled []Throttling
	Faults    []Fault
}

// Layout is a set of MIG instances from a minute on.
type Layout struct {
	From   int64
	Slices []Slice
}

// Slice is one MIG instance.
type Slice struct {
	ID      int32
	Profile string
	Lies    Berth
}

// Berth is the first memory slice of an instance, if the exporter reports it.
type Berth struct {
	Told  bool
	Start int
}

// Occupancy is a pod on a slice: the true time and how long the exporter's
// rows name it.
type Occupancy struct {
	Pod        *Pod
	From, To   int64
	LabelUntil int64
	VGPU       int
}

// SlotRef is a slice of a card.
type SlotRef struct {
	dev   *Device
	slice int32
}

// phase is a stretch of a pod's life with one level of activity, in 1/10000.
type phase struct {
	Span
	level, jitter int64
}

// Exit is how a pod ended.
type Exit int

// How a pod ends.
const (
	exitRunning Exit = iota // still there at the end of the data
	ExitSucceeded
	ExitFailed
	exitDeleted
	exitNode // gone with its node
)

// Pod is one pod by UID with its true life.
type Pod struct {
	Idx                  int
	NS, Name, UID        string
	Node                 *Node
	OwnerKind, OwnerName string
	Container            string
	Labels               []Label
	Requests             []Request
	Created, Scheduled   int64
	Started              int64
	End                  int64 // containers stop; end of data when running
	Exit                 Exit
	Reason               string // terminated reason
	StatusReason         string
	Deletion             int64
	Removed              int64 // leaves the API; 0 = stays
	Slots                []SlotRef
	shared               int // replicas per device on a time-sliced node
	phases               []phase
	Crash                []Span
	Checkpoints          []int64 // true times
	Restored             int64   // the gauge's value before the first one
	linger               int64
	MemMiB               int64
	load                 *Load  // nil: by its kind
	Model                string // served name, for vLLM
	Answers              string // the model behind that name; empty: unknown
	Quantised            string // as in the name
	PeakTokens           int64
	TritonModels         []string // served by Triton: one or two
	Routed               bool     // Ray Serve is in front, in the same pod
	RootKind, RootName   string
	Member               string // gang member key
	Task                 string
	booked               bool
	ResetAt              int64      // the server restarts inside its pod
	Restarts             []Restart  // of its container
	SuspendedAt          int64      // its Job is suspended, 0 = never
	Life                 *SlurmLife // Slurm's record instead
	picks                []Label    // node selector; nil: the type of the machine that it got
}

// Selectors are the labels by which the pod selected its machine.
func (p *Pod) Selectors() []Label {
	if p.picks == nil {
		return []Label{{"nodeselector_node_kubernetes_io_instance_type", p.Node.Type.Name}}
	}
	return p.picks
}

// Restart is the end of a container's life, after which it starts again in the same pod.
type Restart struct {
	At     int64
	Reason string
}

// Request is how much of a resource a pod requests.
type Request struct {
	Resource string
	N        int64
}

// Object is a Kubernetes object other than pod and node.
type Object struct {
	Kind, NS, Name       string
	OwnerKind, OwnerName string
	Created, Removed     int64
	Completions          int64
	Parallelism          int64
	FailedReason         string
	FailedAt             int64
	Suspended            []Span // of a Job that Kueue takes the quota from
	Labels               []Label
}

// Waste is one case that was planted on purpose for findings to find.
type Waste struct {
	Kind     string // "idle_notebook", "rogue_process", "crash_loop" …
	What     string // pod, node or run
	From, To int64
}

// World is everything that happens in a cluster.
type World struct {
	Config   Config
	Site     *Site
	From, To int64 // of the data
	Begin    int64 // all of the fleet runs from here on
	Fine     int64 // all exporters report everything from here on: Coarse
	End      int64 // of the story: to, or later
	Live     bool  // serves scrapes, writes no files
	BillTo   int64
	Nodes    []*Node
	Pods     []*Pod
	Objects  []*Object
	KSMGaps  []Span
	Waste    []Waste
	Jobs     []*SlurmJob // of a Slurm cluster
	BookLine int64       // of the price book: the entry of owned machines
}

// The scrape of kube-state-metrics, of vLLM and of the checkpoint gauge happen
// at fixed offsets within each minute, as Prometheus does it.
const (
	KSMSecond        = 31
	KSMMilli         = 207
	VLLMSecond       = 44
	VLLMMilli        = 518
	CheckpointSecond = 12
	CheckpointMilli  = 90
)

// Ticks returns the first and last scrape at second-of-minute sec inside [from, to) that is outside gaps, both 0 if
// there is none.
func (w *World) Ticks(sec, from, to int64, gaps []Span) (first, last int64) {
	from, to = max(from, w.From), min(to, w.To)
	for t := CeilTo(from, sec); t < to; t += 60 {
		if !In(gaps, t) {
			first = t
			break
		}
	}
	for t := CeilTo(to, sec) - 60; t >= from; t -= 60 {
		if !In(gaps, t) {
			last = t
			break
		}
	}
	return first, last
}

// CeilTo returns the first instant at or after t that lies sec seconds after a
// full minute.
func CeilTo(t, sec int64) int64 {
	m := t - t%60 + sec
	if m < t {
		m += 60
	}
	return m
}

// occupy books the pod on its slots and keeps them in order of time.
func (p *Pod) occupy() {
	for _, s := range p.Slots {
		list := s.dev.Occ[s.slice]
		o := &Occupancy{Pod: p, From: p.Scheduled, To: p.End, LabelUntil: p.End + p.linger}
		o.VGPU = freeVGPU(list, p.Scheduled, p.End)
		s.dev.Occ[s.slice] = append(list, o)
	}
}

// settle orders occupancies and cuts lingering labels at the next holder.
func (d *Device) settle() {
	for _, list := range d.Occ {
		sort.SliceStable(list, func(i, j int) bool { return list[i].From < list[j].From })
		if d.Node.Replicas > 1 {
			for _, o := range list {
				o.LabelUntil = o.To
			}
			continue
		}
		for i := range list[:max(0, len(list)-1)] {
			list[i].LabelUntil = min(list[i].LabelUntil, list[i+1].From)
		}
	}
}

// freeVGPU is the lowest replica number that is free during [from, to).
func freeVGPU(list []*Occupancy, from, to int64) int {
	for v := 0; ; v++ {
		taken := false
		for _, o := range list {
			if o.VGPU == v && o.To > from && o.From < to {
				taken = true
			}
		}
		if !taken {
			return v
		}
	}
}

// layoutAt returns the slices of the device at t, nil for a whole device.
func (d *Device) layoutAt(t int64) []Slice {
	var s []Slice
	for i := range d.Layouts {
		if i == 0 || d.Layouts[i].From <= t {
			s = d.Layouts[i].Slices
		}
	}
	return s
}

// ExporterAt is the exporter's pod at t, and whether it is dcgm-exporter 4.9.
func (n *Node) ExporterAt(t int64) (p *Pod, modern bool) {
	if n.UpgradeAt != 0 && t >= n.UpgradeAt {
		return n.newExporter, true
	}
	return n.exporterPod, n.Modern
}

// Coarse reports whether a machine's exporter reports only activity and memory on a day. A machine with MIG always
// reports everything, because the capacity that no instance can use follows from where the instances begin.
func (w *World) Coarse(n *Node, day int64) bool { return day < w.Fine && n.Type.Name != w.Site.cut }

// Told reports whether an event shows when the node ends.
func (n *Node) Told() bool { return n.End != 0 && !n.Silent }

// Until is the end of the machine, at the latest that of the data.
func (n *Node) Until(w *World) int64 {
	if n.End != 0 {
		return min(n.End, w.To)
	}
	return w.To
}
