package truth

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/fleetsim/world"
)

// TestFeatures: over a few seeds everything happens that the simulator promises, and no two seeds give the same story.
func TestFeatures(t *testing.T) {
	seen, stories := map[string]int{}, map[string]bool{}
	for seed := int64(1); seed <= 5; seed++ {
		cfg := world.Preset(world.Small)
		cfg.Seed = seed
		f, err := fleetsim.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		tr := Of(f)
		here := map[string]bool{}
		for _, a := range tr.Attempts {
			here["outcome "+a.Outcome] = true
			here["loss "+a.LossBasis] = true
			here["attempt "+strconv.Itoa(min(3, a.Number))] = true
		}
		for _, u := range tr.Usage {
			here["cause "+u.Cause] = true
			here["activity "+u.Activity] = true
			here[fmt.Sprintf("estimated %v shared %v", u.Estimated, u.Slice == world.WholeDevice)] = true
			if u.Cause == "used" && u.PodUID == "" {
				here["used by nobody"] = true
			}
			here["team "+u.Team] = true
		}
		for _, p := range tr.Postings {
			here["part "+p.Part] = true
			if p.Part == "provisional" {
				here["rate "+p.PriceClass] = true
			}
		}
		for _, w := range f.Clusters[0].World.Waste {
			here["waste "+w.Kind] = true
		}
		for _, n := range f.Clusters[0].World.Nodes {
			here[fmt.Sprintf("modern %v", n.Modern)], here[fmt.Sprintf("silent %v", n.Silent)] = true, true
		}
		for k := range here {
			seen[k]++
		}
		story := fmt.Sprint(len(tr.Attempts), len(tr.Usage), len(tr.Postings))
		if stories[story] {
			t.Errorf("seed %d tells the story of another", seed)
		}
		stories[story] = true
	}
	for _, want := range []string{"outcome succeeded", "outcome preempted", "outcome oom", "outcome failed",
		"outcome cancelled", "outcome running", "outcome evicted",
		"outcome node_failure", "loss checkpoint", "loss none", "attempt 3",
		"cause used", "cause overhead", "cause held_idle", "cause lost", "cause free",
		"cause unavailable", "cause unobserved", "activity unknown", "used by nobody",
		"estimated true shared true", "part compute", "part shared", "part non_gpu",
		"part commitment_fee", "part commitment_unused", "part provisional",
		"rate spot", "rate savings_plan", "rate on_demand", "waste idle_notebook",
		"waste rogue_process", "waste crash_loop", "waste never_joined",
		"waste no_checkpoint", "modern true", "modern false", "silent true", "team unowned"} {
		if seen[want] == 0 {
			t.Errorf("never seen: %s", want)
		}
	}
	t.Log(seen)
}

// TestSecondBySecond compares the truth, which steps from change to change, with the same rules applied to every
// second.
func TestSecondBySecond(t *testing.T) {
	f, err := fleetsim.New(oneSmallDay(4))
	if err != nil {
		t.Fatal(err)
	}
	tr := newTruth(f.Clusters[0])
	tr.readFacts()
	tr.readAttempts()
	tr.readUsage()
	for i, n := range f.Clusters[0].World.Nodes {
		nt := tr.nodes[n]
		if nt.appeared == 0 {
			continue
		}
		h := nt.appeared/3600*3600 + 3600*int64(1+i%3)
		at := map[Key]*usageRow{}
		for a := max(h, nt.appeared); a < min(h+3600, nt.gone); a++ {
			for _, d := range n.Devices {
				tr.slot(at, nt, d, a, a+1)
			}
		}
		for _, r := range tr.rows[nodeHour{n, h}] {
			w := new(big.Rat)
			if s := at[r.Key]; s != nil {
				for k, v := range s.weights {
					w.Add(w, new(big.Rat).Mul(k.rat(), big.NewRat(v, 1)))
				}
			}
			if w.Cmp(r.Weight) != 0 {
				t.Fatalf("%s: %+v: %s by the second, %s by the change", n.Name, r.Key, w, r.Weight)
			}
		}
	}
}

// TestEveryCloudIsInTheTruth: the cases of the further clouds and commitments really happen.
func TestEveryCloudIsInTheTruth(t *testing.T) {
	f, err := fleetsim.New(twoDaysEverywhere(1))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, p := range Of(f).Postings {
		file, _, _ := strings.Cut(p.File, "-")
		file, _, _ = strings.Cut(file, "/")
		seen[file+" "+p.Kind+" "+p.Part]++
		seen[p.Currency]++
		if p.Quality == "estimated" && p.Part == "compute" && p.Slice == world.WholeDevice {
			seen["pooled "+file]++
		}
		if p.Part == "provisional" && p.Currency != "" && p.Quality == "assumed" {
			seen["public price"]++
		}
	}
	for _, want := range []string{
		"acme direct compute", "acme direct metered", "acme direct commitment_fee",
		"acme direct commitment_unused", "acme direct shared", "acme direct non_gpu",
		"acme amortise compute", "acme amortise commitment_fee", "acme amortise commitment_unused", // the capacity block
		"export direct compute", "export direct shared", "export direct non_gpu", "export direct commitment_fee",
		"export amortise compute", "export amortise non_gpu",
		"export amortise commitment_fee", "export amortise commitment_unused",
		"ActualCost direct compute", "ActualCost direct commitment_fee",
		"ActualCost direct shared", "ActualCost direct non_gpu",
		"AmortizedCost direct compute", "AmortizedCost direct commitment_unused", "AmortizedCost direct shared",
		"price direct compute", "pooled export", "pooled AmortizedCost", "public price", "USD", "EUR",
	} {
		if seen[want] == 0 {
			t.Errorf("never seen: %s", want)
		}
	}
	t.Log(seen)
}

func oneSmallDay(seed int64) world.Config {
	c := world.Preset(world.Small)
	c.Seed, c.Days, c.BillLagHours = seed, 1, 6
	return c
}

func twoDaysEverywhere(seed int64) world.Config {
	c := oneSmallDay(seed).Everywhere()
	c.Days, c.BillLagHours = 2, 20
	return c
}
