package truth

import (
	"maps"
	"math/big"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
)

// Ledger is the figures of docs/rules.md for the fleet's files, computed from the simulator's own log. Amounts and
// quantities are exact; an engine that rounds may differ by less than one unit per rounding step.
type Ledger struct {
	Nodes    []Node
	Runs     []Run
	Attempts []Attempt
	// Usage holds every row of every node-hour, billed or not, in row-key
	// order within its hour.
	Usage    []Usage
	Postings []Posting
	// Held are the minutes with known activity, for pods that held cards or slices.
	Held map[HeldKey]HeldMinutes
}

// Node is the life of a node as seen in the files.
type Node struct {
	Instance   string
	Name       string
	AppearedAt int64 // 0: never
	GoneAt     int64
	InSource   bool
	GPUs       int
	Replicas   int
	PriceClass string // on_demand, spot, savings_plan, reserved, owned; empty: unknown
}

// Run is one logical job.
type Run struct {
	ID, Namespace, RootKind, Name string
	Kind, Status, Team            string
	World                         int
	Attempts                      int // most tries of one task
	Preemptions                   int

	Created, Started, Ended int64  // Ended: 0 while it runs
	GPUs                    int    // most slots that one attempt held at once
	Model, Budget           string // from labels
	Checkpoints             int    // different instants inside its attempts
}

// Attempt is one try.
type Attempt struct {
	RunID             string
	Number            int
	Task              string // empty for gangs
	StartedAt, EndAt  int64
	Outcome, Reason   string
	LastCheckpoint    int64 // 0 = none
	LossBasis         string
	LossFrom          int64 // 0 = nothing lost
	MayLoseFrom       int64 // 0 = its end is known
	GangComplete      int64 // 0 = never
	PodUIDs           []string
	lossTo, overheadA int64
}

// Key names a usage row: rule 8.2 with the node. Slot -1: no node; Slice -1: none; an empty PodUID: no holder.
type Key struct {
	Hour     int64
	Instance string
	Slot     int
	Slice    int32
	PodUID   string
	RunID    string
	Attempt  int
	Task     string
	Cause    string
	Activity string
}

// Usage is a quantity.
type Usage struct {
	Key
	Device           string // GPU UUID
	Seconds          int64  // slot-seconds, not scaled
	GangWait         int64  // of those, before the attempt's gang was complete
	Weight           *big.Rat
	CapacityGPUHours *big.Rat
	GPUHours         *big.Rat
	ActiveGPUHours   *big.Rat
	EnergyKWh        *big.Rat // nil: nothing known
	Team             string
	Estimated        bool
	Assumed          bool
}

// Posting is one part of one charge on one row, or on no row.
type Posting struct {
	Key
	// The charge: billing period and base name of the bill's file, row in it
	// (1-based; in CSV the header is line 1), and the line item's id and
	// interval. Empty and 0 for provisional postings.
	BillingPeriod string
	File          string
	Line          int64
	LineItemID    string
	Interval      string
	Part          string // compute, commitment_fee, commitment_unused, shared, non_gpu, provisional
	Kind          string // direct, amortise
	Currency      string // for provisional postings only if a public price was assumed
	// The rate of a provisional posting; empty for unbilled usage (rule 8.14), whose amounts are nil, and for hours in
	// a block that was paid in advance.
	InstanceType, Region, PriceClass string

	Effective, Billed, List, Contracted *big.Rat // nil: not on the bill
	// Quantities are on lines with a usage amount; nil on all others.
	CapacityGPUHours, GPUHours, ActiveGPUHours *big.Rat
	EnergyKWh                                  *big.Rat // nil also if it is unknown
	Team                                       string
	Quality                                    string // measured, estimated, assumed
}

// quality is rule 7.12.
func (u *Usage) quality() string {
	switch {
	case u.Assumed:
		return "assumed"
	case u.Estimated:
		return "estimated"
	}
	return "measured"
}

// Of computes the true ledger. It takes seconds for the small preset and holds all rows in memory: it is meant for
// tests.
func Of(f *fleetsim.Fleet) *Ledger {
	all := &Ledger{Held: map[HeldKey]HeldMinutes{}}
	for _, t := range truths(f) {
		all.Nodes = append(all.Nodes, t.out.Nodes...)
		all.Runs = append(all.Runs, t.out.Runs...)
		all.Attempts = append(all.Attempts, t.out.Attempts...)
		all.Usage = append(all.Usage, t.out.Usage...)
		all.Postings = append(all.Postings, t.out.Postings...)
		maps.Copy(all.Held, t.out.Held)
	}
	return all
}

// truths computes the true ledger of each cluster.
func truths(f *fleetsim.Fleet) []*truth {
	var parts []*truth
	var end int64
	for _, c := range f.Clusters {
		t := newTruth(c)
		t.readFacts()
		parts = append(parts, t)
		for _, nt := range t.nodes {
			end = max(end, nt.gone)
		}
	}
	knowModels(parts)
	for _, t := range parts {
		t.factsEnd = end
		t.readAttempts()
		t.readUsage()
		t.post()
	}
	records := spotRecordsOf(parts)
	for _, t := range parts {
		t.onSpot = records
	}
	return parts
}

func newTruth(c *fleetsim.Cluster) *truth {
	return &truth{World: c.World, rules: c.World.Config.Rules.Filled(), charges: c.Bill.Charges(), out: &Ledger{},
		inBlock: map[nodeHour]bool{},
		served:  map[*bills.Charge]*big.Rat{}, paid: map[[4]string]*big.Rat{}}
}

// truth is the work in progress.
type truth struct {
	*world.World
	rules    world.Rules
	charges  []*bills.Charge
	out      *Ledger
	observed map[int64]bool // minute start → kube_node_info was seen
	lastSeen int64          // newest observed minute's scrape
	factsEnd int64          // the latest end of any machine of any cluster
	nodes    map[*world.Node]*nodeTruth
	held     []*heldPod
	rows     map[nodeHour][]*usageRow
	device   map[nodeHour]*big.Rat      // device-seconds
	firstUse map[string]int64           // attempt → the first second in which it used its hold
	billedAt map[nodeHour]int64         // seconds (8.1)
	inBlock  map[nodeHour]bool          // a block that was paid in advance has its share there (8.15 b)
	served   map[*bills.Charge]*big.Rat // the part of prepaid lines that went to machines (8.15)
	// shares of fees that paid for machines (8.8), by plan, billing account, period, currency
	paid     map[[4]string]*big.Rat
	weights  map[*world.Slice]*weights // by the first slice of a layout
	known    map[string]bool           // models that workloads of any cluster have
	answered map[podAt][]answer        // the answering models of a pod in an hour (16.5)
	onSpot   spotRecords               // of teams, in all clusters
}

type nodeHour struct {
	n *world.Node
	h int64
}

// frac is a small exact fraction, always reduced.
type frac struct{ n, d int64 }

var one = frac{1, 1}

func reduce(n, d int64) frac {
	a, b := n, d
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		a = -a
	}
	if a == 0 {
		return frac{0, 1}
	}
	return frac{n / a, d / a}
}

func (f frac) mul(g frac) frac { return reduce(f.n*g.n, f.d*g.d) }
func (f frac) add(g frac) frac { return reduce(f.n*g.d+g.n*f.d, f.d*g.d) }
func (f frac) sub(g frac) frac { return reduce(f.n*g.d-g.n*f.d, f.d*g.d) }
func (f frac) div(g frac) frac { return reduce(f.n*g.d, f.d*g.n) }
func (f frac) over(g frac) bool {
	return f.n*g.d > g.n*f.d
}
func (f frac) rat() *big.Rat { return big.NewRat(f.n, f.d) }

func fracOf(r *big.Rat) frac { return frac{r.Num().Int64(), r.Denom().Int64()} }
