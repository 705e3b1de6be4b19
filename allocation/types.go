package allocation

import (
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// NodeInput is the engine's input on one node over its whole life, loaded once for all of its days.
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
	// Host is the node's own report of its CPU and memory.
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

// HeldWorkload is a workload that ran on the node, with its requests.
type HeldWorkload struct {
	ledger.Workload
	System   ledger.System
	Requests map[string]int64 // sanitised resource → count
}

// DayInput is the engine's input for one UTC day of a node. Samples, states and sources extend beyond the day on both
// sides by policy.Policy.Margin.
type DayInput struct {
	Day        period.Interval
	Samples    []ledger.SampleHour
	Before     []ledger.SampleHour // per device, the rows of its last hour before the window: they give the layout then
	After      []ledger.SampleHour // per device without Before and Samples: its first hour after
	NodeStates []ledger.NodeStateHour
	PodStates  []ledger.PodStateHour
	Sources    []ledger.SourceHour // of the node's cluster
	Parts      []ledger.Part       // stored parts of this node and day, all kinds
	// Frozen are the usage rows of hours that a closed period has made final (rule 13.3). Such hours keep them, even if
	// telemetry differs by now.
	Frozen []ledger.Usage
	// Finals are the final postings of parts that other parts reverse or replace.
	Finals map[ledger.ID][]ledger.Posting
	// Resources are the resource ids of the charges of metered parts, on a day without a node (rule 8.21).
	Resources map[ledger.ID]string

	// CoveredUntil: hours that end at or before it have a bill (rule 8.13).
	CoveredUntil period.Second
	// MayBeBilledUntil is the same for bills that may or may not contain the node, because its account is unknown.
	MayBeBilledUntil period.Second
	// Rate prices uncovered hours, nil if there is no rate.
	Rate *ledger.Rate
	// ListRate is the on-demand entry for the list cost, nil if there is none.
	ListRate *ledger.Rate
}

// Chunk is the result for one node and day, in the order of the row keys. Final rows are not in it; they are stored
// already.
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

// FrozenHour is an hour that keeps the usage rows of a closed period, with the number of rows that current telemetry
// would change (rule 13.6).
type FrozenHour struct {
	Hour     period.Second
	LateRows int
}

// chunkRoom is the buffers that rows and postings of a chunk point to.
type chunkRoom struct {
	amounts []money.Amount
	rats    []big.Rat
	words   []big.Word
}

// take makes room for the given numbers of amounts and weights.
func (r *chunkRoom) take(amounts, weights int) {
	r.amounts = zeroed(r.amounts, amounts)
	r.rats = zeroed(r.rats, weights)
	r.words = zeroed(r.words, weights)
}

// zeroed is a list of n zero elements, in list's buffer if that is large enough.
func zeroed[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// Diagnostic is an input that the ledger could not use; it is counted and shown, never silently dropped.
type Diagnostic struct {
	Code   string // stable: "request_not_placed", "hold_outside_layout" …
	Detail string
}
