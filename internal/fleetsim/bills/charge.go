package bills

import (
	"math/big"

	"gpuledger/internal/fleetsim/world"
)

// Amounts are the four measures of a line or part; nil if the line does not have it.
type Amounts struct{ Effective, Billed, List, Contracted *big.Rat }

// Times is the share f of each amount.
func (a Amounts) Times(f *big.Rat) Amounts {
	m := func(x *big.Rat) *big.Rat {
		if x == nil {
			return nil
		}
		return new(big.Rat).Mul(x, f)
	}
	return Amounts{m(a.Effective), m(a.Billed), m(a.List), m(a.Contracted)}
}

// Zeros has 0 where a has an amount.
func (a Amounts) Zeros() Amounts { return a.Times(new(big.Rat)) }

// Rule is the rule of section 8 for a charge.
type Rule int

// Rules, by their number in docs/rules.md.
const (
	OfMachine Rule = iota // 8.5: instance time, and charges that follow it
	Attached              // 8.9
	Elsewhere             // 8.10
	Negation              // 8.6
	Fee                   // 8.7
	Invoice               // 8.8
	Prepaid               // 8.15
	Wide                  // 8.16: a discount without a resource
	SplitRow              // 8.17
	Metered               // 8.21
)

// Charge is a billed line of any provider, as far as the true ledger needs it.
type Charge struct {
	Amounts

	Rule                       Rule
	Billing, Account           string // payer; sub-account, empty if the line names none
	Period, Currency           string // billing month "2026-11"
	File                       string // as truth.Posting.File
	Line                       int64
	ID, Interval               string
	From, To                   int64
	Node                       *world.Node
	Group                      []*world.Node // pooled over these instead
	Seconds                    int64         // instance seconds (8.1)
	Team                       string        // by billing tag
	Service, UsageType, Region string
	Covered                    bool     // 8.6: a negation takes back its cost
	Commitment                 string   // 8.15
	Plan                       string   // savings plan or reservation that the line names
	Bought                     string   // on_demand, spot or covered by a commitment; empty: not in the line
	Credit                     *big.Rat // 8.15: the amount that commitments took off, positive
	Block                      *world.InstanceType
	Zone                       string
}

// HourPart is an hour and how many seconds of it count.
type HourPart struct{ At, Seconds int64 }

// HoursOf cuts [from, to) at full hours.
func HoursOf(from, to int64) []HourPart {
	var out []HourPart
	for h := from / 3600 * 3600; h < to; h += 3600 {
		out = append(out, HourPart{h, min(h+3600, to) - max(h, from)})
	}
	return out
}
