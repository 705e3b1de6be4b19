package fleet

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Name is a node's name inside a cluster. Several instances may have borne it.
type Name struct{ Cluster, Node string }

// Input is everything that is known of machines.
type Input struct {
	Facts   []ledger.NodeFact
	Samples map[Name]period.Interval // [first exporter sample, last + 1)
	// Stretches are when exporter samples were seen in Samples, in order, [first,
	// last + 1) each; those of a name that it lacks are all of Samples.
	Stretches map[Name][]period.Interval
	Holds     map[Name][]Hold // of all workloads that name the node
	Devices   map[Name][]ledger.Device
	Held      map[Name]Held // by other systems than Kubernetes
	Events    []ledger.InstanceEvent
	Sources   []ledger.SourceHour
	Billed    []Billed
}

// Held is what workloads of other systems say of the node that they name.
type Held struct {
	Span period.Interval // [first start, last end or sample + 1)
	GPUs int             // the most that they requested at one time
}

// Hold is when a workload says that it held something.
type Hold struct {
	period.Interval
	Pod bool // of Kubernetes, whose pods last until somebody looks again
}

// Billed is what the book says of one instance key, from its newest compute
// lines.
type Billed struct {
	InstanceID   string    // the key (rule 2.1), of a machine or of a group
	Line         ledger.ID // newest: keys that share it are of one machine
	InstanceType string
	Region, Zone string
	PriceClass   ledger.PriceClass
	Account      string
	Tags         map[string]string
	Period       period.Interval // first start to last end of its compute lines
}

// Machine is a resolved node and what only allocation needs to know of it.
type Machine struct {
	ledger.Node
	// Gone reports whether the end of Life is a real end: an event said so or
	// the cluster was observed without the node. Otherwise data just stop there.
	Gone bool
	// VCPU and MemoryMiB are what the node says of itself; 0 is not known.
	VCPU, MemoryMiB int64

	// Own is the life under its own name, Also other names of the same instance.
	Own  period.Interval
	Also []Sighting
}
