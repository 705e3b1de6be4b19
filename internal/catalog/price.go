package catalog

import (
	"bytes"
	"cmp"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Price is a public price of one machine type in one region on one day.
type Price struct {
	Provider     string
	InstanceType string
	Region       string
	PriceClass   ledger.PriceClass
	Currency     string
	Hourly       money.Amount // per instance-hour
	Source       string
	Date         time.Time // when the price was read
}

// row is the price as a row of PriceColumns.
func (p *Price) row() []string {
	return []string{
		p.Provider, p.InstanceType, p.Region, string(p.PriceClass),
		p.Currency, p.Hourly.String(), p.Source, p.Date.Format(time.DateOnly),
	}
}

// At returns the public price of a machine type in a region: the newest
// that was read before at, else the oldest there is. Nothing is inferred from
// other regions or classes. An empty provider is that of the only machine of
// the name.
func (l *PriceList) At(provider, name, region string, class ledger.PriceClass, at period.Second) (Price, bool) {
	if provider == "" {
		it, ok := Lookup(name)
		if !ok {
			return Price{}, false
		}
		provider = it.Provider
	}
	found := l.byKey[priceKey{strings.ToLower(provider), fold(name), strings.ToLower(region), class}]
	if len(found) == 0 {
		return Price{}, false
	}
	best := l.prices[found[0]]
	for _, i := range found[1:] { // by date
		if p := l.prices[i]; period.FromTime(p.Date) <= at {
			best = p
		}
	}
	return best, true
}

// OnDemand returns the newest public on-demand price of a machine type in a
// region.
func (l *PriceList) OnDemand(name, region string) (Price, bool) {
	return l.At("", name, region, ledger.OnDemand, endOfTime)
}

// endOfTime is later than any price: the last second that time.Time can print.
const endOfTime = period.Second(253402300799)

// OnDemandEquivalent is the cost of an instance-hour on demand: the price book's on_demand entry that is valid at that
// time (one of the region before one of any region, then the newest, then the smallest id), else the public price of
// the list. It is used only for comparisons; charges come from the bill, and before there is one from rule 8.12. The
// rate's Source names its origin; a rate of the catalogue is valid for ever.
func (l *PriceList) OnDemandEquivalent(
	book []ledger.Rate, provider, name, region string, at period.Second,
) (ledger.Rate, bool) {
	var best *ledger.Rate
	for i := range book {
		r := &book[i]
		if r.PriceClass != ledger.OnDemand || fold(r.InstanceType) != fold(name) || r.Region != "" && r.Region != region ||
			!r.Valid.Contains(at) {
			continue
		}
		if best == nil || preferred(r, best) < 0 {
			best = r
		}
	}
	if best != nil {
		return *best, true
	}
	p, ok := l.At(provider, name, region, ledger.OnDemand, at)
	if !ok {
		return ledger.Rate{}, false
	}
	source := "catalogue: " + p.Source + ", " + p.Date.Format(time.DateOnly)
	return ledger.Rate{
		ID: ledger.NewID("rate", "catalogue", p.Provider, p.InstanceType, p.Region, string(p.PriceClass),
			p.Currency, p.Hourly.String(), source),
		InstanceType: p.InstanceType, Region: p.Region, PriceClass: p.PriceClass, Currency: p.Currency, Hourly: p.Hourly,
		Valid: period.Interval{To: endOfTime}, Public: true, Source: source,
	}, true
}

func preferred(a, b *ledger.Rate) int {
	if (a.Region != "") != (b.Region != "") {
		if a.Region != "" {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Valid.From, a.Valid.From), bytes.Compare(a.ID[:], b.ID[:]))
}

// comparePrices is the order of the table.
func comparePrices(a, b Price) int {
	return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.InstanceType, b.InstanceType),
		cmp.Compare(a.Region, b.Region),
		cmp.Compare(a.PriceClass, b.PriceClass), a.Date.Compare(b.Date))
}
