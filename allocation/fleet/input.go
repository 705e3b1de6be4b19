package fleet

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Name is a node's name inside a cluster. Several instances may have had it.
type Name struct{ Cluster, Node string }

// Input is the facts about machines.
type Input struct {
	Facts   []ledger.NodeFact
	Samples map[Name]period.Interval // [first exporter sample, last + 1)
	// Stretches are when exporter samples were seen in Samples, in order, [first, last + 1) each; a name that it lacks
	// has all of Samples as its stretch.
	Stretches map[Name][]period.Interval
	Holds     map[Name][]Hold // of all workloads that name the node
	Devices   map[Name][]ledger.Device
	Held      map[Name]Held // by other systems than Kubernetes
	Events    []ledger.InstanceEvent
	Sources   []ledger.SourceHour
	Billed    []Billed
}

// Held is the use of a node by workloads of other systems.
type Held struct {
	Span period.Interval // [first start, last end or sample + 1)
	GPUs int             // the most that they requested at one time
}

// Hold is a time in which a workload's own facts say that it held something.
type Hold struct {
	period.Interval
	Pod bool // of Kubernetes, whose pods last until the next observation
}

// Billed is the bill's data on one instance key, from its newest compute lines.
type Billed struct {
	InstanceID   string    // the key (rule 2.1), of a machine or of a group
	Line         ledger.ID // newest: keys that share it belong to one machine
	InstanceType string
	Region, Zone string
	PriceClass   ledger.PriceClass
	Account      string
	Tags         map[string]string
	Period       period.Interval // first start to last end of its compute lines
}

// Machine is a resolved node with the data that only allocation needs.
type Machine struct {
	ledger.Node
	// Gone reports whether the end of Life is a real end: an event reported it or the cluster was observed without the
	// node. Otherwise the data just stop there.
	Gone bool
	// VCPU and MemoryMiB are the node's own report; 0 is unknown.
	VCPU, MemoryMiB int64

	// Own is the life under its own name; Also are other names of the same instance.
	Own  period.Interval
	Also []Sighting
}
