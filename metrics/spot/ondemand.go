package spot

import (
	"math/big"
	"strings"
	"time"

	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// RateSource is the source of an on-demand rate.
type RateSource string

// Sources, the best first.
const (
	FromLines     RateSource = "contracted" // on-demand lines of the same account, type and region, at any time
	FromBill      RateSource = "bill"       // the public on-demand price that AWS's own line states
	FromBook      RateSource = "price_book"
	FromCatalogue RateSource = "catalogue"
	FromNobody    RateSource = "unknown"
)

// Kind has one on-demand rate at a time: a machine type in a region, as an account pays for it.
type Kind struct {
	Account, InstanceType, Region, Currency string
}

// Paid is an hour of a spot machine that has parts in a currency.
type Paid struct {
	Node ledger.ID
	Hour period.Second
	Kind
	Provider string
	Billed   bool // priced by lines; else provisional
	// Listed is the least list cost of its lines with instance seconds, and Public their Σ over Seconds; nil if one of
	// them has none.
	Listed, Public *money.Amount
	Seconds        int64
	// AtOnDemand: no spot price is known, so the hour itself has an on-demand price. Its saving is then unknown.
	AtOnDemand bool
}

// Line is the contracted cost of a kind's on-demand lines in an hour.
type Line struct {
	Kind
	Hour    period.Second
	Cost    money.Amount
	Seconds int64 // of machines
}

// Rate is the on-demand price of an instance-hour of a spot machine.
type Rate struct {
	Node     ledger.ID
	Hour     period.Second
	Currency string
	Source   RateSource
	Detail   string        // details from the source
	Hourly   *money.Amount // per instance-hour; nil: unknown
}

// OnDemandRates finds the on-demand price of each hour (docs/figures.md, 15.4): one rate an hour, from the first source
// that has one. The list price of a spot SKU is not an on-demand price: Google and Azure list the spot price.
func OnDemandRates(paid []Paid, lines []Line, book []ledger.Rate, public *catalog.PriceList) []Rate {
	contracted := contractedRates(lines)
	entries := map[string][]ledger.Rate{} // by currency: amounts in two currencies are never compared
	for _, r := range book {
		entries[r.Currency] = append(entries[r.Currency], r)
	}
	list := make([]Rate, 0, len(paid))
	for i := range paid {
		p := &paid[i]
		r := Rate{Node: p.Node, Hour: p.Hour, Currency: p.Kind.Currency, Source: FromNobody}
		switch hourly, detail := contracted.of(p.Kind, p.Hour); {
		case p.AtOnDemand: // even if a source has a rate
			r.Detail = "the hour itself has an assumed on-demand price"
		case hourly != nil:
			r.Source, r.Detail, r.Hourly = FromLines, detail, hourly
		case p.Billed && strings.EqualFold(p.Provider, "aws") && p.Public != nil && p.Listed != nil && p.Listed.Sign() > 0:
			r.Source, r.Detail, r.Hourly = FromBill, "public on-demand price of the line", perHour(*p.Public, p.Seconds)
		default:
			if e, ok := public.OnDemandEquivalent(entries[p.Kind.Currency], p.Provider, p.Kind.InstanceType, p.Kind.Region,
				p.Hour); ok && e.Currency == p.Kind.Currency {
				r.Source, r.Detail, r.Hourly = FromBook, e.Source, &e.Hourly
				if e.Public {
					r.Source = FromCatalogue
				}
			}
		}
		list = append(list, r)
	}
	return list
}

// ChangedKinds are the kinds of machines whose lines of a day differ from the stored ones.
func ChangedKinds(kept, found []Line) (kinds []Kind) {
	type place struct {
		Kind
		hour period.Second
	}
	of := func(list []Line) map[place]*Line {
		lines := make(map[place]*Line, len(list))
		for i := range list {
			lines[place{list[i].Kind, list[i].Hour}] = &list[i]
		}
		return lines
	}
	differ := map[Kind]bool{}
	compare := func(a, b map[place]*Line) {
		for at, x := range a {
			y := b[at]
			if !differ[at.Kind] && (y == nil || x.Seconds != y.Seconds || x.Cost.Cmp(y.Cost) != 0) {
				differ[at.Kind] = true
				kinds = append(kinds, at.Kind)
			}
		}
	}
	compare(of(kept), of(found))
	compare(of(found), of(kept))
	return kinds
}

// lineRates are contracted rates by kind and hour, and by kind and UTC day for hours without lines. Lines may also come
// from the nearest days with any.
type lineRates map[Kind]map[period.Interval]*Line

func contractedRates(lines []Line) lineRates {
	sums := lineRates{}
	for _, l := range lines {
		if sums[l.Kind] == nil {
			sums[l.Kind] = map[period.Interval]*Line{}
		}
		for _, span := range []period.Interval{
			{From: l.Hour, To: l.Hour + period.Hour}, period.DayOf(l.Hour.Floor(period.Day)),
		} {
			s := sums[l.Kind][span]
			if s == nil {
				s = &Line{}
				sums[l.Kind][span] = s
			}
			s.Cost, s.Seconds = s.Cost.Add(l.Cost), s.Seconds+l.Seconds
		}
	}
	return sums
}

// of is the contracted rate of an hour; only a positive rate is a price.
func (r lineRates) of(k Kind, hour period.Second) (*money.Amount, string) {
	if s := r[k][period.Interval{From: hour, To: hour + period.Hour}]; s.priced() {
		return perHour(s.Cost, s.Seconds), "on-demand lines of the hour"
	}
	if s := r[k][period.DayOf(hour.Floor(period.Day))]; s.priced() {
		return perHour(s.Cost, s.Seconds), "on-demand lines of the day"
	}
	if day, s := r.nearest(k, hour.Floor(period.Day)); s != nil {
		date := day.Time().Format(time.DateOnly)
		return perHour(s.Cost, s.Seconds), "on-demand lines of " + date + ", the nearest day with any"
	}
	return nil, ""
}

// nearest are the lines of the nearest day; of two days as near, the earlier one.
func (r lineRates) nearest(k Kind, to period.Second) (day period.Second, lines *Line) {
	distance := func(at period.Second) int64 { return max(int64(at-to), int64(to-at)) }
	for span, s := range r[k] {
		if int64(span.To-span.From) != period.Day || !s.priced() {
			continue
		}
		if lines == nil || distance(span.From) < distance(day) || distance(span.From) == distance(day) && span.From < day {
			day, lines = span.From, s
		}
	}
	return day, lines
}

func (l *Line) priced() bool { return l != nil && l.Seconds > 0 && l.Cost.Sign() > 0 }

// perHour is cost ÷ hours, rounded half up to 1e-12.
func perHour(cost money.Amount, seconds int64) *money.Amount {
	if seconds <= 0 {
		return nil
	}
	hourly := cost.MulRat(big.NewRat(3600, seconds))
	return &hourly
}
