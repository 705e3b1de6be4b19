package awscur

import (
	"encoding/csv"
	"fmt"
	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// cells is a row by column name; base gives what every row needs.
type cells map[string]string

func base(more cells) cells {
	c := cells{
		"identity_line_item_id": "l1", "identity_time_interval": "2026-10-01T00:00:00Z/2026-10-01T01:00:00Z",
		"bill_payer_account_id": "111122223333", "bill_billing_period_start_date": "2026-10-01T00:00:00Z",
		"line_item_usage_account_id": "444455556666", "line_item_line_item_type": "Usage",
		"line_item_usage_start_date": "2026-10-01T00:00:00Z", "line_item_usage_end_date": "2026-10-01T01:00:00Z",
		"line_item_currency_code": "USD", "line_item_unblended_cost": "1",
	}
	for k, v := range more {
		if v == "-" {
			delete(c, k)
		} else {
			c[k] = v
		}
	}
	return c
}

// sheet writes rows as CSV with the union of their columns.
func sheet(t testing.TB, path string, rows ...cells) {
	t.Helper()
	var names []string
	for _, r := range rows {
		for k := range r {
			if !slices.Contains(names, k) {
				names = append(names, k)
			}
		}
	}
	slices.Sort(names)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	if err := w.Write(names); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		record := make([]string, len(names))
		for i, n := range names {
			record[i] = r[n]
		}
		if err := w.Write(record); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// one reads a single row.
func one(t *testing.T, row cells) (ledger.Charge, ledger.Delivery, ledger.Tally) {
	t.Helper()
	p := filepath.Join(t.TempDir(), "a.csv")
	sheet(t, p, row)
	r, err := readAll(t, list(t, p), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("%+v", r.Tally.First)
	}
	r.Check(t)
	return r.Charges[0][0], r.Deliveries[0], r.Tally
}

func text(a *money.Amount) string {
	if a == nil {
		return "null"
	}
	return a.String()
}

func TestLineRule(t *testing.T) {
	const spARN, riARN = "savings_plan_savings_plan_a_r_n", "reservation_reservation_a_r_n"
	for name, c := range map[string]struct {
		row  cells
		want string // billed effective list contracted
		kind ledger.LineKind
		cat  ledger.ChargeCategory
		pc   ledger.PriceClass
	}{
		"on demand": {
			cells{"line_item_usage_type": "USW2-BoxUsage:g5.xlarge", "pricing_public_on_demand_cost": "2"},
			"1 1 2 1", ledger.LineUsage, ledger.CategoryUsage, ledger.OnDemand,
		},
		"spot": {
			cells{"line_item_usage_type": "SpotUsage:g5.xlarge", "pricing_public_on_demand_cost": "0"},
			"1 1 0 1", ledger.LineUsage, ledger.CategoryUsage, ledger.Spot,
		},
		"no list column": {cells{}, "1 1 null 1", ledger.LineUsage, ledger.CategoryUsage, ""},
		"RI usage": {
			cells{
				"line_item_line_item_type": "DiscountedUsage", "line_item_unblended_cost": "0",
				"reservation_effective_cost": "0.7", "pricing_public_on_demand_cost": "2", riARN: "arn:ri",
			}, "0 0.7 2 2", ledger.LineCoveredUsage, ledger.CategoryUsage, ledger.Reserved,
		},
		"RI, no columns": {
			cells{"line_item_line_item_type": "DiscountedUsage", "line_item_unblended_cost": "0"},
			"0 null null null", ledger.LineCoveredUsage, ledger.CategoryUsage, ledger.Reserved,
		},
		"RI fee": {
			cells{
				"line_item_line_item_type": "RIFee", "reservation_unused_recurring_fee": "0.2",
				"reservation_unused_amortized_upfront_fee_for_billing_period": "0.1",
			}, "1 0.3 null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"RI fee, half": {
			cells{"line_item_line_item_type": "RIFee", "reservation_unused_recurring_fee": "0.2"},
			"1 0.2 null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"RI fee, none": {
			cells{"line_item_line_item_type": "RIFee"}, "1 null null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"RI upfront": {
			cells{"line_item_line_item_type": "Fee", riARN: "arn:ri"},
			"1 0 null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"other fee": {
			cells{"line_item_line_item_type": "Fee"}, "1 1 null 1", ledger.LineOther, ledger.CategoryPurchase, "",
		},
		"support": {
			cells{"line_item_line_item_type": "Fee", "line_item_product_code": "AWSSupportBusiness"},
			"1 1 null 1", ledger.LineInvoice, ledger.CategoryUsage, "",
		},
		"plan usage": {
			cells{
				"line_item_line_item_type":                 "SavingsPlanCoveredUsage",
				"savings_plan_savings_plan_effective_cost": "0.6", spARN: "arn:sp",
			}, "1 0.6 null 1", ledger.LineCoveredUsage, ledger.CategoryUsage, ledger.SavingsPlan,
		},
		"plan negation": {
			cells{"line_item_line_item_type": "SavingsPlanNegation", "line_item_unblended_cost": "-1"},
			"-1 0 null 0", ledger.LineNegation, ledger.CategoryAdjustment, ledger.SavingsPlan,
		},
		"plan fee": {
			cells{
				"line_item_line_item_type":              "SavingsPlanRecurringFee",
				"savings_plan_total_commitment_to_date": "10", "savings_plan_used_commitment": "9.75",
			}, "1 0.25 null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"plan fee, half": {
			cells{"line_item_line_item_type": "SavingsPlanRecurringFee", "savings_plan_total_commitment_to_date": "10"},
			"1 null null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"plan upfront": {
			cells{"line_item_line_item_type": "SavingsPlanUpfrontFee"},
			"1 0 null 0", ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"tax": {
			cells{"line_item_line_item_type": "Tax"}, "1 1 null 1", ledger.LineInvoice, ledger.CategoryTax, "",
		},
		"credit": {
			cells{"line_item_line_item_type": "Credit", "line_item_unblended_cost": "-1e-05"},
			"-0.00001 -0.00001 null -0.00001", ledger.LineDiscount, ledger.CategoryCredit, "",
		},
		"bundled discount": {
			cells{"line_item_line_item_type": "BundledDiscount", "line_item_unblended_cost": "-1"},
			"-1 -1 null -1", ledger.LineDiscount, ledger.CategoryAdjustment, "",
		},
		"gross beside net": {
			cells{
				"line_item_line_item_type": "EdpDiscount", "line_item_unblended_cost": "-1", "line_item_net_unblended_cost": "-3",
			}, "-1 -1 null -1", ledger.LineDiscount, ledger.CategoryAdjustment, "",
		},
		"net usage": {
			cells{"line_item_unblended_cost": "-", "line_item_net_unblended_cost": "0.9"},
			"0.9 0.9 null 0.9", ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"net discount": {
			cells{
				"line_item_line_item_type": "EdpDiscount", "line_item_unblended_cost": "-", "line_item_net_unblended_cost": "-0.1",
			}, "0 0 null 0", ledger.LineDiscount, ledger.CategoryAdjustment, "",
		},
		"net plan usage": {
			cells{
				"line_item_line_item_type": "SavingsPlanCoveredUsage", "line_item_unblended_cost": "-",
				"line_item_net_unblended_cost": "0.9", "savings_plan_net_savings_plan_effective_cost": "0.5",
			}, "0.9 0.5 null 0.9", ledger.LineCoveredUsage, ledger.CategoryUsage, ledger.SavingsPlan,
		},
		"unknown type": {
			cells{"line_item_line_item_type": "QuantumFee"}, "1 1 null 1", ledger.LineOther, ledger.CategoryAdjustment, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ch, d, tally := one(t, base(c.row))
			got := strings.Join([]string{text(ch.Billed), text(ch.Effective), text(ch.List), text(ch.Contracted)}, " ")
			if got != c.want || ch.Kind != c.kind || ch.Category != c.cat || ch.PriceClass != c.pc {
				t.Errorf("%s %s %s %q, want %s %s %s %q", got, ch.Kind, ch.Category, ch.PriceClass, c.want, c.kind, c.cat, c.pc)
			}
			if net := strings.HasPrefix(name, "net "); (d.Dataset == datasetCUR2+netSuffix) != net {
				t.Errorf("dataset %s", d.Dataset)
			}
			if noted := tally.Noted["unknown line-item type QuantumFee"]; (noted == 1) != (name == "unknown type") {
				t.Errorf("noted %v", tally.Noted)
			}
		})
	}
}

func TestInstanceLines(t *testing.T) {
	for usageType, want := range map[string]usageKind{
		"BoxUsage:p5.48xlarge":                     {instanceHours: true, instanceType: "p5.48xlarge"},
		"USW2-BoxUsage:g5.xlarge":                  {instanceHours: true, instanceType: "g5.xlarge"},
		"EUC1-SpotUsage:p4d.24xlarge":              {instanceHours: true, spot: true, instanceType: "p4d.24xlarge"},
		"UnusedBox:p4d.24xlarge":                   {unused: true, instanceType: "p4d.24xlarge"},
		"USE1-CapacityBlock:p5.48xlarge":           {block: true, instanceType: "p5.48xlarge"},
		"USE2-HostBoxUsage:p5.48xlarge":            {instanceHours: true, instanceType: "p5.48xlarge"},
		"DedicatedUsage:g6.12xlarge":               {instanceHours: true, instanceType: "g6.12xlarge"},
		"USE1-EKS-Auto:g5.xlarge-management-hours": {instanceHours: true, managing: true, instanceType: "g5.xlarge"},
		"USE1-Fargate-vCPU-Hours:perCPU":           {},
		"Reservation:p4d.24xlarge":                 {},
		"USE1-EKS-EC2-GB-Hours":                    {},
		"EBS:VolumeUsage.gp3":                      {},
		"DataTransfer-Out-Bytes":                   {},
		"USE1-AmazonEKS-Hours:perClu":              {},
		"":                                         {},
	} {
		if got := readUsageType(usageType); got != want {
			t.Errorf("%s: %+v", usageType, got)
		}
	}
	ch, _, _ := one(t, base(cells{
		"line_item_usage_type":   "BoxUsage:p4d.24xlarge",
		"product":                `{"capacitystatus":"AllocatedCapacityReservation","region":"us-east-1"}`,
		"line_item_usage_amount": "1",
	}))
	if ch.InstanceHours || ch.InstanceType != "p4d.24xlarge" || ch.Region != "us-east-1" {
		t.Errorf("time inside an allocated reservation counts twice: %+v", ch)
	}
	ch, _, _ = one(t, base(cells{"line_item_product_code": "AmazonEKS",
		"line_item_usage_type":  "USE1-EKS-Auto:g5.xlarge-management-hours",
		"line_item_resource_id": "arn:aws:ec2:us-east-1:2:instance/i-0a", "line_item_usage_amount": "1"}))
	if !ch.InstanceHours || ch.InstanceSeconds != nil || ch.InstanceID != "i-0a" || ch.InstanceType != "g5.xlarge" ||
		ch.PriceClass != "" {
		t.Errorf("managing a machine is no time of it: %+v", ch)
	}
	ch, _, _ = one(t, base(cells{
		"line_item_availability_zone": "eu-west-3b",
		"resource_tags":               `[{"key":"user_team","value":"vision"},{"key":"x","value":null}]`,
		"resource_tags_user_env":      "prod", "tags": `{"team":"t"}`, "line_item_resource_id": "NULL",
	}))
	if ch.Region != "eu-west-3" || ch.ResourceID != "" ||
		fmt.Sprint(ch.Tags) != "map[team:t user_env:prod user_team:vision]" {
		t.Errorf("%+v", ch)
	}
}

func TestSpellings(t *testing.T) {
	long := "savings_plan_net_amortized_upfront_commitment_for_billing_period"
	ch, d, _ := one(t, base(cells{"line_item_line_item_type": "DiscountedUsage", "reservation_reservation_arn": "arn:old",
		"\ufeffReservation_Effective_Cost": "3",
		long[:63]:                          "1", "_dlt_id": "zzz"}))
	if ch.CommitmentID != "arn:old" || text(ch.Effective) != "3" || slices.Contains(d.Columns, "_dlt_id") {
		t.Errorf("%+v %v", ch, d.Columns)
	}
}

// Legacy names, dates and tags become those of CUR 2.0.
func TestLegacyNames(t *testing.T) {
	for header, want := range map[string]string{
		"lineItem/UnblendedCost": "line_item_unblended_cost", "reservation/ReservationARN": "reservation_reservation_a_r_n",
		"resourceTags/user:CostCenter":   "resource_tags_user_cost_center",
		"costCategory/Charge type":       "cost_category_charge_type",
		"pricing/publicOnDemandCost":     "pricing_public_on_demand_cost",
		"savingsPlan/SavingsPlanARN":     "savings_plan_savings_plan_a_r_n",
		"line_item_unblended_cost":       "line_item_unblended_cost",
		"splitLineItem/ParentResourceId": "split_line_item_parent_resource_id",
	} {
		if got := canonicalName(header); got != want {
			t.Errorf("%s: %s, want %s", header, got, want)
		}
	}
}

// Rows of split cost allocation are evidence: no amounts, no machine time.
func TestSplitRows(t *testing.T) {
	row := cells{"line_item_product_code": "AmazonEKS", "line_item_usage_type": "USE1-EKS-EC2-GPU-Hours",
		"line_item_unblended_cost":           "0.0000000000",
		"line_item_resource_id":              "arn:aws:eks:us-east-1:1:pod/prod/ml/train-0/6b1f",
		"split_line_item_parent_resource_id": "i-0abc",
		"split_line_item_split_cost":         "0.42",
		"split_line_item_unused_cost":        "0.01", "pricing_public_on_demand_cost": "7"}
	ch, d, _ := one(t, base(row))
	if ch.Kind != ledger.LineSplit || text(ch.Billed) != "0" || text(ch.List) != "0" || ch.Split == nil ||
		text(ch.Split.Used) != "0.42" || text(ch.Split.Unused) != "0.01" ||
		ch.Split.Parent != "i-0abc" || ch.Split.PodUID != "6b1f" || ch.Split.Namespace != "ml" ||
		ch.Split.Resource != "accelerator" || ch.InstanceID != "" {
		t.Errorf("%+v %+v", ch, ch.Split)
	}
	if total(d, ledger.ListCost) != "0" {
		t.Errorf("list %s", total(d, ledger.ListCost))
	}
	row["line_item_unblended_cost"] = "3"
	if ch, _, _ := one(t, base(row)); ch.Kind != ledger.LineUsage || text(ch.Billed) != "3" {
		t.Errorf("a row with a cost of its own is a charge: %+v", ch)
	}
}

func TestReservedAndManagedLines(t *testing.T) {
	ch, _, _ := one(t, base(cells{"line_item_usage_type": "UnusedBox:p4d.24xlarge", "line_item_usage_amount": "1"}))
	if ch.Kind != ledger.LineCommitmentFee || ch.InstanceHours || text(ch.Effective) != "1" {
		t.Errorf("hours of a reservation that nothing ran in: %+v", ch)
	}
	ch, _, _ = one(t, base(cells{
		"line_item_line_item_type": "Fee", "line_item_usage_type": "USE1-CapacityBlock:p5.48xlarge",
		"line_item_usage_amount": "48", "pricing_unit": "Hrs",
	}))
	if ch.Kind != ledger.LinePrepaid || ch.InstanceType != "p5.48xlarge" || ch.InstanceSeconds == nil ||
		*ch.InstanceSeconds != 48*3600 || ch.PriceClass != ledger.Reserved {
		t.Errorf("capacity block: %+v", ch)
	}
	ch, _, _ = one(t, base(cells{
		"line_item_product_code": "AmazonSageMaker", "line_item_usage_type": "USE1-Train:ml.p4d.24xlarge",
		"line_item_resource_id": "arn:aws:sagemaker:us-east-1:1:training-job/x",
	}))
	if !ch.BillsGPU || ch.InstanceHours || ch.InstanceID != "" || ch.InstanceType != "ml.p4d.24xlarge" {
		t.Errorf("managed GPU: %+v", ch)
	}
	if ch, _, _ = one(t, base(cells{"line_item_usage_type": "USE1-Host:ml.m5.large"})); ch.BillsGPU {
		t.Errorf("%+v", ch)
	}
}

// The identity of a row must not depend on packing, order of rows or columns,
// nulls, loader columns or the spelling of numbers.
func TestIdentityDoesNotDependOnPacking(t *testing.T) {
	rows := make([]cells, 40)
	for i := range rows {
		rows[i] = base(cells{
			"identity_line_item_id": fmt.Sprint("l", i/2), "line_item_unblended_cost": fmt.Sprint(i / 4),
			"resource_tags": `{"a":"1","b":"2"}`, "_dlt_id": fmt.Sprint(i),
		})
	}
	read := func(files map[string][]cells) *result {
		root := t.TempDir()
		for name, rs := range files {
			sheet(t, filepath.Join(root, name), rs...)
		}
		m, err := Format.ParseManifest("m",
			[]byte(`{"exportArn":"arn:x","dataFiles":["a.csv"`+map[bool]string{true: `,"b.csv"`}[len(files) > 1]+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		r, err := readAll(t, list(t, root), []*bill.Manifest{m}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Check(t)
		return r
	}
	want := read(map[string][]cells{"a.csv": rows})
	other := make([]cells, len(rows))
	for i, r := range rows {
		c := base(r)
		c["line_item_unblended_cost"] += ".000"
		c["resource_tags"] = `[{"key":"b","value":"2"},{"key":"a","value":"1"}]`
		c["line_item_usage_start_date"] = "2026-10-01 00:00:00"
		c["product_sku"], c["_dlt_id"] = "NULL", "other"
		other[i] = c
	}
	rand.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
	got := read(map[string][]cells{"a.csv": other[:13], "b.csv": other[13:]})
	if len(got.Deliveries) != 1 || got.Deliveries[0].Digest != want.Deliveries[0].Digest ||
		got.Deliveries[0].ID != want.Deliveries[0].ID {
		t.Fatalf("digest %x, want %x", got.Deliveries[0].Digest, want.Deliveries[0].Digest)
	}
	ids := func(r *result) []string {
		var out []string
		for i := range r.Charges[0] {
			out = append(out, r.Charges[0][i].ID.String())
		}
		slices.Sort(out)
		return out
	}
	if !slices.Equal(ids(got), ids(want)) {
		t.Error("charge ids differ")
	}
	changed := base(rows[7])
	changed["line_item_unblended_cost"] = "99"
	if r := read(map[string][]cells{
		"a.csv": append(slices.Clone(rows[:39]), changed),
	}); r.Deliveries[0].Digest == want.Deliveries[0].Digest {
		t.Error("another row must give another digest")
	}
}

func TestOrderAndGrouping(t *testing.T) {
	a := base(cells{"identity_line_item_id": "a"})
	b := base(cells{"identity_line_item_id": "b"})
	b2 := base(cells{"identity_line_item_id": "b", "line_item_unblended_cost": "2"})
	at := func(s string) period.Second {
		v, err := table.ParseInstant(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	manifest := func(name, execution string, files ...string) *bill.Manifest {
		m, err := Format.ParseManifest(name,
			[]byte(fmt.Sprintf(`{"executionId":%q,"exportArn":"arn:e","dataFiles":["s3://bucket/%s"]}`, execution,
				strings.Join(files, `","s3://bucket/`))))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, c := range map[string]struct {
		files     map[string][]cells
		manifests []*bill.Manifest
		at        *period.Second
		want      string // per delivery: rows@time, or the error
	}{
		"parts of one":        {map[string][]cells{"x.csv": {a}, "y.csv": {b}}, nil, nil, "2@-"},
		"two folders":         {map[string][]cells{"1/x.csv": {a}, "2/y.csv": {a}}, nil, nil, "1@- 1@-"},
		"other rows, no time": {map[string][]cells{"1/x.csv": {a}, "2/y.csv": {b}}, nil, nil, "no order"},
		"restated, no time":   {map[string][]cells{"x.csv": {a, b}, "y.csv": {a, b2}}, nil, nil, "no order"},
		"cannot tell": {
			map[string][]cells{"x.csv": {a}, "y.csv": {b}, "z.csv": {a, b}}, nil, nil, "repeated line items",
		},
		"loads": {map[string][]cells{"x.csv": {base(cells{"_dlt_load_id": "1763378916.5"})},
			"y.csv": {base(cells{"_dlt_load_id": "1763377237.4", "line_item_unblended_cost": "3"})}}, nil, nil,
			"1@2025-11-17T11:00:37Z 1@2025-11-17T11:28:36Z"},
		"loads in one file": {map[string][]cells{"x.csv": {base(cells{"_dlt_load_id": "1763378916.5"}),
			base(cells{"_dlt_load_id": "1763377237.4", "line_item_unblended_cost": "3"})}}, nil, nil,
			"1@2025-11-17T11:00:37Z 1@2025-11-17T11:28:36Z"},
		"parts of a load": {map[string][]cells{"x.csv": {base(cells{"_dlt_load_id": "1763378916.5"})},
			"y.csv": {base(cells{"_dlt_load_id": "1763378916.5", "identity_line_item_id": "q"})}}, nil, nil,
			"2@2025-11-17T11:28:36Z"},
		"run folders": {map[string][]cells{"data/BILLING_PERIOD=2026-10/2026-10-05T13:14:43.337Z-6b62/e-00001.csv": {a, b2},
			"data/BILLING_PERIOD=2026-10/20261004T010000Z-11/e-00001.csv": {a, b}}, nil, nil,
			"2@2026-10-04T01:00:00Z 2@2026-10-05T13:14:43Z"},
		"given time": {
			map[string][]cells{"x.csv": {a}}, nil,
			func() *period.Second { s := at("2026-10-09T00:00:00Z"); return &s }(), "1@2026-10-09T00:00:00Z",
		},
		"two months": {
			map[string][]cells{"x.csv": {a, base(cells{"bill_billing_period_start_date": "2026-09-01"})}}, nil, nil, "1@- 1@-",
		},
		"manifest": {map[string][]cells{"data/BILLING_PERIOD=2026-10/e-00001.csv": {a},
			"data/BILLING_PERIOD=2026-10/e-00002.csv": {a}, "data/BILLING_PERIOD=2026-10/e-00003.csv": {b}},
			[]*bill.Manifest{
				manifest("m", "x", "p/e/data/BILLING_PERIOD=2026-10/e-00001.csv", "p/e/data/BILLING_PERIOD=2026-10/e-00002.csv"),
			}, nil, "2@-"},
		"manifests of two runs": {map[string][]cells{"BILLING_PERIOD=2026-10/2026-10-05T00:00:00Z-aa/e-00001.csv": {a},
			"BILLING_PERIOD=2026-10/2026-10-06T00:00:00Z-bb/e-00001.csv": {a, b}},
			[]*bill.Manifest{
				manifest("m2", "bb", "BILLING_PERIOD=2026-10/2026-10-06T00:00:00Z-bb/e-00001.csv"),
				manifest("m1", "aa", "BILLING_PERIOD=2026-10/2026-10-05T00:00:00Z-aa/e-00001.csv"),
			}, nil,
			"1@2026-10-05T00:00:00Z 2@2026-10-06T00:00:00Z"},
		"manifest of another month": {map[string][]cells{"BILLING_PERIOD=2026-09/e-00001.csv": {a}},
			[]*bill.Manifest{manifest("m", "x", "BILLING_PERIOD=2026-10/e-00001.csv")}, nil, "file missing"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			for file, rows := range c.files {
				sheet(t, filepath.Join(root, file), rows...)
			}
			r, err := readAll(t, list(t, root), c.manifests, c.at)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), ": ") {
					t.Errorf("%v, want %s", err, c.want)
				}
				return
			}
			r.Check(t)
			var got []string
			for _, d := range r.Deliveries {
				when := "-"
				if d.DeliveredAt != nil {
					when = d.DeliveredAt.String()
				}
				got = append(got, fmt.Sprintf("%d@%s", d.Rows, when))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
			if name == "manifest" &&
				(len(r.Leftover) != 1 || r.Deliveries[0].ExecutionID != "x" || r.Deliveries[0].Export != "arn:e") {
				t.Errorf("leftover %v, %+v", r.Leftover, r.Deliveries[0])
			}
		})
	}
}

// An unclosed quote must not take the rest of the file into memory.
func TestEndlessRowIsRefused(t *testing.T) {
	p := filepath.Join(t.TempDir(), "a.csv")
	sheet(t, p, base(nil), base(nil))
	text, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, append(append(text, '"'), make([]byte, 2*table.MaxRow)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(t, list(t, p), nil, nil); err == nil ||
		!strings.Contains(err.Error(), "a.csv line 4: broken csv: the row is longer than 16 MiB") {
		t.Errorf("%v", err)
	}
}

func TestTooManyDeliveriesInOneFileAreRejected(t *testing.T) {
	rows := make([]cells, bill.MaxUnits+2)
	for i := range rows {
		rows[i] = base(cells{"bill_payer_account_id": fmt.Sprint("payer ", i)})
	}
	p := filepath.Join(t.TempDir(), "a.csv")
	sheet(t, p, rows...)
	sv, err := bill.SurveyFile(t.Context(), Format, list(t, p)[0], bill.SurveyOptions{})
	if err != nil || sv.Tally.Rejected["too many deliveries"] != 2 {
		t.Errorf("%v, %v", err, sv.Tally.Rejected)
	}
}

// Names and the invoice of a line leave as columns of FOCUS; the issuer is the bill's.
func TestDetails(t *testing.T) {
	c, _, _ := one(t, base(cells{"bill_invoice_id": "214", "bill_invoicing_entity": "Amazon Web Services EMEA SARL",
		"bill_payer_account_name": "Example", "line_item_usage_account_name": "ml"}))
	for name, want := range map[string]string{"InvoiceId": "214", "InvoiceIssuerName": "Amazon Web Services EMEA SARL",
		"BillingAccountName": "Example", "SubAccountName": "ml", "ServiceProviderName": "AWS"} {
		if got := c.Details[name]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The SKU, its price and unit prices leave as stated; a price that is not the line's, and a tax, have none.
func TestPricedDetails(t *testing.T) {
	stated := cells{"product_sku": "SKU1", "pricing_rate_code": "SKU1.JRTC.6YS6", "line_item_usage_amount": "2",
		"line_item_unblended_cost": "110.08", "line_item_unblended_rate": "55.04", "pricing_public_on_demand_cost": "110.08",
		"pricing_public_on_demand_rate": "55.0400000000", "product_instance_type": "p5.48xlarge",
		"product": `{"vcpu":"192","gpu":"8","operating_system":"Linux"}`}
	for name, c := range map[string]struct {
		more cells
		want map[string]string
	}{
		"all": {nil, map[string]string{"SkuId": "SKU1", "SkuPriceId": "SKU1.JRTC.6YS6", "SkuMeter": "",
			"ContractedUnitPrice": "55.04", "ListUnitPrice": "55.04",
			"SkuPriceDetails": `{"CoreCount":192,"GpuCount":8,"InstanceType":"p5.48xlarge","OperatingSystem":"Linux"}`}},
		"another rate": {cells{"line_item_unblended_rate": "50", "pricing_public_on_demand_rate": ""},
			map[string]string{"ContractedUnitPrice": "", "ListUnitPrice": "", "SkuId": "SKU1"}},
		"no price": {cells{"pricing_rate_code": ""}, map[string]string{"SkuPriceId": "", "SkuPriceDetails": "",
			"SkuId": "SKU1"}},
		"a tax": {cells{"line_item_line_item_type": "Tax"}, map[string]string{"SkuId": "", "SkuPriceId": "",
			"SkuPriceDetails": "", "ContractedUnitPrice": "", "ListUnitPrice": ""}},
	} {
		row := maps.Clone(stated)
		maps.Copy(row, c.more)
		charge, _, _ := one(t, base(row))
		for column, want := range c.want {
			if got := charge.Details[column]; got != want {
				t.Errorf("%s: %s is %q, want %q", name, column, got, want)
			}
		}
	}
}
