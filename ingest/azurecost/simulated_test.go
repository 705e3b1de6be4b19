package azurecost

import (
	"math/big"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
	"gpuledger/test/truth"
)

// For a simulated AKS fleet, the pair of exports equals the true ledger: every line with its
// amounts, and every machine by the key of its node.
func TestSimulatedFleet(t *testing.T) {
	cfg := fleetsim.Preset(fleetsim.Small)
	cfg.Azure, cfg.Restate = true, true
	fleet, err := fleetsim.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := fleet.WriteTo(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	data, manifests := billtest.Split(t, Format, billtest.List(t, filepath.Join(dir, "azure")))
	r, err := readAll(t, data, manifests...)
	if err != nil || r.Tally.RejectedRows() > 0 {
		t.Fatal(err, r)
	}
	r.Check(t)
	if len(r.Deliveries) != 4 { // each dataset, and each as it stood before
		t.Fatalf("%d deliveries", len(r.Deliveries))
	}
	oracle := truth.Of(fleet)
	nodes := map[string]bool{}
	for _, n := range oracle.Nodes {
		nodes[n.Instance] = true
	}
	type line struct {
		file   string
		number int64
	}
	want := map[line][4]*big.Rat{}
	on := map[line]map[string]bool{}
	for i := range oracle.Postings {
		p := &oracle.Postings[i]
		if !strings.HasPrefix(p.File, "ActualCost/") && !strings.HasPrefix(p.File, "AmortizedCost/") {
			continue
		}
		at := line{p.File, p.Line}
		sums := want[at]
		for m, a := range [4]*big.Rat{p.Billed, p.Effective, p.List, p.Contracted} {
			if a != nil {
				if sums[m] == nil {
					sums[m] = new(big.Rat)
				}
				sums[m].Add(sums[m], a)
			}
		}
		want[at] = sums
		if p.Part == "compute" && p.Instance != "" {
			if on[at] == nil {
				on[at] = map[string]bool{}
			}
			on[at][p.Instance] = true
		}
	}
	machines, seen := 0, map[line]bool{}
	for slot, d := range r.Deliveries {
		if slot > 0 && r.Deliveries[slot-1].Export == d.Export || slot+1 < len(r.Deliveries) &&
			r.Deliveries[slot+1].Export != d.Export {
			for i := range r.Charges[slot] {
				c := &r.Charges[slot][i]
				at := line{d.Dataset + "/" + path.Base(c.SourceFile), c.Line}
				seen[at] = true
				if have := [4]*money.Amount{c.Billed, c.Effective, c.List, c.Contracted}; !sameAmounts(have, want[at], c) {
					t.Errorf("%s line %d: %s, want %v", at.file, at.number, costs(*c), want[at])
				}
				for key := range on[at] {
					machines++
					if !nodes[key] || key != c.InstanceID && !strings.HasPrefix(key, c.InstanceID+"/virtualmachines/") ||
						!c.InstanceHours || c.InstanceSeconds == nil {
						t.Errorf("%s line %d is of %s, not of %s", at.file, at.number, c.InstanceID, key)
					}
				}
			}
		}
	}
	if len(seen) != len(want) || machines == 0 {
		t.Errorf("%d lines of %d, %d times a machine", len(seen), len(want), machines)
	}
}

func sameAmounts(have [4]*money.Amount, want [4]*big.Rat, c *ledger.Charge) bool {
	for m := range have {
		switch {
		case have[m] == nil && want[m] == nil:
		case m == 1 && c.Kind == ledger.LineCommitmentFee: // on two parts: 0 and the unused one
		case have[m] == nil || want[m] == nil || have[m].Rat().Cmp(want[m]) != 0:
			return false
		}
	}
	return true
}
