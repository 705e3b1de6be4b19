package advice

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/period"
)

// machines are hours with these numbers of held machines.
func machines(counts ...int64) []int64 {
	for i := range counts {
		counts[i] *= million
	}
	return counts
}

func pool() Pool {
	var hours []int64
	for range 100 {
		hours = append(hours, machines(5, 4, 3, 3, 3, 3, 3, 1, 0, 0)...) // three in 70 % of the hours
	}
	return Pool{Provider: "aws", InstanceType: "p5.48xlarge", Region: "us-east-1", Currency: "USD",
		Window: period.Interval{From: 0, To: 1000 * period.Hour},
		Rate:   big.NewRat(10, 1), Discount: big.NewRat(3, 10), DiscountSource: "the bill", OnDemand: hours, Training: hours}
}

// By hand: three machines in 70 of 100 hours, as many as 30 % off need. They would
// cost 3 × 1000 h × 7 = 21,000; on demand 10 × (7 × 300 + 100) = 22,000. With a
// fifth less 3, 3, 2.4 × 5, 0.8, 0, 0 of 3 are held: 0.6 × 5 + 2.2 + 6 = 11.2 of
// 30, 1120 h × 7.
func TestACommitmentByHand(t *testing.T) {
	p := pool()
	c, ok := Weigh(p.Training, Terms{Rate: p.Rate, Discount: p.Discount, Most: 9})
	if !ok || c.Quantity != 3 || c.OnDemand.RatString() != "22000" || c.Saving.RatString() != "1000" ||
		c.Stranded.RatString() != "7840" || c.BreakEven.RatString() != "126/11" {
		t.Errorf("%v: %d machines, %s on demand, saves %s, strands %s, pays after %s months", ok, c.Quantity, c.OnDemand,
			c.Saving, c.Stranded, c.BreakEven)
	}
	if c, ok := Weigh(p.Training, Terms{Rate: p.Rate, Discount: big.NewRat(29, 100), Most: 9}); !ok || c.Quantity != 1 {
		t.Errorf("with less of a discount: %v, %d machines; want 1", ok, c.Quantity)
	}
	if c, ok := Weigh(p.Training, Terms{Rate: p.Rate, Discount: p.Discount, Most: 2}); !ok || c.Quantity != 2 {
		t.Errorf("two are on demand today: %v, %d machines", ok, c.Quantity)
	}
}

func TestTheInstrumentIsNamed(t *testing.T) {
	p := pool()
	list := p.ToCommitments()
	if len(list) != 1 || list[0].Commitment.Instrument != FlexiblePlan || list[0].Subject.Name != "training" ||
		!strings.Contains(list[0].Proposal, "3 × p5.48xlarge in us-east-1, for 12 months") ||
		!strings.Contains(list[0].Proposal, "the rest on demand") || strings.Contains(list[0].Proposal, "confidence") ||
		list[0].Confidence != High || list[0].Saving.String() != "1000" {
		t.Errorf("of training: %+v", list)
	}
	p.Serving, p.Training = p.Training, nil
	if list := p.ToCommitments(); len(list) != 1 || list[0].Commitment.Instrument != Reservation {
		t.Errorf("of serving: %+v", list)
	}
	p.Provider = "gcp"
	if list := p.ToCommitments(); len(list) != 1 || list[0].Commitment.Instrument != CommittedUse {
		t.Errorf("of serving at Google: %+v", list)
	}
	p.Window.To = p.Window.From + 27*period.Day
	if list := p.ToCommitments(); list[0].Confidence != Low ||
		!strings.Contains(list[0].Proposal, "Low confidence: 27 days of data, and 28 are needed.") {
		t.Errorf("of 27 days: %s, %s", list[0].Confidence, list[0].Proposal)
	}
	for name, change := range map[string]func(*Pool){
		"no discount is known": func(p *Pool) { p.Discount = nil },
		"no rate is known":     func(p *Pool) { p.Rate = nil },
		"nothing is on demand today": func(p *Pool) {
			p.OnDemand = slices.Concat(p.OnDemand[:976], make([]int64, 24))
		},
		"it only comes in bursts": func(p *Pool) { p.Serving = slices.Repeat(machines(9, 0, 0, 0), 250) },
	} {
		p := p
		change(&p)
		if list := p.ToCommitments(); len(list) != 0 {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func hourly(t *rapid.T, name string, n int) []int64 {
	return rapid.SliceOfN(rapid.Int64Range(0, 12*million), n, n).Draw(t, name)
}

func TestCommitmentsOfAnyHours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "hours")
		p := Pool{InstanceType: "x", Window: period.Interval{To: period.Second(n) * period.Hour},
			Rate:     big.NewRat(rapid.Int64Range(1, 9999).Draw(t, "rate"), 100),
			Discount: big.NewRat(rapid.Int64Range(1, 99).Draw(t, "discount"), 100),
			Training: hourly(t, "training", n), Serving: hourly(t, "serving", n)}
		for i := range n {
			p.OnDemand = append(p.OnDemand, p.Training[i]+p.Serving[i]+rapid.Int64Range(0, 2*million).Draw(t, "idle"))
		}
		var together int64
		for _, r := range p.ToCommitments() {
			c := r.Commitment
			together += c.Quantity
			hours := map[string][]int64{"training": p.Training, "serving": p.Serving}[r.Subject.Name]
			held, enough := 0, new(big.Rat).Mul(new(big.Rat).Sub(big.NewRat(1, 1), p.Discount), big.NewRat(int64(n), 1))
			unused, onDemand := new(big.Rat), new(big.Rat)
			for _, h := range hours {
				if h >= c.Quantity*million {
					held++
				}
				less := new(big.Rat).Sub(big.NewRat(c.Quantity, 1), new(big.Rat).Mul(big.NewRat(h, million), big.NewRat(4, 5)))
				if less.Sign() > 0 {
					unused.Add(unused, less)
				}
				onDemand.Add(onDemand, big.NewRat(min(h, c.Quantity*million), million))
			}
			if big.NewRat(int64(held), 1).Cmp(enough) < 0 {
				t.Fatalf("%d machines are held in %d of %d hours only", c.Quantity, held, n)
			}
			price := new(big.Rat).Mul(p.Rate, new(big.Rat).Sub(big.NewRat(1, 1), p.Discount)) // of a committed hour
			if want := unused.Mul(unused, price); c.Stranded.Cmp(want) != 0 {
				t.Fatalf("strands %s; by hand %s", c.Stranded, want)
			}
			want := onDemand.Mul(onDemand, p.Rate)
			want.Sub(want, price.Mul(price, big.NewRat(c.Quantity*int64(n), 1)))
			if c.Saving.Sign() <= 0 || c.Saving.Cmp(want) != 0 {
				t.Fatalf("saves %s; by hand %s", c.Saving, want)
			}
			if c.BreakEven.Sign() <= 0 || c.BreakEven.Cmp(big.NewRat(TermMonths, 1)) >= 0 {
				t.Fatalf("pays after %s months", c.BreakEven)
			}
			if more, ok := Weigh(hours, Terms{p.Rate, p.Discount, c.Quantity - 1}); ok && more.Saving.Cmp(c.Saving) > 0 {
				t.Fatalf("%d save %s, %d save %s", c.Quantity, c.Saving, more.Quantity, more.Saving)
			}
		}
		if together > slices.Max(p.OnDemand[max(0, n-24):])/million {
			t.Fatalf("%d machines are advised, more than were on demand today", together)
		}
		more := new(big.Rat).Add(p.Discount, big.NewRat(1, 200))
		if a, b := Level(p.Training, p.Discount), Level(p.Training, more); b < a {
			t.Fatalf("a larger discount lowers the level from %d to %d", a, b)
		}
	})
}

// Four weeks are enough; an hour less is not.
func TestFourWeeksAreEnough(t *testing.T) {
	for hours, want := range map[period.Second]Confidence{FullHours: High, FullHours - 1: Low} {
		p := pool()
		p.Window.To = hours * period.Hour
		if list := p.ToCommitments(); len(list) != 1 || list[0].Confidence != want {
			t.Errorf("%d hours: %+v", hours, list)
		}
	}
}
