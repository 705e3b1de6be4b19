package fleet

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Times of the fleet page, in seconds.
const (
	// Fresh is how old the newest sample of a device may be for the device not
	// to be silent: three scrape steps.
	Fresh = 3 * period.Minute
	// LiveFor is how far the newest sample of the fleet may lie behind the clock
	// for the page to be live; beyond it the page is of the newest sample.
	LiveFor = 15 * period.Minute
	// Forget is how long a silent device is shown when nothing else says
	// whether its machine is still there.
	Forget = 2 * period.Hour
	// HeldFor is how long evidence of a hold counts: exporters name pods only
	// in the minutes they are scraped.
	HeldFor = 5 * period.Minute
)

// Window is the number of minutes of a time line.
const Window = 60

// ActivePPM is from where on a minute is active (docs/rules.md 5.2).
const ActivePPM = 100_000

// State is what a device or slice does now.
type State string

// States, in the order of the page.
const (
	Active     State = "active"     // at or above 10 %, whoever holds it
	Idle       State = "idle"       // held, below 10 %
	Unobserved State = "unobserved" // held without a value of its activity, or nobody knows whether it is held
	Free       State = "free"       // nobody holds it, and it is idle or says nothing
	Silent     State = "silent"     // its newest sample is older than Fresh
)

// States lists them all.
var States = [...]State{Active, Idle, Unobserved, Free, Silent}

// Question is what a page asks for. Empty fields do not filter.
type Question struct {
	Now     period.Second // the clock
	Cluster string
	Model   string
	State   State
	Text    string // part of a node, device, model or holder
	Page    int    // from 1
	PerPage int    // nodes
}

// Counts are devices by state.
type Counts struct {
	GPUs    int
	ByState map[State]int
	Held    int // by anybody who is known
	Nodes   int
	// Known is the number of devices with a value of their activity, and
	// SumPPM the sum of these.
	Known  int
	SumPPM int64
}

// Pool is the devices of one cluster.
type Pool struct {
	Cluster string
	Counts
	Newest period.Second // its newest sample
	// Placed is the last minute in which its source of placements delivered;
	// 0: it never did.
	Placed period.Second
}

// Snapshot is the state of the fleet at one instant.
type Snapshot struct {
	AsOf   period.Second // the clock while live, else the newest sample
	Newest period.Second // the newest sample; 0: there is none
	Live   bool
	Counts        // of what the filter keeps, whatever the state
	Pools  []Pool // of what the filter keeps, by name
	// Clusters and Models are all there are, for the filter.
	Clusters, Models []string
	Nodes            []Node // the page
	Matching         int    // nodes that the filter keeps, the state too
	Page, Pages      int
	// InPart: who asks sees a part of the books, and holders of others are called Others.
	InPart bool
}

// Others is the name of holders whose name is not shown to whoever asks.
const Others = "others"

// Node is a machine with its devices.
type Node struct {
	Cluster, Name string
	InstanceType  string
	Region, Zone  string
	PriceClass    ledger.PriceClass
	Devices       []Device // by index
}

// Reading is a value with its minute.
type Reading struct {
	Value int64
	Known bool
}

// Line is the last Window minutes of a signal: the newest last, -1 unknown.
type Line [Window]int64

// Device is one GPU.
type Device struct {
	UUID   string
	Model  string
	Index  int32
	State  State
	Newest period.Second // its newest sample
	Part
	MemoryUsed  Reading // bytes
	MemoryFree  Reading // bytes
	Power       Reading // mW
	Temperature Reading // m°C
	// Slices are the MIG instances of its newest layout, by id; empty: whole.
	Slices []Slice
}

// Named reports whether a holder of the device or of a slice of it is called by his name.
func (d *Device) Named() bool {
	named := func(list []Holder) bool {
		return slices.ContainsFunc(list, func(h Holder) bool { return !h.Other() })
	}
	return named(d.Holders) || slices.ContainsFunc(d.Slices, func(s Slice) bool { return named(s.Holders) })
}

// Slice is a MIG instance.
type Slice struct {
	ID      int32
	Profile string
	State   State
	Part
	MemoryUsed Reading
}

// Part is what a device and a slice have in common.
type Part struct {
	// Signal is what its activity is measured by (docs/rules.md 5.1); empty:
	// nothing says.
	Signal   ledger.Signal
	Activity Reading // ppm, of the newest minute
	Hour     Line    // activity in ppm
	Holders  []Holder
}

// Holder is a workload that holds a device or slice.
type Holder struct {
	Namespace, Name string
	System          ledger.System
	RunID           string // empty: not known, or it is no run
	RunName         string
	From            Source
	Seen            period.Second // when it was last seen there
}

// Other reports whether the holder is one whose name is not shown to whoever asks.
func (h *Holder) Other() bool { return h.Name == Others && h.Namespace == "" }

// Source is why a holder is believed.
type Source string

// Sources, the best first.
const (
	FromPlacement Source = "placement" // a claim, an annotation, a job record, a process
	FromRows      Source = "rows"      // exporter rows name it
	FromLedger    Source = "ledger"    // allocation placed it
)
