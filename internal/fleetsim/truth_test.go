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
		for _, l := range f.lines {
			want, got := l.measures(), sums[key{l.period, l.file, l.line}]
			if got == nil || !same(want.effective, got.effective) || !same(want.billed, got.billed) || !same(want.list, got.list) || !same(want.contracted, got.contracted) {
				t.Fatalf("seed %d: %s line %d (%s %s %s): want %v got %v", seed, l.file, l.line, l.kind, l.usageType, l.interval(), want, got)
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
		for _, n := range f.w.nodes {
			for h := f.w.from; h < f.w.to+3600; h += 3600 {
				if got := cap[fmt.Sprint(h, n.instanceID)]; got != nil {
					d := new(big.Rat).Quo(got, big.NewRat(int64(len(n.devices)), 1))
					if !d.IsInt() || d.Cmp(big.NewRat(3600, 1)) > 0 {
						t.Fatalf("seed %d: %s hour %s: weights add up to %s seconds a slot", seed, n.name, isoSecond(h), d)
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
