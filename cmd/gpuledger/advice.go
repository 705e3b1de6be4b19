package main

import (
	"fmt"
	"slices"
	"strings"

	"gpuledger/ingest"
	"gpuledger/internal/store/pages"
)

// need is a column that an export should have, the loss without it, and
// the provider's setting that adds it.
type need struct {
	names []string // squashed; one of them is enough; a prefix when it ends in *
	what  string
	loses string
	fix   string
}

// needs lists, per source, the columns that gpuledger uses. Names and
// settings are from the providers' documentation.
var needs = map[string][]need{
	ingest.SourceAWSCUR: {
		{[]string{"lineitemresourceid"}, "line_item_resource_id",
			"instances are distinguished only by type, region and account",
			"Data Exports: set INCLUDE_RESOURCES to TRUE and select line_item_resource_id; legacy reports: create one with " +
				"\"Include resource IDs\""},
		{[]string{"productinstancetype", "product"}, "product_instance_type (or the map product)",
			"GPU instances are recognised by their usage type only",
			"Data Exports: select product or product_instance_type"},
		{[]string{"resourcetags*"}, "resource_tags", "costs have no owner by billing tag",
			"Billing console: activate the cost allocation tags; Data Exports: select resource_tags"},
		{[]string{"pricingpublicondemandcost"}, "pricing_public_on_demand_cost", "there is no list cost",
			"Data Exports: select pricing_public_on_demand_cost"},
		{[]string{"savingsplansavingsplaneffectivecost"}, "savings_plan_savings_plan_effective_cost",
			"usage covered by savings plans has no effective cost",
			"Data Exports: select the savings_plan_… columns"},
		{[]string{"reservationeffectivecost"}, "reservation_effective_cost",
			"usage covered by reservations has no effective cost",
			"Data Exports: select the reservation_… columns"},
		{[]string{"lineitemavailabilityzone"}, "line_item_availability_zone",
			"lines without resource id are spread over all zones",
			"Data Exports: select line_item_availability_zone"},
	},
	ingest.SourceGCPBilling: {
		{[]string{"resource", "resourcename", "resourceglobalname", "resource*"}, "resource.name",
			"GPU, core and memory rows of a machine cannot be joined",
			"Billing export: enable \"Detailed usage cost\" and import its table gcp_billing_export_resource_v1_…"},
		{
			[]string{"credits*"}, "credits", "discounts and committed use are missing from the billed cost",
			"export all columns: credits is a repeated record",
		},
		{
			[]string{"systemlabels*"}, "system_labels", "machine types are known by catalogue only",
			"export all columns: system_labels is a repeated record",
		},
		{[]string{"labels*"}, "labels", "costs have no owner by label", "export all columns: labels is a repeated record"},
		{[]string{"costatlist", "costatlist*"}, "cost_at_list", "there is no list cost", "export all columns of the table"},
	},
	ingest.SourceAzureCost: {
		{[]string{"resourceid", "instanceid", "instancename"}, "ResourceId",
			"machines are distinguished only by size and region",
			"Cost Management: export the dataset ActualCost or AmortizedCost with all columns"},
		{
			[]string{"additionalinfo"}, "AdditionalInfo",
			"sizes of machines and members of scale sets are unknown", "Cost Management: export with all columns",
		},
		{
			[]string{"tags"}, "Tags", "costs have no owner by tag",
			"Cost Management: enable tag inheritance, and export with all columns",
		},
		{
			[]string{"unitprice"}, "UnitPrice", "there is no contracted cost",
			"Cost Management: use dataset version 2021-10-01 or newer",
		},
	},
	ingest.SourceFOCUS: {
		{
			[]string{"resourceid"}, "ResourceId", "machines are distinguished only by type and region",
			"ask the provider for ResourceId, or select it in the export",
		},
		{[]string{"effectivecost"}, "EffectiveCost", "there is no effective cost", "select EffectiveCost in the export"},
		{[]string{"listcost"}, "ListCost", "there is no list cost", "select ListCost in the export"},
		{
			[]string{"tags*"}, "Tags", "costs have no owner by tag",
			"select Tags in the export; on AWS activate the cost allocation tags",
		},
		{
			[]string{"consumedquantity"}, "ConsumedQuantity", "how long machines were billed is unknown",
			"select ConsumedQuantity and ConsumedUnit in the export",
		},
	},
}

// resourceIDs and tags are the settings that fill the columns of ids and tags
// when these exist but are empty.
var (
	resourceIDs = map[string]string{
		ingest.SourceAWSCUR: "Data Exports: set INCLUDE_RESOURCES to TRUE (legacy reports: \"Include resource " +
			"IDs\"); existing lines are not updated",
		ingest.SourceGCPBilling: "Billing export: enable \"Detailed usage cost\" and import its table " +
			"gcp_billing_export_resource_v1_…",
		ingest.SourceAzureCost: "Cost Management: export ActualCost and AmortizedCost, not a summary by meter",
		ingest.SourceFOCUS:     "ask the provider to fill ResourceId",
	}
	tags = map[string]string{
		ingest.SourceAWSCUR: "Billing console, Cost allocation tags: activate the keys; they appear within a day, " +
			"not for the past",
		ingest.SourceGCPBilling: "label the machines, or turn on GKE cost allocation",
		ingest.SourceAzureCost:  "tag the resources, and enable tag inheritance in Cost Management",
		ingest.SourceFOCUS:      "tag the resources; on AWS activate the cost allocation tags",
	}
)

// squash lower-cases a name and keeps only letters and digits, because exports
// spell the same column in many ways.
func squash(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, name)
}

func (n need) met(columns []string) bool {
	for _, c := range columns {
		for _, name := range n.names {
			if prefix, ok := strings.CutSuffix(name, "*"); c == name || ok && strings.HasPrefix(c, prefix) {
				return true
			}
		}
	}
	return false
}

// advice lists the gaps of an export, each with the setting that closes it.
func advice(e pages.ExportFacts, others []pages.ExportFacts) []string {
	var out []string
	columns := make([]string, len(e.Columns))
	for i, c := range e.Columns {
		columns[i] = squash(c)
	}
	for _, n := range needs[e.Source] {
		if !n.met(columns) {
			out = append(out, fmt.Sprintf("no column %s: %s. %s", n.what, n.loses, n.fix))
		}
	}
	if e.Unnamed > 0 {
		out = append(out, fmt.Sprintf("%d of %d charges for instance hours have no resource id: they are spread over "+
			"machines that fit. %s", e.Unnamed, e.Instances, resourceIDs[e.Source]))
	}
	if !e.Tagged && e.Rows > 0 && tags[e.Source] != "" {
		out = append(out, "no charge has one of your tags: costs have no owner by billing tag. "+tags[e.Source])
	}
	if e.Compute > 0 && e.Pooled+e.Lost > e.Unnamed {
		out = append(out, fmt.Sprintf("%d of %d compute charges match no machine by resource id (%d spread over "+
			"machines that fit, %d without a machine): import the telemetry of their clusters",
			e.Pooled+e.Lost, e.Compute, e.Pooled, e.Lost))
	}
	if missing := azurePair(e, others); missing != "" {
		out = append(out, missing)
	}
	return out
}

// azurePair names the missing one of Azure's two datasets of a scope.
func azurePair(e pages.ExportFacts, others []pages.ExportFacts) string {
	if e.Source != ingest.SourceAzureCost {
		return ""
	}
	const actual, amortized = "actualcost", "amortizedcost"
	own := squash(e.Dataset)
	want, label, loses := "", "", ""
	switch own {
	case actual:
		want, label, loses = amortized, "AmortizedCost", "effective, list and contracted costs are missing"
	case amortized:
		want, label, loses = actual, "ActualCost", "billed costs are missing"
	default:
		return ""
	}
	if slices.ContainsFunc(others, func(o pages.ExportFacts) bool {
		return o.Source == e.Source && o.Scope == e.Scope && squash(o.Dataset) == want
	}) {
		return ""
	}
	return fmt.Sprintf("no dataset %s of %s: %s. Cost Management: also export the dataset %s", label,
		e.Scope, loses, label)
}
