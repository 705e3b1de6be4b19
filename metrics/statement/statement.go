package statement

import (
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Statement is what an owner is charged for a billing month.
type Statement struct {
	Owner         string       `json:"owner"` // KEY=VALUE
	BillingPeriod period.Month `json:"billing_period"`
	Sharing       string       `json:"sharing"`
	State         State        `json:"state"`
	Accounts      []Account    `json:"accounts"`
	Statements    []Charge     `json:"statements"` // one per currency
	Budgets       []Budget     `json:"budgets"`
	Notes         []string     `json:"notes"`
	// Covers are the conditions of the reader's scope, in words, if it may hide a part of the statement.
	Covers []string `json:"covers,omitempty"`

	Key   string `json:"-"`
	Value string `json:"-"`
}

// State says whether the statement can still change.
type State string

// States.
const (
	Closed State = "closed" // every account that billed the owner is closed
	Partly State = "partly closed"
	Open   State = "open"
)

// Account is a billing account that billed the owner in the month.
type Account struct {
	Provider       string     `json:"provider"`
	BillingAccount string     `json:"billing_account"`
	State          State      `json:"state"`
	Version        int64      `json:"version"` // of the account's statement that counts; 0: none
	ClosedAt       *time.Time `json:"closed_at"`
}

// Section says how a line came to the owner.
type Section string

// Sections, in order. Opening has no lines: it is always 0.
const (
	Direct      Section = "direct"
	SharedIn    Section = "shared_in"
	SharedOut   Section = "shared_out"
	Adjustments Section = "adjustments"
)

// Sections lists the sections that have lines.
var Sections = []Section{Direct, SharedIn, SharedOut, Adjustments}

// sectionOf is the section of a kind of postings.
func sectionOf(kind string) Section {
	switch ledger.PostingKind(kind) {
	case ledger.SharedIn:
		return SharedIn
	case ledger.SharedOut:
		return SharedOut
	case ledger.Adjustment:
		return Adjustments
	}
	return Direct // direct and amortise
}

// Charge is the statement in one currency. Total is the sum of the five amounts before it.
type Charge struct {
	Currency    string       `json:"currency"`
	Opening     money.Amount `json:"opening"`
	Direct      money.Amount `json:"direct"`
	SharedIn    money.Amount `json:"shared_in"`
	SharedOut   money.Amount `json:"shared_out"`
	Adjustments money.Amount `json:"adjustments"`
	Total       money.Amount `json:"total"`
	Lines       []Line       `json:"lines"`
	Certainty   Certainty    `json:"certainty"`
	Bridge      *Bridge      `json:"bridge"` // nil: there is no month before to compare with
}

// Line is the cost of one project and cause. Month is the month of the service.
type Line struct {
	Section       Section       `json:"section"`
	Project       *string       `json:"project"`
	Cause         ledger.Cause  `json:"cause"`
	Month         period.Month  `json:"service_month"`
	GPUHours      *money.Amount `json:"gpu_hours"`      // held; nil: the cost has none
	EffectiveCost *money.Amount `json:"effective_cost"` // nil: not known
}

// Certainty splits the direct cost by how its owner was found.
type Certainty struct {
	Measured  money.Amount `json:"measured"`
	Estimated money.Amount `json:"estimated"`
	Assumed   money.Amount `json:"assumed"`
	Unowned   money.Amount `json:"unowned"` // of no team, however it was found
}

// Bridge leads from the total of the month before to the total, in parts that add up to the difference.
type Bridge struct {
	Before       money.Amount `json:"before"`
	Volume       money.Amount `json:"volume"`
	Efficiency   money.Amount `json:"efficiency"`
	Mix          money.Amount `json:"mix"`
	Price        money.Amount `json:"price"`
	WithoutHours money.Amount `json:"without_hours"`
}

// Budget is a monthly budget of the owner in money. Spent is the cost before sharing of this statement in its currency.
type Budget struct {
	Name     string       `json:"name"`
	Currency string       `json:"currency"`
	Amount   money.Amount `json:"amount"`
	Spent    money.Amount `json:"spent"`
	Ratio    money.Amount `json:"ratio"`
}

// Own is the cost before sharing.
func (c *Charge) Own() money.Amount { return c.Direct.Add(c.Adjustments) }

// of is the amount of a section.
func (c *Charge) of(s Section) *money.Amount {
	switch s {
	case SharedIn:
		return &c.SharedIn
	case SharedOut:
		return &c.SharedOut
	case Adjustments:
		return &c.Adjustments
	}
	return &c.Direct
}

// Of is the amount of a section.
func (c *Charge) Of(s Section) money.Amount { return *c.of(s) }
