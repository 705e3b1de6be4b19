package share

import (
	"bytes"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Causes lists the causes whose unheld cost may be passed on (rule 12.2), in their fixed order.
var Causes = []ledger.Cause{ledger.Free, ledger.Stranded, ledger.Unavailable, ledger.Unobserved,
	ledger.CommitmentUnused,
	ledger.CommitmentFee, ledger.Host, ledger.Shared, ledger.NonGPU}

// Key names a pool: a pool never mixes amounts of two currencies, bills, states, days, clusters or causes.
type Key struct {
	Day            period.Second // start of the UTC day
	Cluster        string        // empty: no cluster
	Cause          ledger.Cause
	Owner          ledger.ID // zero if there are several (a discount that is spread)
	BillingAccount string
	BillingPeriod  period.Month // empty while provisional
	Currency       string
	State          ledger.State
	Commitment     string // the discount of this commitment; empty: unheld cost
}

// ID is the pool's name.
func (k Key) ID() ledger.ID {
	return ledger.NewID("pool", k.Day.String(), k.Cluster, string(k.Cause), k.Owner.String(), k.BillingAccount,
		string(k.BillingPeriod), k.Currency,
		string(k.State), k.Commitment)
}

// Pool is one owner's cost under one key. A discount is a separate pool: the owner's cost below the contracted price,
// as a negative effective cost.
type Pool struct {
	Key
	ledger.Costs
}

// Row is one side of the pairs of a pool: its owner gives (shared_out) or gets (shared_in). Costs carry no quantities.
type Row struct {
	ID    ledger.ID // NewID("share", pool, kind, owner)
	Kind  ledger.PostingKind
	Owner ledger.ID
	ledger.Costs

	// The owner's weight and the total of the compared weights: of all payers, or of those of the owner's team if cost
	// is divided among teams first. Zero for a giver that pays no part of it.
	Weight, WeightOf money.Amount
	// TeamWeight of TeamWeightOf is the team's share; 0 if cost is not divided among teams first.
	TeamWeight, TeamWeightOf int64
}

// Shared is a pool that was passed on.
type Shared struct {
	Key
	ID    ledger.ID
	Total ledger.Costs // before sharing: the givers' cost
	Rule  Rule
	Rows  []Row // givers and receivers by owner id; their sum is zero in every metric
}

// Rule is the rule by which a pool was passed on.
type Rule struct {
	Version string // of the policy
	Place   int    // of the rule in the document, from 1; 0: the version's treatment of commitments
	Method  string // of policy.RedistributionMethod, or policy.Commitments
}

func rowID(pool ledger.ID, kind ledger.PostingKind, owner ledger.ID) ledger.ID {
	return ledger.NewID("share", pool.String(), string(kind), owner.String())
}

func sortByOwner[T any](list []T, owner func(*T) ledger.ID) {
	slices.SortFunc(list, func(x, y T) int {
		a, b := owner(&x), owner(&y)
		return bytes.Compare(a[:], b[:])
	})
}
