package catalog

import (
	"strings"
	"testing"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

func TestTablesParseAndEveryRowHasASource(t *testing.T) {
	types, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	perProvider := map[string]int{}
	for _, it := range types {
		perProvider[it.Provider]++
		if it.Source == "" || it.Date.IsZero() {
			t.Errorf("%s has no source or date", it.Name)
		}
		if it.Kind == GPU && it.Slots() < 1 {
			t.Errorf("%s has no slot", it.Name)
		}
		if it.Kind == GPU && Model(it.GPUModel) != it.GPUModel {
			t.Errorf("model %q of %s is not its own short name: %q", it.GPUModel, it.Name, Model(it.GPUModel))
		}
		if !AcceleratedLooking(it.Name) {
			t.Errorf("%s does not look accelerated: its family is missing", it.Name)
		}
		if got, ok := LookupAt(it.Provider, it.Name); !ok || got.Name != it.Name {
			t.Errorf("%s is not found at %s", it.Name, it.Provider)
		}
		// The only fractions whose memory is known are of an L4.
		if it.GPUs.Num().Int64() < it.GPUs.Denom().Int64() && it.MemoryMiB > 0 {
			whole, ok := Lookup("g6.xlarge")
			if !ok || whole.MemoryMiB*it.GPUs.Num().Int64()/it.GPUs.Denom().Int64() != it.MemoryMiB {
				t.Errorf("%s: %d MiB is not %s of a card", it.Name, it.MemoryMiB, it.GPUs)
			}
		}
	}
	if perProvider[AWS] != 89 || perProvider[Azure] != 34 || perProvider[GCP] != 47 {
		t.Errorf("rows are missing or new ones are untested: %v", perProvider)
	}
	prices := Embedded().All()
	if len(prices) != 986 {
		t.Errorf("%d prices", len(prices))
	}
	for _, p := range prices {
		if p.Source == "" || p.Date.Year() < 2020 || p.Currency != "USD" {
			t.Errorf("price of %s in %s: %+v", p.InstanceType, p.Region, p)
		}
		onDemand, ok := Embedded().At(p.Provider, p.InstanceType, p.Region, ledger.OnDemand, endOfTime)
		if p.PriceClass == ledger.Spot && (!ok || onDemand.Hourly.Cmp(p.Hourly) <= 0) {
			t.Errorf("%s in %s: spot %s, on demand %s", p.InstanceType, p.Region, p.Hourly, onDemand.Hourly)
		}
	}
}

func TestLookup(t *testing.T) {
	for name, want := range map[string]struct {
		slots       int
		gpus, model string
		provider    string
		vcpu        int
		host        string
	}{
		"p5.48xlarge":            {8, "8", "H100", AWS, 192, "2048"},
		"ml.p5.48xlarge":         {8, "8", "H100", AWS, 192, "2048"},
		"P4D.24XLARGE":           {8, "8", "A100 40GB", AWS, 96, "1152"},
		"g6f.large":              {1, "1/8", "L4", AWS, 2, "8"},
		"Standard_NV6ads_A10_v5": {1, "1/6", "A10", Azure, 0, ""},
		"nv6ads_a10_v5 ":         {1, "1/6", "A10", Azure, 0, ""},
		"a2-megagpu-16g":         {16, "16", "A100 40GB", GCP, 96, "1360"},
		"g4-standard-6":          {1, "1/8", "RTX PRO 6000 Server", GCP, 6, "22"},
		"inf2.24xlarge":          {6, "6", "Inferentia2", AWS, 96, "384"},
		"ct5lp-hightpu-4t":       {4, "4", "TPU v5e", GCP, 112, "192"},
	} {
		it, ok := Lookup(name)
		host := ""
		if it.HostGiB != nil {
			host = it.HostGiB.RatString()
		}
		if !ok || it.Slots() != want.slots || it.GPUs.RatString() != want.gpus || it.GPUModel != want.model ||
			it.Provider != want.provider || it.VCPU != want.vcpu || host != want.host {
			t.Errorf("%s: %v %+v, want %+v", name, ok, it, want)
		}
	}
	if _, ok := Lookup("m5.large"); ok {
		t.Error("m5.large has no GPU")
	}
	for _, c := range []struct {
		provider, name string
		want           bool
	}{
		{"aws", "p5.48xlarge", true}, {"AWS", "ml.g5.xlarge", true}, {"gcp", "p5.48xlarge", false},
		{"coreweave", "p5.48xlarge", true}, {"", "a2-highgpu-1g", true},
		{"azure", "nc6s_v3", true}, {"aws", "nc6s_v3", false},
	} {
		if _, ok := LookupAt(c.provider, c.name); ok != c.want {
			t.Errorf("%s at %q: %v", c.name, c.provider, ok)
		}
	}
}

func TestOneNameAtTwoProviders(t *testing.T) {
	tab, err := parse([]byte(strings.Join(typeColumns,
		",")+"\naws,x1.large,gpu,X,1,1,1,1,here,2026-01-02\ngcp,x1.large,gpu,X,2,1,1,1,here,2026-01-02\n"),
		[]byte(strings.Join(PriceColumns,
			",")+"\naws,x1.large,r,on_demand,USD,1,here,2026-01-02\ngcp,x1.large,r,on_demand,USD,2,here,2026-01-02\n"))
	if err != nil || len(tab.byName["x1.large"]) != 2 || len(tab.byKey) != 2 {
		t.Errorf("%v %+v", err, tab)
	}
}

func TestPrices(t *testing.T) {
	p, ok := Embedded().OnDemand("P5.48xlarge", "us-east-1")
	if !ok || p.Hourly.String() != "55.04" || p.Currency != "USD" {
		t.Errorf("p5.48xlarge: %v %s", ok, p.Hourly)
	}
	if _, ok := Embedded().OnDemand("p5e.48xlarge", "us-east-1"); ok {
		t.Error("p5e.48xlarge has no public on-demand price")
	}
	if _, ok := Embedded().OnDemand("ml.p5.48xlarge", "us-east-1"); ok {
		t.Error("SageMaker has prices of its own")
	}
	if _, ok := Embedded().OnDemand("p5.48xlarge", "eu-west-1"); ok {
		t.Error("a price of another region")
	}
	if p, ok = Embedded().OnDemand("Standard_ND96asr_v4", "westeurope"); !ok || p.Hourly.String() != "35.357" {
		t.Errorf("Standard_ND96asr_v4: %v %s", ok, p.Hourly)
	}
	if p, ok = Embedded().At(GCP, "a2-highgpu-8g", "us-central1", ledger.Spot, endOfTime); !ok ||
		p.Hourly.String() != "14.4308" {
		t.Errorf("spot: %v %s", ok, p.Hourly)
	}
	if _, ok = Embedded().At(AWS, "a2-highgpu-8g", "us-central1", ledger.Spot, endOfTime); ok {
		t.Error("a price of another provider")
	}
}

func TestTheNewestPriceBeforeThatTime(t *testing.T) {
	tab, err := parse([]byte(strings.Join(typeColumns, ",")+"\naws,p9.large,gpu,X,1,1,1,1,here,2026-01-02\n"),
		[]byte(strings.Join(PriceColumns,
			",")+"\naws,p9.large,r,on_demand,USD,3,here,2026-01-02\naws,p9.large,r,on_demand,USD,2,here,2026-06-02\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := tab.byKey[priceKey{AWS, "p9.large", "r", ledger.OnDemand}]; len(got) != 2 ||
		!tab.prices[got[0]].Date.Before(tab.prices[got[1]].Date) {
		t.Errorf("%v", got)
	}
}

func TestOnDemandEquivalent(t *testing.T) {
	at := period.FromTime(time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
	rate := func(id byte, region, hourly string, class ledger.PriceClass, from, to period.Second) ledger.Rate {
		return ledger.Rate{ID: ledger.ID{id}, InstanceType: "p5.48xlarge", Region: region, PriceClass: class, Currency: "USD",
			Hourly: money.MustParse(hourly), Valid: period.Interval{From: from, To: to}, Source: "book"}
	}
	for _, c := range []struct {
		name, want string
		book       []ledger.Rate
	}{
		{"catalogue", "55.04", nil},
		{"book", "50", []ledger.Rate{rate(1, "", "50", ledger.OnDemand, 0, endOfTime)}},
		{
			"region first", "40", []ledger.Rate{
				rate(1, "", "50", ledger.OnDemand, 0, endOfTime), rate(2, "us-east-1", "40", ledger.OnDemand, 0, endOfTime),
			},
		},
		{
			"newest", "41", []ledger.Rate{
				rate(1, "", "50", ledger.OnDemand, 0, endOfTime), rate(2, "", "41", ledger.OnDemand, 5, endOfTime),
			},
		},
		{
			"smallest id", "42", []ledger.Rate{
				rate(2, "", "50", ledger.OnDemand, 0, endOfTime), rate(1, "", "42", ledger.OnDemand, 0, endOfTime),
			},
		},
		{"spot is none", "55.04", []ledger.Rate{rate(1, "", "20", ledger.Spot, 0, endOfTime)}},
		{"over", "55.04", []ledger.Rate{rate(1, "", "20", ledger.OnDemand, 0, at)}},
		{"other region", "55.04", []ledger.Rate{rate(1, "eu-west-1", "20", ledger.OnDemand, 0, endOfTime)}},
	} {
		got, ok := Embedded().OnDemandEquivalent(c.book, AWS, "P5.48xlarge", "us-east-1", at)
		if !ok || got.Hourly.String() != c.want || got.ID.IsZero() || got.Source == "" || !got.Valid.Contains(at) {
			t.Errorf("%s: %v %+v", c.name, ok, got)
		}
	}
	if _, ok := Embedded().OnDemandEquivalent(nil, AWS, "p5.48xlarge", "mars-1", at); ok {
		t.Error("a price from nowhere")
	}
	if _, ok := Embedded().OnDemandEquivalent(nil, "owned", "dgx-h100", "", at); ok {
		t.Error("owned machines have no list price")
	}
}

func TestAcceleratedLooking(t *testing.T) {
	for _, name := range []string{
		"p7.48xlarge", "p6e-gb200.36xlarge", "g9.xlarge", "gr7.4xlarge",
		"trn3.48xlarge", "inf3.xlarge", "dl3.24xlarge", "ml.p9.48xlarge",
		"a3-highgpu-16g", "a4x-maxgpu-4g", "g3-standard-4", "ct9e-standard-4t", "tpu8x-standard-4t",
		"Standard_NC128ds_xl_RTXPRO6000BSE_v6", "Standard_NM16ads_MA35D  ",
		"standard_nd96isr_b300_v6", "NV48s_v3", "Standard_NCC80ads_H200_v6",
		"BM.GPU.H100.8", "gd-8xh100ib-i128", "gpu_8x_b200_sxm6",
	} {
		if !AcceleratedLooking(name) || !Unknown("", name) && name != "NV48s_v3" {
			t.Errorf("%s should be reported", name)
		}
	}
	for _, name := range []string{
		"", "m5.large", "c5.4xlarge", "r6g.large", "t4g.micro", "i3en.24xlarge",
		"c6gn.large", "n1-standard-4", "n2d-standard-8", "a2.medium",
		"e2-medium", "c3-standard-4", "Standard_D4s_v5", "Standard_E4ds_v4",
		"Standard_NP10s", "Standard_B2s", "m6g.metal", "db.r5.large", "x2gd.large",
	} {
		if AcceleratedLooking(name) {
			t.Errorf("%s has no accelerator", name)
		}
	}
	if Unknown(AWS, "p5.48xlarge") || !Unknown(GCP, "p5.48xlarge") || Unknown(AWS, "m5.large") {
		t.Error("unknown is accelerated and not in the catalogue of the provider")
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
	good := "aws,p9.large,gpu,X,1,1,1,1,here,2026-01-02\n"
	price := "aws,p9.large,us-east-1,on_demand,USD,1,here,2026-01-02\n"
	for _, c := range []struct{ types, prices, want string }{
		{good + good, "", "types.csv:3: p9.large is listed twice"},
		{good + strings.Replace(good, "p9", "p8", 1), "", "types.csv:3: p8.large comes after p9.large"},
		{"aws,p9.large,gpu,X,0,1,1,,here,2026-01-02\n", "", `types.csv:2: gpu_count "0"`},
		{"aws,p9.large,gpu,X,1,1,1,,,2026-01-02\n", "", "types.csv:2: provider"},
		{"ibm,p9.large,gpu,X,1,1,1,,here,2026-01-02\n", "", `provider "ibm"`},
		{"aws,p9.large,tpu,X,1,1,1,,here,2026-01-02\n", "", `kind "tpu"`},
		{"aws,p9.large,gpu,X,1,-1,1,,here,2026-01-02\n", "", "gpu_memory_mib"},
		{"aws,p9.large,gpu,X,1,1,1,-1,here,2026-01-02\n", "", "memory_gib"},
		{"aws,p9.large,gpu,X,1,1,1,,here,soon\n", "", "source_date"},
		{"aws,p9.large\n", "", "types.csv"},
		{good, strings.Replace(price, "p9", "p8", 1), "prices.csv:2: aws p8.large is not in types.csv"},
		{good, strings.Replace(price, "aws", "gcp", 1), "prices.csv:2: gcp p9.large is not in types.csv"},
		{good, strings.Replace(price, ",1,", ",a,", 1), "not an amount of money"},
		{good, strings.Replace(price, ",1,", ",0,", 1), "not positive"},
		{good, strings.Replace(price, "on_demand", "reserved", 1), "price_class"},
		{good, price + price, "priced twice"},
		{good, price + strings.Replace(price, "us-", "eu-", 1), "comes after"},
	} {
		_, err := parse([]byte(strings.Join(typeColumns, ",")+"\n"+c.types),
			[]byte(strings.Join(PriceColumns, ",")+"\n"+c.prices))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: %v, want %q", c.types, c.prices, err, c.want)
		}
	}
	if _, err := parse([]byte("a,b\n"), nil); err == nil || !strings.Contains(err.Error(), "types.csv") {
		t.Error("a foreign header")
	}
}
