package allocation

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"gpuledger/allocation/part"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// bill is one hour of the node with the parts charged to it.
type bill struct {
	hour     period.Interval
	compute  []ledger.Part // by id; those with a usage amount carry the quantities
	others   []ledger.Part // by id: parts that no usage row receives
	billed   int64         // seconds on the bill
	observed int64         // seconds in which the node was there
	made     bool          // compute has a part made here, as there is no bill
	reversed []ledger.Part // by id: parts that reverse final ones
	frozen   []ledger.Usage
	settled  int64 // the seconds of billed that final parts already bill
}

// seconds is the hour's capacity in seconds per GPU: max(billed, observed).
func (b *bill) seconds() int64 { return max(b.billed, b.observed) }

// bills sorts the day's parts by hour and adds a part where the bill is missing.
func (d *day) bills() ([]bill, error) {
	bills := make([]bill, hoursPerDay)
	for h := range bills {
		from := d.in.Day.From + period.Second(h)*period.Hour
		bills[h].hour = period.Interval{From: from, To: from + period.Hour}
		bills[h].observed = d.life.Intersect(bills[h].hour).Seconds()
	}
	for _, p := range d.in.Parts {
		if !d.in.Day.Contains(p.Hour) || p.Hour.Floor(period.Hour) != p.Hour {
			return nil, fmt.Errorf("node %s: part %s is for %s, which is outside %s", d.node.Name, p.ID, p.Hour, d.in.Day)
		}
		b := &bills[(p.Hour-d.in.Day.From)/period.Hour]
		switch {
		case p.Final: // posted already; the time it billed belongs to the hour
			if p.Kind == ledger.PartCompute {
				b.billed += seconds(&p)
				b.settled += seconds(&p)
			}
		case !p.Reverses.IsZero():
			b.reversed = append(b.reversed, p)
		case p.Kind == ledger.PartProvisional: // every chunk makes it again
		case p.Kind == ledger.PartCompute:
			b.compute = append(b.compute, p)
			b.billed += seconds(&p)
		default:
			b.others = append(b.others, p)
		}
	}
	if err := d.freeze(bills); err != nil {
		return nil, err
	}
	for h := range bills {
		b := &bills[h]
		sortParts(b.compute)
		sortParts(b.others)
		sortParts(b.reversed)
		if len(b.frozen) > 0 { // later parts bill no time of this hour
			b.billed = b.settled
		}
		if b.billed = max(b.billed, 0); len(b.frozen) == 0 && b.billed == 0 && b.observed > 0 && d.node.GPUs > 0 {
			b.compute = append(b.compute, d.unbilled(b))
			b.made = true
		}
	}
	return bills, nil
}

// MayBeBilled is the method of hours that a bill may cover under a resource name that cannot be matched. Their part
// names its rate but has no cost.
const MayBeBilled = "may be billed"

// unbilled makes the part of a node-hour for which no bill has instance time. It is charged from a rate while the hour
// is not covered by a bill, else it has no cost (rules 8.12 to 8.14). If a block that was paid in advance covers the
// hour, the block's share is the cost of the hour.
func (d *day) unbilled(b *bill) ledger.Part {
	seconds := b.observed
	p := ledger.Part{Kind: ledger.PartProvisional, NodeID: d.node.ID, Hour: b.hour.From, Quality: ledger.Measured,
		UsageSeconds: &seconds, Currency: d.currency(), OwnerID: d.node.OwnerID}
	switch rate := d.in.Rate; {
	case d.covered(b.hour):
		p.Method = "unbilled"
	case b.prepaid() != "":
		p.Method, p.Currency = part.ByPrepaid, b.prepaid()
		p.Billed, p.Effective, p.Contracted = &zero, &zero, &zero
		p.List = d.listed(p.Currency, seconds)
	case rate == nil:
		p.Method = "no rate"
	case b.hour.To <= d.in.MayBeBilledUntil:
		p.Method, p.RateID, p.Currency = MayBeBilled, rate.ID, rate.Currency
	default:
		p.Method, p.RateID, p.Currency = "rate", rate.ID, rate.Currency
		if rate.Public {
			p.Method, p.Quality = "public price", ledger.Assumed
			if rate.InstanceType == "" { // the rate is per GPU model
				p.Method = "typical price"
			}
		}
		amount := perHour(rate.Hourly, seconds)
		p.Billed, p.Effective, p.Contracted = &amount, &amount, &amount
		p.List = d.listed(rate.Currency, seconds)
	}
	p.ID = ledger.NewID("part", p.Method, d.nodeID, b.hour.From.String())
	return p
}

// prepaid is the currency of the block that the node was in during that hour (rule 8.15 b), empty if it was in none.
func (b *bill) prepaid() string {
	for i := range b.compute {
		if p := &b.compute[i]; p.PostingKind == ledger.Amortise && p.Method == part.ByPrepaid {
			return p.Currency
		}
	}
	return ""
}

// listed is the on-demand price of the given seconds, nil if that price is unknown in the currency.
func (d *day) listed(currency string, seconds int64) *money.Amount {
	list := d.in.ListRate
	if list == nil || list.Currency != currency {
		return nil
	}
	amount := perHour(list.Hourly, seconds)
	return &amount
}

func (d *day) covered(hour period.Interval) bool { return hour.To <= d.in.CoveredUntil }

// currency is the rate's, else that of the day's own bill, so that a row without costs has the currency of its
// neighbours.
func (d *day) currency() string {
	rate := d.in.Rate
	if rate != nil && !rate.Public {
		return rate.Currency
	}
	currency := ""
	for i := range d.in.Parts {
		if c := d.in.Parts[i].Currency; currency == "" || c < currency {
			currency = c
		}
	}
	if currency == "" && rate != nil {
		return rate.Currency
	}
	return currency
}

func seconds(p *ledger.Part) int64 {
	if p.UsageSeconds == nil {
		return 0
	}
	return *p.UsageSeconds
}

func sortParts(parts []ledger.Part) {
	slices.SortFunc(parts, func(a, b ledger.Part) int { return slices.Compare(a.ID[:], b.ID[:]) })
}

func sortByHour(parts []ledger.Part) {
	slices.SortFunc(parts, func(a, b ledger.Part) int {
		return cmp.Or(cmp.Compare(a.Hour, b.Hour), slices.Compare(a.ID[:], b.ID[:]))
	})
}

// perHour is the price of the given seconds at an hourly price, rounded half up once.
func perHour(hourly money.Amount, seconds int64) money.Amount {
	return hourly.MulRat(big.NewRat(seconds, period.Hour))
}
