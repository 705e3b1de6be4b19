package focus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

// Counts and sums of the public samples, as computed by others from the text.
func TestSamples(t *testing.T) {
	for name, want := range map[string]struct {
		rows       int64
		deliveries int
		sums       map[ledger.Metric]string
	}{
		"FOCUS-1.0_focus_sample.csv": {1000, 4,
			map[ledger.Metric]string{ledger.BilledCost: "20.52022672899", ledger.ContractedCost: "14.97626039326",
				ledger.EffectiveCost: "14.97651418586", ledger.ListCost: "20.39090575119"}},
		"focus-data-toolkit_aws_1_2_cost_and_usage_rows100_seed42.csv": {100, 2,
			map[ledger.Metric]string{ledger.BilledCost: "1157.48882377213324",
				ledger.EffectiveCost: "403.45921877213324", ledger.ListCost: "1203.92341784103253",
				ledger.ContractedCost: "1161.67908227773324"}},
		"focus-data-toolkit_azure_1_2_cost_and_usage_rows25_seed7.csv": {25, 2,
			map[ledger.Metric]string{ledger.BilledCost: "624.24788387618795",
				ledger.EffectiveCost: "119.31918987618795", ledger.ListCost: "633.17554468826568",
				ledger.ContractedCost: "626.13956493218795"}},
		"focus-data-toolkit_gcp_1_2_cost_and_usage_rows25_seed7_credits.csv": {25, 2,
			map[ledger.Metric]string{ledger.BilledCost: "1010.67926227449205",
				ledger.EffectiveCost: "290.46881927449205", ledger.ListCost: "1052.0651982607005",
				ledger.ContractedCost: "1012.12646227449205"}},
		"spec_commitment_discount_purchase_scenario_1.csv": {
			1, 1, map[ledger.Metric]string{ledger.BilledCost: "8760", ledger.EffectiveCost: "0"},
		},
		"spec_commitment_discount_usage_scenario_1.csv": {
			1, 1, map[ledger.Metric]string{ledger.BilledCost: "0", ledger.EffectiveCost: "1"},
		},
		"spec_commitment_discount_usage_scenario_2.csv": {
			1, 1, map[ledger.Metric]string{ledger.BilledCost: "0", ledger.EffectiveCost: "1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := billtest.ReadAll(t, Format, billtest.List(t, billtest.Samples(t, "focus/"+name)), nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Tally.RejectedRows(); n > 0 {
				t.Fatalf("%d rejected: %v", n, r.Tally.First[0])
			}
			r.Check(t)
			var rows int64
			sums := map[ledger.Metric]money.Amount{}
			for _, d := range r.Deliveries {
				rows += d.Rows
				for _, c := range d.Totals {
					sums[c.Metric] = sums[c.Metric].Add(c.SourceTotal)
				}
			}
			if rows != want.rows || len(r.Deliveries) != want.deliveries {
				t.Errorf("%d rows in %d deliveries, want %d in %d", rows, len(r.Deliveries), want.rows, want.deliveries)
			}
			for _, m := range ledger.Metrics {
				if got, carried := sums[m]; carried != (want.sums[m] != "") || carried && got.String() != want.sums[m] {
					t.Errorf("%s: %s, want %q", m, got, want.sums[m])
				}
			}
		})
	}
}

func TestSampleGPUInstance(t *testing.T) {
	r, err := billtest.ReadAll(t, Format, billtest.List(t, billtest.Samples(t, "focus/FOCUS-1.0_focus_sample.csv")), nil,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	var billed, effective money.Amount
	lines := 0
	for _, slot := range r.Charges {
		for i := range slot {
			if c := &slot[i]; c.BillsGPU {
				lines++
				billed, effective = billed.Add(*c.Billed), effective.Add(*c.Effective)
				if c.InstanceType != "g5.4xlarge" || !c.InstanceHours || c.InstanceSeconds == nil {
					t.Errorf("line %d: %+v", c.Line, c)
				}
			}
		}
	}
	if lines != 8 || billed.String() != "10.203682944" || effective.String() != "11" {
		t.Errorf("%d lines, billed %s, effective %s", lines, billed, effective)
	}
}

// cells is one row of a test file by column.
type cells map[string]string

var usual = cells{
	"BilledCost": "10", "EffectiveCost": "8", "ListCost": "12", "ContractedCost": "10",
	"BillingCurrency": "USD", "BillingAccountId": "b1", "SubAccountId": "s1",
	"BillingPeriodStart": "2026-10-01T00:00:00Z", "BillingPeriodEnd": "2026-11-01T00:00:00Z",
	"ChargePeriodStart": "2026-10-05 10:00:00", "ChargePeriodEnd": "2026-10-05 11:00:00",
	"ChargeCategory": "Usage", "ProviderName": "CoreWeave",
	"ServiceName": "Compute", "ConsumedQuantity": "1", "ConsumedUnit": "Hours",
	"ResourceId":      "cw/nodes/g123",
	"SkuPriceDetails": `{"InstanceType":"gd-8xh100ib-i128","GpuCount":8}`, "Tags": `{"team":"a"}`,
	"CommitmentDiscountId": "", "CommitmentDiscountStatus": "", "CommitmentDiscountCategory": "",
	"PricingCategory": "Standard", "ChargeClass": "", "AllocatedMethodId": "", "ChargeDescription": "",
	"x_UsageType": "", "ServiceCategory": "",
}

func sheet(t *testing.T, rows ...cells) string {
	t.Helper()
	var columns []string
	for c := range usual {
		columns = append(columns, c)
	}
	for _, row := range rows {
		for c := range row {
			if !slices.Contains(columns, c) {
				columns = append(columns, c)
			}
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(columns, ",") + "\n")
	for _, row := range rows {
		for i, c := range columns {
			v, ok := row[c]
			if !ok {
				v = usual[c]
			}
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(v, `"`, `""`) + `"`)
		}
		b.WriteByte('\n')
	}
	p := filepath.Join(t.TempDir(), "bill.csv")
	if err := os.WriteFile(p, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func one(t *testing.T, row cells) *ledger.Charge {
	t.Helper()
	r, err := billtest.ReadAll(t, Format, billtest.List(t, sheet(t, row)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("%v", r.Tally.First)
	}
	return &r.Charges[0][0]
}

// A tag with which a provider names a cost's owner takes precedence over the tags of the
// original charge, in every owner dimension and key.
func TestAllocatedTagsGoBeforeTags(t *testing.T) {
	for _, c := range []struct{ tags, allocated, want string }{
		{`{"team":"infra","app":"x"}`, `{"team":"nlp"}`, "map[app:x team:nlp]"},
		{`{"user_team":"infra","app":"x"}`, `{"Team":"nlp"}`, "map[Team:nlp app:x]"},
		{`{"cost-center":"1"}`, `{"CostCenter":"2"}`, "map[CostCenter:2]"},
		{`{"team":"infra"}`, `{"team":""}`, "map[team:infra]"},
		{`{"team":"infra","model":"m"}`, `{"owner":"nlp"}`, "map[model:m owner:nlp]"},
		{`{"team":"infra"}`, "", "map[team:infra]"},
		{"", `{"team":"nlp"}`, "map[team:nlp]"},
	} {
		if got := fmt.Sprint(one(t, cells{"Tags": c.tags, "AllocatedTags": c.allocated}).Tags); got != c.want {
			t.Errorf("Tags %s, AllocatedTags %s: %s, want %s", c.tags, c.allocated, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	for name, c := range map[string]struct {
		row  cells
		want string // kind category seconds machine class
	}{
		"a neocloud's machine": {nil, "usage Usage 3600 g123 on_demand gpu"},
		"spot":                 {cells{"PricingCategory": "Dynamic"}, "usage Usage 3600 g123 spot gpu"},
		"covered": {
			cells{
				"PricingCategory": "Committed", "CommitmentDiscountStatus": "Used",
				"CommitmentDiscountId": "c", "CommitmentDiscountCategory": "Spend", "BilledCost": "0",
			}, "covered_usage Usage 3600 g123 savings_plan gpu",
		},
		"unused": {
			cells{
				"CommitmentDiscountStatus": "Unused", "CommitmentDiscountId": "c",
				"ConsumedQuantity": "null", "ConsumedUnit": "null", "BilledCost": "0",
			}, "commitment_fee Usage - g123 - gpu",
		},
		"purchase": {
			cells{"ChargeCategory": "Purchase", "CommitmentDiscountId": "c", "ResourceId": "c", "SkuPriceDetails": ""},
			"commitment_fee Purchase - - -",
		},
		"a month of a server": {
			cells{
				"ChargePeriodStart": "2026-10-01T00:00:00Z", "ChargePeriodEnd": "2026-11-01T00:00:00Z",
				"ChargeCategory": "Purchase", "ConsumedQuantity": "null",
				"ConsumedUnit": "null", "PricingQuantity": "1", "PricingUnit": "Month",
			}, "usage Purchase 2628000 g123 on_demand gpu",
		},
		"one server": {
			cells{
				"ChargePeriodStart": "2026-10-01T00:00:00Z", "ChargePeriodEnd": "2026-11-01T00:00:00Z",
				"ChargeCategory": "Purchase", "ConsumedQuantity": "null", "ConsumedUnit": "null", "PricingQuantity": "1",
				"PricingUnit": "Servers", "SkuPriceDetails": "",
				"ServiceCategory": "Compute", "ChargeDescription": "Reserved server",
			}, "usage Purchase 2678400 g123 on_demand",
		},
		"an address": {
			cells{
				"ChargePeriodStart": "2026-10-01T00:00:00Z", "ChargePeriodEnd": "2026-11-01T00:00:00Z",
				"ChargeCategory": "Purchase", "ConsumedQuantity": "null", "ConsumedUnit": "null",
				"PricingQuantity": "1", "PricingUnit": "Month", "SkuPriceDetails": "",
				"ServiceCategory": "Networking", "ServiceName": "Network", "ChargeDescription": "Public IPv4 address",
			}, "other Purchase - g123 -",
		},
		"three years at once": {
			cells{
				"ChargePeriodStart": "2026-10-01T00:00:00Z", "ChargePeriodEnd": "2029-10-01T00:00:00Z",
				"ChargeCategory": "Purchase", "ConsumedQuantity": "null",
				"ConsumedUnit": "null", "PricingQuantity": "1", "PricingUnit": "Servers",
			}, "other Purchase - g123 - gpu",
		},
		"tax on a machine": {cells{"ChargeCategory": "Tax"}, "invoice Tax - g123 - gpu"},
		"tax": {
			cells{"ChargeCategory": "Tax", "ResourceId": "NULL", "SkuPriceDetails": ""}, "invoice Tax - - -",
		},
		"credit": {cells{"ChargeCategory": "Credit", "BilledCost": "-1"}, "discount Credit - g123 - gpu"},
		"refund": {
			cells{"BilledCost": "-1", "ConsumedQuantity": "-1", "ChargeClass": "Correction"},
			"usage Usage -3600 g123 on_demand gpu",
		},
		"half taken back": {
			cells{"BilledCost": "-1", "ConsumedQuantity": "-0.5", "ChargeClass": "Correction"},
			"usage Usage -1800 g123 on_demand gpu",
		},
		"cost corrected": {
			cells{"BilledCost": "-1", "ConsumedQuantity": "1", "ChargeClass": "Correction"}, "discount Usage - g123 - gpu",
		},
		"no quantity": {
			cells{"BilledCost": "-1", "ConsumedQuantity": "null", "ConsumedUnit": "null", "ChargeClass": "Correction"},
			"discount Usage - g123 - gpu",
		},
		"inference tokens": {
			cells{
				"ServiceName": "Serverless Inference", "SkuPriceDetails": "", "ConsumedUnit": "tokens", "ResourceId": "endpoint",
			}, "usage Usage - - - gpu",
		},
		"support": {
			cells{"ServiceName": "Premium Support", "ResourceId": "", "SkuPriceDetails": ""}, "invoice Usage - - -",
		},
		"EC2": {
			cells{
				"ProviderName": "AWS", "ResourceId": "arn:aws:ec2:us-east-1:1:instance/i-0a",
				"SkuPriceDetails": "", "ChargeDescription": "$55 per On Demand Linux p5.48xlarge Instance Hour",
			}, "usage Usage 3600 i-0a on_demand gpu",
		},
		"Google": {
			cells{
				"ProviderName": "Google Cloud", "ResourceId": "//compute.googleapis.com/projects/p/zones/z/instances/42",
				"SkuPriceDetails": `{"InstanceType":"a3-highgpu-8g"}`,
			}, "usage Usage 3600 gce/42 on_demand gpu",
		},
		"Azure": {
			cells{
				"ProviderName": "Microsoft", "SubAccountId": "/subscriptions/ABC",
				"ResourceId":      "/subscriptions/ABC/resourceGroups/r/providers/Microsoft.Compute/virtualMachines/V",
				"SkuPriceDetails": `{"InstanceType":"Standard_ND96isr_H100_v5"}`,
			}, "usage Usage 3600 /subscriptions/abc/resourcegroups/r/providers/microsoft.compute/virtualmachines/v on_demand gpu",
		},
		"storage": {
			cells{"SkuPriceDetails": "", "ConsumedUnit": "GB-Months", "ResourceId": "disk"}, "usage Usage - disk -",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ch := one(t, c.row)
			seconds := "-"
			if ch.InstanceSeconds != nil {
				seconds = fmt.Sprint(*ch.InstanceSeconds)
			}
			dash := func(s string) string {
				if s == "" {
					return "-"
				}
				return s
			}
			got := fmt.Sprint(ch.Kind, " ", ch.Category, " ", seconds, " ", dash(ch.InstanceID), " ",
				dash(string(ch.PriceClass)))
			if ch.BillsGPU {
				got += " gpu"
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if c := one(t, cells{"ProviderName": "AWS", "ServiceName": "Amazon Elastic Kubernetes Service",
		"ResourceId": "arn:aws:ec2:us-east-1:1:instance/i-0a", "SkuPriceDetails": "",
		"x_UsageType":       "USE1-EKS-Auto:g5.xlarge-management-hours",
		"ChargeDescription": "$0.12072 per hour for EKS Auto Mode g5.xlarge in US East"}); !c.InstanceHours ||
		c.InstanceSeconds != nil || c.InstanceID != "i-0a" || c.PriceClass != "" {
		t.Errorf("managing a machine is no time of it: %+v", c)
	}
	if c := one(t, cells{"ProviderName": "Microsoft", "SubAccountId": "/subscriptions/ABC"}); c.Account != "abc" ||
		c.Provider != "azure" {
		t.Errorf("account %s of %s", c.Account, c.Provider)
	}
}

func TestProvidersAccountsAndCurrenciesOfOneFile(t *testing.T) {
	r, err := billtest.ReadAll(t, Format, billtest.List(t,
		sheet(t, nil, cells{"ProviderName": "Lambda"}, cells{"BillingCurrency": "EUR"}, cells{"BillingAccountId": "b2"},
			cells{"BillingPeriodStart": "2026-09-01T00:00:00Z"})), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Check(t)
	if len(r.Deliveries) != 4 {
		t.Errorf("%d deliveries", len(r.Deliveries))
	}
	for _, d := range r.Deliveries {
		if d.Scope == "coreweave b1" && d.Partition == "2026-10" && (d.Rows != 2 || len(d.Totals) != 8) {
			t.Errorf("two currencies: %+v", d)
		}
	}
}

// Rows that a provider split from a charge count once: the charge, or the rows.
func TestSplitRowsCountOnce(t *testing.T) {
	part := func(cost string) cells {
		return cells{
			"AllocatedMethodId": "m1", "BilledCost": cost, "EffectiveCost": cost, "ListCost": cost, "ContractedCost": cost,
		}
	}
	for name, c := range map[string]struct {
		rows []cells
		want string
	}{
		"beside their origin": {[]cells{part("4"), nil, part("6")}, "10 2"},
		"instead of it":       {[]cells{part("4"), part("6")}, "10 0"},
		"of another charge":   {[]cells{part("4"), part("6"), {"ResourceId": "other"}}, "20 0"},
		"of our export": {[]cells{
			{"x_OriginId": "o", "x_ChargeId": "c", "BilledCost": "4", "AllocatedMethodId": "m1"},
			{"x_OriginId": "o", "x_ChargeId": "c", "BilledCost": "6"},
		}, "10 0"},
	} {
		r, err := billtest.ReadAll(t, Format, billtest.List(t, sheet(t, c.rows...)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Check(t)
		split := 0
		for i := range r.Charges[0] {
			if r.Charges[0][i].Kind == ledger.LineSplit {
				split++
			}
		}
		if got := fmt.Sprint(billtest.Total(r.Deliveries[0], ledger.BilledCost), " ", split); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"0.5": {
			"ChargeType,BilledCost,ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart\nUsage,1,x,x,x\n", "FOCUS 0.5",
		},
		"no charge period": {
			"BilledCost,ChargeCategory,BillingPeriodStart,ChargePeriodStart\n1,Usage,2026-10-01,2026-10-01\n",
			"ChargePeriodEnd: missing required column",
		},
	} {
		p := filepath.Join(t.TempDir(), "bill.csv")
		if err := os.WriteFile(p, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := billtest.ReadAll(t, Format, billtest.List(t, p), nil, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, row := range map[string]cells{
		"not a number":     {"BilledCost": "N/A"},
		"not a date":       {"ChargePeriodEnd": "soon"},
		"missing value":    {"BillingCurrency": ""},
		"unknown unit":     {"BillingCurrency": "dollars"},
		"end before start": {"ChargePeriodEnd": "2026-10-01"},
		"not a map":        {"Tags": "{x"},
	} {
		r, err := billtest.ReadAll(t, Format, billtest.List(t, sheet(t, row)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Tally.Rejected[name] != 1 || r.Tally.First[0].Line != 2 || r.Tally.First[0].Column == "" {
			t.Errorf("%s: %v", name, r.Tally.First)
		}
	}
}

func TestDatesWithoutSeconds(t *testing.T) {
	c := one(t, cells{"ChargePeriodStart": "2026-10-05T00:00Z", "ChargePeriodEnd": "2026-10-06T00:00Z"})
	if c.Period.Seconds() != period.Day {
		t.Errorf("%s", c.Period)
	}
}
