package catalog

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
)

func TestPublicRateTakesTheNearestPrice(t *testing.T) {
	for _, c := range []struct {
		name, source string
		machine      Machine
		hourly       string
	}{
		{"region and class", "2026-07-20", Machine{"g5.xlarge", "us-east-1", ledger.OnDemand, "A10G", 1}, "1.006"},
		{
			"no public price of the class", ", on-demand price",
			Machine{"g5.xlarge", "us-east-1", ledger.Reserved, "A10G", 1}, "1.006",
		},
		{
			"another region", ", price of another region",
			Machine{"g5.xlarge", "eu-north-1", ledger.OnDemand, "A10G", 1}, "1.006",
		},
		{"both", ", on-demand price of another region", Machine{"g5.xlarge", "eu-north-1", ledger.Spot, "A10G", 1}, "1.006"},
		{"no region at all", ", price of another region", Machine{"G5.XLARGE", "", ledger.OnDemand, "", 0}, "1.006"},
	} {
		r, ok := Embedded().Rate(c.machine, endOfTime)
		if !ok || r.Hourly.String() != c.hourly || !strings.HasSuffix(r.Source, c.source) || !r.Public ||
			r.Currency != "USD" {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// The typical price is recomputed from all prices: a GPU of the cheapest machine type, which has the fewest processors
// per GPU.
func TestTypicalPriceIsOfTheCheapestMachine(t *testing.T) {
	types, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	for _, device := range []string{"NVIDIA H100 80GB HBM3", "Tesla-T4", "NVIDIA L4", "NVIDIA A100-SXM4-40GB"} {
		one, ok := Embedded().Rate(Machine{GPUModel: device, GPUs: 1}, endOfTime)
		eight, _ := Embedded().Rate(Machine{InstanceType: "of-a-rack", GPUModel: device, GPUs: 8}, endOfTime)
		if !ok || !strings.Contains(one.Source, "typical price of 1 × "+Model(device)) {
			t.Fatalf("%s: %+v", device, one)
		}
		var perGPU []*big.Rat
		for _, it := range types {
			if it.Kind != GPU || it.GPUModel != Model(device) {
				continue
			}
			if r, ok := Embedded().Rate(Machine{InstanceType: it.Name, PriceClass: ledger.OnDemand, Region: "nowhere"},
				endOfTime); ok {
				perGPU = append(perGPU, new(big.Rat).Quo(r.Hourly.Rat(), it.GPUs))
			}
		}
		slices.SortFunc(perGPU, (*big.Rat).Cmp)
		difference := new(big.Rat).Sub(one.Hourly.Rat(), perGPU[0])
		if difference.Abs(difference).Cmp(big.NewRat(1, 1e12)) > 0 {
			t.Errorf("%s: %s per GPU, the lowest of %d is %s", device, one.Hourly, len(perGPU), perGPU[0].FloatString(6))
		}
		if new(big.Rat).Quo(eight.Hourly.Rat(), one.Hourly.Rat()).FloatString(9) != "8.000000000" {
			t.Errorf("%s: eight cost %s, one %s", device, eight.Hourly, one.Hourly)
		}
	}
}

func TestNoPriceIsAssumedWithoutAnyPublicPrice(t *testing.T) {
	for _, m := range []Machine{
		{}, {GPUModel: "NVIDIA H100 80GB HBM3"}, {InstanceType: "rack-7", GPUModel: "Voodoo 2", GPUs: 8},
	} {
		if r, ok := Embedded().Rate(m, endOfTime); ok {
			t.Errorf("%+v: %+v", m, r)
		}
	}
}
