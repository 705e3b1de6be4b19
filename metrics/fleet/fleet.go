package fleet

import (
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Times of the fleet page, in seconds.
const (
	// Fresh is the age of a device's newest sample beyond which the device is silent: three scrape steps.
	Fresh = 3 * period.Minute
	// LiveFor is how far the fleet's newest sample may be behind the clock while the page is live; beyond it the page
	// shows the newest sample.
	LiveFor = 15 * period.Minute
	// Forget is how long a silent device is shown if no source tells whether its machine still exists.
	Forget = 2 * period.Hour
	// HeldFor is how long evidence of a hold counts: exporters name pods only in the minutes they are scraped.
	HeldFor = 5 * period.Minute
)

// Window is the number of minutes of a time line.
const Window = 60

// ActivePPM is the activity from which a minute is active (docs/rules.md 5.2).
const ActivePPM = 100_000

// State is the current state of a device or slice.
type State string

// States, in the order of the page.
const (
	Active     State = "active"     // at or above 10 %, held or not
	Idle       State = "idle"       // held, below 10 %
	Unobserved State = "unobserved" // held without a known activity, or it is unknown whether it is held
	Free       State = "free"       // not held, and idle or without a known activity
	Silent     State = "silent"     // its newest sample is older than Fresh
)

// States lists all states.
var States = [...]State{Active, Idle, Unobserved, Free, Silent}

// Question is a page's query. Empty fields do not filter.
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
	Held    int // by any known holder
	Nodes   int
	// Known is the number of devices with a known activity, and SumPPM the sum of their activities.
	Known  int
	SumPPM int64
}

// Pool is the devices of one cluster.
type Pool struct {
	Cluster string
	Counts
	Newest period.Second // its newest sample
	// Placed is the last minute in which its placement source delivered; 0: never.
	Placed period.Second
}

// Snapshot is the state of the fleet at one instant.
type Snapshot struct {
	AsOf   period.Second // the clock while live, else the newest sample
	Newest period.Second // the newest sample; 0: none
	Live   bool
	Counts        // of devices that pass the filter, in any state
	Pools  []Pool // of devices that pass the filter, by name
	// Clusters and Models are all values, for the filter.
	Clusters, Models []string
	Nodes            []Node // the page
	Matching         int    // nodes that pass the filter, state included
	Page, Pages      int
	// InPart: the user's scope is limited, and other holders are called Others.
	InPart bool
}

// Others is the name of holders outside the user's scope.
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

// Named reports whether the name of a holder of the device or of a slice of it is shown.
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

// Part is the common part of a device and a slice.
type Part struct {
	// Signal is the source of its activity (docs/rules.md 5.1); empty: none.
	Signal   ledger.Signal
	Activity Reading // ppm, of the newest minute
	Hour     Line    // activity in ppm
	Holders  []Holder
}

// Holder is a workload that holds a device or slice.
type Holder struct {
	Namespace, Name string
	System          ledger.System
	RunID           string // empty: unknown, or not a run
	RunName         string
	From            Source
	Seen            period.Second // when it was last seen there
}

// Other reports whether the holder is outside the user's scope, so that its name is hidden.
func (h *Holder) Other() bool { return h.Name == Others && h.Namespace == "" }

// Source is the evidence for a holder.
type Source string

// Sources, the best first.
const (
	FromPlacement Source = "placement" // a claim, an annotation, a job record, a process
	FromRows      Source = "rows"      // exporter rows name it
	FromLedger    Source = "ledger"    // allocation placed it
)
