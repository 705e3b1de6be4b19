package gcpbilling

import (
	"maps"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
)

// column is a field of the export that the mapping reads.
type column int

// The fields that become part of a charge.
const (
	colBillingAccount column = iota
	colUsageStart
	colUsageEnd
	colCost
	colCurrency
	colInvoiceMonth
	colCostType
	colServiceID
	colService
	colSKUID
	colSKU
	colProject
	colProjectLabels
	colLabels
	colSystemLabels
	colTags
	colLocation
	colRegion
	colZone
	colResourceName
	colResource
	colUsageAmount
	colUsageUnit
	colPricingAmount
	colPricingUnit
	colListPrice
	colPrice
	colDefaultPrice
	colProjectName
	colCredits
	colFirstCredit // an exploded first element next to credits
	colListCost
	colDefaultCost
	colModelID
	colModel
	colAdjustmentID
	colAdjustmentMode
	colAdjustmentType
	colSubscription
	colTransaction
	colPublisher
	colSeller
	colExportTime
	colPartition
	colRowID // a loader's, to join child tables
	columnCount
)

// spellings lists the names of each field, the documented one first. Dots, underscores and case
// do not matter.
var spellings = [columnCount][]string{
	colBillingAccount: {"billing_account_id"},
	colUsageStart:     {"usage_start_time"},
	colUsageEnd:       {"usage_end_time"},
	colCost:           {"cost"},
	colCurrency:       {"currency"},
	colInvoiceMonth:   {"invoice.month"},
	colCostType:       {"cost_type"},
	colServiceID:      {"service.id"},
	colService:        {"service.description"},
	colSKUID:          {"sku.id"},
	colSKU:            {"sku.description"},
	colProject:        {"project.id"},
	colProjectLabels:  {"project.labels", "labels_1"},
	colLabels:         {"labels"},
	colSystemLabels:   {"system_labels"},
	colTags:           {"tags"},
	colLocation:       {"location.location"},
	colRegion:         {"location.region"},
	colZone:           {"location.zone"},
	colResourceName:   {"resource.name"},
	colResource:       {"resource.global_name"},
	colUsageAmount:    {"usage.amount"},
	colUsageUnit:      {"usage.unit"},
	colPricingAmount:  {"usage.amount_in_pricing_units"},
	colPricingUnit:    {"usage.pricing_unit"},
	colListPrice:      {"price.list_price"},
	colPrice:          {"price.effective_price"},
	colDefaultPrice:   {"price.effective_price_default"},
	colProjectName:    {"project.name"},
	colCredits:        {"credits"},
	colFirstCredit:    {"credits.amount"},
	colListCost:       {"cost_at_list"},
	colDefaultCost:    {"cost_at_effective_price_default"},
	colModelID:        {"consumption_model.id"},
	colModel:          {"consumption_model.description"},
	colAdjustmentID:   {"adjustment_info.id"},
	colAdjustmentMode: {"adjustment_info.mode"},
	colAdjustmentType: {"adjustment_info.type"},
	colSubscription:   {"subscription.instance_id"},
	colTransaction:    {"transaction_type"},
	colPublisher:      {"invoice.publisher_type"},
	colSeller:         {"seller_name"},
	colExportTime:     {"export_time"},
	colPartition:      {"partition_date", "_PARTITIONDATE", "_PARTITIONTIME", "partition_time"},
	colRowID:          {"_dlt_id"},
}

// Name is the documented name of the field.
func (c column) Name() string { return spellings[c][0] }

// required fields: without them no row can become a charge.
var required = []column{colBillingAccount, colUsageStart, colUsageEnd, colCost, colCurrency}

// records are the schema's record fields with their members; exports that cannot nest hold them
// as separate columns or as JSON text.
var records = map[string][]string{
	"service":  {"id", "description"},
	"sku":      {"id", "description"},
	"project":  {"id", "number", "name", "labels", "ancestry_numbers", "ancestors"},
	"location": {"location", "country", "region", "zone"},
	"resource": {"name", "global_name"},
	"price": {
		"effective_price", "tier_start_amount", "unit", "pricing_unit_quantity",
		"list_price", "effective_price_default", "list_price_consumption_model",
	},
	"usage":             {"amount", "unit", "amount_in_pricing_units", "pricing_unit"},
	"invoice":           {"month", "publisher_type"},
	"adjustment_info":   {"id", "description", "mode", "type"},
	"subscription":      {"instance_id"},
	"consumption_model": {"id", "description"},
}

// repeated are the fields with several elements, by squashed name. They are lists of records;
// flattened files may also have the first element's members as columns.
var repeated = map[string]string{
	"credits": "credits", "labels": "labels", "systemlabels": "system_labels", "tags": "tags",
	"projectlabels": "project.labels", "labels1": "project.labels",
	"projectancestors": "project.ancestors", "ancestors": "project.ancestors",
}

var (
	columnByName = map[string]column{}
	formByName   = map[string]bill.Form{}
	nameOf       = map[string]string{} // of any field of the schema, by squashed name
)

func init() {
	for c, names := range spellings {
		for _, n := range names {
			columnByName[table.Squash(n)] = column(c)
			nameOf[table.Squash(n)] = names[0]
		}
	}
	for record, members := range records {
		for _, m := range members {
			nameOf[table.Squash(record+m)] = record + "." + m
		}
	}
	maps.Copy(nameOf, repeated)
	nameOf["ancestrynumbers"] = "project.ancestry_numbers" // as flattened files name it
	for f, names := range map[bill.Form]string{
		bill.Time: "usage_start_time usage_end_time export_time",
		bill.Number: `cost currency_conversion_rate usage.amount usage.amount_in_pricing_units cost_at_list
			cost_at_effective_price_default cost_at_list_consumption_model price.effective_price price.tier_start_amount
			price.pricing_unit_quantity price.list_price price.effective_price_default price.list_price_consumption_model`,
	} {
		for n := range strings.FieldsSeq(names) {
			formByName[n] = f
			nameOf[table.Squash(n)] = n
		}
	}
}

// documented is a field's name in the digest: its name in the schema, or, for a field outside
// the schema, the header in lower case.
func documented(header string) string {
	if n, ok := nameOf[table.Squash(header)]; ok {
		return n
	}
	return strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.ReplaceAll(header, "__", "."), "\ufeff")))
}

// loaderColumn reports whether a loader or a query added the column, which is then not part of
// the bill.
func loaderColumn(squashed string) bool {
	return strings.HasPrefix(squashed, "_") || columnByName[squashed] == colPartition
}

// exploded reports whether a column is a member of the first element of a repeated field that
// the file also has whole.
func exploded(squashed string, has map[string]bool) bool {
	if _, whole := repeated[squashed]; whole {
		return false
	}
	for list, name := range repeated {
		member, ok := strings.CutPrefix(squashed, list)
		if ok && has[name] && elementMembers[member] {
			return true
		}
	}
	return false
}

// elementMembers are the squashed members of elements of repeated fields.
var elementMembers = map[string]bool{
	"key": true, "value": true, "inherited": true, "namespace": true,
	"name": true, "amount": true, "fullname": true, "id": true, "type": true,
	"resourcename": true, "displayname": true,
}

// canonicalRecords returns a function that writes the identity of a repeated field. It caches
// recent texts; one goroutine uses it.
func canonicalRecords() func(dst []byte, text string) []byte {
	known := map[string]string{}
	return func(dst []byte, text string) []byte {
		if c, ok := known[text]; ok {
			return append(dst, c...)
		}
		from := len(dst)
		dst, err := table.AppendRecords(dst, text)
		if err != nil {
			dst = append(dst[:from], text...)
		}
		if len(known) >= recordCacheSize {
			clear(known)
		}
		known[strings.Clone(text)] = string(dst[from:])
		return dst
	}
}

// canonicalMonth is the identity of invoice.month, which some tools turn into
// a number or a month with a hyphen.
func canonicalMonth(dst []byte, text string) []byte {
	return append(dst, strings.Replace(strings.TrimSuffix(text, ".0"), "-", "", 1)...)
}
