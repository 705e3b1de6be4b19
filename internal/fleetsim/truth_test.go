package fleetsim

import (
	"fmt"
	"math/big"
	"testing"
	"time"
)

// TestTruthAddsUp: the postings of each charge add up to the charge, metric by
// metric, and the weights of a node-hour to its device-seconds.
func TestTruthAddsUp(t *testing.T) {
	for seed := int64(1); seed <= 5; seed++ {
		cfg := Preset(Small)
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
		f, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		tr := f.Truth()
		took := time.Since(begin)
		type key struct {
			period, file string
			line         int64
		}
		sums := map[key]*amounts{}
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
				sums[k] = &amounts{}
			}
			s := sums[k]
			add(&s.effective, p.Effective)
			add(&s.billed, p.Billed)
			add(&s.list, p.List)
			add(&s.contracted, p.Contracted)
		}
		same := func(a, b *big.Rat) bool { return (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0) }
		for _, c := range f.clusters {
			for _, l := range c.bill.charges() {
				want, got := l.amounts, sums[key{l.period, l.file, l.line}]
				if c.w.site.provider == owned { // all hours of all machines stand in one line
					want = amounts{}
					for _, o := range c.bill.charges() {
						if o.period == l.period {
							add(&want.effective, o.effective)
							add(&want.billed, o.billed)
							add(&want.contracted, o.contracted)
						}
					}
				}
				if l.rule == splitRow {
					if got != nil {
						t.Fatalf("seed %d: %s line %d is evidence and has postings", seed, l.file, l.line)
					}
					continue
				}
				if got == nil || !same(want.effective, got.effective) || !same(want.billed, got.billed) || !same(want.list, got.list) || !same(want.contracted, got.contracted) {
					t.Fatalf("seed %d: %s line %d (rule %d %s %s): want %v got %v", seed, l.file, l.line, l.rule, l.usageType, l.interval, want, got)
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
		for _, c := range f.clusters {
			for _, n := range c.w.nodes {
				for h := c.w.from; h < c.w.to+3600; h += 3600 {
					if got := cap[fmt.Sprint(h, n.instanceID)]; got != nil {
						d := new(big.Rat).Quo(got, big.NewRat(int64(len(n.devices)), 1))
						if !d.IsInt() || c.w.site.provider != azure && d.Cmp(big.NewRat(3600, 1)) > 0 { // a day's line may pay for more than its up-time
							t.Fatalf("seed %d: %s hour %s: weights add up to %s seconds a slot", seed, n.name, isoSecond(h), d)
						}
					}
				}
			}
		}
		outcomes := map[string]int{}
		for _, a := range tr.Attempts {
			outcomes[a.Outcome]++
		}
		t.Logf("seed %d: %d usage rows, %d postings, %d runs, %v in %v; causes %v", seed, len(tr.Usage), len(tr.Postings), len(tr.Runs), outcomes, took, rounded(causes))
	}
}

func rounded(m map[string]float64) map[string]int {
	out := map[string]int{}
	for k, v := range m {
		out[k] = int(v)
	}
	return out
}
