package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Machine is the known data on a machine without a price.
type Machine struct {
	InstanceType string
	Region       string
	PriceClass   ledger.PriceClass
	GPUModel     string
	GPUs         int
}

// How a public price differs from the price of the requested machine.
const (
	asAsked             = ""
	otherRegion         = ", price of another region"
	otherClass          = ", on-demand price"
	otherRegionAndClass = ", on-demand price of another region"
)

// Rate is the assumed cost of an instance-hour that neither price book nor bill prices (rule 8.12): the public price of
// the type, of its price class before on demand and of its region before the cheapest other one, else the cost per
// GPU-hour of the cheapest machine with that GPU model: a dearer one has processors and memory that this one may not
// have. Its source names the price used and its day.
func (l *PriceList) Rate(m Machine, at period.Second) (ledger.Rate, bool) {
	it, known := Lookup(m.InstanceType)
	for _, c := range []struct {
		class        ledger.PriceClass
		here, abroad string
	}{{m.PriceClass, asAsked, otherRegion}, {ledger.OnDemand, otherClass, otherRegionAndClass}} {
		if !known || fold(it.Name) != fold(m.InstanceType) { // SageMaker's ml. types have other prices
			break
		}
		if p, ok := l.At(it.Provider, it.Name, m.Region, c.class, at); ok {
			return publicRate(p, c.here), true
		}
		if p, ok := l.cheapest(it, c.class, at); ok {
			return publicRate(p, c.abroad), true
		}
	}
	model, gpus := Model(m.GPUModel), m.GPUs
	if known && model == "" {
		model = it.GPUModel
	}
	for _, p := range l.typical() {
		if p.model == model && gpus > 0 {
			return p.rate(gpus), true
		}
	}
	return ledger.Rate{}, false
}

func publicRate(p Price, note string) ledger.Rate {
	r := ledger.Rate{InstanceType: p.InstanceType, Region: p.Region, PriceClass: p.PriceClass, Currency: p.Currency,
		Hourly: p.Hourly,
		Valid:  period.Interval{To: endOfTime}, Public: true,
		Source: "public price of the catalogue: " + p.Source + ", " + p.Date.Format(time.DateOnly) + note}
	r.ID = ledger.NewID("rate", "public", p.Provider, r.InstanceType, r.Region, string(r.PriceClass), r.Currency,
		r.Hourly.String(), r.Source)
	return r
}

// cheapest is the lowest price of a type over all regions, each at that time; on a tie that of the first region by
// name. Prices in currencies other than US dollars, which cannot be compared, count only if there is no other.
func (l *PriceList) cheapest(it InstanceType, class ledger.PriceClass, at period.Second) (Price, bool) {
	var best Price
	found := false
	for _, p := range l.prices {
		if p.Provider != it.Provider || fold(p.InstanceType) != fold(it.Name) || p.PriceClass != class {
			continue
		}
		if p, ok := l.At(p.Provider, p.InstanceType, p.Region, class, at); ok &&
			(!found || cmp.Or(compareCurrencies(p.Currency, best.Currency), p.Hourly.Cmp(best.Hourly)) < 0) {
			best, found = p, true
		}
	}
	return best, found
}

// compareCurrencies sorts US dollars, the currency of nearly all lists, before others.
func compareCurrencies(a, b string) int {
	const most = "USD"
	switch {
	case a == b:
		return 0
	case a == most:
		return -1
	case b == most:
		return 1
	}
	return strings.Compare(a, b)
}

// typicalPrice is the lowest on-demand price per GPU-hour of a model.
type typicalPrice struct {
	model, currency string
	hourly          *big.Rat // per GPU
	of              string   // the machine type that has it
	types           int      // machine types that have the model
	date            time.Time
}

func (p typicalPrice) rate(gpus int) ledger.Rate {
	r := ledger.Rate{PriceClass: ledger.OnDemand, Currency: p.currency,
		Hourly: money.FromRat(new(big.Rat).Mul(p.hourly, big.NewRat(int64(gpus), 1))),
		Valid:  period.Interval{To: endOfTime}, Public: true,
		Source: fmt.Sprintf("typical price of %d × %s: the lowest of %d public on-demand prices per GPU-hour, that of %s, %s",
			gpus, p.model, p.types, p.of, p.date.Format(time.DateOnly))}
	r.ID = ledger.NewID("rate", "typical", r.Currency, r.Hourly.String(), r.Source)
	return r
}

// lowest lists the lowest price per GPU of every model and currency, each machine type
// with its cheapest region and newest price; of equal ones that of the first type by name.
func (l *PriceList) lowest() []typicalPrice {
	type key struct{ model, currency string }
	best := map[key]typicalPrice{}
	for _, it := range l.types {
		p, ok := l.cheapest(it, ledger.OnDemand, endOfTime)
		if !ok || it.Kind != GPU {
			continue
		}
		k := key{it.GPUModel, p.Currency}
		one := typicalPrice{
			it.GPUModel, p.Currency, new(big.Rat).Quo(p.Hourly.Rat(), it.GPUs), it.Name, best[k].types + 1, p.Date,
		}
		if have := best[k]; have.hourly != nil && cmp.Or(have.hourly.Cmp(one.hourly), strings.Compare(have.of, one.of)) <= 0 {
			one = have
			one.types++
		}
		best[k] = one
	}
	out := slices.Collect(maps.Values(best))
	slices.SortFunc(out, func(a, b typicalPrice) int {
		return cmp.Or(strings.Compare(a.model, b.model), compareCurrencies(a.currency, b.currency))
	})
	return out
}
