package ledger

import (
	"cmp"

	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Costs are the four measures of one charge, part or posting. They are never added to each other. A measure that the
// source does not carry is nil. Each is named after its column.
type Costs struct {
	Billed     *money.Amount `db:"billed_cost"`     // on the invoice (FOCUS BilledCost)
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

// Get returns the measure m; nil if it is not carried.
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

// CarriesMoney reports whether any measure is carried and not 0.
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

// LineKind is the effect of a charge on the ledger. The source's parser derives it from the provider's own line-item
// type; allocation knows no provider.
type LineKind string

// Line kinds (docs/rules.md, 8.5–8.10).
const (
	LineUsage         LineKind = "usage"          // metered use; compute when InstanceHours
	LineCoveredUsage  LineKind = "covered_usage"  // use covered by a reservation or savings plan
	LineNegation      LineKind = "negation"       // savings plan negation: follows the covered lines
	LineCommitmentFee LineKind = "commitment_fee" // recurring or upfront fee; Effective = unused part
	LineDiscount      LineKind = "discount"       // discount, credit or refund of another line
	LineInvoice       LineKind = "invoice"        // tax, support: invoice-wide
	// prepaid capacity; Effective still on the row, amortised over Period (8.15)
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
	// Aggregate is set if the charge stands for several lines (rule 8.19).
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
	LineItemType string // the provider's own term, verbatim
	Region       string
	Zone         string
	InstanceType string
	PriceClass   PriceClass
	CommitmentID string // ARN of the reservation or savings plan
	// InstanceID is the key of the machine, or of the group of machines, that the line bills or belongs to (rule
	// 2.1); empty without one.
	InstanceID string
	// InstanceAlias is another key by which the line names the machine, because some providers bill machines by id or
	// by name. It is used if InstanceID matches no machine.
	InstanceAlias string
	InstanceHours bool // bills (a part of) an instance: compute if its machine is in the fleet
	// InstanceSeconds are the instance-seconds that the line bills (8.1); nil if it bills none, or if another line of
	// the machine carries them.
	InstanceSeconds *int64
	BillsGPU        bool // the line itself states that it bills GPUs, or AI by use of a service, for any instance type
	Marketplace     bool // sold by others through the provider's bill: no support is billed on it (8.8)
	Allocated       bool // split from another charge for the owner that its tags name (8.31)
	UsageAmount     *money.Amount
	UsageUnit       string
	// CommitmentCredit is the positive amount that commitments took off this line: the weight by which a prepaid fee
	// returns to it (8.15); nil if none.
	CommitmentCredit *money.Amount
	// Split is the row's amount in the provider's own split (LineSplit only).
	Split *SplitCost

	Currency string // ISO 4217
	Costs
	Tags map[string]string // billing tags, keys as delivered
	// Details are columns of FOCUS that no other field has, by name: those that the bill has, and those that follow from
	// its line. Lines share the map, so it must not be written to.
	Details map[string]string
	// Quantities are nil for lines whose usage amount is both the priced and the consumed quantity.
	Quantities *Quantities
}

// Quantities are the quantities of a line in FOCUS; nil: the line has none.
type Quantities struct {
	Pricing, Consumed, Commitment *money.Amount
	// PricingCurrencyCost is the effective cost in the currency of the price list.
	PricingCurrencyCost *money.Amount
}

// InstanceKeys are the keys by which a line names its machine, in order of precedence.
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

// InstanceHost is the host of the qualified name in the last key by which a line names its machine; empty if that key
// is not such a name.
func (c *Charge) InstanceHost() string { return HostOf(cmp.Or(c.InstanceAlias, c.InstanceID)) }

// Aggregate describes the lines that a charge stands for.
type Aggregate struct {
	Lines  int64
	Ranges []LineRange // ascending, of SourceFile
	Digest [32]byte    // of the multiset of the lines' identities
}

// LineRange is lines [First, Last] of a file, both included.
type LineRange struct{ First, Last int64 }

// SplitCost is a provider's own share for one pod: evidence next to our allocation, never added to anything.
type SplitCost struct {
	Parent    string // instance key of the machine whose cost is split
	Cluster   string
	Namespace string
	Pod       string
	PodUID    string
	Resource  string // vcpu, memory, accelerator, or the provider's own term
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

// DeliveryKind is how newer deliveries relate to older ones.
type DeliveryKind string

// Delivery kinds.
const (
	Snapshot DeliveryKind = "snapshot" // the newest replaces the whole partition
	Append   DeliveryKind = "append"   // replaced only by itself
)

// Role is whether a delivery is posted.
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
	Unnamed   string // what Export is if the export has no name; empty: it has one
	Scope     string // payer account
	Dataset   string // "CUR 2.0"
	Partition string // billing period "2026-11"
	Kind      DeliveryKind
	Rank      int // native 3, legacy 2, FOCUS 1
	// Preference decides between exports of equal rank: the highest is the book. It is 0 unless configured.
	Preference int
	Aggregated bool // lines outside the fleet are aggregated

	DeliveredAt *period.Second // nil if unknown
	// Observed: DeliveredAt is when a store last wrote the files. It counts less than a stated time.
	Observed    bool
	ExecutionID string
	// Places are the files that it was read from, including its manifests. Named: a manifest lists all its files.
	// Above: the folders of that manifest, which lie above the folders of all runs; it chooses among the runs.
	Places  []DeliveryPlace
	Named   bool
	Above   []string
	Digest  [32]byte // of the multiset of billing columns, independent of order and packing
	Rows    int64
	Columns []string
	Files   []DeliveryFile
	Totals  []ControlTotal
	// Document is the text of the price book that the lines come from; empty for other sources.
	Document string

	// Of an append-only export: its rows by time of export, in their stored form; the deliveries of its key that
	// counted when it was planned; and those that it replaces, because it keeps the same rows differently.
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

// ControlTotal is a sum that must be equal in the raw text, the staged rows and the postings.
type ControlTotal struct {
	Account       string
	BillingPeriod period.Month
	Currency      string
	Metric        Metric
	SourceTotal   money.Amount // Σ over the raw column text, in a separate pass
	Charges       int64
}

// Rejection is an input row or value that did not become a fact.
type Rejection struct {
	File   string
	Line   int64  // 1-based; row number in Parquet; 0 = the whole file
	Column string // empty if the whole row is refused
	Reason string // stable, countable: "not a number", "unsorted" …
	Detail string // the value found, and what to do
	Whole  bool   // a file or a delivery is refused, not a row
	Also   bool   // a further fault of the row before
}

// Rate is one price-book entry, for node-hours without a bill.
type Rate struct {
	ID           ID
	InstanceType string
	Region       string // empty: any region
	PriceClass   PriceClass
	Currency     string
	Hourly       money.Amount    // per instance-hour
	Valid        period.Interval `db:"-"`
	Source       string          // source of the price, as written in the book
	Public       bool            `db:"-"` // a public price, not ours: it makes cost assumed
}
