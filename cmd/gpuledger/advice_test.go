package main

import (
	"strings"
	"testing"

	"gpuledger/ingest"
	"gpuledger/internal/store/pages"
)

func TestAdviceNamesColumnAndSetting(t *testing.T) {
	aws := pages.ExportFacts{Source: ingest.SourceAWSCUR, Rows: 10, Tagged: true,
		Columns: []string{"lineItem/ResourceId", "product_instance_type", "resourceTags/user:team",
			"pricing_public_on_demand_cost",
			"savings_plan_savings_plan_effective_cost", "reservation/EffectiveCost", "line_item_availability_zone"}}
	if got := advice(aws, nil); len(got) != 0 {
		t.Errorf("nothing is missing: %q", got)
	}
	without := func(e pages.ExportFacts, i int) pages.ExportFacts {
		e.Columns = append(append([]string{}, e.Columns[:i]...), e.Columns[i+1:]...)
		return e
	}
	actual := pages.ExportFacts{
		Source: ingest.SourceAzureCost, Scope: "ea-1", Dataset: "ActualCost",
		Columns: []string{"ResourceId", "AdditionalInfo", "Tags", "UnitPrice"},
	}
	amortized := actual
	amortized.Dataset = "AmortizedCost"
	elsewhere := amortized
	elsewhere.Scope = "ea-2"
	pooled := aws
	pooled.Compute, pooled.Pooled, pooled.Lost = 10, 3, 1
	nameless := aws
	nameless.Instances, nameless.Unnamed = 8, 2
	untagged := aws
	untagged.Tagged = false
	for _, c := range []struct {
		e      pages.ExportFacts
		others []pages.ExportFacts
		words  string
	}{
		{without(aws, 0), nil, "INCLUDE_RESOURCES"},
		{without(aws, 2), nil, "cost allocation tags"},
		{
			pages.ExportFacts{
				Source: ingest.SourceGCPBilling, Columns: []string{"credits", "system_labels", "labels", "cost_at_list"},
			}, nil, "Detailed usage cost",
		},
		{actual, []pages.ExportFacts{actual, elsewhere}, "no dataset AmortizedCost of ea-1"},
		{amortized, []pages.ExportFacts{amortized}, "no dataset ActualCost of ea-1"},
		{pooled, nil, "4 of 10 compute charges"},
		{nameless, nil, "2 of 8 charges for instance hours have no resource id"},
		{untagged, nil, "activate the keys"},
		{
			pages.ExportFacts{
				Source: ingest.SourceFOCUS, Columns: []string{"ResourceId", "ListCost", "Tags", "ConsumedQuantity"},
			}, nil, "EffectiveCost",
		},
	} {
		if got := advice(c.e, c.others); len(got) != 1 || !strings.Contains(got[0], c.words) {
			t.Errorf("want one with %q, have %q", c.words, got)
		}
	}
	if got := advice(actual, []pages.ExportFacts{actual, amortized}); len(got) != 0 {
		t.Errorf("the pair is complete: %q", got)
	}
}
