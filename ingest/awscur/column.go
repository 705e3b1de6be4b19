package awscur

import (
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
)

// column is a CUR 2.0 column that the mapping reads.
type column int

// The columns that become part of a charge.
const (
	colLineID column = iota
	colInterval
	colPayer
	colPayerName
	colInvoice
	colInvoicingEntity
	colBillType
	colBillingEntity
	colPeriodStart
	colPeriodEnd
	colAccount
	colAccountName
	colLineType
	colUsageStart
	colUsageEnd
	colProductCode
	colUsageType
	colOperation
	colZone
	colResource
	colUsageAmount
	colCurrency
	colUnblended
	colNetUnblended
	colDescription
	colListCost
	colTerm
	colUnit
	colListRate
	colRate
	colNetRate
	colPriceID
	colSKU
	colProduct
	colProductName
	colInstanceType
	colRegion
	colServiceCode
	colReservationARN
	colReservationEffective
	colReservationUnusedUpfront
	colReservationUnusedRecurring
	colNetReservationEffective
	colNetReservationUnusedUpfront
	colNetReservationUnusedRecurring
	colPlanARN
	colPlanEffective
	colPlanTotal
	colPlanUsed
	colNetPlanEffective
	colResourceTags
	colTags
	colCapacityStatus
	colSplitParent
	colSplitCost
	colSplitUnused
	colNetSplitCost
	colNetSplitUnused
	colLoadID
	columnCount
)

// spellings lists the names of each column, the documented one first. Athena-style loaders
// shorten "a_r_n".
var spellings = [columnCount][]string{
	colLineID:                        {"identity_line_item_id"},
	colInterval:                      {"identity_time_interval"},
	colPayer:                         {"bill_payer_account_id"},
	colPayerName:                     {"bill_payer_account_name"},
	colInvoice:                       {"bill_invoice_id"},
	colInvoicingEntity:               {"bill_invoicing_entity"},
	colBillType:                      {"bill_bill_type"},
	colBillingEntity:                 {"bill_billing_entity"},
	colPeriodStart:                   {"bill_billing_period_start_date"},
	colPeriodEnd:                     {"bill_billing_period_end_date"},
	colAccount:                       {"line_item_usage_account_id"},
	colAccountName:                   {"line_item_usage_account_name"},
	colLineType:                      {"line_item_line_item_type"},
	colUsageStart:                    {"line_item_usage_start_date"},
	colUsageEnd:                      {"line_item_usage_end_date"},
	colProductCode:                   {"line_item_product_code"},
	colUsageType:                     {"line_item_usage_type"},
	colOperation:                     {"line_item_operation"},
	colZone:                          {"line_item_availability_zone"},
	colResource:                      {"line_item_resource_id"},
	colUsageAmount:                   {"line_item_usage_amount"},
	colCurrency:                      {"line_item_currency_code"},
	colUnblended:                     {"line_item_unblended_cost"},
	colNetUnblended:                  {"line_item_net_unblended_cost"},
	colDescription:                   {"line_item_line_item_description"},
	colListCost:                      {"pricing_public_on_demand_cost"},
	colTerm:                          {"pricing_term"},
	colUnit:                          {"pricing_unit"},
	colListRate:                      {"pricing_public_on_demand_rate"},
	colRate:                          {"line_item_unblended_rate"},
	colNetRate:                       {"line_item_net_unblended_rate"},
	colPriceID:                       {"pricing_rate_code"},
	colSKU:                           {"product_sku"},
	colProduct:                       {"product"},
	colProductName:                   {"product_product_name"},
	colInstanceType:                  {"product_instance_type"},
	colRegion:                        {"product_region_code", "product_region"},
	colServiceCode:                   {"product_servicecode"},
	colReservationARN:                {"reservation_reservation_a_r_n", "reservation_reservation_arn"},
	colReservationEffective:          {"reservation_effective_cost"},
	colReservationUnusedUpfront:      {"reservation_unused_amortized_upfront_fee_for_billing_period"},
	colReservationUnusedRecurring:    {"reservation_unused_recurring_fee"},
	colNetReservationEffective:       {"reservation_net_effective_cost"},
	colNetReservationUnusedUpfront:   {"reservation_net_unused_amortized_upfront_fee_for_billing_period"},
	colNetReservationUnusedRecurring: {"reservation_net_unused_recurring_fee"},
	colPlanARN:                       {"savings_plan_savings_plan_a_r_n", "savings_plan_savings_plan_arn"},
	colPlanEffective:                 {"savings_plan_savings_plan_effective_cost"},
	colPlanTotal:                     {"savings_plan_total_commitment_to_date"},
	colPlanUsed:                      {"savings_plan_used_commitment"},
	colNetPlanEffective:              {"savings_plan_net_savings_plan_effective_cost"},
	colResourceTags:                  {"resource_tags"},
	colTags:                          {"tags"},
	colCapacityStatus:                {"product_capacitystatus"},
	colSplitParent:                   {"split_line_item_parent_resource_id"},
	colSplitCost:                     {"split_line_item_split_cost"},
	colSplitUnused:                   {"split_line_item_unused_cost"},
	colNetSplitCost:                  {"split_line_item_net_split_cost"},
	colNetSplitUnused:                {"split_line_item_net_unused_cost"},
	colLoadID:                        {"_dlt_load_id"},
}

// Name is the documented name of the column.
func (c column) Name() string { return spellings[c][0] }

// required columns: without them no row can become a charge. One of several alternatives is
// enough.
var required = [][]column{
	{colPayer}, {colPeriodStart}, {colLineType}, {colUsageStart},
	{colUsageEnd}, {colCurrency}, {colUnblended, colNetUnblended},
}

// postgresName is the length to which PostgreSQL loaders cut column names.
const postgresName = 63

var (
	columnByName = map[string]column{}
	formByName   = map[string]bill.Form{}
)

func init() {
	for c, names := range spellings {
		for _, n := range names {
			columnByName[table.Squash(n)] = column(c)
			columnByName[table.Squash(cut(n))] = column(c)
		}
	}
	for f, names := range map[bill.Form]string{
		bill.Time: "bill_billing_period_start_date bill_billing_period_end_date line_item_usage_start_date " +
			"line_item_usage_end_date",
		bill.Pairs: "product discount resource_tags cost_category tags",
		bill.Number: `line_item_usage_amount line_item_normalization_factor line_item_normalized_usage_amount
			line_item_unblended_cost line_item_blended_cost line_item_net_unblended_cost pricing_public_on_demand_cost
			discount_total_discount discount_bundled_discount
			reservation_amortized_upfront_cost_for_usage reservation_amortized_upfront_fee_for_billing_period
			reservation_effective_cost
			reservation_recurring_fee_for_usage reservation_unused_amortized_upfront_fee_for_billing_period
			reservation_unused_normalized_unit_quantity reservation_unused_quantity reservation_unused_recurring_fee
			reservation_upfront_value
			reservation_net_amortized_upfront_cost_for_usage reservation_net_amortized_upfront_fee_for_billing_period
			reservation_net_effective_cost reservation_net_recurring_fee_for_usage
			reservation_net_unused_amortized_upfront_fee_for_billing_period reservation_net_unused_recurring_fee
			reservation_net_upfront_value
			savings_plan_amortized_upfront_commitment_for_billing_period savings_plan_recurring_commitment_for_billing_period
			savings_plan_savings_plan_effective_cost savings_plan_savings_plan_rate savings_plan_total_commitment_to_date
			savings_plan_used_commitment
			savings_plan_net_amortized_upfront_commitment_for_billing_period
			savings_plan_net_recurring_commitment_for_billing_period
			savings_plan_net_savings_plan_effective_cost
			split_line_item_reserved_usage split_line_item_actual_usage split_line_item_split_usage
			split_line_item_split_usage_ratio
			split_line_item_split_cost split_line_item_unused_cost split_line_item_net_split_cost split_line_item_net_unused_cost
			split_line_item_public_on_demand_split_cost split_line_item_public_on_demand_unused_cost`,
	} {
		for n := range strings.FieldsSeq(names) {
			formByName[cut(n)] = f
		}
	}
}

// canonicalName is a column's name in the digest: lower case, without byte order mark, cut to
// PostgreSQL's length. Names of the legacy report (category/CamelName) become those of CUR 2.0.
func canonicalName(header string) string {
	header = strings.TrimSpace(strings.TrimPrefix(header, "\ufeff"))
	if category, name, legacy := strings.Cut(header, "/"); legacy {
		header = snake(category) + "_" + snake(name)
	}
	return cut(strings.ToLower(header))
}

// snake converts CamelCase and tag keys to the newer reports' form: an underscore before each
// capital, and for blanks, colons, slashes and hyphens.
func snake(name string) string {
	out := make([]byte, 0, len(name)+8)
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			if n := len(out); n > 0 && out[n-1] != '_' {
				out = append(out, '_')
			}
			out = append(out, c+'a'-'A')
		case c == ':' || c == '/' || c == ' ' || c == '-':
			out = append(out, '_')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

func cut(name string) string {
	if len(name) > postgresName {
		return name[:postgresName]
	}
	return name
}

// loaderColumn reports whether a loader added the column (_dlt_id, _cq_sync_time, _file …),
// which is then not part of the bill. No column of AWS begins with an underscore.
func loaderColumn(canonical string) bool { return strings.HasPrefix(canonical, "_") }
