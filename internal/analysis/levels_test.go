package analysis

import (
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func levelHours(provider, typ string, from, to int, use, work string, gpuHours string) []LevelHour {
	var list []LevelHour
	for at := from; at < to; at++ {
		list = append(list, LevelHour{Provider: provider, InstanceType: typ, Family: "p5", Region: "r", Currency: "USD",
			Hour: period.Second(at) * period.Hour, Use: use, GPUs: 8, Work: work,
			State: ledger.Open, Cost: new(money.MustParse("40")),
			GPUHours: new(money.MustParse(gpuHours)), Capacity: new(money.MustParse("8"))})
	}
	return list
}

func TestPoolsOfMachines(t *testing.T) {
	window := period.Interval{From: 10 * period.Hour, To: 60 * period.Hour}
	hours := append(levelHours("aws", "a", 0, 40, "on_demand", "training", "6"),
		levelHours("aws", "b", 20, 50, "covered", "serving", "8")...)
	families := []FamilyCost{{"aws", "p5", "USD", new(money.MustParse("60")), new(money.MustParse("100"))}}
	pools := poolsOf(hours, families, nil, window)
	if len(pools) != 2 {
		t.Fatalf("%+v", pools)
	}
	p := pools[0]
	// Billed from 10 (start of the window) to 50 (another type's last hour).
	if p.Window != (period.Interval{From: 10 * period.Hour, To: 50 * period.Hour}) || len(p.Training) != 40 ||
		p.Training[0] != 750_000 || p.Training[30] != 0 || p.OnDemand[29] != 1_000_000 || p.Serving[5] != 0 {
		t.Errorf("%+v", p)
	}
	if p.Rate.RatString() != "40" || p.Discount.RatString() != "2/5" {
		t.Errorf("rate %v, discount %v", p.Rate, p.Discount)
	}
	if q := pools[1]; q.Rate != nil || q.OnDemand[20] != 0 {
		t.Errorf("what is covered is on demand: %+v", q)
	}
}

// The time before a pool's first machine does not make it bursty: seven days out of four weeks, always held, are as
// steady as seven out of seven.
func TestAPoolBeginsWithItsFirstMachine(t *testing.T) {
	window := period.Interval{To: 28 * period.Day}
	hours := append(levelHours("aws", "new", 21*24, 28*24, "on_demand", "serving", "8"),
		levelHours("aws", "old", 0, 28*24, "on_demand", "serving", "8")...)
	families := []FamilyCost{{"aws", "p5", "USD", new(money.MustParse("60")), new(money.MustParse("100"))}}
	pools := poolsOf(hours, families, nil, window)
	if got := pools[0].Window; got != (period.Interval{From: 21 * period.Day, To: 28 * period.Day}) ||
		len(pools[0].OnDemand) != 7*24 {
		t.Errorf("begins at %s, %d hours", got, len(pools[0].OnDemand))
	}
	for i, want := range []string{"11680", "11680"} { // one machine at 40 per hour, two fifths off, 730 hours
		list := pools[i].ToCommitments()
		if len(list) != 1 || list[0].PerMonth().String() != want {
			t.Fatalf("%s: %+v; want %s a month", pools[i].InstanceType, list, want)
		}
	}
	if young, old := pools[0].ToCommitments()[0], pools[1].ToCommitments()[0]; young.Confidence >= old.Confidence &&
		young.Confidence == "high" {
		t.Errorf("a week is %s, four are %s", young.Confidence, old.Confidence)
	}
}

// Hours with unknown cost do not change the rate, but their machines count.
func TestRatesOfPoolsWithUnknownCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		window := period.Interval{From: 10 * period.Hour, To: 40 * period.Hour}
		hours := levelHours("aws", "a", 0, 40, "on_demand", "training", "6")
		cost, machines := new(big.Rat), int64(0)
		for i := range hours {
			h := &hours[i]
			h.Cost = new(money.MustParse(strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "cost"))))
			if rapid.Bool().Draw(t, "unknown") {
				h.Cost = nil
			} else if h.Hour >= window.From {
				cost.Add(cost, h.Cost.Rat())
				machines++
			}
		}
		p := poolsOf(hours, nil, nil, window)[0]
		switch {
		case machines == 0 && p.Rate != nil:
			t.Fatalf("a rate of %s is known of no cost", p.Rate.RatString())
		case machines > 0 && (p.Rate == nil || new(big.Rat).Mul(p.Rate, big.NewRat(machines, 1)).Cmp(cost) != 0):
			t.Fatalf("the rate is %v of %d machine-hours that cost %s", p.Rate, machines, cost.RatString())
		}
		for at, n := range p.OnDemand {
			if n != 1_000_000 {
				t.Fatalf("hour %d has %d millionths of a machine", at, n)
			}
		}
	})
}

func TestDiscountsOfCommitments(t *testing.T) {
	h := &LevelHour{Provider: "aws", InstanceType: "p5.48xlarge", Family: "p5", Region: "us-east-1", Currency: "USD"}
	rate := func(region string, class ledger.PriceClass, hourly string) ledger.Rate {
		return ledger.Rate{
			InstanceType: "p5.48xlarge", Region: region, PriceClass: class,
			Currency: "USD", Hourly: money.MustParse(hourly), Source: "list",
		}
	}
	book := []ledger.Rate{
		rate("", ledger.OnDemand, "100"), rate("us-east-1", ledger.OnDemand, "80"), rate("eu-west-1", ledger.Reserved, "10"),
		rate("us-east-1", ledger.Reserved, "60"), rate("us-east-1", ledger.SavingsPlan, "50"),
	}
	if d, from := discountOf(h, nil, book); d == nil || d.RatString() != "3/8" || from != "price book: list" {
		t.Errorf("of the book: %v, %s", d, from)
	}
	bill := []FamilyCost{
		{"aws", "p4d", "USD", new(money.MustParse("1")), new(money.MustParse("2"))},
		{"aws", "p5", "EUR", new(money.MustParse("1")), new(money.MustParse("2"))},
	}
	if d, _ := discountOf(h, bill, book); d == nil || d.RatString() != "3/8" {
		t.Errorf("of other families: %v", d)
	}
	bill = append(bill, FamilyCost{"aws", "p5", "USD", new(money.MustParse("90")), new(money.MustParse("100"))})
	if d, from := discountOf(h, bill, book); d == nil || d.RatString() != "1/10" ||
		from != "commitments of the family in the bill" {
		t.Errorf("of the bill: %v, %s", d, from)
	}
	if d, _ := discountOf(h, nil, book[:1]); d != nil {
		t.Errorf("without a rate of a commitment: %v", d)
	}
	bill[2].Paid = new(money.MustParse("100"))
	if d, _ := discountOf(h, bill, book); d != nil {
		t.Errorf("commitments that saved nothing: %v", d)
	}
}
