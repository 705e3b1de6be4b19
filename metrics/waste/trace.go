package waste

import (
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Scope is the kind of a trace's subject: traces of one subject are judged together.
type Scope string

// Scopes.
const (
	OfHolder   Scope = "holder"   // a pod, unless it serves
	OfService  Scope = "service"  // a service, all its pods
	OfWorkload Scope = "workload" // a root owner: risks
	OfDevice   Scope = "device"
	OfNode     Scope = "node"
	OfPool     Scope = "pool"    // free capacity of a cluster, instance type and team, by day
	OfRun      Scope = "run"     // built from runs
	OfMachine  Scope = "machine" // built from facts about nodes

	OfSpotAdvice Scope = "spot_advice" // built from runs that are advised to move to spot
)

// Key identifies traces that are judged together.
type Key struct {
	Scope   Scope  `json:"scope"`
	Subject string `json:"subject"`
}

// ID is the key's name in the database.
func (k Key) ID() ledger.ID { return ledger.NewID("waste subject", string(k.Scope), k.Subject) }

// Where is the place and owner of a finding; empty and zero: unknown, or several.
type Where struct {
	Cluster      string    `json:"cluster,omitempty"`
	NodeID       ledger.ID `json:"node_id,omitzero"`
	Device       string    `json:"device,omitempty"`
	Slice        int32     `json:"slice,omitempty"` // 0: none; else the MIG instance id + 1
	Profile      string    `json:"profile,omitempty"`
	InstanceType string    `json:"instance_type,omitempty"`
	GPUModel     string    `json:"gpu_model,omitempty"`
	WorkloadID   ledger.ID `json:"workload_id,omitzero"`
	Namespace    string    `json:"namespace,omitempty"`
	Kind         string    `json:"workload_kind,omitempty"`
	Workload     string    `json:"workload,omitempty"`
	Pod          string    `json:"pod,omitempty"`
	Service      string    `json:"service,omitempty"`
	RunID        string    `json:"run_id,omitempty"`
	OwnerID      ledger.ID `json:"owner_id,omitzero"`
}

// join keeps the values that both have in common.
func (w Where) join(o Where) Where {
	same := func(a *string, b string) {
		if *a != b {
			*a = ""
		}
	}
	for _, f := range []struct {
		a *string
		b string
	}{{&w.Cluster, o.Cluster}, {&w.Device, o.Device}, {&w.Profile, o.Profile},
		{&w.InstanceType, o.InstanceType}, {&w.GPUModel, o.GPUModel},
		{&w.Namespace, o.Namespace}, {&w.Kind, o.Kind}, {&w.Workload, o.Workload},
		{&w.Pod, o.Pod}, {&w.Service, o.Service}, {&w.RunID, o.RunID}} {
		same(f.a, f.b)
	}
	for _, f := range []struct {
		a *ledger.ID
		b ledger.ID
	}{{&w.NodeID, o.NodeID}, {&w.WorkloadID, o.WorkloadID}, {&w.OwnerID, o.OwnerID}} {
		if *f.a != f.b {
			*f.a = ledger.ID{}
		}
	}
	if w.Slice != o.Slice {
		w.Slice = 0
	}
	return w
}

// Trace is the facts of one UTC day about a subject. Its parts depend on the scope.
type Trace struct {
	Key     Key           `json:"key"`
	Day     period.Second `json:"-"`
	Holders []HolderDay   `json:"holders,omitempty"` // of holders and services
	Marks   []Mark        `json:"marks,omitempty"`   // of workloads, devices, nodes
	Machine *MachineDay   `json:"machine,omitempty"` // of nodes
}

// HolderDay is a holder's day.
type HolderDay struct {
	ID      ledger.ID            `json:"id"`
	Subject string               `json:"subject"`
	Where   Where                `json:"where"`
	Class   ledger.WorkloadClass `json:"class"`
	Bare    bool                 `json:"bare,omitempty"` // a pod without a controller
	Hold    period.Interval      `json:"hold"`
	Running bool                 `json:"running,omitempty"`
	Slices  []SliceDay           `json:"slices"`
	Crash   []period.Interval    `json:"crash,omitempty"` // minutes in CrashLoopBackOff inside the hold
	Hours   []ReplicaHour        `json:"hours,omitempty"` // of services
}

// SliceDay is the day of a holder's slice: idle, startup and worked stretches in order of time, split at hours and at
// the edges of crash minutes.
type SliceDay struct {
	Slot    int32          `json:"slot"`
	Slice   int32          `json:"slice"`
	Held    int64          `json:"held"` // seconds
	Pieces  []Piece        `json:"pieces,omitempty"`
	Memory  int64          `json:"memory"` // largest, bytes; −1: unknown
	Quality ledger.Quality `json:"quality,omitempty"`
}

// Doing is what a holder does in a piece.
type Doing string

// Doings. Stretches between pieces are neither.
const (
	Idle    Doing = "i" // cause held_idle
	Startup Doing = "s" // cause overhead
	Worked  Doing = "w" // cause used or lost, with active seconds; carries no share
)

// Piece is a stretch that belongs to a finding as a whole or not at all.
type Piece struct {
	Doing Doing         `json:"d"`
	From  period.Second `json:"f"`
	To    period.Second `json:"t"`
	Share Share         `json:"v,omitzero"`
}

// ReplicaHour is an hour of a service's holder.
type ReplicaHour struct {
	Hour     period.Second `json:"h"`
	Whole    bool          `json:"w,omitempty"` // it held the whole hour
	Activity int64         `json:"a"`           // ppm, mean over its slices; −1: unknown
	Share    Share         `json:"v"`           // of all its held time
}

// Mark is time that meets the criterion of a risk kind.
type Mark struct {
	Kind    Kind           `json:"kind"`
	From    period.Second  `json:"from"`
	To      period.Second  `json:"to"`
	Seconds int64          `json:"seconds"` // seconds that met it
	Share   Share          `json:"share"`
	Where   Where          `json:"where"`
	Quality ledger.Quality `json:"quality,omitempty"`
	Numbers []Number       `json:"numbers,omitempty"`
}

// Number is a measured figure of a mark.
type Number struct {
	Name  string `json:"n"`
	Unit  string `json:"u"`
	Value int64  `json:"v"`
}

// MachineDay is the unheld part of a machine's day.
type MachineDay struct {
	Where    Where         `json:"where"`
	Team     string        `json:"team,omitempty"` // team that pays for unheld time; empty: none
	Appeared bool          `json:"appeared"`
	First    period.Second `json:"first"` // of the ledger's data for the day
	Last     period.Second `json:"last"`
	All      Share         `json:"all"`
	Free     Share         `json:"free"`
	Unseen   Share         `json:"unseen"` // part of All that was neither held nor observed
	// SeenFrom is the start of held or observed time; the start of the day if no unseen time comes before it.
	SeenFrom period.Second `json:"seen_from"`
	SeenTo   period.Second `json:"seen_to"`
	Quiet    []Quiet       `json:"quiet,omitempty"`
}

// Quiet is a stretch in which no slot of a machine was held or working.
type Quiet struct {
	From period.Second `json:"from"`
	To   period.Second `json:"to"`
	Free Share         `json:"free"`
	Secs int64         `json:"secs"` // slot-seconds that were free
	// From the first to the last second in which some slot was free, and the seconds with a free slot: unobserved time is
	// no evidence.
	FreeFrom period.Second `json:"free_from"`
	FreeTo   period.Second `json:"free_to"`
	Seen     int64         `json:"seen"`
}
