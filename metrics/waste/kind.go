package waste

import "gpuledger/internal/period"

// Kind is a kind of finding.
type Kind string

// The kinds. Idle ones take seconds in this order.
const (
	OverprovisionedService Kind = "overprovisioned_service"
	CrashLoop              Kind = "crash_loop"
	Hoarding               Kind = "hoarding"
	Preprovisioned         Kind = "preprovisioned"
	CrashedJob             Kind = "crashed_job"
	ForgottenNotebook      Kind = "forgotten_notebook"
	HeldNotUsed            Kind = "held_not_used"
	OrphanedNode           Kind = "orphaned_node"
	FreeCapacity           Kind = "free_capacity"

	Throttled              Kind = "throttled"
	XID                    Kind = "xid"
	InputStarved           Kind = "input_starved"
	MemoryBound            Kind = "memory_bound"
	CommunicationBound     Kind = "communication_bound"
	MemorySaturated        Kind = "memory_saturated"
	TrainingGradeInference Kind = "training_grade_inference"
	NonGPUPods             Kind = "non_gpu_pods"
	NoCheckpoint           Kind = "no_checkpoint"
	CheckpointInterval     Kind = "checkpoint_interval"
	NotRestartable         Kind = "not_restartable"
	NodeFragmentation      Kind = "node_fragmentation"
	TimeslicingProduction  Kind = "timeslicing_production"
	TimeslicingAcrossTeams Kind = "timeslicing_across_tenants"
	MixedOnSharedCard      Kind = "mixed_on_shared_card"
	MIGInDev               Kind = "mig_in_dev"
	UntaintedGPUNode       Kind = "untainted_gpu_node"
	NoProductSelector      Kind = "no_product_selector"
)

// Thresholds, in the unit of the comparison.
const (
	BridgeSeconds        = 5 * period.Minute // gaps inside an idle span
	CrashGapSeconds      = 10 * period.Minute
	CrashMinutes         = 30
	HoardSeconds         = 4 * period.Hour
	HoardBytes           = 1 << 30
	StartSeconds         = 30 * period.Minute
	CrashedSeconds       = period.Hour
	NotebookSeconds      = 2 * period.Hour
	IdleSeconds          = 30 * period.Minute
	ServiceHours         = 20
	ServiceReplicas      = 2
	ServiceTargetPPM     = 600_000
	OrphanSeconds        = period.Day
	FreePPM              = 200_000
	MarkedHours          = 3
	MarkGapSeconds       = 6 * period.Hour
	BusyPPM              = 100_000 // least mean activity of hours in which risks are judged
	ThrottleSeconds      = 360     // of an hour
	ThrottleReasons      = 0x4 | 0x8 | 0x20 | 0x40 | 0x80
	StarvedPPM           = 500_000
	HostFullPPM          = 900_000
	BoundPPM             = 800_000
	MemoryBoundDRAMPPM   = 600_000
	MemoryBoundTensorPPM = 150_000
	LinkBoundSMPPM       = 400_000
	LinkBytes            = 50_000_000_000 // per second
	SaturatedPPM         = 970_000
	InferencePPM         = 300_000
	InferenceBytes       = 24 << 30
	CheckpointSeconds    = 4 * period.Hour
	IntervalSeconds      = 2 * period.Hour // unless the policy says otherwise
	FewestRetries        = 1
	FragmentSeconds      = period.Hour
	SharedSeconds        = period.Hour
	MIGSeconds           = period.Day
	PodSeconds           = period.Hour
	PickSeconds          = period.Hour
	PickModels           = 2
	MinimumSeconds       = 15 * period.Minute // shorter findings of any kind are dropped
)

// Bound is the side of a threshold on which a finding lies.
type Bound string

// Bounds, as printed. Of is not a bound: it is the base of a figure.
const (
	AtLeast Bound = "at least"
	AtMost  Bound = "at most"
	Above   Bound = "above"
	Below   Bound = "below"
	Of      Bound = "of"
)

// Threshold is a number that a finding is compared with.
type Threshold struct {
	Name  string // as in the evidence
	Unit  string
	Bound Bound
	Value int64
}

// Definition is the one definition of a kind, used everywhere.
type Definition struct {
	Kind       Kind
	Label      string
	Idle       bool   // false: a risk, whose money is never added to that of idle kinds
	Meaning    string // one plain sentence
	Action     string // what to do
	Thresholds []Threshold
}

// Definitions lists all kinds in their fixed order.
var Definitions = []Definition{
	{OverprovisionedService, "Over-provisioned service", true,
		"A service kept more replicas for a whole day than its busiest hour needed.",
		"Lower the minimum number of replicas, or let an autoscaler follow the traffic.",
		[]Threshold{
			{"hours_known", "hours", AtLeast, ServiceHours}, {"fewest_replicas", "replicas", AtLeast, ServiceReplicas},
			{"target_activity", "ppm", Of, ServiceTargetPPM},
		}},
	{CrashLoop, "Crash loop", true, "A container crashed again and again while it held its GPUs.",
		"Fix or delete the workload; limit its restarts.", []Threshold{{"crash_minutes", "minutes", AtLeast, CrashMinutes}}},
	{Hoarding, "Hoarding", true, "GPUs were held for hours with nothing loaded: a placeholder.",
		"Ask the owner to release them; queue the work instead.",
		[]Threshold{{"held", "seconds", AtLeast, HoardSeconds}, {"memory_used", "bytes", AtMost, HoardBytes}}},
	{Preprovisioned, "Provisioned, not started", true, "GPUs were held long before the first work, or without any work.",
		"Load data and images before GPUs are held; start the workload when its inputs are ready.",
		[]Threshold{{"before_work", "seconds", Above, StartSeconds}}},
	{CrashedJob, "Stopped job", true, "A job stopped working and its pod stayed.",
		"End the pod when its process ends; set a deadline or a watchdog.",
		[]Threshold{{"idle_at_end", "seconds", AtLeast, CrashedSeconds}}},
	{ForgottenNotebook, "Forgotten notebook", true, "A notebook held GPUs for hours after its last computation.",
		"Cull idle notebooks; move them to slices or time-shared cards.",
		[]Threshold{{"idle", "seconds", AtLeast, NotebookSeconds}}},
	{HeldNotUsed, "Held, not used", true, "GPUs were held but idle between phases of work.",
		"Release GPUs between phases of work, or share them.", []Threshold{{"idle", "seconds", AtLeast, IdleSeconds}}},
	{OrphanedNode, "Orphaned node", true, "No GPU of the machine was held for a day.",
		"Terminate it; let the autoscaler remove empty machines.",
		[]Threshold{{"nobody_held", "seconds", AtLeast, OrphanSeconds}}},
	{FreeCapacity, "Free capacity", true, "A large part of a pool was free on a day.",
		"Make the pool smaller, or move flexible work to its free hours. No saving is advised: free hours are spread over " +
			"machines, and owned or committed machines are paid anyway.", []Threshold{
			{"free", "ppm", Above, FreePPM},
		}},
	{Throttled, "Throttled", false, "The card was slowed down by its power cap or by heat.",
		"Check cooling and power limits of the machine; move the work.",
		[]Threshold{{"hours", "hours", AtLeast, MarkedHours}, {"throttled", "seconds per hour", AtLeast, ThrottleSeconds}}},
	{XID, "XID error", false, "The driver reported an error of a card that was in use.",
		"Look the code up; drain the machine if it comes back.", []Threshold{{"hours", "hours", AtLeast, 1}}},
	{InputStarved, "Input-starved", false, "The GPUs waited while the host's CPUs were full.",
		"Give it more CPU per GPU or more loader workers, or preprocess elsewhere.",
		[]Threshold{
			{"hours", "hours", AtLeast, MarkedHours}, {"activity", "ppm", Below, StarvedPPM},
			{"host_cpu", "ppm", AtLeast, HostFullPPM},
		}},
	{MemoryBound, "Memory-bound", false, "The card was busy moving memory; its tensor cores hardly worked.",
		"Use larger batches, fused kernels, or a card with less compute and the same bandwidth.",
		[]Threshold{
			{"hours", "hours", AtLeast, MarkedHours}, {"activity", "ppm", AtLeast, BoundPPM},
			{"dram", "ppm", AtLeast, MemoryBoundDRAMPPM}, {"tensor", "ppm", AtMost, MemoryBoundTensorPPM},
		}},
	{CommunicationBound, "Communication-bound", false, "GPUs were busy waiting for each other.",
		"Use fewer or better connected GPUs, overlap communication, or use larger local batches.",
		[]Threshold{
			{"hours", "hours", AtLeast, MarkedHours}, {"activity", "ppm", AtLeast, BoundPPM},
			{"sm", "ppm", AtMost, LinkBoundSMPPM}, {"link", "bytes per second", AtLeast, LinkBytes},
		}},
	{MemorySaturated, "Memory full", false, "GPU memory was almost full: the next change may fail.",
		"Use a card or slice with more memory, or a smaller batch.",
		[]Threshold{{"hours", "hours", AtLeast, MarkedHours}, {"memory_p95", "ppm", AtLeast, SaturatedPPM}}},
	{TrainingGradeInference, "Inference on a training card", false, "A small service had a whole training-grade card.",
		"Serve it from a smaller card or a slice.",
		[]Threshold{
			{"hours", "hours", AtLeast, MarkedHours}, {"activity_p95", "ppm", AtMost, InferencePPM},
			{"memory_p95", "bytes", AtMost, InferenceBytes},
		}},
	{NonGPUPods, "Other pods on a GPU machine", false,
		"Pods that asked for no GPU ran on a GPU machine. The money is indicative: their share of the machine, the " +
			"larger of its vCPUs and its memory; who holds the GPUs pays it.",
		"Taint GPU machines, and move these pods to cheaper ones.", []Threshold{{"held", "seconds", AtLeast, PodSeconds}}},
	{NoCheckpoint, "Training without checkpoints", false,
		"A long run never wrote a checkpoint: a failure costs all of it.",
		"Write checkpoints; the advice of dataset spot says how often.",
		[]Threshold{{"held", "seconds", AtLeast, CheckpointSeconds}}},
	{CheckpointInterval, "Checkpoints too rare", false,
		"A run wrote checkpoints less often than the policy asks: for most of its time, a failure would have cost more " +
			"than one interval. The money is the cost of the time beyond the interval.",
		"Write checkpoints more often; the advice of dataset spot says how often.",
		[]Threshold{{"interval", "seconds", Above, IntervalSeconds}}},
	{NotRestartable, "Spot without a second try", false,
		"A job on spot, or advised to move there, has no retries and saved nothing: an interruption costs all of it.",
		"Allow retries and write checkpoints, or run it on demand.",
		[]Threshold{{"allowed", "retries", Below, FewestRetries}}},
	{NodeFragmentation, "Fragmented node", false,
		"GPUs were free in small numbers while a workload waited for more of them together.",
		"Pack small work together; keep whole machines for large work.",
		[]Threshold{{"waited", "seconds", AtLeast, FragmentSeconds}}},
	{TimeslicingProduction, "Time-sliced production", false,
		"Production work ran on a time-sliced card, where neighbours slow each other down.",
		"Use whole cards or MIG slices for production.", []Threshold{{"held", "seconds", AtLeast, SharedSeconds}}},
	{TimeslicingAcrossTeams, "Time-slicing across teams", false,
		"Holders of different teams shared a card without isolation.",
		"Use MIG slices, or cards per team.", []Threshold{{"shared", "seconds", AtLeast, SharedSeconds}}},
	{MixedOnSharedCard, "Training next to serving", false,
		"Jobs and services shared a card without isolation: training slows down the requests.",
		"Separate cards for jobs and services, or give each a MIG slice.",
		[]Threshold{{"shared", "seconds", AtLeast, SharedSeconds}}},
	{MIGInDev, "MIG in development", false, "Isolated slices were held by development work alone.",
		"Time-slice development cards: cheaper, and nothing needs isolation there.",
		[]Threshold{{"held", "seconds", AtLeast, MIGSeconds}}},
	{UntaintedGPUNode, "GPU machine without taint", false,
		"Any pod may land on this GPU machine, even if it needs no GPU.",
		"Taint it for GPUs. The money is the share of pods without GPU requests, which is also counted elsewhere.", nil},
	{NoProductSelector, "No GPU model asked for", false,
		"Pods took any GPU that the cluster gave them, and got a dearer model than its cheapest. The money is the cost of " +
			"their GPU-hours beyond the cheapest model in the same hours.",
		"Ask for the model that the work needs, by node selector or affinity; if any model will do, ask for the cheapest.",
		[]Threshold{{"held", "seconds", AtLeast, PickSeconds}, {"models", "GPU models", AtLeast, PickModels}}},
}

// Define returns the definition of a kind.
func Define(k Kind) (Definition, bool) {
	for i := range Definitions {
		if Definitions[i].Kind == k {
			return Definitions[i], true
		}
	}
	return Definition{}, false
}
