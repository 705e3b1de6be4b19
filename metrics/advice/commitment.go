package advice

import (
	"fmt"
	"math/big"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Instrument is a kind of commitment.
type Instrument string

// Instruments. Use without advice for any of them stays on demand.
const (
	// FlexiblePlan is an hourly spend on any machine: it still applies when work moves to another type.
	FlexiblePlan Instrument = "flexible_plan"
	Reservation  Instrument = "reservation"   // machines of a type in a region
	CommittedUse Instrument = "committed_use" // Google's name for it
)

// TermMonths is the advised term: the shortest that is sold.
const TermMonths = 12

// FullHours is the hours of data that a commitment needs for more than a low confidence: 28 days.
const FullHours = 28 * 24

// Terms are the inputs of a commitment's calculation.
type Terms struct {
	Rate     *big.Rat // of a machine-hour on demand
	Discount *big.Rat // of a commitment, above 0 and below 1
	Most     int64    // upper bound: machines on demand today
}

// Commitment is the number of machines to commit to, and its effect over the hours of the calculation.
type Commitment struct {
	Instrument Instrument
	Quantity   int64
	OnDemand   *big.Rat // on-demand cost of the machines while they are held
	Saving     *big.Rat // saving on that with the commitment
	Stranded   *big.Rat // paid for unheld hours, if every hour had a fifth less use
	// BreakEven is the number of months of the term, with use as in these hours, after which on-demand cost equals the
	// cost of the whole commitment.
	BreakEven *big.Rat
}

// Level is the largest number of machines held in at least (1 − discount) of the hours: the last of them costs as much
// committed as on demand at worst. Hours are millionths of machines, one entry per hour, 0 without any.
func Level(hours []int64, discount *big.Rat) int64 {
	if len(hours) == 0 || discount.Sign() <= 0 || discount.Cmp(one) >= 0 {
		return 0
	}
	kept := new(big.Rat).Sub(one, discount)
	kept.Mul(kept, big.NewRat(int64(len(hours)), 1))
	enough := new(big.Int).Add(kept.Num(), new(big.Int).Sub(kept.Denom(), big.NewInt(1)))
	enough.Quo(enough, kept.Denom())
	sorted := slices.Clone(hours)
	slices.Sort(sorted)
	return sorted[len(sorted)-int(enough.Int64())] / million
}

// Weigh calculates the commitment from the machines held on demand hour by hour; the hours may also be a forecast.
// False if nothing would be saved.
func Weigh(hours []int64, t Terms) (Commitment, bool) {
	c := Commitment{Quantity: min(Level(hours, t.Discount), t.Most)}
	if c.Quantity <= 0 || t.Rate.Sign() <= 0 {
		return Commitment{}, false
	}
	bought := c.Quantity * million
	var held, unused int64 // millionths of machine-hours; unused in fifths, if there were a fifth less
	for _, h := range hours {
		held += min(h, bought)
		unused += max(0, 5*bought-4*h)
	}
	all := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(bought), big.NewInt(int64(len(hours)))))
	kept := new(big.Rat).Sub(one, t.Discount)
	price := new(big.Rat).Mul(kept, all) // of the commitment, in hours on demand
	saved := new(big.Rat).Sub(big.NewRat(held, 1), price)
	if saved.Sign() <= 0 {
		return Commitment{}, false
	}
	perUnit := new(big.Rat).Quo(t.Rate, big.NewRat(million, 1))
	c.OnDemand = new(big.Rat).Mul(perUnit, big.NewRat(held, 1))
	c.Saving = saved.Mul(saved, perUnit)
	c.Stranded = new(big.Rat).Mul(perUnit, kept)
	c.Stranded.Mul(c.Stranded, big.NewRat(unused, 5))
	c.BreakEven = new(big.Rat).Mul(big.NewRat(TermMonths, held), price)
	return c, true
}

var one = big.NewRat(1, 1)

// Pool is the on-demand machines of one type in one region.
type Pool struct {
	Provider, InstanceType, Region, Currency string
	// whole hours, from the pool's first hour with a bill
	Window         period.Interval
	State          ledger.State
	Rate           *big.Rat // of a machine-hour on demand; nil: unknown
	Discount       *big.Rat // nil: unknown
	DiscountSource string
	// Machines on demand hour by hour, in millionths: all of them, and those that training and serving held and used.
	OnDemand, Training, Serving []int64
}

// today is the most machines on demand at once in the newest 24 hours.
func (p *Pool) today() int64 {
	if len(p.OnDemand) == 0 {
		return 0
	}
	return slices.Max(p.OnDemand[max(0, len(p.OnDemand)-24):]) / million
}

// ToCommitments advises commitments: reservations for steady serving, then a flexible plan for the baseline of
// training. Together they never exceed the machines on demand today; other work stays on demand.
func (p *Pool) ToCommitments() []Recommendation {
	if p.Rate == nil || p.Discount == nil {
		return nil
	}
	var list []Recommendation
	terms := Terms{Rate: p.Rate, Discount: p.Discount, Most: p.today()}
	reserve, steady := Reservation, "a reservation"
	if p.Provider == "gcp" {
		reserve, steady = CommittedUse, "committed use"
	}
	for _, of := range []struct {
		class      string
		hours      []int64
		instrument Instrument
		words      string
	}{{"serving", p.Serving, reserve, steady}, {"training", p.Training, FlexiblePlan, "a flexible plan (savings plan)"}} {
		c, ok := Weigh(of.hours, terms)
		if !ok {
			continue
		}
		terms.Most -= c.Quantity
		c.Instrument = of.instrument
		list = append(list, p.recommend(of.class, of.words, c))
	}
	return list
}

// recommend writes a commitment as a recommendation.
func (p *Pool) recommend(class, words string, c Commitment) Recommendation {
	hours := int64(p.Window.To-p.Window.From) / int64(period.Hour)
	place := p.InstanceType
	if p.Region != "" {
		place += " in " + p.Region
	}
	needed := new(big.Rat).Mul(new(big.Rat).Sub(one, p.Discount), big.NewRat(100, 1)).FloatString(1)
	said := fmt.Sprintf("Buy %s for %d × %s, for %d months: %s held that many in at least %s %% of the hours. Leave the "+
		"rest on demand.", words, c.Quantity, place, TermMonths, class, needed)
	sure := High
	if hours < FullHours {
		sure = Low
		said += fmt.Sprintf(" Low confidence: %d days of data, and 28 are needed.", hours/24)
	}
	r := Recommendation{Kind: Commit, Subject: Subject{Kind: p.InstanceType, Name: class}, Region: p.Region,
		Window: p.Window, Proposal: said,
		Facts: []Fact{
			{"discount", new(big.Rat).Mul(p.Discount, big.NewRat(100, 1)).FloatString(1), "%", p.DiscountSource},
			{"machines held in enough of the hours", fmt.Sprint(c.Quantity), "", "at least " + needed + " % of them"},
			{"on demand at once in the newest day", fmt.Sprint(p.today()), "", ""},
			{"pays for itself after", c.BreakEven.FloatString(1), "months", fmt.Sprintf("of %d", TermMonths)},
			{"hours of data", fmt.Sprint(hours), "h", fmt.Sprintf("%d for more than a low confidence", FullHours)},
		},
		Cost: money.FromRat(c.OnDemand), Saving: money.FromRat(c.Saving),
		Currency: p.Currency, State: p.State, Confidence: sure,
		Life: Life{Interval: p.Window, Seen: hours, Days: hours / 24}}
	r.Commitment = &c
	return r
}
