package ledger

// Cause is why a part of a charge was spent. Causes are exclusive and complete (docs/rules.md, section 7).
type Cause string

// The causes in their fixed order: stacking, legends, tables and row keys all
// follow it.
const (
	Used             Cause = "used"
	Overhead         Cause = "overhead"
	HeldIdle         Cause = "held_idle"
	Lost             Cause = "lost"
	Free             Cause = "free"
	Stranded         Cause = "stranded"
	Unavailable      Cause = "unavailable"
	Unobserved       Cause = "unobserved"
	CommitmentUnused Cause = "commitment_unused"
	CommitmentFee    Cause = "commitment_fee"
	Host             Cause = "host"
	Shared           Cause = "shared"
	Metered          Cause = "metered"
	NonGPU           Cause = "non_gpu"
)

// CauseInfo is the text about a cause: API, page, tooltip, docs.
type CauseInfo struct {
	Cause   Cause
	Label   string // as printed
	Meaning string // one plain sentence
}

// Causes lists all causes in their fixed order.
var Causes = []CauseInfo{
	{Used, "Used", "Held and working, or idle for too short a time to count as idle."},
	{Overhead, "Overhead", "Held while starting, restoring or waiting for the rest of a gang."},
	{
		HeldIdle, "Held idle", "Held, but below the policy's activity for the policy's time: 10 % for 15 minutes unless " +
			"it says otherwise.",
	},
	{Lost, "Lost", "Work after the last checkpoint of an attempt that did not finish."},
	{Free, "Free", "Healthy and schedulable, but not held by any workload."},
	{Stranded, "Stranded", "Remaining capacity of a MIG card that no profile fits."},
	{Unavailable, "Unavailable", "Billed while booting, not ready, cordoned or down."},
	{Unobserved, "Unobserved", "No telemetry, so whether it worked is unknown."},
	{CommitmentUnused, "Commitment unused", "The part of a commitment that no machine used."},
	{CommitmentFee, "Commitment fee", "Fees of commitments, and prepaid capacity whose hours are still to come."},
	{Host, "Host", "The CPU and memory share of a node, where policy splits it off."},
	{Shared, "Shared", "Control planes, network, storage and the fleet's part of tax and support."},
	{Metered, "Metered", "Per-use AI spend without a node."},
	{NonGPU, "Non-GPU", "Outside the GPU fleet."},
}

// Order returns the cause's place in Causes; len(Causes) if it is unknown.
func (c Cause) Order() int {
	for i := range Causes {
		if Causes[i].Cause == c {
			return i
		}
	}
	return len(Causes)
}

// Activity is the state of a slice in a minute of telemetry.
type Activity string

// Activities in row-key order.
const (
	Active          Activity = "active"
	Idle            Activity = "idle"
	ActivityUnknown Activity = "unknown"
)

// Order returns 0, 1 or 2.
func (a Activity) Order() int {
	switch a {
	case Active:
		return 0
	case Idle:
		return 1
	}
	return 2
}

// Quality is how certain a posting is. Order: measured, estimated, assumed.
type Quality string

// Qualities from best to worst.
const (
	Measured  Quality = "measured"
	Estimated Quality = "estimated"
	Assumed   Quality = "assumed"
)

// Order returns 0 (measured), 1 or 2 (assumed).
func (q Quality) Order() int {
	switch q {
	case Measured:
		return 0
	case Estimated:
		return 1
	}
	return 2
}

// Worse returns the less certain of two.
func (q Quality) Worse(o Quality) Quality {
	if q == "" || o.Order() > q.Order() {
		return o
	}
	return q
}

// State is how settled money is. Order from least to most settled: provisional, open, final.
type State string

// States.
const (
	Provisional State = "provisional" // no bill yet: a rate
	Open        State = "open"        // billed, period not closed
	Final       State = "final"       // posting of a closed period
)

// Awaits reports whether a row of the state belongs to the state of the money that it is added to. An open row without
// cost is time that a bill leaves out (docs/rules.md 8.13, 8.14): no money will change there.
func (s State) Awaits(cost bool) bool { return cost || s != Open }

// PostingKind is how a posting came about.
type PostingKind string

// Posting kinds.
const (
	Direct     PostingKind = "direct"
	SharedIn   PostingKind = "shared_in"
	SharedOut  PostingKind = "shared_out"
	Amortise   PostingKind = "amortise"
	Adjustment PostingKind = "adjustment"
)
