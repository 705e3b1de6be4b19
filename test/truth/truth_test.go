package truth

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/bills"
	"gpuledger/internal/fleetsim/world"
	"gpuledger/test/tier"
)

// TestTruthAddsUp: the postings of each charge add up to the charge, metric by
// metric, and the weights of a node-hour to its device-seconds.
func TestTruthAddsUp(t *testing.T) {
	for seed := int64(1); seed <= 5; seed++ {
		if seed < 4 && !tier.Full() { // the fourth has all their cases
			continue
		}
		cfg := world.Preset(world.Small)
		cfg.Seed = seed
		if seed%2 == 0 {
			cfg.EDPPercent = 6
		}
		if seed == 3 {
			cfg = cfg.Everywhere()
		}
		if seed == 4 {
			cfg.Start = time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC)
			cfg = cfg.Everywhere()
		}
		if seed == 5 { // two billing periods, two cells
			cfg.Start, cfg.GPUs = cfg.Start.AddDate(0, 0, -2), 80
		}
		f, err := fleetsim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		tr := Of(f)
		took := time.Since(begin)
		type key struct {
			period, file string
			line         int64
		}
		sums := map[key]*bills.Amounts{}
		add := func(to **big.Rat, v *big.Rat) {
			if v == nil {
				return
			}
			if *to == nil {
				*to = new(big.Rat)
			}
			(*to).Add(*to, v)
		}
		for _, p := range tr.Postings {
			if p.Part == "provisional" {
				continue
			}
			k := key{p.BillingPeriod, p.File, p.Line}
			if sums[k] == nil {
				sums[k] = &bills.Amounts{}
			}
			s := sums[k]
			add(&s.Effective, p.Effective)
			add(&s.Billed, p.Billed)
			add(&s.List, p.List)
			add(&s.Contracted, p.Contracted)
		}
		same := func(a, b *big.Rat) bool { return (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0) }
		for _, c := range f.Clusters {
			for _, l := range c.Bill.Charges() {
				want, got := l.Amounts, sums[key{l.Period, l.File, l.Line}]
				if c.World.Site.Provider == world.Owned { // one line contains all hours of all machines
					want = bills.Amounts{}
					for _, o := range c.Bill.Charges() {
						if o.Period == l.Period {
							add(&want.Effective, o.Effective)
							add(&want.Billed, o.Billed)
							add(&want.Contracted, o.Contracted)
						}
					}
				}
				if l.Rule == bills.SplitRow {
					if got != nil {
						t.Fatalf("seed %d: %s line %d is evidence and has postings", seed, l.File, l.Line)
					}
					continue
				}
				if got == nil || !same(want.Effective, got.Effective) || !same(want.Billed, got.Billed) ||
					!same(want.List, got.List) || !same(want.Contracted, got.Contracted) {
					t.Fatalf("seed %d: %s line %d (rule %d %s %s): want %v got %v", seed, l.File, l.Line, l.Rule, l.UsageType,
						l.Interval, want, got)
				}
			}
		}
		cap := map[string]*big.Rat{}
		causes := map[string]float64{}
		for _, u := range tr.Usage {
			k := fmt.Sprint(u.Hour, u.Instance)
			if cap[k] == nil {
				cap[k] = new(big.Rat)
			}
			cap[k].Add(cap[k], u.Weight)
			w, _ := u.Weight.Float64()
			causes[u.Cause] += w / 3600
		}
		for _, c := range f.Clusters {
			for _, n := range c.World.Nodes {
				for h := c.World.From; h < c.World.To+3600; h += 3600 {
					if got := cap[fmt.Sprint(h, n.InstanceID)]; got != nil {
						d := new(big.Rat).Quo(got, big.NewRat(int64(len(n.Devices)), 1))
						// a day's line may pay for more than its up-time
						if !d.IsInt() || c.World.Site.Provider != world.Azure && d.Cmp(big.NewRat(3600, 1)) > 0 {
							t.Fatalf("seed %d: %s hour %s: weights add up to %s seconds a slot", seed, n.Name, world.IsoSecond(h), d)
						}
					}
				}
			}
		}
		outcomes := map[string]int{}
		for _, a := range tr.Attempts {
			outcomes[a.Outcome]++
		}
		t.Logf("seed %d: %d usage rows, %d postings, %d runs, %v in %v; causes %v", seed, len(tr.Usage), len(tr.Postings),
			len(tr.Runs), outcomes, took, rounded(causes))
	}
}

func rounded(m map[string]float64) map[string]int {
	out := map[string]int{}
	for k, v := range m {
		out[k] = int(v)
	}
	return out
}
