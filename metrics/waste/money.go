package waste

import (
	"maps"
	"math/big"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Cost is effective cost in one currency, with its least settled state.
type Cost struct {
	Amount money.Amount `json:"a"`
	State  ledger.State `json:"s"`
}

// Money is effective cost by currency; empty without any cost.
type Money map[string]Cost

// leastSettled returns the less settled state: states sort by letter, the least settled last.
func leastSettled(a, b ledger.State) ledger.State { return max(a, b) }

// Add returns the sum and changes neither operand.
func (m Money) Add(o Money) Money {
	if len(o) == 0 {
		return m
	}
	sum := make(Money, len(m)+1)
	maps.Copy(sum, m)
	for currency, c := range o {
		before := sum[currency]
		sum[currency] = Cost{before.Amount.Add(c.Amount), leastSettled(before.State, c.State)}
	}
	return sum
}

// scaled is m × num ÷ den, each currency rounded half up.
func (m Money) scaled(num, den int64) Money {
	if num == den {
		return maps.Clone(m)
	}
	out := make(Money, len(m))
	for currency, c := range m {
		out[currency] = Cost{scale(c.Amount, num, den), c.State}
	}
	return out
}

// minus is m − o, with the states of m.
func (m Money) minus(o Money) Money {
	out := make(Money, len(m))
	for currency, c := range m {
		out[currency] = Cost{c.Amount.Sub(o[currency].Amount), c.State}
	}
	return out
}

func scale(a money.Amount, num, den int64) money.Amount {
	if num == den {
		return a
	}
	return a.MulRat(big.NewRat(num, den))
}

// Share is the hours and cost of a stretch of time.
type Share struct {
	GPUHours money.Amount `json:"h"`
	Cost     Money        `json:"c,omitempty"`
}

// add adds o to s.
func (s *Share) add(o Share) {
	s.GPUHours = s.GPUHours.Add(o.GPUHours)
	s.Cost = s.Cost.Add(o.Cost)
}

// scaled is s × num ÷ den, rounded half up.
func (s Share) scaled(num, den int64) Share {
	return Share{scale(s.GPUHours, num, den), s.Cost.scaled(num, den)}
}

// minus is s − o.
func (s Share) minus(o Share) Share { return Share{s.GPUHours.Sub(o.GPUHours), s.Cost.minus(o.Cost)} }
