package catalog

import (
	"strings"
	"testing"
)

func TestTablesParseAndEveryRowHasASource(t *testing.T) {
	if err := Load(); err != nil {
		t.Fatal(err)
	}
	types, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range types {
		if it.Source == "" || it.Date.IsZero() {
			t.Errorf("%s has no source or date", it.Name)
		}
		if it.Kind == GPU && it.Slots() < 1 {
			t.Errorf("%s has no slot", it.Name)
		}
		if it.Kind == GPU && Model(it.GPUModel) != it.GPUModel {
			t.Errorf("model %q of %s is not its own short name: %q", it.GPUModel, it.Name, Model(it.GPUModel))
		}
	}
	prices, err := Prices()
	if err != nil {
		t.Fatal(err)
	}
	if len(types) < 120 || len(prices) < 120 {
		t.Errorf("%d types and %d prices: rows are missing", len(types), len(prices))
	}
	for _, p := range prices {
		if p.Source == "" || p.Date.IsZero() {
			t.Errorf("price of %s in %s has no source or date", p.InstanceType, p.Region)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]struct {
		slots int
		gpus  string
		model string
	}{
		"p5.48xlarge":            {8, "8", "H100"},
		"P4D.24XLARGE":           {8, "8", "A100 40GB"},
		"g6f.large":              {1, "1/8", "L4"},
		"Standard_NV6ads_A10_v5": {1, "1/6", "A10"},
		"nv6ads_a10_v5 ":         {1, "1/6", "A10"},
		"a2-megagpu-16g":         {16, "16", "A100 40GB"},
		"inf2.24xlarge":          {0, "6", "Inferentia2"},
	} {
		it, ok := Lookup(name)
		if !ok || it.Slots() != want.slots || it.GPUs.RatString() != want.gpus || it.GPUModel != want.model {
			t.Errorf("%s: %v, %d slots, %v × %s, want %+v", name, ok, it.Slots(), it.GPUs, it.GPUModel, want)
		}
	}
	if _, ok := Lookup("m5.large"); ok {
		t.Error("m5.large has no GPU")
	}
	p, ok := OnDemand("P5.48xlarge", "us-east-1")
	if !ok || p.Hourly.String() != "55.04" || p.Currency != "USD" {
		t.Errorf("p5.48xlarge: %v %s", ok, p.Hourly)
	}
	if _, ok := OnDemand("p5e.48xlarge", "us-east-1"); ok {
		t.Error("p5e.48xlarge has no public on-demand price")
	}
}

func TestModel(t *testing.T) {
	for device, want := range map[string]string{
		"NVIDIA A100-SXM4-40GB": "A100 40GB", "NVIDIA A100-SXM4-80GB": "A100 80GB", "NVIDIA-A100-SXM4-40GB": "A100 40GB",
		"NVIDIA H100 80GB HBM3": "H100", "Tesla T4": "T4", "Tesla-T4-SHARED": "T4", "NVIDIA A10G": "A10G", "NVIDIA L4": "L4",
		"NVIDIA L40S": "L40S", "Tesla V100-SXM2-16GB": "V100 16GB", "NVIDIA H200": "H200", "NVIDIA B200": "B200",
		"NVIDIA-A100-SXM4-40GB-MIG-1g.5gb": "A100 40GB", "NVIDIA GeForce RTX 4090": "GeForce RTX 4090", "": "",
	} {
		if got := Model(device); got != want {
			t.Errorf("Model(%q) = %q, want %q", device, got, want)
		}
	}
}

func TestParseNamesFileLineAndReason(t *testing.T) {
	const typeHead = "provider,instance_type,kind,gpu_model,gpu_count,gpu_memory_mib,vcpu,source,source_date\n"
	const priceHead = "provider,instance_type,region,price_class,currency,hourly,source,source_date\n"
	good := "aws,p9.large,gpu,X,1,1,1,here,2026-01-02\n"
	for _, c := range []struct{ types, prices, want string }{
		{good + good, "", "types.csv:3: p9.large is listed twice"},
		{"aws,p9.large,gpu,X,0,1,1,here,2026-01-02\n", "", `types.csv:2: gpu_count "0"`},
		{"aws,p9.large,gpu,X,1,1,1,,2026-01-02\n", "", "types.csv:2: provider"},
		{"aws,p9.large,tpu,X,1,1,1,here,2026-01-02\n", "", `kind "tpu"`},
		{"aws,p9.large,gpu,X,1,-1,1,here,2026-01-02\n", "", "gpu_memory_mib"},
		{"aws,p9.large,gpu,X,1,1,1,here,soon\n", "", "source_date"},
		{"aws,p9.large\n", "", "types.csv"},
		{good, "aws,p8.large,us-east-1,on_demand,USD,1,here,2026-01-02\n", "prices.csv:2: p8.large is not in types.csv"},
		{good, "aws,p9.large,us-east-1,on_demand,USD,a,here,2026-01-02\n", "not an amount of money"},
		{good, strings.Repeat("aws,p9.large,us-east-1,on_demand,USD,1,here,2026-01-02\n", 2), "priced twice"},
	} {
		_, err := parse([]byte(typeHead+c.types), []byte(priceHead+c.prices))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: %v, want %q", c.types, c.prices, err, c.want)
		}
	}
}
