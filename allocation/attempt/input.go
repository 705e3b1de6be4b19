package attempt

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Input is the facts that runs are derived from.
type Input struct {
	Pods        []ledger.WorkloadFact // of every system
	Objects     []ledger.ObjectFact
	Checkpoints []ledger.Checkpoint
	Placements  []ledger.Placement
	Segments    []ledger.SegmentFact
	Happened    []ledger.WorkloadEvent // to workloads and their owners
	Events      []ledger.InstanceEvent // to machines
	Sources     []ledger.SourceHour
	// Node returns the machine that had a name at an instant, false if no such machine is known.
	Node func(cluster, name string, at period.Second) (Node, bool)
	// Owner resolves a pod's owner from its labels and its root's. Runs are
	// joined by label only inside one team.
	Owner func(pod *ledger.WorkloadFact, root map[string]string, node ledger.ID) ledger.Owner
	// Namespace returns the labels of a namespace; nil: no labels are known.
	Namespace func(cluster, name string) map[string]string
}

// Node is the data about a machine that attempts need.
type Node struct {
	ID         ledger.ID
	Keys       []string // instance keys under which events may name it (rule 2.1)
	Life       period.Interval
	Gone       bool // Life really ended; it is not just the end of the data
	GPUs       int
	PriceClass ledger.PriceClass
}

// Result is the derived workloads and runs, each list in a fixed order.
type Result struct {
	Workloads []ledger.Workload // by cluster, then uid
	Runs      []ledger.Run      // by id
	Attempts  []ledger.Attempt  // by run, task, number
	Owners    []ledger.Owner    // by id, each once
	Findings  []Finding         // by code, then detail
}

// Finding is a fact that could not be used, and why.
type Finding struct {
	Code   string // stable: "segment_without_workload"
	Detail string
}
