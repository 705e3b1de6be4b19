package gcpbilling

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/test/billtest"
)

// rowWith is a row as JSON with these members added to the usual ones; a null member is left
// out.
func rowWith(t testing.TB, members string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, text := range []string{`{
		"billing_account_id": "01AAAA-BBBBBB-CCCCCC", "service": {"id": "6F81-5844-456A", "description": "Compute Engine"},
		"sku": {"id": "0000-1111-2222", "description": "Network Internet Egress from Americas to Americas"},
		"usage_start_time": "2026-11-02 10:00:00 UTC", "usage_end_time": "2026-11-02 11:00:00 UTC",
		"project": {"id": "lab-1", "number": "123456789012", "name": "lab"},
		"location": {"location": "us-central1-a", "country": "US", "region": "us-central1", "zone": "us-central1-a"},
		"price": {"effective_price": "1", "unit": "hour"},
		"export_time": "2026-11-02 15:00:00.5 UTC", "cost": 1, "currency": "USD", "usage": {"amount": 3600, "unit": "seconds"},
		"credits": [], "invoice": {"month": "202611"}, "cost_type": "regular"}`, members} {
		var more map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&more); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for k, v := range more {
			if v == nil {
				delete(out, k)
			} else {
				out[k] = v
			}
		}
	}
	return out
}

// lines writes rows as a file of JSON lines and returns its path.
func lines(t testing.TB, rows ...string) string {
	t.Helper()
	var all billtest.Rows
	for _, r := range rows {
		all = append(all, rowWith(t, r))
	}
	path := filepath.Join(t.TempDir(), "export.json")
	billtest.Put(t, path, billtest.Encode(t, "lines.json", nil, all))
	return path
}

func tryRead(t testing.TB, paths ...string) (*billtest.Result, error) {
	t.Helper()
	var files []blob.File
	for _, p := range paths {
		files = append(files, billtest.List(t, p)...)
	}
	return read(t, files)
}

// one reads a single row.
func one(t *testing.T, members string) (ledger.Charge, *billtest.Result) {
	t.Helper()
	r := mustRead(t, lines(t, members))
	return r.Charges[0][0], r
}

const (
	a3      = `"system_labels": [{"key": "compute.googleapis.com/machine_spec", "value": "a3-highgpu-8g"}, {"key": "compute.googleapis.com/cores", "value": "208"}, {"key": "compute.googleapis.com/memory", "value": "1916928"}]`
	onA3    = a3 + `, "resource": {"name": "node-1", "global_name": "//compute.googleapis.com/projects/123456789012/zones/us-central1-a/instances/4444555566667777"}`
	cudCPU  = `{"name": "Committed Usage Discount: CPU", "full_name": "Committed Usage Discount: CPU", "id": "9876543210", "type": "COMMITTED_USAGE_DISCOUNT", "amount": -0.75}`
	promo   = `{"name": "Startup credits", "id": "promo-1", "type": "PROMOTION", "amount": "-0.05"}`
	feeSKU  = `"sku": {"id": "F", "description": "Commitment v1: Nvidia H100 80GB GPU in Americas for 1 Year"}, "subscription": {"instance_id": "9876543210"}`
	coreSKU = `"sku": {"id": "C", "description": "A3 Instance Core running in Americas"}`
	gpuSKU  = `"sku": {"id": "G", "description": "Nvidia H100 80GB GPU running in Americas"}`
)

// machineRows are the rows of a machine and related ones.
func machineRows(t testing.TB) billtest.Rows {
	t.Helper()
	var out billtest.Rows
	for _, members := range []string{
		`{` + onA3 + `, ` + coreSKU +
			`, "usage": {"amount": 748800, "unit": "seconds", "amount_in_pricing_units": 208, "pricing_unit": "hour"}, "cost": 6.1, "credits": [` + cudCPU + `, ` + promo + `], "cost_at_list": 6.5, "cost_at_effective_price_default": 6.3}`,
		`{` + onA3 + `, "sku": {"id": "R", "description": "A3 Instance Ram running in Americas"}, "usage": {"amount": 7.2370e15, "unit": "byte-seconds"}, "cost": 5.25}`,
		`{` + onA3 + `, ` + gpuSKU + `, "usage": {"amount": 28800, "unit": "seconds"}, "cost": 78.4}`,
		`{` + onA3 + `, "cost": 0.0000007, "labels": [{"key": "team", "value": "vision \"x\" ü"}], "tags": [{"key": "env", "value": "prod", "namespace": "org/1", "inherited": true}]}`,
		`{"project": null, "location": null, "price": null, "usage": null, "sku": {"id": "T", "description": "Tax - United States"}, "service": {"id": "A1E1-9D8E-5F0C", "description": "Invoice"}, "cost_type": "tax", "cost": 8.25}`,
		`{` + feeSKU + `, "project": {"id": "lab-1", "labels": [{"key": "env", "value": "dev"}], "ancestors": [{"resource_name": "organizations/7", "display_name": "org"}]}, "export_time": "2026-11-03 01:00:00 UTC"}`,
		`{` + onA3 + `, "adjustment_info": {"id": "adj", "mode": "PARTIAL_CORRECTION", "type": "USAGE_CORRECTION"}, ` +
			coreSKU + `, "cost": -1.5, "export_time": "2026-11-20 01:00:00 UTC"}`,
		`{` + feeSKU + `, "project": {"id": "lab-1"}, "export_time": "2026-11-03 01:00:00 UTC"}`,
		// an equal row is a separate charge
		`{` + feeSKU + `, "project": {"id": "lab-1"}, "export_time": "2026-11-03 01:00:00 UTC"}`,
	} {
		out = append(out, rowWith(t, members))
	}
	return out
}

func TestMoney(t *testing.T) {
	for name, c := range map[string]struct {
		members string
		want    string // billed effective list contracted
		credit  string
	}{
		"plain":            {`{}`, "1 1 null 1", "null"},
		"credits":          {`{"cost": 2.5, "credits": [` + cudCPU + `, ` + promo + `]}`, "1.7 1.7 null 2.5", "0.75"},
		"list and default": {`{"cost": 2, "cost_at_list": 4, "cost_at_effective_price_default": 3}`, "2 2 4 3", "null"},
		"text": {
			`{"cost": "50.0", "credits": [{"name": "Sustained Usage Discount", "amount": "-20.10"}]}`,
			"29.9 29.9 null 50", "null",
		},
		"exponents": {
			`{"cost": 6.8e-07, "credits": [{"name": "x", "amount": -1E-8}]}`, "0.00000067 0.00000067 null 0.00000068", "null",
		},
		"old name": {
			`{"credits": [{"name": "Committed Usage Discount: RAM", "amount": -0.5}]}`, "0.5 0.5 null 1", "0.5",
		},
		"spend": {
			`{"credits": [{"name": "x", "type": "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", "amount": -0.25}]}`,
			"0.75 0.75 null 1", "0.25",
		},
		"a reversed credit": {
			`{"cost": -1, "credits": [{"name": "x", "type": "COMMITTED_USAGE_DISCOUNT", "amount": 1}]}`, "0 0 null -1", "null",
		},
		"a credit without a": {`{"credits": [{"name": "x"}, null]}`, "1 1 null 1", "null"},
		"no cost":            {`{"cost": "null"}`, "null null null null", "null"},
		"credits alone":      {`{"cost": "null", "credits": [` + promo + `]}`, "-0.05 -0.05 null null", "null"},
		"many digits": {
			`{"cost": 0.1234567890123456789012345, "credits": [{"name": "x", "amount": -0.0000000000000000000000045}]}`,
			"0.1234567890123456789012300 0.12345678901234567890123 null 0.1234567890123456789012345", "null",
		},
	} {
		members := strings.Replace(c.members, `"cost": "null"`, `"cost": "NULL"`, 1)
		got, _ := one(t, members)
		have := strings.Join([]string{text(got.Billed), text(got.Effective), text(got.List), text(got.Contracted)}, " ")
		if want := strings.Replace(c.want, "0.1234567890123456789012300", "0.12345678901234567890123", 1); have != want {
			t.Errorf("%s: %s, want %s", name, have, want)
		}
		if text(got.CommitmentCredit) != c.credit {
			t.Errorf("%s: commitment credit %s, want %s", name, text(got.CommitmentCredit), c.credit)
		}
	}
}

func TestKinds(t *testing.T) {
	const noProject = `"project": null, `
	for name, c := range map[string]struct {
		members string
		kind    ledger.LineKind
		cat     ledger.ChargeCategory
		class   string
	}{
		"usage":   {`{}`, ledger.LineUsage, ledger.CategoryUsage, ""},
		"covered": {`{"credits": [` + cudCPU + `]}`, ledger.LineCoveredUsage, ledger.CategoryUsage, ""},
		"covered by a model": {
			`{"consumption_model": {"id": "D97B-0795-975B", "description": "Compute flexible CUDs 1 year"}}`,
			ledger.LineCoveredUsage, ledger.CategoryUsage, "",
		},
		"default model": {
			`{"consumption_model": {"id": "7754-699E-0EBF", "description": "Default"}}`,
			ledger.LineUsage, ledger.CategoryUsage, "",
		},
		"fee": {`{` + feeSKU + `}`, ledger.LinePrepaid, ledger.CategoryPurchase, ""},
		"fee in lower case": {
			`{"sku": {"id": "x", "description": "commitment v1: ram in americas for 3 year"}}`,
			ledger.LinePrepaid, ledger.CategoryPurchase, "",
		},
		"spend fee": {
			`{"sku": {"id": "x", "description": "Commitment - dollar based v1: GCE for 1 year"}}`,
			ledger.LinePrepaid, ledger.CategoryPurchase, "",
		},
		"spend fee, new model": {
			`{"sku": {"id": "x", "description": "Commitment - dollar based v1: GCE for 1 year"}, "credits": [{"type": "FEE_UTILIZATION_OFFSET", "name": "x", "amount": -0.9}]}`, ledger.LineCommitmentFee, ledger.CategoryPurchase, "",
		},
		"unused reservation": {
			`{"system_labels": [{"key": "compute.googleapis.com/is_unused_reservation", "value": "true"}]}`,
			ledger.LineCommitmentFee, ledger.CategoryUsage, "",
		},
		"tax":              {`{` + noProject + `"cost_type": "tax"}`, ledger.LineInvoice, ledger.CategoryTax, ""},
		"tax of a project": {`{"cost_type": "tax"}`, ledger.LineInvoice, ledger.CategoryTax, ""},
		"rounding": {
			`{` + noProject + `"cost_type": "rounding_error"}`, ledger.LineInvoice, ledger.CategoryAdjustment, "",
		},
		"adjustment": {
			`{` + noProject + `"cost_type": "adjustment", "adjustment_info": {"mode": "MANUAL_ADJUSTMENT"}}`,
			ledger.LineInvoice, ledger.CategoryAdjustment, "Correction",
		},
		"adjustment of a project": {`{"cost_type": "adjustment"}`, ledger.LineDiscount, ledger.CategoryAdjustment, ""},
		"correction": {
			`{"adjustment_info": {"mode": "COMPLETE_NEGATION"}, "cost": -1}`,
			ledger.LineDiscount, ledger.CategoryUsage, "Correction",
		},
		"support": {
			`{` + noProject + `"service": {"id": "2062-016F-44A2", "description": "Premium Support"}}`,
			ledger.LineInvoice, ledger.CategoryUsage, "",
		},
		"no cost type":    {`{"cost_type": null}`, ledger.LineUsage, ledger.CategoryUsage, ""},
		"a new cost type": {`{"cost_type": "surcharge"}`, ledger.LineOther, ledger.CategoryAdjustment, ""},
	} {
		got, r := one(t, c.members)
		if got.Kind != c.kind || got.Category != c.cat || got.Class != c.class {
			t.Errorf("%s: %s %s %q", name, got.Kind, got.Category, got.Class)
		}
		if noted := r.Tally.Noted["unknown cost type surcharge"]; (noted == 1) != (name == "a new cost type") {
			t.Errorf("%s: noted %v", name, r.Tally.Noted)
		}
		if strings.Contains(c.members, noProject) && got.Account != "01AAAA-BBBBBB-CCCCCC" ||
			!strings.Contains(c.members, noProject) && got.Account != "lab-1" {
			t.Errorf("%s: account %q", name, got.Account)
		}
	}
}

func TestMachines(t *testing.T) {
	const id, named = "gce/4444555566667777", "gce/lab-1/us-central1-a/node-1"
	byName := strings.Replace(onA3, "4444555566667777", "node-1", 1)
	nameOnly := a3 + `, "resource": {"name": "node-1"}`
	n1 := strings.Replace(strings.Replace(onA3, "a3-highgpu-8g", "n1-standard-8", 1), `"208"`, `"8"`, 1)
	slice := strings.Replace(onA3, "a3-highgpu-8g", "a4-highgpu-8g", 1)
	sku := func(s string) string { return `"sku": {"id": "x", "description": "` + s + `"}, ` }
	usage := func(amount, unit string) string {
		return `"usage": {"amount": ` + amount + `, "unit": "` + unit + `"}, `
	}
	for name, c := range map[string]struct {
		members string
		key     string
		hours   bool
		seconds int64 // -1: none
		gpu     bool
		class   ledger.PriceClass
	}{
		"cores":             {coreSKU + `, ` + usage("748800", "seconds") + onA3, id, true, 3600, false, ledger.OnDemand},
		"cores by the hour": {coreSKU + `, ` + usage("104", "hour") + onA3, id, true, 1800, false, ledger.OnDemand},
		"half up":           {coreSKU + `, ` + usage("312", "seconds") + onA3, id, true, 2, false, ledger.OnDemand},
		"cores, catalogue": {
			coreSKU + `, ` + usage("748800", "seconds") + strings.Replace(onA3, "/cores", "/x", 1),
			id, true, 3600, false, ledger.OnDemand,
		},
		"memory": {
			sku("A3 Instance Ram running in Americas") + usage("1e15", "byte-seconds") + onA3,
			id, true, -1, false, ledger.OnDemand,
		},
		"GPUs": {gpuSKU + `, ` + usage("28800", "seconds") + onA3, id, true, -1, true, ledger.OnDemand},
		"spot GPUs": {
			sku("Nvidia H100 80GB GPU attached to Spot Preemptible VMs running in Americas") + onA3,
			id, true, -1, true, ledger.Spot,
		},
		"local disks": {
			sku("SSD backed Local Storage attached to Spot Preemptible VMs") + onA3, id, true, -1, false, ledger.Spot,
		},
		"reserved": {
			coreSKU + `, ` + usage("748800", "seconds") + onA3 + `, "credits": [` + cudCPU + `]`,
			id, true, 3600, false, ledger.Reserved,
		},
		"spend based": {
			coreSKU + `, ` + usage("748800", "seconds") + onA3 + `, "consumption_model": {"id": "A-B"}`,
			id, true, 3600, false, ledger.SavingsPlan,
		},
		"by name": {
			coreSKU + `, ` + usage("748800", "seconds") + byName, named, true, 3600, false, ledger.OnDemand,
		},
		"name without path": {
			coreSKU + `, ` + usage("748800", "seconds") + nameOnly, named, true, 3600, false, ledger.OnDemand,
		},
		"standard export": {coreSKU + `, ` + usage("748800", "seconds") + a3, "", true, 3600, false, ledger.OnDemand},
		"network":         {onA3, id, false, -1, false, ""},
		"network by name": {nameOnly, "", false, -1, false, ""},
		"licence":         {sku("Licensing Fee for RHEL 9 with GPU on VM") + onA3, id, false, -1, false, ""},
		"a disk": {
			sku("SSD backed PD Capacity") +
				`"resource": {"name": "d", "global_name": "//compute.googleapis.com/projects/1/zones/us-central1-a/disk/77"}`,
			"", false, -1, false, "",
		},
		"attached T4": {
			sku("Nvidia Tesla T4 GPU running in Americas") + usage("3600", "seconds") + n1, id, true, -1, true, ledger.OnDemand,
		},
		"its N1 cores": {
			sku("N1 Predefined Instance Core running in Americas") + usage("28800", "seconds") + n1,
			id, true, 3600, false, ledger.OnDemand,
		},
		"whole": {
			sku("Micro Instance with burstable CPU running in Americas") + usage("3600", "seconds") + n1,
			id, true, 3600, false, ledger.OnDemand,
		},
		"GPU slices": {
			sku("A4 Nvidia B200 (1 gpu slice) running in Iowa") + usage("28800", "seconds") + slice,
			id, true, 3600, true, ledger.OnDemand,
		},
		"calendar": {
			sku("A4 Nvidia B200 (1 gpu slice) DWS Calendar Mode in Iowa") + usage("28800", "seconds") + slice,
			id, true, 3600, true, ledger.Reserved,
		},
		"premium": {
			sku("Sole Tenancy Premium for A3 Instance Core") + usage("748800", "seconds") + onA3,
			id, true, -1, false, ledger.OnDemand,
		},
		"correction": {
			coreSKU + `, ` + usage("748800", "seconds") + onA3 + `, "cost": -1, "adjustment_info": {"id": "x"}`,
			id, true, -1, false, "",
		},
		"negated": {
			coreSKU + `, ` + usage("-748800", "seconds") + onA3 +
				`, "cost": -1, "adjustment_info": {"mode": "COMPLETE_NEGATION", "type": "PRICE_CORRECTION"}`,
			id, true, -3600, false, ledger.OnDemand,
		},
		"negated, again": {
			coreSKU + `, ` + usage("748800", "seconds") + onA3 +
				`, "cost": 2, "adjustment_info": {"mode": "COMPLETE_NEGATION_WITH_REMONETIZATION"}`,
			id, true, 3600, false, ledger.OnDemand,
		},
		"of usage": {
			coreSKU + `, ` + usage("-374400", "seconds") + onA3 +
				`, "cost": -1, "adjustment_info": {"mode": "PARTIAL_CORRECTION", "type": "USAGE_CORRECTION"}`,
			id, true, -1800, false, ledger.OnDemand,
		},
		"of usage, by type": {
			coreSKU + `, ` + usage("-374400", "seconds") + onA3 +
				`, "cost": -1, "cost_type": "adjustment", "adjustment_info": {"type": "USAGE_CORRECTION"}`,
			id, true, -1800, false, ledger.OnDemand,
		},
		"of a price": {
			coreSKU + `, ` + usage("-748800", "seconds") + onA3 +
				`, "cost": -1, "adjustment_info": {"mode": "PARTIAL_CORRECTION", "type": "PRICE_CORRECTION"}`,
			id, true, -1, false, "",
		},
		"for goodwill": {
			coreSKU + `, ` + usage("-748800", "seconds") + onA3 +
				`, "cost": -1, "adjustment_info": {"mode": "MANUAL_ADJUSTMENT", "type": "GOODWILL"}`, id, true, -1, false, "",
		},
		"negated cost only": {
			coreSKU + `, ` + usage("748800", "seconds") + onA3 +
				`, "cost": -1, "adjustment_info": {"mode": "COMPLETE_NEGATION"}`, id, true, -1, false, "",
		},
		"fee": {feeSKU, "", false, -1, false, ""},
		"another service": {
			`"service": {"id": "C7E2-9256-1C43", "description": "Vertex AI"}, ` +
				sku("Custom Training Nvidia Tesla T4 GPU running in Americas") +
				usage("3600", "seconds")[:len(usage("3600", "seconds"))-2], "", false, -1, true, "",
		},
	} {
		got, _ := one(t, `{`+strings.TrimSuffix(c.members, ", ")+`}`)
		seconds := int64(-1)
		if got.InstanceSeconds != nil {
			seconds = *got.InstanceSeconds
		}
		if got.InstanceID != c.key || got.InstanceHours != c.hours || seconds != c.seconds || got.BillsGPU != c.gpu ||
			got.PriceClass != c.class {
			t.Errorf("%s: key %q hours %v seconds %d gpu %v class %q", name, got.InstanceID, got.InstanceHours, seconds,
				got.BillsGPU, got.PriceClass)
		}
	}
}

// With cost allocation, a row of a machine is split into several, per namespace: their time
// adds up.
func TestKubernetesCostAllocation(t *testing.T) {
	label := func(ns string) string {
		return `"labels": [{"key": "goog-k8s-cluster-name", "value": "prod"}, {"key": "k8s-namespace", "value": "` + ns +
			`"}]`
	}
	r := mustRead(t, lines(t,
		`{`+coreSKU+`, `+onA3+`, `+label("search")+`, "cost": 5, "usage": {"amount": 624000, "unit": "seconds"}}`,
		`{`+coreSKU+`, `+onA3+`, `+label("kube:unallocated")+`, "cost": 1, "usage": {"amount": 124800, "unit": "seconds"}}`,
		`{"service": {"id": "CCD8-9BF1-090E"}, "sku": {"id": "x", "description": "Regional Kubernetes Clusters"}}`,
	))
	var seconds int64
	for i := range r.Charges[0] {
		c := &r.Charges[0][i]
		if c.InstanceSeconds != nil {
			seconds += *c.InstanceSeconds
		}
		if ledger.ControlPlane(c) != (c.ServiceCode == "CCD8-9BF1-090E") {
			t.Errorf("%s: control plane %v", c.Description, ledger.ControlPlane(c))
		}
		if c.InstanceHours && c.Tags["k8s-namespace"] == "" {
			t.Errorf("tags %v", c.Tags)
		}
	}
	if seconds != 3600 {
		t.Errorf("%d seconds", seconds)
	}
}

func TestPlaceTagsAndCommitment(t *testing.T) {
	c, r := one(t, `{`+onA3+`, "location": {"location": "us"}, "labels": [{"key": "team", "value": "a"}, {"key": "empty", "value": ""}],
		"project": {"id": "lab-1", "labels": [{"key": "team", "value": "b"}, {"key": "env", "value": "dev"}]},
		"tags": [{"key": "env", "value": "prod", "namespace": "org", "inherited": false}], "credits": [`+cudCPU+`, `+promo+`]}`)
	want := map[string]string{"team": "a", "project:team": "b", "env": "prod", "project:env": "dev"}
	for k, v := range want {
		if c.Tags[k] != v {
			t.Errorf("tag %s = %q", k, c.Tags[k])
		}
	}
	if c.Region != "us-central1" || c.Zone != "us-central1-a" || c.InstanceType != "a3-highgpu-8g" ||
		c.Provider != "gcp" || c.CommitmentID != "9876543210" {
		t.Errorf("%s %s %s %s %s", c.Region, c.Zone, c.InstanceType, c.Provider, c.CommitmentID)
	}
	if r.Tally.Noted["promotional credit inside the billed cost"] != 1 {
		t.Errorf("noted %v", r.Tally.Noted)
	}
	for _, id := range []string{"Committed Usage Discount: CPU", "2CE3-A1B2-00FF"} {
		if c, _ := one(t, `{"credits": [{"name": "n", "type": "COMMITTED_USAGE_DISCOUNT", "id": "`+id+`", "amount": -1}]}`); c.CommitmentID != "" || c.CommitmentCredit == nil {
			t.Errorf("%q: commitment %q", id, c.CommitmentID)
		}
	}
}

func TestMonths(t *testing.T) {
	for at, want := range map[string]period.Month{
		"2026-11-01T06:59:59Z": "2026-10", "2026-11-01T07:00:00Z": "2026-11", // still daylight saving time
		"2026-12-01T07:59:59Z": "2026-11", "2026-12-01T08:00:00Z": "2026-12",
		"2026-03-01T07:59:59Z": "2026-02", "2026-03-01T08:00:00Z": "2026-03",
		"2026-04-01T06:59:59Z": "2026-03", "2026-04-01T07:00:00Z": "2026-04",
	} {
		c, r := one(t, `{"invoice": null, "usage_start_time": "`+at+`", "usage_end_time": "2026-12-02T00:00:00Z"}`)
		if c.BillingPeriod != want ||
			r.Tally.Noted["billing period taken from the usage time: the row has no invoice.month"] != 1 {
			t.Errorf("%s: %s, noted %v", at, c.BillingPeriod, r.Tally.Noted)
		}
	}
	if c, _ := one(t, `{"invoice": {"month": "202601"}}`); c.BillingPeriod != "2026-01" {
		t.Errorf("%s: the invoice month is the billing period whatever was used when", c.BillingPeriod)
	}
}

// Late rows are in the partition of their export day, whatever their usage day, and do not
// change the earlier one.
func TestLateRows(t *testing.T) {
	first := lines(t, `{}`, `{"cost": 2}`)
	late := lines(t, `{"cost": 0.5, "export_time": "2026-11-05 01:02:03.9 UTC"}`,
		`{"cost": -1, "export_time": "2026-11-05 02:00:00 UTC", "adjustment_info": {"id": "a"}, "invoice": {"month": "202612"}}`)
	r := mustRead(t, first, late)
	if len(r.Deliveries) != 2 {
		t.Fatalf("%d deliveries", len(r.Deliveries))
	}
	d := r.Deliveries[1]
	if d.Partition != "2026-11-05" || d.Scope != "01AAAA-BBBBBB-CCCCCC" ||
		d.DeliveredAt.String() != "2026-11-05T02:00:00Z" || d.Kind != ledger.Append || d.Rank != 3 {
		t.Errorf("%+v at %v", d, d.DeliveredAt)
	}
	if before := r.Deliveries[0]; before.Partition != "2026-11-02" || before.Rows != 2 {
		t.Errorf("%s has %d rows", before.Partition, before.Rows)
	}
	alone := mustRead(t, late)
	if alone.Deliveries[0].ID != d.ID {
		t.Error("a partition is another one when others come with it")
	}
}

// The rows of one export day may be in several files and folders.
func TestOneDayInSeveralFiles(t *testing.T) {
	whole := mustRead(t, lines(t, `{}`, `{"cost": 2}`, `{"cost": 3}`))
	parts := mustRead(t, lines(t, `{"cost": 3}`), lines(t, `{"cost": 2}`, `{}`))
	same(t, "parts", whole, parts)
	again := mustRead(t, lines(t, `{}`, `{"cost": 2}`),
		lines(t, `{}`, `{"cost": 2}`, `{"cost": 3, "export_time": "2026-11-02 19:00:00 UTC"}`))
	if len(again.Deliveries) != 1 || again.Deliveries[0].Rows != 3 {
		t.Errorf("a day that was read again when it was longer: %d deliveries", len(again.Deliveries))
	}
	if _, err := tryRead(t, lines(t, `{}`, `{"cost": 2}`), lines(t, `{}`, `{"cost": 3}`)); err == nil ||
		!strings.Contains(err.Error(), "conflicting rows: ") {
		t.Errorf("files that share half of their rows: %v", err)
	}
}

// The standard and the detailed export of one day hold the same money; a file of taxes fits
// both.
func TestTwoExportsOfOneDay(t *testing.T) {
	detailed, standard := lines(t, `{}`), lines(t, `{"price": null, "cost": 2}`)
	if _, err := tryRead(t, detailed, standard); err == nil ||
		!strings.Contains(err.Error(), "two exports: some of these files are detailed and some standard") {
		t.Error(err)
	}
	tax := lines(t, `{"price": null, "usage": null, "cost": 3, "cost_type": "tax", "project": null}`)
	for _, with := range []string{detailed, standard} {
		if r := mustRead(t, with, tax); len(r.Deliveries) != 1 || r.Deliveries[0].Rows != 2 {
			t.Errorf("%d deliveries", len(r.Deliveries))
		}
	}
}

func TestUnits(t *testing.T) {
	for name, c := range map[string]struct{ members, partition, dataset string }{
		"export day":     {`{"export_time": "2026-11-02T23:59:59.999Z"}`, "2026-11-02", "usage cost"},
		"partition":      {`{"partition_date": "2026-11-01"}`, "2026-11-01", "usage cost by partition"},
		"partition time": {`{"_PARTITIONTIME": "2026-11-01 00:00:00 UTC"}`, "2026-11-01", "usage cost by partition"},
		"undated":        {`{"export_time": null}`, "undated 2026-11", "usage cost undated"},
	} {
		_, r := one(t, c.members)
		if d := r.Deliveries[0]; d.Partition != c.partition || d.Dataset != c.dataset ||
			d.Export != "gcp 01AAAA-BBBBBB-CCCCCC "+c.dataset {
			t.Errorf("%s: %s of %s, %s", name, d.Partition, d.Dataset, d.Export)
		}
	}
}

func TestCurrencies(t *testing.T) {
	r := mustRead(t, lines(t, `{}`, `{"currency": "EUR", "cost": 2}`,
		`{"currency": "EUR", "cost": 0.5, "credits": [`+promo+`]}`))
	if got := sums(r, ledger.BilledCost); got["USD"] != "1" || got["EUR"] != "2.45" {
		t.Errorf("%v", got)
	}
	if n := len(r.Deliveries[0].Totals); n != 6 {
		t.Errorf("%d control totals, want three measures of two currencies", n)
	}
}

func TestAggregationKeepsMachines(t *testing.T) {
	b, refused := Format.Bind(blob.File{}, nil)
	if refused == nil || b != nil {
		t.Error("an empty header is bound")
	}
	n1 := strings.Replace(onA3, "a3-highgpu-8g", "n1-standard-8", 1)
	for name, c := range map[string]struct{ members, key string }{
		"GPU of an N1": {
			`{` + n1 + `, "sku": {"id": "x", "description": "Nvidia Tesla T4 GPU running in Americas"}}`, "gce/4444555566667777",
		},
		"core of an N1": {
			`{` + n1 + `, "sku": {"id": "x", "description": "N1 Predefined Instance Core running in Americas"}}`, "",
		},
		"core of an A3":    {`{` + onA3 + `, ` + coreSKU + `}`, "gce/4444555566667777"},
		"network of an A3": {`{` + onA3 + `}`, ""},
	} {
		if got := machineOf(t, lines(t, c.members)); got != c.key {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func machineOf(t *testing.T, path string) (key string) {
	t.Helper()
	tb, err := table.Open(billtest.List(t, path)[0], table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tb.Close()
	b, refused := Format.Bind(blob.File{}, tb.Names())
	if refused != nil {
		t.Fatal(refused)
	}
	if err := tb.Each(t.Context(), func(r table.Row) error {
		key = b.(bill.Spotter).Machine(r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return key
}

// A partner's product on Google's bill belongs to the marketplace, whichever column shows it.
func TestMarketplace(t *testing.T) {
	for members, want := range map[string]bool{
		`{}`: false,
		`{"seller_name": "Google LLC", "transaction_type": "GOOGLE"}`:   false,
		`{"invoice": {"month": "202611", "publisher_type": "GOOGLE"}}`:  false,
		`{"seller_name": "Vendor Inc."}`:                                true,
		`{"transaction_type": "THIRD_PARTY_AGENCY"}`:                    true,
		`{"invoice": {"month": "202611", "publisher_type": "PARTNER"}}`: true,
	} {
		if got, _ := one(t, members); got.Marketplace != want {
			t.Errorf("%s: marketplace %v, want %v", members, got.Marketplace, want)
		}
	}
}

// SKU, unit prices and the priced quantity leave as stated; Google states no id of a price.
func TestPricedDetails(t *testing.T) {
	const stated = `"usage": {"amount": 7200, "unit": "seconds", "amount_in_pricing_units": 2, "pricing_unit": "hour"},
		"cost": 4.5, "cost_at_list": 5, "price": {"list_price": "2.5", "effective_price": "2.25", "unit": "hour"}`
	for members, want := range map[string]map[string]string{
		`{` + stated + `, ` + onA3 + `}`: {"ListUnitPrice": "2.5", "ContractedUnitPrice": "2.25", "PricingUnit": "hour",
			"SkuId": "0000-1111-2222", "SkuPriceId": "", "SkuMeter": "", "SubAccountName": "lab", "ResourceName": "node-1"},
		`{` + strings.Replace(stated, `"2.5"`, `"2.6"`, 1) + `}`: {"ListUnitPrice": "", "ContractedUnitPrice": "2.25",
			"ResourceName": ""},
		`{` + stated + `, "cost_type": "tax"}`: {"ListUnitPrice": "", "ContractedUnitPrice": "", "SkuId": ""},
		`{}`:                                   {"ListUnitPrice": "", "PricingUnit": "", "SkuId": "0000-1111-2222"},
	} {
		c, _ := one(t, members)
		for column, text := range want {
			if c.Details[column] != text {
				t.Errorf("%s: %s is %q, want %q", members, column, c.Details[column], text)
			}
		}
		if q := c.Quantities; (want["PricingUnit"] == "" && members == "{}") != (q == nil) ||
			q != nil && (q.Pricing.String() != "2" || q.Consumed.String() != "7200") {
			t.Errorf("%s: %+v", members, q)
		}
	}
}
