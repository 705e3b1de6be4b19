package posting

import (
	"context"
	"iter"

	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// AllocationStore is the database access of allocation. Each method that writes is one transaction; dying between any
// two leaves a state from which the next allocation computes the same ledger.
type AllocationStore interface {
	ChunkStore
	SharingStore
	DoubleStore

	// Lock takes the tenant's allocation lock, waiting until ctx ends.
	Lock(ctx context.Context) (unlock func(), err error)

	// NewestMark returns the newest dirty mark: everything read after it is at least as new as the changes behind it
	// and earlier marks.
	NewestMark(ctx context.Context) (int64, error)

	// Policies reads the versions of the policy in force.
	Policies(ctx context.Context) (policy.Book, error)

	// World reads all facts that runs, nodes and attempts are derived from.
	World(ctx context.Context) (*World, error)
	// SaveWorld replaces nodes, workloads, runs, attempts and segments, adds missing owners (owners are never
	// removed, because parts and older generations point to them), and marks as dirty every (node, day) whose outcome
	// they can change: days that overlap a hold or attempt that was added, removed or changed, in its old and new
	// extent, and all days of a node whose own row changed.
	SaveWorld(ctx context.Context, w *Derived) error

	// SaveOwners adds missing owners: those that billing tags name, before the parts that point to them.
	SaveOwners(ctx context.Context, owners []ledger.Owner) error

	// BookDeliveries lists the current book deliveries, oldest partition first.
	BookDeliveries(ctx context.Context) ([]BookDelivery, error)
	// ScanCharges streams the charges of a delivery in charge id order.
	ScanCharges(ctx context.Context, delivery ledger.ID) iter.Seq2[*ledger.Charge, error]
	// ReplaceParts swaps the stored parts of a delivery, records the fleet
	// digest they were cut with, drops the parts of deliveries that are no
	// longer current, and marks every (node, day) whose parts changed.
	ReplaceParts(ctx context.Context, delivery ledger.ID, fleetDigest string, parts iter.Seq2[*ledger.Part, error]) error
	// Coverage returns, per account, the end of the newest delivery's last
	// compute usage.
	Coverage(ctx context.Context) (map[string]period.Second, error)
	// Billers returns the providers whose current deliveries hold compute usage,
	// per account.
	Billers(ctx context.Context) (map[string][]string, error)
	// PublicPrices are the built-in prices and the imported ones.
	PublicPrices(ctx context.Context) (*catalog.PriceList, error)
	// UsePublicPrices marks all hours without a bill if public prices with another digest priced them last.
	UsePublicPrices(ctx context.Context, digest [32]byte) error
	// Rates returns all price-book rates.
	Rates(ctx context.Context) ([]ledger.Rate, error)
	// KeepRates stores the values and sources of rates that are not in a price book.
	KeepRates(ctx context.Context, rates []ledger.Rate) error

	// Work lists what a calculation has to compute inside within, node by node with days ascending; zero bounds are
	// open. It covers marks up to the calculation's mark, and those that it set itself. Node zero stands for parts
	// without a node.
	Work(ctx context.Context, c Calculation, within period.Interval) ([]DirtyNode, error)
	// Prepare creates partitions for chunks of the work before they are saved.
	Prepare(ctx context.Context, work []DirtyNode) error

	// StartCalculation records a calculation and ends all others.
	StartCalculation(ctx context.Context, c Calculation, policyVersion string) error
	// KeepCalculation sends a heartbeat: without one for some seconds, another planner takes over. It returns
	// ErrTakenOver if one has.
	KeepCalculation(ctx context.Context, id ledger.ID) error
	// FinishCalculation records the end. It returns ErrTakenOver if the calculation had ended before.
	FinishCalculation(ctx context.Context, id ledger.ID, chunks int, message string) error
}

// World is every fact that does not belong to a single node-day.
type World struct {
	Nodes []ledger.NodeFact
	// the node's own exporter samples: [first hour's first sample second, last sample second + 1)
	NodeSamples map[ClusterNode]period.Interval
	// times in which exporter samples were seen, [first, last + 1), as rule 2.11 separates them
	Stretches map[ClusterNode][]period.Interval
	Devices   map[ClusterNode][]ledger.Device // seen by exporters
	Said      map[ClusterNode][]ledger.Device // devices according to other sources
	Pods      []ledger.WorkloadFact
	Objects   []ledger.ObjectFact
	// Placements, Segments and WorkloadEvents are in the order of their keys.
	Placements     []ledger.Placement
	Segments       []ledger.SegmentFact
	WorkloadEvents []ledger.WorkloadEvent
	Checkpoints    []ledger.Checkpoint
	Events         []ledger.InstanceEvent
	Sources        []ledger.SourceHour
	Billed         []BilledInstance
}

// ClusterNode names a node inside a cluster.
type ClusterNode struct{ Cluster, Name string }

// BilledInstance is the book's data of one instance key: the compute lines of its newest interval.
type BilledInstance struct {
	InstanceID   string    // the key (rule 2.1), of a machine or of a group
	Line         ledger.ID // of its newest interval
	InstanceType string
	Region, Zone string
	PriceClass   ledger.PriceClass
	Account      string
	Tags         map[string]string
	Period       period.Interval `db:"-"` // first to last compute usage

	// Of the newest interval: effective cost and instance time, nil if the bill does not carry them. They price hours
	// without a bill that the price book does not price (rule 8.12). UsageAmount is in hours, and used if Seconds is
	// nil.
	Currency    string
	Effective   *money.Amount
	Seconds     *int64
	UsageAmount *money.Amount
}

// Derived is the result of allocation over a World.
type Derived struct {
	Nodes     []ledger.Node
	Owners    []ledger.Owner
	Workloads []ledger.Workload
	Runs      []ledger.Run
	Attempts  []ledger.Attempt
	Limits    []ledger.LimitText
}

// BookDelivery is a current book delivery, and the digest of its last cut.
type BookDelivery struct {
	ID            ledger.ID
	BillingPeriod period.Month // the partition: a billing period, or the day of an export
	FleetDigest   string       // of the last cut; empty when never cut
	// Scope is the payer or billing account. Keys are those for which the delivery is the book in some measure:
	// deliveries that share a key, or the scope and a billing period, are one bill, and their lines depend on each
	// other (rules 8.8, 8.15, 8.16). A delivery without keys is separate.
	Scope string
	Keys  []BookKey `db:"-"`
}

// BookKey is what one export is the book of (rule 8.18).
type BookKey struct {
	Account       string
	BillingPeriod period.Month
	Currency      string
}

// DirtyNode is the pending work of one node.
type DirtyNode struct {
	NodeID ledger.ID
	Days   []period.Interval
	Mark   int64 // newest mark read
}

// ChunkMeta is recorded with a chunk.
type ChunkMeta struct {
	Calculation   ledger.ID
	PolicyVersion string
	Mark          int64  // of the calculation; later marks of others survive SaveChunks
	Worker        string // name of the saving worker in database sessions; empty: the calculation
}
