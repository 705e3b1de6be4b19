package metrics

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// contract is the fixed part of the product's datasets: more columns are welcome, but these must stay, in this order.
var contract = map[string]string{
	"costs": "period_start period_end currency effective_cost billed_cost list_cost contracted_cost " +
		"gpu_hours used_gpu_hours active_gpu_hours energy_kwh state",
	"charges": "charge_id delivery_id source_file line provider billing_account account resource_id " +
		"service_name charge_category charge_class charge_period_start charge_period_end billing_period currency " +
		"effective_cost billed_cost list_cost contracted_cost role state",
	"postings": "posting_id charge_id part usage_id hour billing_period cause activity kind adjusts " +
		"business_unit team project model model_version stage environment cost_center experiment dataset user priority " +
		"queue method quality policy_version currency effective_cost billed_cost list_cost contracted_cost",
	"usage": "usage_id hour cause activity seconds active_seconds gpu_hours energy_kwh",
	"runs": "run_id group_id cluster namespace name kind team project model experiment status started_at " +
		"ended_at attempts preemptions gpu_hours used_gpu_hours active_gpu_hours lost_gpu_hours effective_cost " +
		"billed_cost list_cost contracted_cost used_cost held_idle_cost overhead_cost lost_cost lost_cost_min " +
		"unobserved_cost host_cost metered_cost window_effective_cost spot_savings queue_wait_seconds budget " +
		"budget_ratio energy_kwh co2e_kg quality state currency",
	"attempts": "run_id attempt task started_at ended_at outcome reason pricing nodes gpus gpu_hours " +
		"effective_cost lost_cost lost_seconds loss_basis last_checkpoint_at",
	"slices": "device_uuid gpu_model profile slice_id valid_from valid_to weight held_hours effective_cost " +
		"fragmentation_index dead_compute dead_memory stranded_cost",
	"reconciliation": "source delivery_id role provider billing_account account billing_period currency metric " +
		"source_total invoice_total posted_total difference charges unposted_charges state evidence_gap",
	"imports": "import_id source uri state started_at finished_at rows_read accepted rejected",
}

func TestContract(t *testing.T) {
	for name, want := range contract {
		d, err := LookupDataset(name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		last := -1
		for col := range strings.FieldsSeq(want) {
			i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == col })
			if i < 0 {
				t.Errorf("%s has no column %s", name, col)
			} else if i < last {
				t.Errorf("%s: column %s is out of the contract's order", name, col)
			}
			last = max(last, i)
		}
	}
	keys := "tenant business_unit provider billing_account account billing_period region zone cluster node " +
		"instance_type gpu_model device slice mig_profile pricing commitment service_name namespace workload_kind " +
		"workload_class workload pod run attempt group service team project model model_version stage environment " +
		"cost_center experiment dataset user priority queue cause charge_category quality state tag:KEY label:KEY"
	for k := range strings.FieldsSeq(keys) {
		if _, ok := LookupKey(k); !ok {
			t.Errorf("no group key %s", k)
		}
	}
}

func TestDefinitionsAreComplete(t *testing.T) {
	for _, d := range Datasets {
		seen := map[string]bool{}
		for _, c := range d.Columns {
			if c.Doc == "" || c.Source == "" || c.Kind == "" || c.Formula.Op == "" {
				t.Errorf("%s.%s is not fully defined: %+v", d.Name, c.Name, c)
			}
			if seen[c.Name] {
				t.Errorf("%s has %s twice", d.Name, c.Name)
			}
			seen[c.Name] = true
			if c.Kind == Money && c.Unit != "currency" || c.Kind == Quantity && c.Unit == "" || c.Kind == Duration &&
				c.Unit != "seconds" {
				t.Errorf("%s.%s: a %s in %q", d.Name, c.Name, c.Kind, c.Unit)
			}
			if c.Formula.Op == OpUnknown && len(c.Caveats) == 0 {
				t.Errorf("%s.%s is never known and does not say so", d.Name, c.Name)
			}
		}
		if d.HasMoney() && (!seen["currency"] || !seen["state"]) {
			t.Errorf("%s has money without currency or state", d.Name)
		}
		for _, name := range d.RowKey {
			if !seen[name] {
				t.Errorf("%s: row key %s is no column", d.Name, name)
			}
		}
		for alias, name := range d.Aliases {
			if !seen[name] || seen[alias] {
				t.Errorf("%s: alias %s of %s", d.Name, alias, name)
			}
		}
	}
}

func TestUnknownDatasets(t *testing.T) {
	for _, name := range []string{"", "wastes", "focus", "Costs", "costs "} {
		if _, err := Parse(name, Options{}); err == nil || !strings.Contains(err.Error(), "unknown dataset") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

var update = flag.Bool("update", false, "rewrite docs/reference/datasets.md")

// TestDocumentIsCurrent compares docs/reference/datasets.md with the definitions.
func TestDocumentIsCurrent(t *testing.T) {
	path := filepath.Join("..", "docs", "reference", "datasets.md")
	if *update {
		if err := os.WriteFile(path, []byte(Document()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Document() {
		t.Error("docs/reference/datasets.md is stale: run go test ./metrics -update")
	}
}
