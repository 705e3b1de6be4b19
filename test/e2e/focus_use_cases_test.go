package e2e

import (
	"encoding/csv"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gpuledger/internal/money"
)

// useCase is a question that the FinOps Foundation publishes as a use case of FOCUS (focus.finops.org/use-case), in our
// words of SQL over the columns of 1.4, next to the ledger's own answer.
type useCase struct {
	title string
	// sql has a text k and an amount v. focus is focus_cost_and_usage; periods, invoices and commitments are the others.
	sql string
	// The ledger's answer: column of a dataset, added up by keys.
	dataset, groupBy, filter string
	column                   string
	keys                     []string // names of columns; NAME=FORM: a time of it
}

var useCases = []useCase{
	{"Verify accuracy of provider invoices",
		"select BillingAccountId || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"group by ServiceProviderName, BillingAccountId, BillingAccountName, BillingCurrency",
		"costs", "billing_account", "", "billed_cost", []string{"billing_account", "currency"}},
	{"Verify accuracy of services charges across providers",
		"select concat_ws('/', BillingAccountId, ServiceName, BillingCurrency) k, sum(BilledCost) v from focus " +
			"group by ServiceProviderName, BillingAccountName, BillingAccountId, BillingCurrency, ServiceName",
		"costs", "billing_account,service_name", "", "billed_cost",
		[]string{"billing_account", "service_name", "currency"}},
	{"Update budgets with billed costs",
		"select @month || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"group by ServiceProviderName, BillingPeriodStart, BillingPeriodEnd, BillingCurrency",
		"costs", "billing_period", "", "billed_cost", []string{"billing_period", "currency"}},
	{"Report costs by service category",
		"select @month || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"group by ServiceProviderName, BillingCurrency, BillingPeriodStart, ServiceCategory",
		"costs", "billing_period", "", "billed_cost", []string{"billing_period", "currency"}},
	{"Report costs by service category and subcategory",
		"select @month || '/' || BillingCurrency k, sum(BilledCost) v from focus group by ServiceProviderName, " +
			"BillingCurrency, BillingPeriodStart, ServiceCategory, ServiceSubcategory",
		"costs", "billing_period", "", "billed_cost", []string{"billing_period", "currency"}},
	{"Analyze costs by service name",
		"select ServiceName || '/' || BillingCurrency k, sum(EffectiveCost) v from focus " +
			"group by BillingPeriodStart, ServiceProviderName, SubAccountId, SubAccountName, ServiceName, BillingCurrency",
		"costs", "service_name", "", "effective_cost", []string{"service_name", "currency"}},
	{"Report spending across billing periods for a provider by service category",
		"select concat_ws('/', BillingAccountId, @month, ServiceName, BillingCurrency) k, sum(BilledCost) v from focus " +
			"group by BillingAccountName, BillingAccountId, BillingCurrency, BillingPeriodStart, ServiceCategory, ServiceName",
		"costs", "billing_account,billing_period,service_name", "", "billed_cost",
		[]string{"billing_account", "billing_period", "service_name", "currency"}},
	{"Analyze service costs by region",
		"select concat_ws('/', coalesce(RegionId, ''), ServiceName, BillingCurrency) k, sum(EffectiveCost) v from focus " +
			"group by ChargePeriodStart, ServiceProviderName, RegionId, ServiceName, BillingCurrency",
		"costs", "region,service_name", "", "effective_cost", []string{"region", "service_name", "currency"}},
	{"Report service costs by providers subaccount",
		"select coalesce(SubAccountId, BillingAccountId) || '/' || BillingCurrency k, sum(EffectiveCost) v from focus " +
			"group by ServiceProviderName, ServiceName, SubAccountId, BillingAccountId, ChargePeriodStart, BillingCurrency",
		"costs", "account", "", "effective_cost", []string{"account", "currency"}},
	{"Analyze service costs month over month",
		"select concat_ws('/', strftime(ChargePeriodStart at time zone 'UTC', '%Y-%m'), ServiceName, BillingCurrency) k, " +
			"sum(EffectiveCost) v from focus group by 1, ServiceProviderName",
		"charges", "", "role = book", "effective_cost",
		[]string{"charge_period_start=2006-01", "service_name", "currency"}},
	{"Identify anomalous daily spending by subaccount",
		"select concat_ws('/', strftime(ChargePeriodStart at time zone 'UTC', '%Y-%m-%d'), coalesce(SubAccountId, " +
			"BillingAccountId), BillingCurrency) k, sum(EffectiveCost) v from focus group by 1, ServiceProviderName",
		"charges", "", "role = book", "effective_cost", []string{"charge_period_start=2006-01-02", "account", "currency"}},
	{"Identify unused commitments",
		"select coalesce(CommitmentDiscountId, CapacityReservationId, '') || '/' || BillingCurrency k, " +
			"sum(EffectiveCost) v from focus " +
			"where CommitmentDiscountStatus = 'Unused' or CapacityReservationStatus = 'Unused' group by ServiceProviderName, " +
			"BillingAccountId, CommitmentDiscountId, CapacityReservationId, " +
			"CommitmentDiscountType, BillingCurrency",
		"costs", "commitment", "cause = commitment_unused", "effective_cost", []string{"commitment", "currency"}},
	{"Report commitment discount purchases",
		"select CommitmentDiscountId || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"where ChargeCategory = 'Purchase' and CommitmentDiscountId is not null group by CommitmentDiscountId, " +
			"CommitmentDiscountType, CommitmentDiscountUnit, CommitmentDiscountQuantity, ChargeFrequency, BillingCurrency",
		"charges", "", "role = book and charge_category = Purchase and commitment is not null", "billed_cost",
		[]string{"commitment", "currency"}},
	{"Report corrections by subaccount for a previously invoiced billing period",
		"select BillingAccountId || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"where ChargeClass = 'Correction' group by ServiceProviderName, BillingAccountId, SubAccountId, SubAccountName, " +
			"ServiceCategory, BillingCurrency",
		"charges", "", "role = book and charge_class = Correction", "billed_cost", []string{"billing_account", "currency"}},
	{"Determine effective savings rate",
		"select BillingAccountId || '/' || BillingCurrency k, sum(ListCost) v from focus " +
			"where not coalesce(x_AssumedColumns, '') like '%ListCost%' group by all",
		"costs", "billing_account", "", "list_cost",
		[]string{"billing_account", "currency"}},
	{"Analyze tag coverage",
		"select BillingCurrency k, sum(case when AllocatedTags ->> 'team' <> 'unowned' then EffectiveCost else 0 end) v " +
			"from focus where x_Cause <> 'non_gpu' group by BillingCurrency",
		"costs", "team", "cause != non_gpu and team != unowned", "effective_cost", []string{"currency"}},
	{"Report application cost month over month",
		"select concat_ws('/', @month, AllocatedTags ->> 'project', BillingCurrency) k, sum(EffectiveCost) v from focus " +
			"where AllocatedTags ->> 'project' is not null group by all",
		"costs", "project,billing_period", "cause != non_gpu and project is not null", "effective_cost",
		[]string{"billing_period", "project", "currency"}},
	{"Analyze costs of components of a resource",
		"select coalesce(ResourceId, '') || '/' || BillingCurrency k, sum(EffectiveCost) v from focus " +
			"where not x_Aggregated group by ResourceId, ResourceName, ResourceType, ChargeDescription, SkuId, " +
			"BillingCurrency",
		"charges", "", "role = book and line_ranges is null", "effective_cost", []string{"resource_id", "currency"}},
	{"Analyze costs by availability zone for a subaccount",
		"select coalesce(AvailabilityZone, '') || '/' || BillingCurrency k, sum(EffectiveCost) v from focus " +
			"group by ServiceProviderName, RegionName, AvailabilityZone, BillingPeriodStart, BillingCurrency",
		"charges", "", "role = book", "effective_cost", []string{"zone", "currency"}},
	{"Forecast cashflow month over month based on historical trends by service",
		"select concat_ws('/', @month, ServiceName, BillingCurrency) k, sum(BilledCost) v from focus " +
			"group by BillingPeriodStart, ServiceProviderName, ServiceCategory, ServiceName, BillingCurrency",
		"costs", "billing_period,service_name", "", "billed_cost", []string{"billing_period", "service_name", "currency"}},
	{"Forecast amortized costs month over month based on historical trends",
		"select concat_ws('/', @month, ServiceName, BillingCurrency) k, sum(EffectiveCost) v from focus " +
			"group by BillingPeriodStart, ServiceProviderName, ServiceCategory, ServiceName, ChargeCategory, BillingCurrency",
		"costs", "billing_period,service_name", "", "effective_cost",
		[]string{"billing_period", "service_name", "currency"}},
	{"Analyze credit memos",
		"select BillingAccountId || '/' || BillingCurrency k, sum(BilledCost) v from focus " +
			"where ChargeCategory = 'Credit' " +
			"group by ServiceProviderName, InvoiceId, BillingAccountId, BillingCurrency",
		"charges", "", "role = book and charge_category = Credit", "billed_cost", []string{"billing_account", "currency"}},
	{"Verify accuracy of provider invoices aka invoice reconciliation",
		"select concat_ws('/', BillingAccountId, strftime(BillingPeriodStart at time zone 'UTC', '%Y-%m'), " +
			"BillingCurrency) k, sum(BilledCost) v from invoices group by all",
		"costs", "billing_account,billing_period", "provider = aws", "billed_cost",
		[]string{"billing_account", "billing_period", "currency"}},
}

// TestUseCasesOfFOCUS asks DuckDB, over our files, the published questions of FOCUS: the answers are the ledger's.
func TestUseCasesOfFOCUS(t *testing.T) {
	duck, db, dir := startDuckDB(t), smallLedger(t), t.TempDir()
	for view, dataset := range map[string]string{
		"focus": "focus_cost_and_usage", "periods": "focus_billing_period", "invoices": "focus_invoice_detail",
		"commitments": "focus_contract_commitment",
	} {
		file := filepath.Join(dir, dataset+".parquet")
		must(t, "report", db, dataset, "--format", "parquet", "--out", file)
		duck.ask(t, "create view "+view+" as from read_parquet('"+file+"')")
	}
	for _, c := range useCases {
		t.Run(c.title, func(t *testing.T) {
			sql := strings.ReplaceAll(c.sql, "@month", "strftime(BillingPeriodStart at time zone 'UTC', '%Y-%m')")
			got := map[string]string{}
			for _, row := range duck.ask(t, "select k, sum(v)::varchar v from ("+sql+") group by k") {
				got[row[0]] = money.MustParse(row[1]).String()
			}
			want := c.ledger(t, db)
			maps.DeleteFunc(got, func(_, v string) bool { return v == "0" })
			maps.DeleteFunc(want, func(_, v string) bool { return v == "0" })
			if !maps.Equal(got, want) {
				t.Errorf("DuckDB says %s\nthe ledger  %s", list(got), list(want))
			}
		})
	}
}

// ledger is the ledger's answer, without provisional costs.
func (c useCase) ledger(t *testing.T, db string) map[string]string {
	t.Helper()
	args := []string{"report", db, c.dataset, "--format", "csv"}
	filter := c.filter
	if c.dataset == "costs" {
		filter = strings.TrimPrefix(filter+" and state != provisional", " and ")
	}
	args = append(args, "--filter", filter)
	if c.groupBy != "" {
		args = append(args, "--group-by", c.groupBy)
	}
	rows, err := csv.NewReader(strings.NewReader(must(t, args...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int {
		i := slices.Index(rows[0], name)
		if i < 0 {
			t.Fatalf("%s has no column %s", c.dataset, name)
		}
		return i
	}
	sums := map[string]money.Amount{}
	for _, row := range rows[1:] {
		if row[at(c.column)] == "" {
			continue
		}
		var key []string
		for _, name := range c.keys {
			name, form, isTime := strings.Cut(name, "=")
			text := row[at(name)]
			if isTime {
				text = text[:len(form)]
			}
			key = append(key, text)
		}
		k := strings.Join(key, "/")
		sums[k] = sums[k].Add(money.MustParse(row[at(c.column)]))
	}
	out := map[string]string{}
	for k, v := range sums {
		out[k] = v.String()
	}
	return out
}

func list(m map[string]string) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, fmt.Sprintf("%s: %s", k, m[k]))
	}
	return clip(strings.Join(all, "\n"))
}
