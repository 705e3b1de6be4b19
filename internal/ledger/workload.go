package ledger

import (
	"strings"

	"gpuledger/internal/period"
)

// byClock is the prefix of statements that name a life by local time.
const byClock = "clock/"

// ByClock is the statement of a life whose source gives its creation as a local time without a zone. Read in another
// zone, it is the same life at other instants: facts of such a statement merge while their creation times agree;
// otherwise the import that was published last replaces the others (docs/rules.md, 10.11).
func ByClock(clock string, names ...string) string {
	return byClock + strings.Join(append(names, clock), "/")
}

// IsByClock reports whether ByClock wrote a statement.
func IsByClock(statement string) bool { return strings.HasPrefix(statement, byClock) }

// WorkloadFact is the information on one thing that can hold devices of one machine: a pod, the part of a Slurm job's
// life on one node, a SageMaker job, an attempt of an attempts file, a group of processes. Merge rules as NodeFact;
// times merge by "known wins", smallest of the knowns.
type WorkloadFact struct {
	Cluster   string
	System    System // the system that started it; empty: Kubernetes
	Namespace string // for Slurm: the account
	Name      string // for Slurm: the job id, as in hold evidence
	UID       string // if the source gives none: "name/" + namespace + "/" + name + "/" + created
	Node      string // empty: on no machine (queued, or a managed service)
	OwnerKind string // kube_pod_owner; empty: bare pod
	OwnerName string
	// Statement identifies one attempt that a person states: a later import of it replaces all facts with that name.
	// Empty, or by the clock (ByClock): facts merge.
	Statement string
	Labels    map[string]string
	// Requests: resource (sanitised) → effective count: Σ containers and sidecars, or the largest init container if
	// that is more.
	Requests map[string]int64

	Created    period.Second // 0 = unknown, for all times
	Eligible   period.Second // when it could have started: quota reserved, dependencies met
	Scheduled  period.Second
	Started    period.Second
	Completed  period.Second
	Deleted    period.Second // deletion timestamp
	TerminalAt period.Second // first sample with phase Succeeded or Failed
	Phase      string        // "Succeeded" or "Failed" once terminal, else by LaterPhase
	FirstSeen  period.Second
	LastSeen   period.Second

	StatusReason     string // kube_pod_status_reason = 1
	TerminatedReason string // container status: OOMKilled, Error, Completed
	DisruptionReason string
	// Outcome is how it ended if the source itself states it (Slurm's state, an attempts file); empty: derived from
	// the fields above (rule 6.7). Reason belongs to it.
	Outcome Outcome
	Reason  string
	AttrsAt int64 // AttrsOrder of the sample that set Labels and Requests
}

// LaterPhase is the later of two phases in a pod's life: a pod that ran is no longer pending. It ignores when the
// phases were seen, so that facts merge in any order. Of two ends, the larger text wins.
func LaterPhase(a, b string) string {
	rank := func(phase string) int {
		switch phase {
		case "":
			return 0
		case "Pending":
			return 2
		case "Running":
			return 3
		case "Succeeded", "Failed":
			return 4
		}
		return 1 // Unknown, and unknown words
	}
	if ra, rb := rank(a), rank(b); ra > rb || ra == rb && a >= b {
		return a
	}
	return b
}

// System is the system that started a workload.
type System string

// Systems. The empty one is Kubernetes.
const (
	SystemKubernetes System = ""
	SystemSlurm      System = "slurm"
	SystemSageMaker  System = "sagemaker"
	SystemAttempts   System = "attempts" // an attempts file
	SystemProcess    System = "process"  // processes without any other system
)

// Root kinds of workloads that Kubernetes did not start.
const (
	KindSlurmJob     = "SlurmJob"
	KindSageMakerJob = "SageMakerTrainingJob"
	KindAttempts     = "AttemptsRun"
	KindProcess      = "Process"
)

// Labels that parsers write if a source has the fact, and that people may also write; keys as FoldKey compares them.
const (
	LabelRunID   = "gpuledger.io/run-id"  // the run, across clusters
	LabelAttempt = "gpuledger.io/attempt" // number of the attempt, from 1
	LabelTask    = "gpuledger.io/task"    // task of a run that is not a gang
	LabelMember  = "gpuledger.io/member"  // place in the gang
	LabelGroup   = "gpuledger.io/group"   // pipeline, sweep, array
	LabelKind    = "gpuledger.io/kind"    // training, fine_tuning, …
	LabelPricing = "gpuledger.io/pricing" // spot, on_demand, reserved
)

// Precedence ranks sources of labels, requests and attributes: the higher one counts, at any time (docs/rules.md,
// section 10).
type Precedence uint8

// Precedences.
const (
	FromSeries    Precedence = iota // kube-state-metrics, exporters
	FromAPI                         // the Kubernetes API, sacct
	FromStatement                   // a file that a person made
)

// AttrsOrder is the sort key of attributes: precedence first, then time in milliseconds.
func AttrsOrder(p Precedence, ms int64) int64 { return int64(p)<<56 | ms }

// AttrsTime is the time of an order, in milliseconds.
func AttrsTime(order int64) int64 { return order & (1<<56 - 1) }

// Placement states that a workload held a device or slice, according to a source other than exporter rows: a claim,
// an annotation, a process on the device, an index in a job's record. Keyed by all fields except To and the shares;
// To merges to the largest, shares to the larger.
type Placement struct {
	Cluster  string
	Node     string
	Device   string // GPU UUID, or "#" and the index if only that is known
	SliceID  int32  // GPU_I_ID or WholeDevice
	Workload string // WorkloadFact.UID
	Evidence PlacementEvidence
	From     period.Second // 0: from the start of the hold
	To       period.Second // last seen; 0: to the end of the hold
	// Shares of the device in ppm; -1 unknown. Of exclusive holders 1,000,000.
	CoreShare, MemoryShare int64
}

// PlacementEvidence is the evidence for a placement.
type PlacementEvidence string

// Placement evidence, the best first.
const (
	EvidenceClaim      PlacementEvidence = "resource_claim" // DRA
	EvidenceAnnotation PlacementEvidence = "annotation"     // HAMi, device plugins
	EvidenceIndex      PlacementEvidence = "job_record"     // Slurm's GRES indices
	EvidenceProcess    PlacementEvidence = "process"        // one of its processes was on the device
)

// SegmentFact states that a workload worked for a run from one time to another, if it serves several runs: a shared
// Ray cluster, a sweep agent. Keyed by (cluster, namespace, pod, run, attempt, from).
type SegmentFact struct {
	Cluster, Namespace string
	Pod                string        // name or UID
	Run                string        // run id, tenant-wide
	Attempt            int32         // 0: counted by From
	From, To           period.Second // To 0: still running
	Name, Kind, Group  string
	Outcome            Outcome // empty: unknown
	Reason             string
	Labels             map[string]string
	AttrsAt            int64
	Statement          string // as in WorkloadFact
}

// WorkloadEvent is an event of a workload or its owner. Keyed by all fields except Reason: loading it twice changes
// nothing.
type WorkloadEvent struct {
	Cluster   string
	Kind      string // "Pod", or the owner's kind
	Namespace string
	Name      string
	UID       string // of a pod; empty when only the name is known
	What      WorkloadEventKind
	Reason    string
	At        period.Second
}

// WorkloadEventKind is the kind of event.
type WorkloadEventKind string

// Workload events.
const (
	WorkloadRestarted WorkloadEventKind = "restarted" // the GPU container started again, in the same pod
	WorkloadSuspended WorkloadEventKind = "suspended" // Kueue, Job suspend
	WorkloadResumed   WorkloadEventKind = "resumed"
	WorkloadEvicted   WorkloadEventKind = "evicted"   // Kueue; Reason is Kueue's
	WorkloadPreempted WorkloadEventKind = "preempted" // Kueue; Reason is Kueue's
	WorkloadAdmitted  WorkloadEventKind = "admitted"  // quota reserved
)
