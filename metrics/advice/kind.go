package advice

import "slices"

// Kind is one kind of recommendation: the one definition that documentation,
// pages and the dataset take their words from.
type Kind struct {
	Name   string
	Doc    string // what is advised, and when
	Effort string // low: a setting; medium: a change to a workload; high: a change to the fleet
	Risk   string // low, medium, high
	Danger string // what can go wrong
}

// The kinds.
const (
	StopIdle       = "stop_idle"
	SmallerSlice   = "smaller_slice"
	SmallerCard    = "smaller_card"
	ShareCards     = "share_cards"
	MoveToSpot     = "move_to_spot"
	FewerReplicas  = "fewer_replicas"
	Repartition    = "repartition"
	AddCheckpoints = "add_checkpoints"
	TaintNodes     = "taint_nodes"
	Commit         = "commit"
	AllowRetries   = "allow_retries"
	SeparateWork   = "separate_work"
	SelectModel    = "select_model"
)

// Kinds lists all kinds in the order in which they are explained.
var Kinds = []Kind{
	{StopIdle, "End or scale to zero what holds GPUs without using them: notebooks that were forgotten, jobs that " +
		"crashed, placeholders, nodes that nobody uses. Saves what the idle time cost.",
		"low", "low", "Somebody may have meant to come back to it: ask the owner first."},
	{SmallerSlice, "Run the workload on the smallest MIG profile of its card that holds the P99 of its memory and the " +
		"P95 of its activity with headroom.",
		"medium", "medium", "What is freed saves money only when others use it; peaks above P99 of memory end in " +
			"out-of-memory."},
	{SmallerCard, "Run the workload on a cheaper card that holds the P99 of its memory with headroom, where its " +
		"activity is low on the card it has.",
		"medium", "high", "Cards differ in speed: latency must be measured on the smaller card first."},
	{ShareCards, "Time-slice one card between interactive workloads whose memory fits it together.",
		"low", "medium", "Time-slicing isolates neither memory nor faults: for development only."},
	{MoveToSpot, "Run jobs that write checkpoints on spot capacity. Net of what interruptions took from the team's " +
		"own work on spot, else from the fleet's; unknown where nobody has run on spot.",
		"medium", "medium", "Interruption rates change; deadlines need slack."},
	{FewerReplicas, "Run fewer replicas: the busiest hour fits fewer at 60 % of their activity.",
		"low", "medium", "Bursts shorter than an hour need headroom or autoscaling."},
	{Repartition, "Cut MIG cards differently: the slices that were held at once fit fewer cards.",
		"high", "medium", "Re-partitioning needs cards that nobody holds; demand of another mix may not fit."},
	{AddCheckpoints, "Write checkpoints: a failure of this run would lose all of it. A risk: its saving is 0, " +
		"whatever it would cost.",
		"medium", "low", "Checkpoints take time and storage."},
	{TaintNodes, "Taint GPU nodes, so that pods without GPU requests stay off them.",
		"low", "low", "Pods that must run there need a toleration."},
	{Commit, "Commit to the machines of a type and region that one class of work held on demand in at least (1 − " +
		"discount) of the hours: a flexible plan for the baseline of training, a reservation or committed use for steady " +
		"serving. The rest stays on demand.",
		"high", "high", "A commitment is paid whether used or not: see what would be stranded if demand fell by a fifth."},
	{AllowRetries, "Let a job that is on spot, or advised to move there, be tried again, and let it save what it did. " +
		"A risk: its saving is 0, whatever an interruption would cost.",
		"low", "low", "A job that is tried again must bear to begin twice."},
	{SeparateWork, "Keep jobs and services on cards of their own, or on MIG slices, so that what trains does not slow " +
		"down who serves. A risk: its saving is 0.",
		"medium", "low", "Cards of their own need more cards, unless slices do."},
	{SelectModel, "Ask for the GPU model that the work needs: pods took any, and got a dearer one than the cheapest. " +
		"Its saving is 0: whether the cheapest would do is for the advice on size to say.",
		"low", "medium", "A model that is asked for may have a longer queue."},
}

// LookupKind finds a kind by its name.
func LookupKind(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}
