package metrics

import (
	"slices"
	"time"

	"gpuledger/internal/ledger"
)

// Explanation shows how a figure follows from bill lines and usage. It has everything that an outside program needs to
// compute the figure again to the last digit (docs/rules.md 8.3; docs/recompute.py does so in some 30 lines).
type Explanation struct {
	Subject  string   `json:"subject"`           // as asked, see ParseSubject
	Figures  []Figure `json:"figures"`           // one per currency
	Formula  string   `json:"formula"`           // in words
	Policies []string `json:"policy_versions"`   // all policy versions of the computation
	Columns  []string `json:"row_key,omitempty"` // the order of rows
	// NodeHours are all node-hours in which the subject has a share, by node and hour.
	NodeHours []NodeHour `json:"node_hours"`
	// Whole are parts that go to the subject undivided: no usage on a node receives them.
	Whole []ExplainedPart `json:"whole_parts"`
	// Unbilled counts usage rows of the subject without any bill or rate; they add nothing.
	Unbilled int `json:"unbilled_usage_rows"`
	// Posting describes the posting; nil for other subjects.
	Posting *ExplainedPosting `json:"posting,omitempty"`
	// Shares are the steps from the part to the posting, one per metric.
	Shares []Derivation `json:"derivation,omitempty"`
	// Behind are the postings that a figure of a report adds up.
	Behind *Behind `json:"behind,omitempty"`
	// Level splits the figure of a report by one step; only pages ask for it, instead of Behind.
	Level *Level `json:"level,omitempty"`
	// Spot are the postings of spot machines behind savings.
	Spot *ExplainedSpot `json:"spot,omitempty"`
	// Pool is the pool behind a pair of sharing.
	Pool *ExplainedPool `json:"pool,omitempty"`
	// Origins are figures that follow from others, one per row that the subject selects.
	Origins []Origin `json:"origins,omitempty"`
	// Estimates are how good estimates of cost without a bill were, if a figure is provisional.
	Estimates Estimates `json:"-"`
	// Standing states this in words.
	Standing string `json:"standing,omitempty"`
	// Settings are the policy settings that mattered, by version.
	Settings []PolicySettings `json:"settings,omitempty"`
	// Own is the part that scoped users see instead of node-hours, parts and pools; those are then empty.
	Own *OwnExplanation `json:"own,omitempty"`
	// ProviderSplit is the part that the provider's own split of its machines gives the run's pods: evidence only, never
	// added to the figures.
	ProviderSplit []ProviderSplit `json:"provider_split,omitempty"`
}

// ProviderSplit adds up the split rows of one resource and currency.
type ProviderSplit struct {
	Resource string  `json:"resource"` // vcpu, memory, accelerator, or the provider's own word
	Currency string  `json:"currency"`
	Used     *string `json:"used"`
	Unused   *string `json:"unused"` // share of idle capacity
	Rows     int64   `json:"rows"`
}

// Figure is the result to be explained, each cost separately. NULL is unknown.
type Figure struct {
	Currency   string  `json:"currency"`
	Effective  *string `json:"effective_cost"`
	Billed     *string `json:"billed_cost"`
	List       *string `json:"list_cost"`
	Contracted *string `json:"contracted_cost"`
	State      string  `json:"state"`
	Quality    string  `json:"quality"`
	// Others are further figures of a run, each with its definition.
	Others []NamedFigure `json:"others,omitempty"`
}

// NamedFigure is a known figure from the ledger's rows, or from the subject's stored data.
type NamedFigure struct {
	Name    string `json:"name"` // column of the dataset
	Value   string `json:"value"`
	Unit    string `json:"unit,omitempty"`
	Formula string `json:"formula"` // in words
}

// NamedFigures are the figures of a row, in the order of its columns, without keys and the four costs.
func NamedFigures(columns []Column, values []Value) []NamedFigure {
	var out []NamedFigure
	for i, c := range columns {
		if !values[i].Valid || c.Kind == Text || c.Kind == ID || c.Kind == Bool ||
			slices.Contains(ledger.Metrics, ledger.Metric(c.Name)) {
			continue
		}
		f := NamedFigure{Name: c.Name, Value: values[i].String(c.Kind), Unit: c.Unit, Formula: c.Doc}
		if c.Formula.Aggregates() {
			f.Formula += " " + c.Formula.String() + "."
		}
		out = append(out, f)
	}
	return out
}

// Get returns one of the four costs.
func (f *Figure) Get(m ledger.Metric) *string {
	switch m {
	case ledger.BilledCost:
		return f.Billed
	case ledger.EffectiveCost:
		return f.Effective
	case ledger.ListCost:
		return f.List
	case ledger.ContractedCost:
		return f.Contracted
	}
	return nil
}

// NodeHour is the use and cost of one machine in one hour.
type NodeHour struct {
	Node        string    `json:"node"`
	Cluster     string    `json:"cluster"`
	Hour        time.Time `json:"hour"`
	Denominator string    `json:"weight_denominator"` // slot-seconds of a row = weight ÷ this
	// Rows are all usage rows of the node-hour, the subject's and all others, in row-key order.
	Rows  []WeightedRow   `json:"rows"`
	Parts []ExplainedPart `json:"parts"`
	// Samples is the number of telemetry rows behind the hour on this node.
	Samples int64 `json:"telemetry_rows"`
	// PlacementMinutes counts minutes in which telemetry named a holder of a slice of the node.
	PlacementMinutes int64 `json:"placement_minutes"`
	// Evidence is the telemetry; nil if the query covers too many node-hours at once.
	Evidence *NodeEvidence `json:"evidence,omitempty"`
}

// WeightedRow is one usage row and its integer weight.
type WeightedRow struct {
	ExplainedUsage
	Weight string `json:"weight"` // integer over the node-hour's denominator
	Mine   bool   `json:"mine"`   // the subject's
	// PerSecond is slice weight × hold share, averaged over the row's seconds.
	PerSecond string `json:"weight_per_second"`
}

// ExplainedUsage describes a usage row.
type ExplainedUsage struct {
	UsageID  string  `json:"usage_id"`
	Slot     int     `json:"slot"`
	Slice    *int    `json:"slice"`
	Device   *string `json:"device"`
	Profile  *string `json:"mig_profile"`
	Holder   string  `json:"holder"` // namespace/pod; empty: not held
	RunID    *string `json:"run_id"`
	Attempt  *int    `json:"attempt"`
	Team     *string `json:"team"`
	Cause    string  `json:"cause"`
	Activity string  `json:"activity"`
	Seconds  int64   `json:"seconds"`
	Active   int64   `json:"active_seconds"`
	Quality  string  `json:"quality"`
	Method   string  `json:"method"`
	Final    bool    `json:"final"` // frozen with a closed period
}

// ExplainedPart is one part of one charge: its origin, its amount and the subject's share.
type ExplainedPart struct {
	PartID   string    `json:"part_id"`
	Number   int       `json:"part"`
	Kind     string    `json:"kind"`
	Hour     time.Time `json:"hour" db:"-"`
	ChargeID *string   `json:"charge_id"`
	File     *string   `json:"source_file"`
	Line     *int64    `json:"line"`
	RateID   *string   `json:"rate_id"`
	Rate     *string   `json:"hourly_rate"`
	Source   *string   `json:"rate_source"`
	Method   string    `json:"method"`
	Quality  string    `json:"quality"`
	Amount   Figure    `json:"amount" db:"-"`
	Share    Figure    `json:"share" db:"-"` // of the subject, as posted
	// PostingKind is direct, or amortise or adjustment if the part moves or corrects cost.
	PostingKind string `json:"posting_kind"`
	// Cut describes how the charge was split down to this node and hour.
	Cut      string  `json:"cut" db:"-"`
	Reverses *string `json:"reverses,omitempty"` // the part of a closed period that it takes back
	Replaces *string `json:"replaces,omitempty"` // the part of a closed period that it replaces
	// Charge is the bill line; nil for a part that a rate charges.
	Charge *ChargeLine `json:"charge,omitempty" db:"-"`
}

// ChargeLine is a bill line as it was delivered.
type ChargeLine struct {
	Delivery string    `json:"delivery_id"`
	Export   string    `json:"export"`
	State    string    `json:"delivery_state"` // current, or superseded by a newer one
	Kind     string    `json:"kind"`
	Usage    *string   `json:"usage_type"`
	Resource *string   `json:"resource_id"`
	From     time.Time `json:"charge_period_start"`
	To       time.Time `json:"charge_period_end"`
	Period   string    `json:"billing_period"`
	Amount   Figure    `json:"amount"` // of the whole line
}
