package allocation

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// NodeInput is what the engine must know of one node over its whole life,
// loaded once for all of its days.
type NodeInput struct {
	Node      ledger.Node
	Devices   []ledger.Device
	Workloads []HeldWorkload
	Attempts  []ledger.Attempt // every attempt with a segment of one of Workloads
	Evidence  []ledger.HoldEvidence
	// Placements are those of Workloads on this node (rule 4.7).
	Placements []ledger.Placement
	// Slices are the MIG instances (and whole devices) that sample rows showed,
	// so that requests can be placed without evidence (rule 4.4). Without them
	// a request for a MIG profile is reported and takes nothing.
	Slices []SliceSeen
	// Host is what the node says of its CPU and memory.
	Host HostSize
}

// SliceSeen is a slice that sample rows showed on the node.
type SliceSeen struct {
	Device  string
	SliceID int32 // ledger.WholeDevice for rows without an instance
	Profile string
	First   period.Second // hour of its first sample row
	Last    period.Second // hour of its last sample row
}

// HeldWorkload is a workload that ran on the node with what it asked for.
type HeldWorkload struct {
	ledger.Workload
	System   ledger.System
	Requests map[string]int64 // sanitised resource → count
}

// DayInput is what the engine needs for one UTC day of a node. Samples,
// states and sources reach policy.Policy.Margin beyond the day on both sides.
type DayInput struct {
	Day        period.Interval
	Samples    []ledger.SampleHour
	Before     []ledger.SampleHour // per device, the rows of its last hour before the window: the layout then
	After      []ledger.SampleHour // per device without Before and Samples: its first hour after
	NodeStates []ledger.NodeStateHour
	PodStates  []ledger.PodStateHour
	Sources    []ledger.SourceHour // of the node's cluster
	Parts      []ledger.Part       // stored parts of this node and day, all kinds
	// Frozen are the usage rows of hours that a closed period has made final
	// (rule 13.3): such hours keep them, whatever telemetry says by now.
	Frozen []ledger.Usage
	// Finals are the final postings of parts that others reverse or replace.
	Finals map[ledger.ID][]ledger.Posting
	// Resources are the resource ids of the charges of metered parts, of a day
	// without a node (rule 8.21).
	Resources map[ledger.ID]string

	// CoveredUntil: hours that end at or before it have a bill (rule 8.13).
	CoveredUntil period.Second
	// MayBeBilledUntil is the same of bills of which nobody knows whether the node
	// is on them: its account is not known, and they can be its.
	MayBeBilledUntil period.Second
	// Rate prices uncovered hours, nil when nothing does.
	Rate *ledger.Rate
	// ListRate is the on-demand entry for the list cost, nil when there is none.
	ListRate *ledger.Rate
}

// Chunk is the result for one node and day, in the order of the row keys:
// without what is final, which is stored and stays.
type Chunk struct {
	NodeID      ledger.ID
	Day         period.Interval
	Usage       []ledger.Usage
	Parts       []ledger.Part // provisional parts made here
	Postings    []ledger.Posting
	Spans       []ledger.Span
	Diagnostics []Diagnostic
	Frozen      []FrozenHour // hours that keep final usage rows

	room chunkRoom
}

// FrozenHour is an hour that keeps the usage rows of a closed period, and how
// many of them would be others by now (rule 13.6).
type FrozenHour struct {
	Hour     period.Second
	LateRows int
}

// chunkRoom is what rows and postings of a chunk point to.
type chunkRoom struct {
	amounts []money.Amount
	rats    []big.Rat
	words   []big.Word
}

// take makes room for so many amounts and weights.
func (r *chunkRoom) take(amounts, weights int) {
	r.amounts = zeroed(r.amounts, amounts)
	r.rats = zeroed(r.rats, weights)
	r.words = zeroed(r.words, weights)
}

// zeroed is a list of n zero elements, in the room of another where it is
// large enough.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// Diagnostic is something that the input said and the ledger could not use;
// it is counted and shown, never silently dropped.
type Diagnostic struct {
	Code   string // stable: "request_not_placed", "hold_outside_layout" …
	Detail string
}
