package ledger

import (
	"math/big"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Outcome is how an attempt or a pod ended.
type Outcome string

// Outcomes (docs/rules.md 6.7).
const (
	Succeeded      Outcome = "succeeded"
	Failed         Outcome = "failed"
	OOM            Outcome = "oom"
	Timeout        Outcome = "timeout"
	Preempted      Outcome = "preempted"
	Evicted        Outcome = "evicted"
	NodeFailure    Outcome = "node_failure"
	Suspended      Outcome = "suspended"
	Cancelled      Outcome = "cancelled"
	Running        Outcome = "running"
	OutcomeUnknown Outcome = "unknown"
)

// Loses reports whether work after the last checkpoint is lost (rule 6.10).
func (o Outcome) Loses() bool {
	switch o {
	case Failed, OOM, Timeout, Preempted, Evicted, NodeFailure:
		return true
	}
	return false
}

// WorkloadClass groups workloads by how they are accounted for (rule 6.2).
type WorkloadClass string

// Workload classes.
const (
	ClassRun         WorkloadClass = "run"
	ClassService     WorkloadClass = "service"
	ClassInteractive WorkloadClass = "interactive"
	ClassSystem      WorkloadClass = "system"
)

// LossBasis is the point from which lost work is counted.
type LossBasis string

// Loss bases.
const (
	LossCheckpoint LossBasis = "checkpoint"
	LossResume     LossBasis = "resume"
	LossNone       LossBasis = "none"
)

// Workload is a pod as the ledger sees it: identity, root owner, hold.
type Workload struct {
	ID        ID // NewID("workload", cluster, uid)
	Cluster   string
	Namespace string
	Name      string
	UID       string
	Kind      string // root owner's kind ("Pod" when bare)
	Service   string // root owner's name for class service, else empty
	OwnerName string // root owner's name
	Class     WorkloadClass
	NodeID    ID
	Hold      period.Interval
	Outcome   Outcome
	Reason    string
	RunID     string // empty unless class run
	OwnerID   ID
	Labels    LabelSet `json:"-"` // not serialised: no figure of the ledger follows from them
	// BudgetText is its label cost-budget-limit, Appeared the first time at which it is known.
	BudgetText string        `json:"-"`
	Appeared   period.Second `json:"-"`
}

// Run is one logical job over all its attempts.
type Run struct {
	ID         string
	GroupID    string
	Cluster    string
	Namespace  string
	Name       string
	RootKind   string
	Kind       string // training, fine_tuning, evaluation, inference, batch
	Status     string // queued, running, succeeded, failed, cancelled, unknown
	CreatedAt  period.Second
	EligibleAt period.Second // when quota and dependencies first allowed it to start; 0: unknown
	StartedAt  period.Second
	EndedAt    period.Second // 0 while running
	Attempts   int
	Preempted  int
	World      int
	QueueWait  int64         // seconds from creation to first hold; -1 unknown
	Budget     *money.Amount // by its label max-cost-per-run
	LimitText  string        `json:"-"` // that label, as written
	BudgetText string        `json:"-"` // label cost-budget-limit, of a run that only segments describe
	OwnerID    ID
	Labels     LabelSet `json:"-"` // of its first workload
}

// Attempt is one try of a run, or of one task of it if the run is not a gang.
type Attempt struct {
	ID             ID // NewID("attempt", run, task, number)
	RunID          string
	Number         int
	Task           string // empty for gangs
	Span           period.Interval
	Running        bool
	Outcome        Outcome
	Reason         string
	Pricing        PriceClass // of most of its hold seconds; empty: unknown
	Nodes          int
	GPUs           int           // slots held at most at once
	LossBasis      LossBasis     // the weakest basis of the attempt and its lost members
	LossFrom       period.Second // 0 = nothing lost
	MayLoseFrom    period.Second // start of work that may be lost because its end was not observed; 0: the end is known
	LastCheckpoint period.Second // 0 = none
	GangComplete   period.Second // when all members held; 0 = never
	Segments       []Segment
}

// Segment links an attempt to a workload for a time; many attempts may share one pod, and many pods one attempt.
// Weight is in ppm: several segments in the same second count in proportion to it.
type Segment struct {
	Workload ID
	From, To period.Second
	Weight   int64
	// For a member that was lost while others continued: its own lost work, from LossFrom to To. LossFrom 0: none.
	LossBasis LossBasis
	LossFrom  period.Second
}

// Dimensions are the owner dimensions, in the order of the contract.
var Dimensions = []string{"business_unit", "team", "project", "model", "model_version", "stage", "environment",
	"cost_center", "experiment", "dataset", "user", "priority", "queue"}

// Owner is a resolved set of owner dimensions. NULL dimensions are empty.
type Owner struct {
	ID           ID // hash of all dimensions
	BusinessUnit string
	Team         string // "unowned" if no rule or label gives a team
	Project      string
	Model        string
	ModelVersion string
	Stage        string
	Environment  string
	CostCenter   string
	Experiment   string
	Dataset      string
	User         string
	Priority     string
	Queue        string
	Labels       map[string]string // the label set it was resolved from
}

// Usage is a quantity, once, with or without a bill (rule 8.2).
type Usage struct {
	ID         ID // NewID("usage", key…)
	Hour       period.Second
	NodeID     ID
	Slot       int32
	Device     string // GPU UUID; empty if the slot's device was never seen
	SliceID    int32  // WholeDevice without slices
	Profile    string
	WorkloadID ID // zero if free
	RunID      string
	AttemptID  ID
	Cause      Cause
	Activity   Activity
	OwnerID    ID
	Quality    Quality
	Method     string

	Seconds       int64    // slot-seconds (not scaled by weight or share)
	ActiveSeconds int64    // of those, active
	Weight        *big.Rat // Σ seconds × slice weight × hold share
	Held          bool

	CapacityGPUHours money.Amount // this row's part of the node-hour's capacity, 1e-12
	ActiveGPUHours   money.Amount
	EnergyKWh        *money.Amount // nil when no energy was measured
}

// GPUHours is the held quantity of the row: its capacity when held, else 0.
func (u *Usage) GPUHours() money.Amount {
	if u.Held {
		return u.CapacityGPUHours
	}
	return money.Amount{}
}

// PartKind is the kind of a part of a charge (rules 8.5–8.10, 8.21).
type PartKind string

// Part kinds.
const (
	PartCompute          PartKind = "compute"
	PartCommitmentFee    PartKind = "commitment_fee"
	PartCommitmentUnused PartKind = "commitment_unused"
	PartShared           PartKind = "shared"
	PartMetered          PartKind = "metered"
	PartNonGPU           PartKind = "non_gpu"
	PartProvisional      PartKind = "provisional"
)

// Part is the share of one charge for one hour and place. It is stored, so that the hourly split is rounded once.
type Part struct {
	ID       ID // NewID("part", charge, number)
	ChargeID ID // zero for provisional parts
	RateID   ID // provisional parts only
	Number   int
	Kind     PartKind
	NodeID   ID // zero when no node
	Hour     period.Second
	Currency string
	Costs
	// PostingKind is the kind of its postings: Direct, or Amortise for the pairs that move effective cost of prepaid
	// capacity to the hours that used it (rule 8.15). Amortise parts carry effective cost only, and those of one
	// charge and hour add up to zero.
	PostingKind PostingKind
	// UsageSeconds is the instance time that the part bills; nil if the line carries none. Only parts with it carry
	// quantities.
	UsageSeconds *int64
	Method       string // "resource id", "pooled", "even", …
	Quality      Quality
	OwnerID      ID // of parts without usage rows

	// BillingAccount is the payer of the charge; empty for provisional parts.
	BillingAccount string
	// Final parts belong to a closed period (rule 13.3): their postings are stored and never change. Only the store
	// sets Final and the fields below.
	Final bool
	// Reverses is the final part whose amounts this one reverses; zero for others (rule 13.5).
	Reverses ID
	// Replaces is the final part of the line that a new line of a closed period replaces; zero without one.
	Replaces ID
}

// Posting is money: one part, one usage row or none, one owner, one cause.
type Posting struct {
	ID       ID // NewID("posting", part, usage, kind)
	PartID   ID
	ChargeID ID
	RateID   ID
	Part     int
	UsageID  ID
	Hour     period.Second
	Cause    Cause
	Activity Activity // empty when no usage
	Kind     PostingKind
	Adjusts  ID
	OwnerID  ID
	Method   string
	Quality  Quality
	Policy   string
	Currency string
	State    State
	Costs
	// Quantities in proportion to the part's share of the node-hour; nil on parts without a usage amount.
	GPUHours         *money.Amount
	CapacityGPUHours *money.Amount
	ActiveGPUHours   *money.Amount
	EnergyKWh        *money.Amount

	// Copied keys, so that common groupings need no join.
	NodeID     ID
	Slot       int32 // -1 when no slot
	Device     string
	SliceID    int32
	Profile    string
	WorkloadID ID
	RunID      string
	AttemptID  ID
}

// Span is a stretch of one slot with one cause, shown by timelines and explanations. Spans of a chunk merge across
// hours.
type Span struct {
	NodeID     ID
	Slot       int32
	SliceID    int32
	WorkloadID ID
	RunID      string
	AttemptID  ID
	Cause      Cause
	From, To   period.Second
}
