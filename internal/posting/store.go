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

// AllocationStore is what allocation reads from and writes to the database.
// Each method that writes is one transaction; dying between any two leaves a
// state from which the next allocation comes to the same ledger.
type AllocationStore interface {
	ChunkStore
	SharingStore
	DoubleStore

	// Lock takes the tenant's allocation lock, waiting until ctx ends.
	Lock(ctx context.Context) (unlock func(), err error)

	// NewestMark returns the newest dirty mark: whatever is read after it is at
	// least as new as what it and earlier ones stand for.
	NewestMark(ctx context.Context) (int64, error)

	// Policies reads the versions of the policy that hold.
	Policies(ctx context.Context) (policy.Book, error)

	// World reads all facts that runs, nodes and attempts are derived from.
	World(ctx context.Context) (*World, error)
	// SaveWorld replaces nodes, workloads, runs, attempts and segments, adds
	// owners that are not there yet (owners are never removed: parts and older
	// generations point to them), and marks as dirty every (node, day) whose outcome they can change:
	// those overlapping a hold or attempt that was added, removed or changed,
	// old and new extent, and all days of a node whose own row changed.
	SaveWorld(ctx context.Context, w *Derived) error

	// SaveOwners adds owners that are not there yet: those that billing tags
	// name, before the parts that point to them.
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
	// PublicPrices are those of the program and those that were imported.
	PublicPrices(ctx context.Context) (*catalog.PriceList, error)
	// UsePublicPrices marks all hours without a bill when public prices of another
	// digest priced them last.
	UsePublicPrices(ctx context.Context, digest [32]byte) error
	// Rates returns all price-book rates.
	Rates(ctx context.Context) ([]ledger.Rate, error)
	// KeepRates keeps what a rate was and where it is from, of those that no price
	// book has.
	KeepRates(ctx context.Context, rates []ledger.Rate) error

	// Work lists what a calculation is to compute inside within, node by node
	// with days ascending; zero bounds are open: what was marked up to its mark,
	// and what it marked itself. Node zero stands for parts without a node.
	Work(ctx context.Context, c Calculation, within period.Interval) ([]DirtyNode, error)
	// Prepare makes room for chunks of the work before they are saved.
	Prepare(ctx context.Context, work []DirtyNode) error

	// StartCalculation records a calculation and ends all others.
	StartCalculation(ctx context.Context, c Calculation, policyVersion string) error
	// KeepCalculation gives a sign of life: without any for some seconds another
	// planner takes over. It returns ErrTakenOver when one has.
	KeepCalculation(ctx context.Context, id ledger.ID) error
	// FinishCalculation records the end. It returns ErrTakenOver when the
	// calculation had ended before.
	FinishCalculation(ctx context.Context, id ledger.ID, chunks int, message string) error
}

// World is every fact that is not bound to one node-day.
type World struct {
	Nodes []ledger.NodeFact
	// first and last own exporter sample: [first hour's first sample second, last sample second + 1)
	NodeSamples map[ClusterNode]period.Interval
	// in which exporter samples were seen, [first, last + 1), as rule 2.11 tells them apart
	Stretches map[ClusterNode][]period.Interval
	Devices   map[ClusterNode][]ledger.Device // that exporters saw
	Said      map[ClusterNode][]ledger.Device // what others say of devices
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

// BilledInstance is what the book says under one instance key: from the
// compute lines of its newest interval.
type BilledInstance struct {
	InstanceID   string    // the key (rule 2.1), of a machine or of a group
	Line         ledger.ID // of its newest interval
	InstanceType string
	Region, Zone string
	PriceClass   ledger.PriceClass
	Account      string
	Tags         map[string]string
	Period       period.Interval `db:"-"` // first to last compute usage

	// Of the newest interval: effective cost and instance time, nil when the
	// bill does not carry them. They price hours that have no bill where the
	// price book is silent (rule 8.12). UsageAmount are hours, used where
	// Seconds is nil.
	Currency    string
	Effective   *money.Amount
	Seconds     *int64
	UsageAmount *money.Amount
}

// Derived is what allocation makes of a World.
type Derived struct {
	Nodes     []ledger.Node
	Owners    []ledger.Owner
	Workloads []ledger.Workload
	Runs      []ledger.Run
	Attempts  []ledger.Attempt
}

// BookDelivery is a current book delivery and how its parts were last cut.
type BookDelivery struct {
	ID            ledger.ID
	BillingPeriod period.Month // the partition: a billing period, or the day of an export
	FleetDigest   string       // of the last cut; empty when never cut
	// Scope is the payer or billing account. Keys are those of which the
	// delivery is the book in some measure: deliveries that share a key, or the
	// scope and a billing period, are one bill, and their lines depend on each
	// other (rules 8.8, 8.15, 8.16). Without keys a delivery stands alone.
	Scope string
	Keys  []BookKey `db:"-"`
}

// BookKey is what one export is the book of (rule 8.18).
type BookKey struct {
	Account       string
	BillingPeriod period.Month
	Currency      string
}

// DirtyNode is the work of one node.
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
	Worker        string // who saves, as sessions of the database are named; empty: the calculation
}
