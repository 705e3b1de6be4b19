package ingest

import (
	"context"
	"errors"
	"iter"
	"time"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Store is what an import needs of the database. The importer calls it in
// this order: StartImport; one stage or publish method; FinishImport, also
// when the import was refused. Only Publish, PublishEvents and PublishRates
// make facts visible, each in one transaction; a process killed before leaves
// no fact behind.
type Store interface {
	// StartImport records an import in state ImportRunning.
	StartImport(ctx context.Context, rec ImportRecord) error
	// FinishImport replaces the record of rec.ID with the final one, its
	// counts per reason and its rejections.
	FinishImport(ctx context.Context, rec ImportRecord) error

	// SaveProgress records how far a running import is, for pages to show. It
	// is called every second or so, outside the import's transaction.
	SaveProgress(ctx context.Context, importID ledger.ID, p Progress) error

	// SourceState returns the stored state of a source; only its name if nothing is stored.
	SourceState(ctx context.Context, name string) (SourceState, error)
	// SaveSourceState stores the state of a source.
	SaveSourceState(ctx context.Context, st SourceState) error

	// StageCharges opens a transaction with empty staging tables for charges.
	// The caller ends it with Publish or Discard.
	StageCharges(ctx context.Context, importID ledger.ID) (ChargeStage, error)
	// StageTelemetry does the same for telemetry.
	StageTelemetry(ctx context.Context, importID ledger.ID) (TelemetryStage, error)
	// PublishEvents inserts events that are not known yet, keyed by (provider,
	// account, instance, kind, detail, time), and returns how many were new.
	PublishEvents(ctx context.Context, importID ledger.ID, events []ledger.InstanceEvent) (inserted int64, err error)
	// PublishLLMCalls merges calls through LLM gateways, keyed by (hour, id): for a field that two
	// versions give differently, the larger value counts. It returns how many calls were new. An
	// error that calls yields ends it, and nothing is published.
	PublishLLMCalls(ctx context.Context, importID ledger.ID,
		calls iter.Seq2[*ledger.LLMCall, error]) (added int64, err error)
	// PublishResults merges experiment results, keyed by id: of two that differ, the larger
	// counts. It returns how many were new or changed.
	PublishResults(ctx context.Context, importID ledger.ID, results []ledger.ExperimentResult) (changed int64, err error)
	// PublishRates merges price-book entries: the same Rate.ID again changes
	// nothing. An entry that overlaps in time with a stored entry of the same
	// (instance type, region, price class) with another price is an error that
	// names both; nothing is stored then.
	PublishRates(ctx context.Context, importID ledger.ID, rates []ledger.Rate) error

	// PublishPublicPrices stores imported prices; of two for one machine type, region, class and
	// day, the later import counts. It returns how many were new or changed.
	PublishPublicPrices(ctx context.Context, importID ledger.ID, prices []catalog.Price) (changed int64, err error)

	// PublishBudgets stores budgets that differ from their newest version as the next one, and returns how many. A
	// parent that is missing or does not fit is a *ledger.FileError; nothing is stored then.
	PublishBudgets(ctx context.Context, importID ledger.ID, by string, budgets []ledger.Budget) (changed int64, err error)

	// PublishAnnotations stores annotations and returns how many of them are new.
	PublishAnnotations(ctx context.Context, importID ledger.ID, by string, list []ledger.Annotation) (added int64, err error)

	// Appended returns the counting deliveries of an append-only export with the key of like
	// (source, export, scope, dataset, partition), oldest first.
	Appended(ctx context.Context, like ledger.Delivery) ([]AppendedDelivery, error)

	// NodeIdentities returns the stored identities of the named nodes of a cluster: telemetry
	// without a cluster label is refused if it contradicts them.
	NodeIdentities(ctx context.Context, cluster string, names []string) ([]NodeIdentity, error)
	// NodeEnergy returns the measured energy of a node by hour, over all its devices. Hours
	// without measurements are absent.
	NodeEnergy(ctx context.Context, cluster, name string,
		within period.Interval) (map[period.Second]ledger.MeasuredEnergy, error)
	// Elsewhere returns stored sightings of the same things in other clusters
	// whose time overlaps by more than an hour, a few at most.
	Elsewhere(ctx context.Context, seen []Sighting) ([]Sighting, error)
}

// ChargeStage collects the charges of one import in staging tables of one
// open transaction. It is not safe for concurrent use.
type ChargeStage interface {
	// Write stages charges of the delivery that will be deliveries[slot] of
	// Publish. Slots count from 0; calls for different slots may alternate.
	// Charge ids are unique within a slot; two slots may hold the same ids
	// (two deliveries of one partition). The stage then owns the slice.
	Write(ctx context.Context, slot int, charges []ledger.Charge) error

	// Look sets the import's knowledge of places; without it, no place is known.
	Look(look func(place string) Sight)

	// Drop discards the staged rows of a slot: Publish skips its delivery and returns the zero
	// value for it. Nothing more may be written to the slot.
	Drop(slot int)

	// Publish decides about each delivery, in slice order (older deliveries
	// of one key come first), and commits:
	//   - the staged rows of the slot must number Delivery.Rows, and per
	//     control total Σ of the metric over the staged charges of its
	//     (account, billing period, currency) must equal SourceTotal (null
	//     counts as 0) and their number Charges, else nothing is published and the error names the
	//     total with both sums;
	//   - key = (source, export, scope, dataset, partition). Same digest as
	//     the current delivery of the key: unchanged, nothing stored;
	//   - other rows: by Order it becomes current, the previous one superseded, or
	//     is stored as older, or is refused. Its places are kept;
	//   - an append delivery (partition = day of export) has rows that the others
	//     of its key lack, and counts in addition to them; ErrAnotherAppended if these
	//     are no longer the ones for which it was planned. Its charges may belong to
	//     any billing period;
	//   - another export that is already the book of one of its (account,
	//     billing period, metric): the higher Rank is the book, the lower
	//     evidence; of equal rank the higher Preference; equal in both is an
	//     error until configuration chooses;
	//   - a delivery that would change charges of a billing period that is
	//     closed for its billing account is an error that names both.
	// A delivery that replaces another is compared with it line by line. A fault of a single
	// delivery is a *DeliveryError; several are joined. After only such errors the stage is as
	// before, for Drop and another Publish; after any other error it must be discarded.
	Publish(ctx context.Context, deliveries []ledger.Delivery) ([]PublishedDelivery, error)

	// Discard rolls back; after Publish it does nothing.
	Discard(ctx context.Context) error
}

// TelemetryStage collects the telemetry of one import in one open
// transaction. It is not safe for concurrent use.
type TelemetryStage interface {
	// Write stages facts. The same key may come any number of times, in one
	// call or in several: they are merged by the rules of package ledger. t
	// passes to the stage.
	Write(ctx context.Context, t *ledger.Telemetry) error
	// Settle deletes, when Publish commits, the requests of a receiver's inbox up to a number,
	// since their facts are staged here.
	Settle(ctx context.Context, receiver ledger.ID, upTo int64) error
	// Publish merges the staged facts into the stored ones and commits.
	Publish(ctx context.Context) error
	// Discard rolls back; after Publish it does nothing.
	Discard(ctx context.Context) error
}

// AppendedDelivery is a counting delivery of an append-only export, with its rows as in
// ledger.Delivery.
type AppendedDelivery struct {
	ID         ledger.ID
	Aggregated bool
	Rows       []byte

	DeliveredAt *period.Second
	Places      []ledger.DeliveryPlace `db:"-"` // of its last read
}

// ErrAnotherAppended means that another import has published rows of the same append-only
// export since this one was planned.
var ErrAnotherAppended = errors.New("another import of the same export came first; import again")

// DeliveryError refuses one delivery of a ChargeStage; nothing was published.
type DeliveryError struct {
	Slot   int
	Reason string // stable, countable: NoOrder, "equal rank", "closed period"
	Err    error
}

// NoOrder is the reason of a delivery that may be older or newer than the stored one.
const NoOrder = "no order"

// Error is the cause of the refusal.
func (e *DeliveryError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *DeliveryError) Unwrap() error { return e.Err }

// DeliveryErrors finds the refusals of single deliveries in err. others is true if err contains
// any other error.
func DeliveryErrors(err error) (list []*DeliveryError, others bool) {
	switch e := err.(type) { //nolint:errorlint // walks the tree itself
	case nil:
	case *DeliveryError:
		list = []*DeliveryError{e}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			more, also := DeliveryErrors(one)
			list, others = append(list, more...), others || also
		}
	case interface{ Unwrap() error }:
		if e.Unwrap() == nil {
			return nil, true
		}
		return DeliveryErrors(e.Unwrap())
	default:
		others = true
	}
	return list, others
}

// PublishedDelivery is the result of publishing one delivery.
type PublishedDelivery struct {
	DeliveryID ledger.ID     `json:"delivery_id"`
	Partition  string        `json:"partition"`
	State      DeliveryState `json:"state"`
	Rows       int64         `json:"rows"`
	// Restatement is the difference from the delivery that it replaced; nil if it replaced none.
	Restatement *Restatement `json:"restatement,omitempty"`
}

// Restatement is the difference between two deliveries of one key. Lines are
// paired by content; of the others, those with the same line-item type,
// account, resource, usage type and charge period are one changed line, and
// the rest was added or removed. An aggregate is one line.
type Restatement struct {
	Replaced ledger.ID          `json:"replaced"`
	Added    int64              `json:"added"`
	Removed  int64              `json:"removed"`
	Changed  int64              `json:"changed"`
	Deltas   []RestatementDelta `json:"deltas"` // where a measure moved
}

// RestatementDelta is a restatement's effect on one service of one account.
type RestatementDelta struct {
	Account       string       `json:"account"`
	ServiceName   string       `json:"service_name"`
	BillingPeriod period.Month `json:"billing_period"`
	Currency      string       `json:"currency"`
	Added         int64        `json:"added"`
	Removed       int64        `json:"removed"`
	Changed       int64        `json:"changed"`
	// New minus old; a measure that one side does not carry counts as 0 there.
	Effective  money.Amount `json:"effective_cost" db:"effective_cost"`
	Billed     money.Amount `json:"billed_cost" db:"billed_cost"`
	List       money.Amount `json:"list_cost" db:"list_cost"`
	Contracted money.Amount `json:"contracted_cost" db:"contracted_cost"`
}

// DeliveryState is the result of publishing a delivery.
type DeliveryState string

// Delivery states.
const (
	DeliveryPublished DeliveryState = "published" // now the current one of its key
	DeliveryUnchanged DeliveryState = "unchanged" // same rows as the current one
	DeliveryOlder     DeliveryState = "older"     // kept, but a newer one is current
)

// ImportState is the state of an import record.
type ImportState string

// Import states. Of several deliveries: published if one was published, else
// older if one was older, else unchanged.
const (
	ImportRunning   ImportState = "running"
	ImportPublished ImportState = "published"
	ImportUnchanged ImportState = "unchanged"
	ImportOlder     ImportState = "older"
	ImportRefused   ImportState = "refused"
)

// ImportRecord is the journal entry of one import.
type ImportRecord struct {
	ID         ledger.ID
	Source     string
	URI        string // as given, several joined by a blank
	Cluster    string // empty for sources without a cluster
	State      ImportState
	StartedAt  time.Time
	FinishedAt time.Time // zero while running

	Files    int
	Bytes    int64 // as stored, compressed
	RowsRead int64
	Accepted int64
	Rejected int64
	Ignored  int64 // unused rows; RowsRead = Accepted + Rejected + Ignored
	Refused  int64 // files and deliveries, not rows

	FilesDone int   // files that were read to their end
	BytesDone int64 // and their bytes

	RejectedByReason map[string]int64
	IgnoredByReason  map[string]int64
	RefusedByReason  map[string]int64
	Rejections       []ledger.Rejection // the first ledger.MaxTallied; all are counted by reason
	Message          string             // why it was refused, else empty
}

// NodeIdentity distinguishes two machines of one name.
type NodeIdentity struct {
	Name       string
	ProviderID string          // empty when unknown
	Life       period.Interval // [first sample, last sample + 1), empty when unknown
	Devices    []NodeDevice
}

// NodeDevice is a device that a node's exporter reported under an index.
type NodeDevice struct {
	Index int32
	UUID  string
	Hours period.Interval `db:"-"` // from its first hour with samples to the end of its last
}
