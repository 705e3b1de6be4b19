package ledger

import (
	"cmp"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Costs are the four measures of one charge, part or posting. They are never
// added to each other. A nil measure is one that the source does not carry. Each
// is called after its column.
type Costs struct {
	Billed     *money.Amount `db:"billed_cost"`     // what the invoice says (FOCUS BilledCost)
	Effective  *money.Amount `db:"effective_cost"`  // amortised (FOCUS EffectiveCost)
	List       *money.Amount `db:"list_cost"`       // public on-demand price (FOCUS ListCost)
	Contracted *money.Amount `db:"contracted_cost"` // negotiated price before commitments (FOCUS ContractedCost)
}

// Metric names one of the four measures.
type Metric string

// The four measures, in column order.
const (
	EffectiveCost  Metric = "effective_cost"
	BilledCost     Metric = "billed_cost"
	ListCost       Metric = "list_cost"
	ContractedCost Metric = "contracted_cost"
)

// Metrics lists the measures in column order.
var Metrics = []Metric{EffectiveCost, BilledCost, ListCost, ContractedCost}

// Get returns the measure m, nil when it is not carried.
func (c *Costs) Get(m Metric) *money.Amount {
	switch m {
	case BilledCost:
		return c.Billed
	case EffectiveCost:
		return c.Effective
	case ListCost:
		return c.List
	case ContractedCost:
		return c.Contracted
	}
	return nil
}

// Set stores the measure m.
func (c *Costs) Set(m Metric, a *money.Amount) {
	switch m {
	case BilledCost:
		c.Billed = a
	case EffectiveCost:
		c.Effective = a
	case ListCost:
		c.List = a
	case ContractedCost:
		c.Contracted = a
	}
}

// CarriesMoney reports whether any measure is there and not 0.
func (c *Costs) CarriesMoney() bool {
	for _, m := range Metrics {
		if a := c.Get(m); a != nil && !a.IsZero() {
			return true
		}
	}
	return false
}

// ChargeCategory is FOCUS ChargeCategory.
type ChargeCategory string

// FOCUS charge categories.
const (
	CategoryUsage      ChargeCategory = "Usage"
	CategoryPurchase   ChargeCategory = "Purchase"
	CategoryTax        ChargeCategory = "Tax"
	CategoryCredit     ChargeCategory = "Credit"
	CategoryAdjustment ChargeCategory = "Adjustment"
)

// LineKind is what a charge does to the ledger, decided by the source's parser
// from the provider's own line-item type; allocation knows no provider.
type LineKind string

// Line kinds (docs/rules.md, 8.5–8.10).
const (
	LineUsage         LineKind = "usage"          // metered use; compute when InstanceHours
	LineCoveredUsage  LineKind = "covered_usage"  // use covered by a reservation or savings plan
	LineNegation      LineKind = "negation"       // savings plan negation: follows the covered lines
	LineCommitmentFee LineKind = "commitment_fee" // recurring or upfront fee; Effective = unused part
	LineDiscount      LineKind = "discount"       // discount, credit or refund of another line
	LineInvoice       LineKind = "invoice"        // tax, support: invoice-wide
	// capacity paid at once; Effective still on the row, amortised over Period (8.15)
	LinePrepaid LineKind = "prepaid"
	// a provider's own split of another line (EKS, FOCUS 1.3): evidence, all measures 0, no parts
	LineSplit LineKind = "split"
	LineOther LineKind = "other"
)

// Charge is one billed line in FOCUS terms, or an aggregate of lines outside
// the fleet. It never changes after loading.
type Charge struct {
	ID         ID // content hash within its delivery's partition plus occurrence
	Line       int64
	SourceFile string // base name plus path inside the delivery
	// Aggregate is set when the charge stands for several lines (rule 8.19).
	Aggregate *Aggregate

	Provider       string // "aws"
	BillingAccount string // payer
	Account        string // sub-account (FOCUS SubAccountId)
	BillingPeriod  period.Month
	Period         period.Interval // when used

	Kind         LineKind
	Category     ChargeCategory
	Class        string // "Correction" or empty
	ServiceName  string
	ServiceCode  string // provider's code: AmazonEC2, AmazonEKS …
	ResourceID   string
	Description  string
	UsageType    string
	Operation    string
	LineItemType string // the provider's own word, verbatim
	Region       string
	Zone         string
	InstanceType string
	PriceClass   PriceClass
	CommitmentID string // ARN of the reservation or savings plan
	// InstanceID is the key of the machine, or of the group of machines, that
	// the line bills or hangs on (rule 2.1); empty when none.
	InstanceID string
	// InstanceAlias is another key by which the line names it: providers that give
	// machines an id and a name bill by either. It answers where InstanceID does not.
	InstanceAlias string
	InstanceHours bool // a line that bills (a part of) an instance: compute when its machine is of the fleet
	// InstanceSeconds are the instance-seconds that the line bills (8.1), nil
	// when it bills none or another line of the machine says it.
	InstanceSeconds *int64
	BillsGPU        bool // the line itself says that it bills GPUs, or AI by use of a service, whatever the instance type
	Marketplace     bool // what others sell by way of the provider's bill: no support is billed on it (8.8)
	UsageAmount     *money.Amount
	UsageUnit       string
	// CommitmentCredit is what commitments took off this line, positive: the
	// weight by which a prepaid fee comes back to it (8.15); nil when none.
	CommitmentCredit *money.Amount
	// Split is what the provider's own split gives the row (LineSplit only).
	Split *SplitCost

	Currency string // ISO 4217
	Costs
	Tags map[string]string // billing tags, keys as delivered
}

// InstanceKeys are the keys by which a line names its machine, the one that
// goes first, first.
func (c *Charge) InstanceKeys() []string {
	if c.InstanceID == "" {
		return nil
	}
	keys := []string{c.InstanceID}
	if c.InstanceAlias != "" && c.InstanceAlias != c.InstanceID {
		keys = append(keys, c.InstanceAlias)
	}
	if host := c.InstanceHost(); host != "" {
		keys = append(keys, host)
	}
	return keys
}

// InstanceHost is the last key by which a line names its machine: the host of a
// qualified name. It is empty where the line has no such name.
func (c *Charge) InstanceHost() string { return HostOf(cmp.Or(c.InstanceAlias, c.InstanceID)) }

// Aggregate is what a charge that stands for several lines keeps of them.
type Aggregate struct {
	Lines  int64
	Ranges []LineRange // ascending, of SourceFile
	Digest [32]byte    // of the multiset of the lines' identities
}

// LineRange is lines [First, Last] of a file, both included.
type LineRange struct{ First, Last int64 }

// SplitCost is a provider's own share for one pod: evidence beside our
// allocation, never added to anything.
type SplitCost struct {
	Parent    string // instance key of the machine whose cost is split
	Cluster   string
	Namespace string
	Pod       string
	PodUID    string
	Resource  string // vcpu, memory, accelerator, or the provider's own word
	Used      *money.Amount
	Unused    *money.Amount // share of idle capacity
}

// PriceClass is how a node was bought.
type PriceClass string

// Price classes.
const (
	OnDemand    PriceClass = "on_demand"
	Spot        PriceClass = "spot"
	SavingsPlan PriceClass = "savings_plan"
	Reserved    PriceClass = "reserved"
	Owned       PriceClass = "owned"
	UnknownRate PriceClass = ""
)

// DeliveryKind says how newer deliveries relate to older ones.
type DeliveryKind string

// Delivery kinds.
const (
	Snapshot DeliveryKind = "snapshot" // the newest replaces the whole partition
	Append   DeliveryKind = "append"   // replaced only by itself
)

// Role says whether a delivery is posted.
type Role string

// Roles.
const (
	Book     Role = "book"     // posted
	Evidence Role = "evidence" // shown in reconciliation, never posted
)

// Delivery is one drop of a billing export: identity, order and control totals.
type Delivery struct {
	ID        ID // hash of Key and Digest
	Source    string
	Export    string // exportArn, else report name, else provider + payer + column kind
	Unnamed   string // what Export is where nothing names it; empty: something always does
	Scope     string // payer account
	Dataset   string // "CUR 2.0"
	Partition string // billing period "2026-11"
	Kind      DeliveryKind
	Rank      int // native 3, legacy 2, FOCUS 1
	// Preference decides between exports of equal rank: the highest is the
	// book. 0 unless configuration chooses.
	Preference int
	Aggregated bool // lines outside the fleet are aggregated

	DeliveredAt *period.Second // nil when nothing says so
	// Observed: DeliveredAt is when a store last wrote its files. It counts less than
	// a time that somebody gave.
	Observed    bool
	ExecutionID string
	// Places are the files that it was read from, its manifests among them. Named: a
	// manifest lists all of its files. Above: folders in which that manifest lies above
	// those of all runs, which it chooses from.
	Places  []DeliveryPlace
	Named   bool
	Above   []string
	Digest  [32]byte // of the multiset of billing columns, independent of order and packing
	Rows    int64
	Columns []string
	Files   []DeliveryFile
	Totals  []ControlTotal

	// Of an append-only export: its rows by time of export, in their stored form;
	// the deliveries of its key that counted when it was planned; and those of them
	// that it replaces, because it keeps the same rows otherwise.
	Appended         []byte
	Beside, Replaces []ID
}

// DeliveryFile is one file of a delivery.
type DeliveryFile struct {
	Name   string
	SHA256 [32]byte
	Bytes  int64
	Rows   int64
}

// DeliveryPlace is a file that a delivery was read from, at its full address.
type DeliveryPlace struct {
	Path   string
	SHA256 [32]byte // of its stored bytes
}

// ControlTotal is a sum that must agree between the raw text, the staged rows
// and the postings.
type ControlTotal struct {
	Account       string
	BillingPeriod period.Month
	Currency      string
	Metric        Metric
	SourceTotal   money.Amount // Σ over the raw column text, on a pass of its own
	Charges       int64
}

// Rejection is an input row or value that did not become a fact.
type Rejection struct {
	File   string
	Line   int64  // 1-based; row number in Parquet; 0 = the whole file
	Column string // empty when the row as a whole is refused
	Reason string // stable, countable: "not a number", "unsorted" …
	Detail string // what was found and what to do
	Whole  bool   // a file or a delivery is refused, no row
}

// Rate is one price-book entry that prices node-hours which have no bill.
type Rate struct {
	ID           ID
	InstanceType string
	Region       string // empty: any region
	PriceClass   PriceClass
	Currency     string
	Hourly       money.Amount    // per instance-hour
	Valid        period.Interval `db:"-"`
	Source       string          // where the price comes from, as written in the book
	Public       bool            `db:"-"` // what anybody pays, not what we do: it makes assumed cost
}
