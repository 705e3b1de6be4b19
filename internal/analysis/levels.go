package analysis

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/metrics/advice"
)

// LevelHour is an hour of machines of one type in one region that were on demand or covered by a commitment, by kind
// of work.
type LevelHour struct {
	Provider, InstanceType, Region, Currency, Family string
	Hour                                             period.Second
	Use                                              string // on_demand, covered
	GPUs                                             int64  // of a machine
	Work                                             string // training, serving, other; none: idle or free
	State                                            ledger.State
	Cost, GPUHours, Capacity                         *money.Amount // nil: unknown
}

// FamilyCost is the cost of commitments of a machine family, and the on-demand cost of the usage that they covered;
// nil: unknown.
type FamilyCost struct {
	Provider, Family, Currency string
	Paid, Worth                *money.Amount
}

// LevelStore reads the evidence for commitments.
type LevelStore interface {
	// Levels lists hours ordered by their fields.
	Levels(ctx context.Context, window period.Interval) ([]LevelHour, error)
	// FamilyDiscounts lists the cost of each family's commitments.
	FamilyDiscounts(ctx context.Context, window period.Interval) ([]FamilyCost, error)
	// CommittedRates lists rates of the price book on demand and with a commitment.
	CommittedRates(ctx context.Context, at period.Second) ([]ledger.Rate, error)
}

// commitments advises on commitments, from the hours of a window.
func (a *Analyst) commitments(ctx context.Context, window period.Interval) ([]advice.Recommendation, error) {
	hours, err := a.Store.Levels(ctx, window)
	if err != nil {
		return nil, err
	}
	families, err := a.Store.FamilyDiscounts(ctx, window)
	if err != nil {
		return nil, err
	}
	rates, err := a.Store.CommittedRates(ctx, window.To-1)
	if err != nil {
		return nil, err
	}
	var list []advice.Recommendation
	for _, p := range poolsOf(hours, families, rates, window) {
		list = append(list, p.ToCommitments()...)
	}
	return list, nil
}

// poolsOf groups hours, which come ordered by their fields, into pools.
func poolsOf(hours []LevelHour, families []FamilyCost, rates []ledger.Rate, window period.Interval) []advice.Pool {
	billed := map[string]period.Interval{} // by provider, in the window; hours without a bill are unknown
	for i := range hours {
		h := &hours[i]
		if h.Hour < window.From || h.Hour >= window.To {
			continue
		}
		b, ok := billed[h.Provider]
		if !ok {
			b.From = h.Hour
		}
		billed[h.Provider] = period.Interval{From: min(b.From, h.Hour), To: max(b.To, h.Hour+period.Hour)}
	}
	same := func(a, b *LevelHour) bool {
		return a.Provider == b.Provider && a.InstanceType == b.InstanceType && a.Region == b.Region &&
			a.Currency == b.Currency
	}
	var pools []advice.Pool
	for len(hours) > 0 {
		n := 1
		for n < len(hours) && same(&hours[0], &hours[n]) {
			n++
		}
		if within := billed[hours[0].Provider]; !within.Empty() {
			p := poolOf(hours[:n], since(hours[:n], within))
			p.Discount, p.DiscountSource = discountOf(&hours[0], families, rates)
			pools = append(pools, p)
		}
		hours = hours[n:]
	}
	return pools
}

// since begins a pool's hours with the first in which it had on-demand machines: earlier hours without machines do
// not make it bursty.
func since(hours []LevelHour, within period.Interval) period.Interval {
	for i := range hours { // ordered by hour
		if h := &hours[i]; h.Use == "on_demand" && within.Contains(h.Hour) && h.machines(h.Capacity).Sign() > 0 {
			within.From = h.Hour
			break
		}
	}
	return within
}

// poolOf adds up the hours of one pool.
func poolOf(hours []LevelHour, within period.Interval) advice.Pool {
	first := &hours[0]
	n := int(within.To-within.From) / int(period.Hour)
	p := advice.Pool{Provider: first.Provider, InstanceType: first.InstanceType, Region: first.Region,
		Currency: first.Currency, Window: within,
		OnDemand: make([]int64, n), Training: make([]int64, n), Serving: make([]int64, n)}
	var onDemand, training, serving big.Rat // machines in the hour
	var cost money.Amount
	priced := new(big.Rat) // machine-hours with a known cost
	for i := range hours {
		h := &hours[i]
		if h.Use == "on_demand" && h.Hour >= within.From && h.Hour < within.To {
			onDemand.Add(&onDemand, h.machines(h.Capacity))
			switch h.Work {
			case "training":
				training.Add(&training, h.machines(h.GPUHours))
			case "serving":
				serving.Add(&serving, h.machines(h.GPUHours))
			}
			if h.Cost != nil {
				cost = cost.Add(*h.Cost)
				priced.Add(priced, h.machines(h.Capacity))
			}
			p.State = max(p.State, h.State)
		}
		if i+1 < len(hours) && hours[i+1].Hour == h.Hour {
			continue
		}
		if h.Hour >= within.From && h.Hour < within.To {
			at := int(h.Hour-within.From) / int(period.Hour)
			p.OnDemand[at], p.Training[at], p.Serving[at] = millionths(&onDemand), millionths(&training), millionths(&serving)
		}
		onDemand, training, serving = big.Rat{}, big.Rat{}, big.Rat{}
	}
	if priced.Sign() > 0 && cost.Sign() > 0 {
		p.Rate = new(big.Rat).Quo(cost.Rat(), priced)
	}
	return p
}

// machines converts the hour's GPU-hours to machines.
func (h *LevelHour) machines(gpuHours *money.Amount) *big.Rat {
	if gpuHours == nil || h.GPUs <= 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Quo(gpuHours.Rat(), big.NewRat(h.GPUs, 1))
}

// millionths rounds down, so that advice never exceeds the machines in use.
func millionths(r *big.Rat) int64 {
	n := new(big.Int).Mul(r.Num(), big.NewInt(1_000_000))
	return n.Quo(n, r.Denom()).Int64()
}

// discountOf is the discount of a commitment: of the family's commitments in the bill, else of the price book's
// lowest rate with one; nil: unknown.
func discountOf(h *LevelHour, families []FamilyCost, rates []ledger.Rate) (*big.Rat, string) {
	off := func(paid, worth money.Amount, source string) (*big.Rat, string) {
		if paid.Sign() <= 0 || paid.Cmp(worth) >= 0 {
			return nil, ""
		}
		return new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Quo(paid.Rat(), worth.Rat())), source
	}
	at := slices.IndexFunc(families, func(f FamilyCost) bool {
		return f.Provider == h.Provider && f.Family == h.Family && f.Currency == h.Currency && f.Paid != nil &&
			f.Paid.Sign() > 0 && f.Worth != nil && f.Worth.Sign() > 0
	})
	if at >= 0 {
		return off(*families[at].Paid, *families[at].Worth, "commitments of the family in the bill")
	}
	var onDemand, committed *ledger.Rate
	for i := range rates {
		r := &rates[i]
		if r.InstanceType != h.InstanceType || r.Currency != h.Currency || r.Region != h.Region && r.Region != "" {
			continue
		}
		best := &committed
		if r.PriceClass == ledger.OnDemand {
			best = &onDemand
		}
		// prefer the rate of the region itself
		if *best == nil || cmp.Or(cmp.Compare(r.Region, (*best).Region), -r.Hourly.Cmp((*best).Hourly)) > 0 {
			*best = r
		}
	}
	if onDemand == nil || committed == nil {
		return nil, ""
	}
	return off(committed.Hourly, onDemand.Hourly, "price book: "+cmp.Or(committed.Source, "rates"))
}
