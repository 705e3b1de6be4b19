package advice

import "slices"

// Kind is one kind of recommendation: the one definition that documentation, pages and the dataset use.
type Kind struct {
	Name   string
	Doc    string // the advice, and when it is given
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
	{StopIdle, "End workloads that hold GPUs without using them, or scale them to zero: forgotten notebooks, crashed " +
		"jobs, placeholders, unused nodes. Saves the cost of the idle time.",
		"low", "low", "The owner may plan to come back to it: ask first."},
	{SmallerSlice, "Run the workload on the smallest MIG profile of its card that holds the P99 of its memory and the " +
		"P95 of its activity with headroom.",
		"medium", "medium", "The freed part saves money only if others use it; peaks above P99 of memory end in " +
			"out-of-memory."},
	{SmallerCard, "Run the workload on a cheaper card that holds the P99 of its memory with headroom, if its activity " +
		"is low on its present card.",
		"medium", "high", "Cards differ in speed: latency must be measured on the smaller card first."},
	{ShareCards, "Time-slice one card between interactive workloads whose memory fits it together.",
		"low", "medium", "Time-slicing isolates neither memory nor faults: for development only."},
	{MoveToSpot, "Run jobs that write checkpoints on spot capacity. Net of the interruption losses of the team's own " +
		"work on spot, else of the fleet's; unknown if there was no work on spot.",
		"medium", "medium", "Interruption rates change; deadlines need slack."},
	{FewerReplicas, "Run fewer replicas: the busiest hour fits fewer at 60 % of their activity.",
		"low", "medium", "Bursts shorter than an hour need headroom or autoscaling."},
	{Repartition, "Repartition MIG cards: the slices that were held at once fit fewer cards.",
		"high", "medium", "Repartitioning needs free cards; demand of another mix may not fit."},
	{AddCheckpoints, "Write checkpoints: a failure of this run would lose all of it. A risk: its saving is 0, whatever " +
		"a failure would cost.",
		"medium", "low", "Checkpoints take time and storage."},
	{TaintNodes, "Taint GPU nodes, so that pods without GPU requests stay off them.",
		"low", "low", "Pods that must run there need a toleration."},
	{Commit, "Commit to the machines of a type and region that one class of work held on demand in at least (1 − " +
		"discount) of the hours: a flexible plan for the baseline of training, a reservation or committed use for steady " +
		"serving. The rest stays on demand.",
		"high", "high", "A commitment is paid whether used or not: see the stranded cost if demand fell by a fifth."},
	{AllowRetries, "Allow retries for a job that is on spot, or advised to move there, and let it write checkpoints. A " +
		"risk: its saving is 0, whatever an interruption would cost.",
		"low", "low", "A retried job must be able to start twice."},
	{SeparateWork, "Keep jobs and services on separate cards or on MIG slices, so that training does not slow down " +
		"serving. A risk: its saving is 0.",
		"medium", "low", "Separate work needs more cards, unless slices are enough."},
	{SelectModel, "Ask for the GPU model that the work needs: pods took any, and got a dearer one than the cheapest. " +
		"Its saving is 0: the advice on size shows whether the cheapest is enough.",
		"low", "medium", "A selected model may have a longer queue."},
}

// LookupKind finds a kind by its name.
func LookupKind(name string) (Kind, bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}
