package metrics

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// ExplainedPosting describes a posting.
type ExplainedPosting struct {
	PostingID string    `json:"posting_id"`
	Hour      time.Time `json:"hour"`
	Period    *string   `json:"billing_period"`
	Cause     string    `json:"cause"`
	Why       string    `json:"cause_means" db:"-"`
	Activity  *string   `json:"activity"`
	Kind      string    `json:"kind"`
	Adjusts   *string   `json:"adjusts"` // the posting of a closed period that this one corrects
	Team      string    `json:"team"`
	Owner     string    `json:"owner_id"`
	Method    string    `json:"method"`
	Quality   string    `json:"quality"`
	State     string    `json:"state"`
	Policy    string    `json:"policy_version"`
	UsageID   *string   `json:"usage_id"`
	RunID     *string   `json:"run_id"`
}

// Derivation is one metric of one posting, step by step: rule 8.3 applied to a part and a weight. Numbers are decimal
// integers, except the amounts.
type Derivation struct {
	Metric    string `json:"metric"`
	Part      string `json:"part_amount"`
	Weight    string `json:"weight"`
	Weights   string `json:"weights_together"`
	Share     string `json:"share"`        // weight ÷ weights in lowest terms
	Whole     string `json:"whole_units"`  // ⌊units of the part × share⌋, 1e-12 each
	Remainder string `json:"remainder"`    // of that division, over weights_together
	Left      string `json:"units_left"`   // left after every row got its whole units
	Place     int    `json:"place"`        // of this row by remainder, from 1
	Extra     bool   `json:"extra_unit"`   // it is among the first units_left
	Dust      string `json:"below_a_unit"` // digits below 1e-12, which go to the largest row
	Amount    string `json:"amount"`       // the result
	Posted    string `json:"posted"`       // the amount in the ledger
}

// Behind are the postings that a figure adds up.
type Behind struct {
	Count    int64 `json:"postings"`
	Unbilled int64 `json:"unbilled_usage_rows"` // usage without bill or rate: it adds no cost
	// Sums are over all postings, not only the listed ones.
	Sums []Figure `json:"sums"`
	// Agrees: the sums are the figures, digit by digit.
	Agrees bool `json:"agrees"`
	// Digest is Σ SHA-256("posting_id,currency,effective,billed,list,contracted") over all postings modulo 2^256, in hex;
	// an unknown cost is empty.
	Digest string          `json:"digest"`
	Listed []BehindRow     `json:"listed"` // the largest
	Cells  []ExplainedCell `json:"cells,omitempty"`
}

// BehindRow is one posting behind a figure.
type BehindRow struct {
	PostingID string    `json:"posting_id"`
	Hour      time.Time `json:"hour"`
	Node      *string   `json:"node"`
	Cause     string    `json:"cause"`
	Kind      string    `json:"kind"`
	Team      *string   `json:"team"`
	RunID     *string   `json:"run_id"`
	Amount    Figure    `json:"amount" db:"-"`
}

// ExplainedCell is one row of the explained report.
type ExplainedCell struct {
	Keys   map[string]*string `json:"keys"`
	Amount Figure             `json:"amount"`
}

// ExplainedPool is the pool behind a pair of sharing (docs/rules.md, section 12).
type ExplainedPool struct {
	PoolID     string    `json:"pool_id"`
	Day        time.Time `json:"day"`
	Cluster    string    `json:"cluster"`
	Cause      string    `json:"cause"`
	Commitment string    `json:"commitment,omitempty"`
	From       *string   `json:"from_owner"` // former owner; null: several owners
	Total      Figure    `json:"total"`
	Method     string    `json:"method"`
	Rule       int       `json:"rule"` // its place in the document of the policy version
	Policy     string    `json:"policy_version"`
	Rows       []PoolRow `json:"rows"`
	// Postings are what the pool adds up, the first of them.
	Postings int         `json:"postings"`
	Listed   []BehindRow `json:"listed,omitempty"`
}

// PoolRow is one side of a pair.
type PoolRow struct {
	ShareID      string `json:"share_id"`
	Kind         string `json:"kind"`
	Owner        string `json:"owner_id"`
	Team         string `json:"team"`
	Weight       string `json:"weight"`
	WeightOf     string `json:"weight_of"`
	TeamWeight   int64  `json:"team_weight,omitempty"`
	TeamWeightOf int64  `json:"team_weight_of,omitempty"`
	Amount       Figure `json:"amount"`
	Mine         bool   `json:"mine"`
}

// PolicySettings are the settings of one version that applied to a node and hour.
type PolicySettings struct {
	Version  string            `json:"version"`
	Settings map[string]string `json:"settings"`
}

// derive applies rule 8.3 step by step to row mine of a part's rows.
func derive(amount money.Amount, weights []*big.Int, mine int) Derivation {
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, w)
	}
	d := Derivation{Part: amount.String(), Weight: weights[mine].String(), Weights: total.String()}
	if total.Sign() == 0 {
		return d
	}
	d.Share = new(big.Rat).SetFrac(weights[mine], total).RatString()
	abs := new(big.Rat).Abs(amount.Rat())
	scaled := new(big.Rat).Mul(abs, new(big.Rat).SetInt(unitsPerOne))
	units := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	wholes, rests := make([]*big.Int, len(weights)), make([]*big.Int, len(weights))
	left := new(big.Int).Set(units)
	order := make([]int, len(weights))
	for i, w := range weights {
		wholes[i], rests[i] = new(big.Int).QuoRem(new(big.Int).Mul(units, w), total, new(big.Int))
		left.Sub(left, wholes[i])
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rests[b].Cmp(rests[a]) })
	d.Whole, d.Remainder, d.Left, d.Dust = wholes[mine].String(), rests[mine].String(), left.String(), "0"
	for place, i := range order {
		extra := left.Cmp(big.NewInt(int64(place))) > 0
		if i == mine {
			d.Place, d.Extra = place+1, extra
		}
		if extra {
			wholes[i].Add(wholes[i], big.NewInt(1))
		}
	}
	largest := 0
	for i := range wholes {
		if wholes[i].Cmp(wholes[largest]) > 0 || weights[largest].Sign() == 0 && weights[i].Sign() > 0 {
			largest = i
		}
	}
	share := new(big.Rat).SetFrac(wholes[mine], unitsPerOne)
	if largest == mine {
		dust := new(big.Rat).Sub(abs, new(big.Rat).SetFrac(units, unitsPerOne))
		share.Add(share, dust)
		if dust.Sign() != 0 {
			d.Dust = decimal(dust)
		}
	}
	if amount.Rat().Sign() < 0 {
		share.Neg(share)
	}
	d.Amount = decimal(share)
	return d
}

var unitsPerOne = big.NewInt(1_000_000_000_000)

// decimal prints a rational whose denominator divides a power of ten.
func decimal(r *big.Rat) string {
	digits, exact := r.FloatPrec()
	if !exact {
		return r.RatString()
	}
	return r.FloatString(digits)
}

// Derive fills in the steps of the subject's only row in its only part, for explanations of one posting. It returns an
// error if a weight or an amount is not a number.
func (e *Explanation) Derive() error {
	if len(e.NodeHours) != 1 || len(e.NodeHours[0].Parts) != 1 {
		return nil
	}
	n := &e.NodeHours[0]
	mine := slices.IndexFunc(n.Rows, func(r WeightedRow) bool { return r.Mine })
	if mine < 0 {
		return nil
	}
	weights := make([]*big.Int, len(n.Rows))
	for i := range n.Rows {
		w, ok := new(big.Int).SetString(n.Rows[i].Weight, 10)
		if !ok {
			return fmt.Errorf("weight %q of usage row %s is not an integer", n.Rows[i].Weight, n.Rows[i].UsageID)
		}
		weights[i] = w
	}
	for _, m := range ledger.Metrics {
		text, posted := n.Parts[0].Amount.Get(m), n.Parts[0].Share.Get(m)
		if text == nil {
			continue
		}
		amount, err := money.Parse(*text)
		if err != nil {
			return fmt.Errorf("part %s: %w", n.Parts[0].PartID, err)
		}
		d := derive(amount, weights, mine)
		d.Metric, d.Posted = string(m), known(posted)
		e.Shares = append(e.Shares, d)
	}
	return nil
}
