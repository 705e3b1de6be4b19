package posting

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/allocation/fleet"
	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// prices are the inputs of provisional cost (rules 8.12, 8.13).
type prices struct {
	covered map[string]period.Second // per account
	book    []ledger.Rate            // the price book
	billed  []ledger.Rate            // last effective rates in bills of any account
	own     map[string][]ledger.Rate // last effective rates of each account
	public  *catalog.PriceList
	billers map[string][]string // providers of the bills, per account
}

func (r *run) prices(ctx context.Context, w *World) (prices, error) {
	covered, err := r.Store.Coverage(ctx)
	if err != nil {
		return prices{}, fmt.Errorf("read coverage: %w", err)
	}
	book, err := r.Store.Rates(ctx)
	if err != nil {
		return prices{}, fmt.Errorf("read price book: %w", err)
	}
	public, err := r.Store.PublicPrices(ctx)
	if err != nil {
		return prices{}, fmt.Errorf("read public prices: %w", err)
	}
	billers, err := r.Store.Billers(ctx)
	if err != nil {
		return prices{}, fmt.Errorf("read the billed accounts: %w", err)
	}
	own := map[string][]BilledInstance{}
	for _, b := range w.Billed {
		own[b.Account] = append(own[b.Account], b)
	}
	p := prices{covered: covered, book: book, billed: lastRates(w.Billed), own: map[string][]ledger.Rate{}, public: public,
		billers: billers}
	for account, billed := range own {
		p.own[account] = lastRates(billed)
	}
	return p, nil
}

// coveredUntil is when the bill of the node's account ends; 0 without an account.
func (p prices) coveredUntil(n *ledger.Node) period.Second { return p.covered[n.Account] }

// mayBeBilled is the end of the bills that may belong to a node of unknown account.
func (p prices) mayBeBilled(n *ledger.Node) (until period.Second) {
	if n.Account != "" {
		return 0
	}
	for account, to := range p.covered {
		for _, biller := range p.billers[account] {
			if to > until && fleet.MayBill(biller, n.ProviderID, n.InstanceType) {
				until = to
			}
		}
	}
	return until
}

// rates picks the rate for a node's hours without a bill on a day, and the on-demand entry for the list cost; nil if
// there is none. The order is: the price book's rate, the last rate on the bill of the node's account, that of any
// account, and a public price if the policy allows it.
func (p prices) rates(n *ledger.Node, day period.Interval, unpriced policy.Unpriced) (rate, list *ledger.Rate) {
	known := [][]ledger.Rate{p.book, p.own[n.Account], p.billed} // accounts have different negotiated discounts
	for i := 0; rate == nil && i < len(known); i++ {
		rate = pick(known[i], n, n.PriceClass, day)
	}
	if rate == nil && unpriced == policy.AssumePublicPrice {
		m := catalog.Machine{
			InstanceType: n.InstanceType, Region: n.Region, PriceClass: n.PriceClass, GPUModel: n.GPUModel, GPUs: n.GPUs,
		}
		if public, ok := p.public.Rate(m, day.From); ok {
			rate = &public
		}
	}
	list = pick(p.book, n, ledger.OnDemand, day)
	if rate != nil && list != nil && list.Currency != rate.Currency {
		list = nil
	}
	return rate, list
}

// pick chooses among rates of the node's type and price class that are valid when the day begins, else those that
// begin during it: a rate of the node's region before one of any region, then the newest, then the smallest id.
func pick(rates []ledger.Rate, n *ledger.Node, class ledger.PriceClass, day period.Interval) *ledger.Rate {
	var best *ledger.Rate
	for i := range rates {
		r := &rates[i]
		if r.InstanceType != n.InstanceType || r.PriceClass != class || r.Region != "" && r.Region != n.Region ||
			!r.Valid.Overlaps(day) {
			continue
		}
		if best == nil || better(r, best, day.From) {
			best = r
		}
	}
	return best
}

func better(a, b *ledger.Rate, at period.Second) bool {
	rank := func(ok bool) int {
		if ok {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(rank(a.Valid.Contains(at)), rank(b.Valid.Contains(at))),
		cmp.Compare(rank(a.Region != ""), rank(b.Region != "")),
		cmp.Compare(b.Valid.From, a.Valid.From),
		bytes.Compare(a.ID[:], b.ID[:]),
	) < 0
}

// hours is the instance time of the newest interval; nil if there is none.
func (b *BilledInstance) hours() *big.Rat {
	switch {
	case b.Seconds != nil && *b.Seconds > 0:
		return big.NewRat(*b.Seconds, period.Hour)
	case b.Seconds == nil && b.UsageAmount != nil && b.UsageAmount.Sign() > 0:
		return b.UsageAmount.Rat()
	}
	return nil
}

// lastRates makes a rate from the newest billed instance of every (type, region, price class): effective cost ÷ hours
// of its newest interval, rounded half up to 1e-12. Instances that were paid in another way, and cost nothing there,
// have no rate.
func lastRates(billed []BilledInstance) []ledger.Rate {
	type key struct {
		instanceType, region, currency string
		class                          ledger.PriceClass
	}
	newest := map[key]*BilledInstance{}
	for i := range billed {
		b := &billed[i]
		if b.hours() == nil || b.Effective == nil || b.Effective.Sign() <= 0 || b.InstanceType == "" {
			continue
		}
		k := key{b.InstanceType, b.Region, b.Currency, b.PriceClass}
		if old := newest[k]; old == nil ||
			cmp.Or(cmp.Compare(b.Period.To, old.Period.To), cmp.Compare(old.InstanceID, b.InstanceID)) > 0 {
			newest[k] = b
		}
	}
	out := make([]ledger.Rate, 0, len(newest))
	for k, b := range newest {
		hourly := b.Effective.MulRat(new(big.Rat).Inv(b.hours()))
		out = append(out, ledger.Rate{
			ID:           ledger.NewID("rate", "bill", k.instanceType, k.region, string(k.class), k.currency, hourly.String()),
			InstanceType: k.instanceType, Region: k.region, PriceClass: k.class, Currency: k.currency, Hourly: hourly,
			Valid:  period.Interval{To: endOfTime},
			Source: "last effective rate on the bill, instance " + b.InstanceID + " until " + b.Period.To.String(),
		})
	}
	slices.SortFunc(out, func(a, b ledger.Rate) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	return out
}

// endOfTime is later than any instant of a bill.
const endOfTime = period.Second(1) << 60
