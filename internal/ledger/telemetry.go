package ledger

import (
	"math/bits"

	"gpuledger/internal/period"
)

// Signal names one measured quantity of a device or slice in its stored unit.
// All signals are integers, so that merging is exact and order-free.
type Signal string

// Signals. Units: ppm = millionths of 1.
const (
	SignalGrEngine    Signal = "gr_engine_ppm"    // PROF_GR_ENGINE_ACTIVE, relative to the slice
	SignalGPUUtil     Signal = "gpu_util_ppm"     // GPU_UTIL, whole device
	SignalSM          Signal = "sm_ppm"           // PROF_SM_ACTIVE
	SignalTensor      Signal = "tensor_ppm"       // PROF_PIPE_TENSOR_ACTIVE
	SignalDRAM        Signal = "dram_ppm"         // PROF_DRAM_ACTIVE
	SignalMemoryUsed  Signal = "memory_used_b"    // FB_USED, bytes
	SignalMemoryFree  Signal = "memory_free_b"    // FB_FREE, bytes
	SignalPower       Signal = "power_mw"         // board power
	SignalEnergy      Signal = "energy_mj"        // counter since driver load
	SignalTemperature Signal = "temperature_mc"   // millidegrees Celsius
	SignalXID         Signal = "xid"              // last XID, sticky
	SignalPCIeTx      Signal = "pcie_tx_bps"      // bytes per second
	SignalPCIeRx      Signal = "pcie_rx_bps"      //
	SignalNVLinkTx    Signal = "nvlink_tx_bps"    //
	SignalNVLinkRx    Signal = "nvlink_rx_bps"    //
	SignalThrottle    Signal = "throttle_reasons" // bit set of NVML's clocks event reasons
	SignalMemoryCopy  Signal = "mem_copy_ppm"     // MEM_COPY_UTIL, whole device
	// Time slowed down by power caps or by heat: counters since driver load, nanoseconds.
	SignalThrottlePower   Signal = "throttle_power_ns"
	SignalThrottleThermal Signal = "throttle_thermal_ns"
	// SignalMIGMode is 1 in a minute in which rows of a device report MIG mode but list no instance, so that its
	// partition is unknown (rule 3.3).
	SignalMIGMode Signal = "mig_mode"
	// SignalMIGStart is the first memory slice of a MIG instance on its card
	// (rule 3.7).
	SignalMIGStart Signal = "mig_start"
	// Of the machine, in rows of HostDevice.
	SignalHostCPU    Signal = "host_cpu_ppm"  // busy share of all cores
	SignalHostMemory Signal = "host_memory_b" // used, without caches
	// SignalSeen is 1 in each minute with a row of a MIG slice whose value
	// belongs to the parent device (power, energy …): the slice existed.
	SignalSeen Signal = "seen"
)

// HostDevice is the value of SampleHour.Device for the machine itself: its index is -1, its model empty. It is not a
// slot and holds nothing.
const HostDevice = "host"

// WholeDevice is the slice id of a device without MIG instances.
const WholeDevice int32 = -1

// SampleHour is one hour of minute samples of one slice (or whole device) for
// all signals seen.
type SampleHour struct {
	Cluster  string
	Node     string // hostname from the exporter
	Device   string // GPU UUID
	Index    int32  // exporter's gpu index; -1 if it is not a number
	Model    string // normalised: "NVIDIA A100-SXM4-40GB"
	SliceID  int32  // GPU_I_ID or WholeDevice
	Profile  string // "1g.5gb", empty for WholeDevice
	Hour     period.Second
	Vectors  map[Signal]Minutes
	RowCount int64 // input rows that went in
}

// Minutes is one hour of one signal: for each minute the newest value.
type Minutes struct {
	// Known has bit m set when minute m has a value.
	Known uint64
	// Value holds the value of each known minute, others 0.
	Value [60]int64
	// At holds, per known minute, the milliseconds from the minute's start to
	// the sample (0..59999), which decides merges.
	At [60]uint16
}

// DeviceFact is a source's information on a device other than samples: the scheduler's register of a node, a row with
// its MIG mode. Merging is commutative: earliest First, latest Last, of others the larger.
type DeviceFact struct {
	Cluster, Node string
	UUID          string
	Index         int32 // -1: unknown
	Model         string
	InMIG         bool // MIG mode is on
	Registered    bool // the scheduler counts it among the cards of the node
	First, Last   period.Second
}

// HoldEvidence marks the minutes of an hour in which exporter rows of a slice named a pod.
type HoldEvidence struct {
	Cluster   string
	Node      string
	Device    string
	SliceID   int32
	Namespace string
	Pod       string
	Hour      period.Second
	Minutes   uint64 // bit m: named in minute m
}

// NodeFact is the information on a node from one import. Merging two facts of one node is commutative: earliest
// FirstSeen, latest LastSeen, and of attributes those with the later AttrsAt (tie: larger text).
type NodeFact struct {
	Cluster    string
	Name       string
	ProviderID string            // aws:///us-east-1a/i-0abc…; empty when unknown
	Labels     map[string]string // keys without label_ prefix, as sanitised by kube-state-metrics
	Capacity   map[string]int64  // resource → count, sanitised names
	Created    period.Second     // 0 = unknown
	FirstSeen  period.Second     // own samples, seconds; 0 = none
	LastSeen   period.Second
	AttrsAt    int64 // AttrsOrder of the sample that set Labels/Capacity
}

// NodeStateHour marks minutes of an hour in which a node was in a state.
type NodeStateHour struct {
	Cluster string
	Name    string
	State   NodeState
	Hour    period.Second
	Minutes uint64 // bit set: in that state
	Known   uint64 // bit set: a sample reported the state or its absence
}

// NodeState is a condition of a node.
type NodeState string

// Node states (docs/rules.md 2.5, 2.9).
const (
	NotReady NodeState = "not_ready"
	Cordoned NodeState = "cordoned"
	Listed   NodeState = "listed" // its cluster listed it
)

// SourceKind is the kind of source that observes a cluster.
type SourceKind string

// Kinds of sources.
const (
	SourceKubernetes SourceKind = "kubernetes" // lists every machine, busy or not
	SourceSlurm      SourceKind = "slurm"      // accounting: names a machine only while it works
	SourceExporter   SourceKind = "exporter"   // samples of cards, without placements
)

// SourceHour marks the minutes in which a source of a cluster delivered anything (docs/rules.md 2.6, 2.9).
type SourceHour struct {
	Cluster string
	Source  SourceKind
	Hour    period.Second
	Minutes uint64
}

// First is the start of the first minute in which the source delivered; 0 if it never did.
func (h SourceHour) First() period.Second {
	if h.Minutes == 0 {
		return 0
	}
	return h.Hour + period.Second(bits.TrailingZeros64(h.Minutes))*period.Minute
}

// Last is the start of the last minute in which the source delivered; 0 if it never did.
func (h SourceHour) Last() period.Second {
	if h.Minutes == 0 {
		return 0
	}
	return h.Hour + period.Second(bits.Len64(h.Minutes)-1)*period.Minute
}

// PodStateHour marks minutes in which a container of a pod waited in CrashLoopBackOff.
type PodStateHour struct {
	Cluster string
	UID     string
	Hour    period.Second
	Minutes uint64
}

// ObjectFact is a Kubernetes object other than a pod or node (ReplicaSet, Job, Namespace, …), with the attributes
// that allocation needs.
type ObjectFact struct {
	Cluster   string
	Namespace string
	Kind      string // "ReplicaSet", "Job", "Namespace", …
	Name      string
	OwnerKind string
	OwnerName string
	Labels    map[string]string
	Created   period.Second
	Attrs     map[string]string // "completions", "parallelism", "failed_reason" …
	AttrsAt   int64
}

// Checkpoint is one checkpoint that a pod reported, or that was posted for a run or a pod.
type Checkpoint struct {
	Cluster   string
	Namespace string
	Pod       string // name or UID of the workload; empty: of Run
	Run       string // run id; empty: of Pod
	At        period.Second
	Step      int64  // of training; -1 unknown
	Took      int64  // milliseconds to write it, at most CheckpointLimit; 0: unknown
	Statement string // as in WorkloadFact
}

// CheckpointLimit bounds the time to write a checkpoint; larger values are not believed.
const CheckpointLimit = 24 * period.Hour * 1000 // milliseconds

// InstanceEventKind is the kind of event of a cloud instance.
type InstanceEventKind string

// Instance events. A rebalance recommendation alone means nothing.
const (
	EventInterruption InstanceEventKind = "interruption_warning"
	EventRebalance    InstanceEventKind = "rebalance_recommendation"
	EventState        InstanceEventKind = "state_change"
)

// InstanceEvent is one cloud event about one instance, keyed by
// (account, instance, kind, detail, time): loading it twice changes nothing.
type InstanceEvent struct {
	EventID    string
	Provider   string
	Account    string
	Region     string
	InstanceID string
	Kind       InstanceEventKind
	Detail     string // state ("terminated") or action ("terminate")
	At         period.Second
}

// CounterHour is one hour of counters of one process: a model that an
// inference server serves on a pod, or a controller (Karpenter, Kueue). Keyed
// by (cluster, namespace, pod, server, model, engine, hour).
type CounterHour struct {
	Cluster   string
	Namespace string
	Pod       string
	Server    string // "vllm", "karpenter"
	Model     string // as served; empty of controllers
	Engine    string
	Hour      period.Second
	// Counters: canonical counter name → newest value per minute, in thousandths. "name/value" splits a counter by a
	// label: the counter is the sum of "name" and all "name/…". "name_bucket/le" are the cumulative buckets of a
	// histogram, "start/name" is when the counter began, in unix milliseconds, if the source states it, and
	// "layer/router" or "layer/gateway" mark counters in front of engines, which count the same requests again.
	Counters map[string]Minutes
}

// Telemetry is the result of one batch of telemetry input, ready to be merged into the store in one transaction.
type Telemetry struct {
	Samples     []SampleHour
	Devices     []DeviceFact
	Evidence    []HoldEvidence
	Placements  []Placement
	Nodes       []NodeFact
	NodeStates  []NodeStateHour
	Sources     []SourceHour
	Workloads   []WorkloadFact
	PodStates   []PodStateHour
	Objects     []ObjectFact
	Segments    []SegmentFact
	Events      []WorkloadEvent
	Checkpoints []Checkpoint
	Counters    []CounterHour
}
