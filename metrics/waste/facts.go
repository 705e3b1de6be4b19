package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Node is a machine of the fleet.
type Node struct {
	ID           ledger.ID
	Cluster      string
	Name         string
	Instance     string // instance id; empty: only its name is known
	InstanceType string
	GPUModel     string
	GPUs         int64
	Replicas     int64     // per GPU; 1: not time-sliced
	CardBytes    int64     // memory of a card by the catalogue; 0: unknown
	Appeared     bool      // it was a node of a cluster; false: only ever billed
	OwnerID      ledger.ID // owner of unheld time
	Team         string    // the owner's team; empty: none
}

// subject is the machine's name in findings.
func (n *Node) subject() string {
	if !n.Appeared && n.Instance != "" {
		return n.Instance
	}
	return n.Cluster + "/" + n.Name
}

// Holder is a workload that held devices.
type Holder struct {
	ID          ledger.ID
	Cluster     string
	Namespace   string
	Name        string
	Node        string // for systems other than Kubernetes, whose workloads on several machines share a name; else empty
	Class       ledger.WorkloadClass
	Kind        string // root owner's
	Root        string // root owner's name
	RunID       string
	OwnerID     ledger.ID
	Team        string // empty: unowned
	Environment string
	Hold        period.Interval
	Running     bool   // it has not ended
	Picks       *Picks // nil: it is unknown by what it picks its machine
}

// Subject is the holder's name in findings.
func (h *Holder) Subject() string {
	s := h.Cluster + "/" + h.Namespace + "/" + h.Name
	if h.Node != "" {
		s += "/" + h.Node
	}
	return s
}

// Workload is the root owner's name in findings.
func (h *Holder) Workload() string {
	return h.Cluster + "/" + h.Namespace + "/" + h.Kind + "/" + h.Root
}

// Span is a stretch of a slot with one cause, as in the ledger.
type Span struct {
	Slot     int32
	Slice    int32 // ledger.WholeDevice: the card
	Holder   ledger.ID
	Attempt  ledger.ID
	Cause    ledger.Cause
	From, To period.Second
}

// Row is a usage row with its cost; rows that differ only in activity are merged.
type Row struct {
	Hour     period.Second
	Slot     int32
	Slice    int32
	Device   string
	Profile  string
	Holder   ledger.ID
	Attempt  ledger.ID
	Cause    ledger.Cause
	Active   int64 // active seconds
	Quality  ledger.Quality
	Capacity money.Amount // GPU-hours, held or not
	Cost     Money
}

// Figure is the minute values of a signal in an hour, in its unit.
type Figure struct {
	Minutes int64 // known, 1 to 60
	Total   int64
	Low     int64
	High    int64
	P95     int64 // nearest rank
}

// mean is the mean of the known minutes, rounded down.
func (f Figure) mean() int64 { return f.Total / f.Minutes }

// Hour is the signals of a device or slice in an hour; for the machine: device host.
type Hour struct {
	Hour    period.Second
	Device  string
	Slice   int32
	Signals map[ledger.Signal]Figure
}

// activity is the activity signal (docs/rules.md 5.1).
func (h *Hour) activity() (Figure, bool) {
	if f, ok := h.Signals[ledger.SignalGrEngine]; ok {
		return f, true
	}
	f, ok := h.Signals[ledger.SignalGPUUtil]
	return f, ok && h.Slice == ledger.WholeDevice
}

// Crash are minutes in which a holder's container waited in CrashLoopBackOff.
type Crash struct {
	Holder  ledger.ID
	Hour    period.Second
	Minutes uint64 // bit m: minute m
}

// NodeDay is all facts of a UTC day about a machine. Spans are in order of time.
type NodeDay struct {
	Node  Node
	Day   period.Second
	Spans []Span
	Rows  []Row
	Hours []Hour
	Crash []Crash
}
